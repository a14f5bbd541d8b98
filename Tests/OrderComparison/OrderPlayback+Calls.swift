internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementSpecification
internal import HistoryComparison
internal import LedgerModel
internal import TestSupport

/// The calls of a service, each on both sides.
extension OrderPlayback {
    static let caller = "uid:7"
    static let person = AdminActionCause(actor: "uid:0", reason: "a test")

    mutating func make(_ number: Int, _ order: ScriptedOrder, at now: Instant) async throws {
        let preflight = try shop.engine.questions.preflight(
            PreflightRequest(
                account: specification().account(standingFor: order.account),
                product: order.product,
                environment: order.environment, appleID: order.appleID), at: now)
        let request = SpecifiedOrders.Request(
            account: order.account, environment: order.environment, product: order.product,
            quantity: order.quantity, appleID: order.appleID, price: order.price,
            key: order.key.map { SpecifiedOrderKey(text: $0, caller: Self.caller) })
        let before = specification()
        let expected = specified.outcome(
            of: request, isBlocked: preflight.verdict.effect == .block, by: before, at: now)
        let report = try await shop.engine.makeOrder(
            OrderRequest(
                account: order.account, environment: order.environment, product: order.product,
                quantity: order.quantity, appleID: order.appleID, price: order.price,
                key: order.key, actor: Self.caller)
        ).report
        try read()
        var answered = describe(report)
        switch report {
        case .done(let history):
            numbers[number] = history.id
            if specified.order(history.id) == nil, expected == nil {
                specified.make(history.id, request, by: before, at: now)
                answered = "made"
            }
        case .inFlight(let history):
            numbers[number] = history.id
            if case .inFlight(let open)? = expected, open.contains(history.id) {
                answered = describe(.inFlight(open))
                specified.remember(request, answeredWith: history.id)
            }
        case .rejected: break
        }
        visit(expected)
        expect(
            "answer to an order", at: now, engine: answered,
            specified: expected.map(describe) ?? "made")
    }

    mutating func report(
        _ id: OrderID, _ kind: OrderEventKind, _ transaction: TransactionID?, _ code: String?,
        at now: Instant
    ) async throws {
        let report = try await shop.engine.report(
            OrderEventRequest(
                order: id, kind: kind, transaction: transaction, storeCode: code,
                actor: Self.caller))
        try read()
        let expected = specified.report(
            kind, of: id, naming: transaction, storeCode: code, by: specification(), at: now)
        visit(expected)
        expect(
            "answer to a report", at: now, engine: describe(report), specified: describe(expected))
    }

    mutating func rule(_ step: OrderStep, at now: Instant) async throws {
        let before = specification()
        let expected: SpecifiedOrders.Outcome
        let report: OrderReport
        switch step {
        case .settle(let reference, let transaction):
            guard let id = id(reference) else { return }
            report = try await shop.engine.rule(on: id, .settle(transaction), Self.person)
            try read()
            expected =
                if let transaction {
                    specified.settle(
                        id, by: transaction, before: before, after: specification(), at: now)
                } else {
                    specified.give(id, at: now)
                }
        case .refuse(let reference):
            guard let id = id(reference) else { return }
            report = try await shop.engine.rule(on: id, .refuse, Self.person)
            expected = specified.refuse(id, at: now)
        case .reassign(let reference, let account):
            guard let id = id(reference) else { return }
            report = try await shop.engine.rule(on: id, .reassign(account), Self.person)
            expected = specified.reassign(id, to: account, after: before, at: now)
        case .undo(let reference):
            guard let id = id(reference) else { return }
            report = try await shop.engine.rule(on: id, .undo, Self.person)
            expected = specified.undo(id, before: before, at: now)
        default: return
        }
        try read()
        visit(expected)
        expect(
            "answer to a ruling on an order", at: now, engine: describe(report),
            specified: describe(expected))
        followOthers(at: now)
    }

    private mutating func visit(_ outcome: SpecifiedOrders.Outcome?) {
        switch outcome {
        case .rejected(let code): coverage.visit("order rejected: \(code)")
        case .illegal: coverage.visit("order rejected: order.state")
        case .inFlight: coverage.visit("order in flight")
        case .done, nil: break
        }
    }

    private func describe(_ outcome: SpecifiedOrders.Outcome) -> String {
        switch outcome {
        case .done(let id): "done \(id)"
        case .inFlight(let open): "in flight \(open.map(\.text).sorted())"
        case .rejected(let code): code
        case .illegal(let state, let legal):
            "order.state \(state.rawValue) \(legal.map(\.rawValue).sorted())"
        }
    }

    private func describe(_ report: OrderReport) -> String {
        switch report {
        case .done(let history): "done \(history.id)"
        case .inFlight(let history): "in flight \([history.id.text])"
        case .rejected(.state(let state, let legal)), .rejected(.delivered(let state, let legal)):
            "order.state \(state.rawValue) \(legal.map(\.rawValue).sorted())"
        case .rejected(let rejection): rejection.code.rawValue
        }
    }
}

/// Evidence, and what moves what was bought.
extension OrderPlayback {
    mutating func submit(_ evidence: ScriptedEvidence, at now: Instant) async throws {
        let payload: [UInt8]
        if evidence.isReceipt {
            payload = OrderShop.receipt(evidence.sales, at: now)
        } else if let sale = evidence.sales.first {
            payload = OrderShop.jws(sale, token: token(of: sale))
        } else {
            return
        }
        let named = evidence.order.flatMap(id)
        let before = facts
        let reports = try await shop.engine.submit([
            EvidenceSubmission(
                payload: payload, account: evidence.account, moment: evidence.moment, order: named)
        ])
        let entries = try read()
        guard case .judged(let judged)? = reports.first else {
            coverage.visit("evidence refused")
            return
        }
        let after = specification()
        let transactions = judged.transactions.map(\.transaction)
        let claimant = evidence.account.map { after.account(standingFor: $0) }
        let (use, problem) = use(of: named, transactions, claimant, after, at: now)
        compareClaims(entries, after: before, evidence, use?.payment, after, at: now)
        specified.settle(transactions, claimant: claimant, named: use, by: after, at: now)
        followOthers(at: now)
        specified.followPlans(
            of: Set(judged.transactions.map(\.lineage)), by: after, at: now)
        compareProblem(
            problem, judged.orderProblem?.rawValue, named, transactions, claimant, after, at: now)
        for transaction in transactions where !after.isFinishable(transaction, judged) {
            expect("finish \(transaction)", at: now, engine: "false", specified: "true")
        }
        followOthers(at: now)
    }

    private func token(of sale: ScriptedSale) -> String? {
        switch sale.token {
        case .none: nil
        case .order(let reference): id(reference)?.text
        case .other(let text): text
        }
    }

    /// What Apple says of a renewal.
    mutating func inform(_ renewal: ScriptedRenewal, at now: Instant) async throws {
        let reports = try await shop.engine.submit([
            EvidenceSubmission(payload: OrderShop.jws(renewal), account: nil)
        ])
        try read()
        guard case .judged? = reports.first else {
            coverage.visit("evidence refused")
            return
        }
        specified.followPlans(of: [renewal.lineage], by: specification(), at: now)
        followOthers(at: now)
    }

    /// Whether the order that was named with evidence can be used, and for which payment.
    private mutating func use(
        of named: OrderID?, _ transactions: [TransactionKey], _ claimant: AccountID?,
        _ specification: Specification, at now: Instant
    ) -> (use: (order: OrderID, payment: TransactionKey)?, problem: String?) {
        guard let named, let claimant else { return (nil, nil) }
        let expected = specified.payment(
            of: named, named: transactions, claimant: claimant, by: specification, at: now)
        switch expected {
        case .pays(let payment):
            coverage.visit("order named with evidence")
            return ((named, payment), nil)
        case .problem(let code):
            coverage.visit("order named with evidence: \(code)")
            return (nil, code)
        }
    }

    /// It is no problem where the customer has it already, or will have it.
    private mutating func compareProblem(
        _ expected: String?, _ problem: String?, _ named: OrderID?,
        _ transactions: [TransactionKey], _ claimant: AccountID?, _ after: Specification,
        at now: Instant
    ) {
        var expected = expected
        if expected == "order.payment", let named, let claimant,
            specified.acknowledge(named, transactions, for: claimant, by: after, at: now)
        {
            expected = nil
        }
        expect(
            "problem with a named order", at: now, engine: problem ?? "none",
            specified: expected ?? "none")
    }

    /// Of a receipt that is handed in for an order, the claim of the order's payment alone names
    /// the order, and each claim comes to what the rules of claims say.
    private mutating func compareClaims(
        _ entries: [Recorded<LedgerEntry>], after before: FactSet, _ evidence: ScriptedEvidence,
        _ payment: TransactionKey?, _ after: Specification, at now: Instant
    ) {
        for entry in entries {
            guard case .claim(let claim) = entry.value else { continue }
            guard evidence.isReceipt, let payment, claim.order != nil else { continue }
            coverage.visit("order named with a receipt")
            expect(
                "claim of a receipt with an order", at: now,
                engine: after.unit(of: claim.transaction)?.text ?? "none",
                specified: after.unit(of: payment)?.text ?? "none")
        }
        var known = before
        var claimed: Set<TransactionKey> = []
        for (place, entry) in entries.enumerated() {
            if case .claim(let claim) = entry.value, place + 1 < entries.count,
                case .decision(let decision) = entries[place + 1].value
            {
                if let account = evidence.account, claimed.insert(claim.transaction).inserted {
                    let claimant = after.account(standingFor: account)
                    let reporter = specified.reporter(
                        of: claim.transaction, presentedBy: claimant, named: payment,
                        by: Specification(policies: policies, facts: known), at: now)
                    if reporter != nil { coverage.visit("payment of who reported it") }
                    expect(
                        "who claims \(claim.transaction)", at: now, engine: claim.account.text,
                        specified: (reporter ?? claimant).text)
                }
                let judgement = Specification(policies: policies, facts: known)
                    .judgement(of: claim, recordedAt: now)
                expect(
                    "judgement of \(claim.account)'s claim", at: now,
                    engine: "\(decision.outcome.code) \(decision.ownersAfter.map(\.text))",
                    specified: judgement.map { "\($0.outcome.code) \($0.ownersAfter.map(\.text))" }
                        ?? "none")
            }
            known.insert(entry)
        }
    }

    /// A person moves a purchase: it is looked at again as if Apple had told of it.
    mutating func move(
        _ transaction: TransactionKey, to account: AccountID?, at now: Instant
    ) async throws {
        let claim = facts.claims.last { $0.value.transaction == transaction }
        guard let claim else { return }
        let report = try await shop.engine.rule(
            RulingRequest(
                verb: account == nil ? .release : .transfer, claim: claim.sequence,
                account: account, cause: Self.person))
        try read()
        guard case .done = report else { return }
        let before = specified.orders.filter { $0.lastState == .paid }.map(\.id)
        specified.settle(
            [transaction], claimant: nil, isRuled: true, by: specification(), at: now)
        if before.contains(where: { specified.order($0)?.lastState == .delivered }) {
            coverage.visit("order delivered by a ruling")
        }
        followOthers(at: now)
    }

    mutating func merge(_ from: AccountID, _ into: AccountID, at now: Instant) async throws {
        let report = try await shop.engine.merge(
            AccountMerge(from: from, into: into, actor: "uid:0", reason: "a test"))
        try read()
        guard case .done = report else { return }
        hasMerges = true
        coverage.visit("order histories with a merge")
        followOthers(at: now)
    }

    mutating func undoMerge(_ from: AccountID, _ into: AccountID, at now: Instant) async throws {
        let merged = facts.accountMerges.last {
            $0.value.from == from && $0.value.into == into && $0.value.undoes == nil
        }
        guard let merged else { return }
        let report = try await shop.engine.undoMerge(merged.sequence, Self.person)
        try read()
        guard case .done = report else { return }
        followOthers(at: now)
    }

    /// Whatever has moved: what an account that has paid owns now is delivered.
    private mutating func followOthers(at now: Instant) {
        let specification = specification()
        for id in specified.undelivered(by: specification) {
            guard let order = specified.order(id), let name = order.payment,
                let payment = specification.payment(name)
            else { continue }
            if delayed.contains(id), recorded[id]?.recordedState == .paid { continue }
            coverage.visit("order delivered by what moved")
            specified.follow(id, payment, by: specification, at: now)
        }
    }
}

extension Specification {
    /// What is durable may be finished, whoever owns it.
    fileprivate func isFinishable(
        _ transaction: TransactionKey, _ judged: JudgedSubmission
    ) -> Bool {
        judged.transactions.contains { $0.transaction == transaction && $0.finish }
    }
}
