internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification

/// What Apple is told about refunds (spec 1.12).
extension Comparison {
    mutating func compareRefunds(
        _ requests: [RefundRequest], _ policies: PolicyHistory, _ facts: FactSet
    ) {
        let deriver = Deriver(policies: policies)
        for request in requests {
            let specified = specification.refund(request)
            coverage.visit(specified)
            let question = "refund of \(request.transaction.transactionID)"
            let text = describe(specified)
            let evaluation = deriver.evaluate(request, facts)
            expect(
                question, at: request.askedAt, derived: describe(evaluation), specified: text)
            // The engine reads no more than what is known of the account.
            let account = deriver.account(of: request, facts)
            expect(
                "account of the \(question)", at: request.askedAt,
                derived: account?.text ?? "nobody",
                specified: specified?.account?.text ?? "nobody")
            guard let account else { continue }
            let fewest = facts.connected(to: account, by: policies.current)
            expect(
                "\(question) from the facts of \(account)", at: request.askedAt,
                derived: describe(deriver.evaluate(request, fewest)), specified: text)
        }
    }
}

private func describe(_ refund: SpecifiedRefund?) -> String {
    guard let refund else { return "unknown" }
    return describe(
        refund.account, refund.rule, refund.obstacle, refund.told.map(describe) ?? "nothing",
        refund.notes)
}

private func describe(_ told: SpecifiedRefund.Told) -> String {
    switch told {
    case .said(let delivery, let sample, let preference, let percentage):
        "\(delivery) \(sample) \(preference) \(percentage.map { "\($0)" } ?? "-")"
    case .numbers(let used, let delivery, let preference, let sample, let token):
        "\(used) \(delivery) \(preference) \(sample) \(token ?? "-")"
    }
}

private func describe(_ evaluation: RefundEvaluation?) -> String {
    guard let evaluation else { return "unknown" }
    let mayBeTold = evaluation.obstacle == nil || evaluation.obstacle == .noConsent
    let statement = mayBeTold ? evaluation.statement : nil
    let rule = evaluation.rule.file == "built-in" ? nil : evaluation.rule
    return describe(
        evaluation.account, rule, evaluation.obstacle?.rawValue,
        statement.map(describe) ?? "nothing",
        mayBeTold ? Set(evaluation.notes.map(\.rawValue)) : [])
}

private func describe(_ statement: RefundStatement) -> String {
    guard statement.isFirstVersion else {
        return "\(statement.delivery.rawValue) \(statement.hadSample) "
            + "\(statement.preference.rawValue) \(statement.consumed.map { "\($0)" } ?? "-")"
    }
    let numbers = Dictionary(
        uniqueKeysWithValues: statement.firstVersion.map { ($0.name, "\($0.number)") })
    let names = ["consumptionStatus", "deliveryStatus", "refundPreference"]
    return names.map { numbers[$0] ?? "-" }.joined(separator: " ")
        + " \(statement.hadSample) \(statement.token?.text ?? "-")"
}

private func describe(
    _ account: AccountID?, _ rule: RuleReference?, _ obstacle: String?, _ told: String,
    _ notes: Set<String>
) -> String {
    "\(account?.text ?? "nobody") by \(rule?.name ?? "-"), \(obstacle ?? "free"): \(told) "
        + "\(notes.sorted())"
}

extension Coverage {
    fileprivate mutating func visit(_ refund: SpecifiedRefund?) {
        guard let refund else { return visit("refund transaction-unknown") }
        if let obstacle = refund.obstacle { visit("refund \(obstacle)") }
        for note in refund.notes { visit("refund \(note)") }
        switch refund.told {
        case .said(let delivery, let sample, let preference, let percentage):
            visit("refund \(preference)")
            visit("refund \(delivery)")
            if sample { visit("refund a free period before") }
            if percentage == 100_000 { visit("refund spent") }
            if let percentage, (1..<100_000).contains(percentage) { visit("refund spent in part") }
        case .numbers: visit("refund in the first version")
        case nil: break
        }
    }
}
