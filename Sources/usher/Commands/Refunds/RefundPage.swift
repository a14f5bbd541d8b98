internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import StrictJSON

/// The pages of `usher refunds`.
extension Page {
    /// - Parameters:
    ///   - isFile: whether the ledger was read from its file, next to the service.
    ///   - next: what continues with the next page, but for the entry.
    mutating func write(refunds list: RefundRequestList, isFile: Bool, next: String) {
        if list.requests.isEmpty { add(paint(RefundPhrase.none.text(language), .good)) }
        if !list.sends, !isFile, list.requests.contains(where: { $0.state == .open }) {
            add(paint(RefundPhrase.sendsNothing.text(language), .care))
        }
        for request in list.requests { write(refund: request) }
        if let entry = list.next { add(OrderPhrase.more.text(language, "\(next) \(entry)")) }
    }

    mutating func write(refund request: RefundRequestAnswer) {
        let isGood = [.sent, .answered].contains(request.state)
        add(
            RefundPhrase.title.text(
                language, paint("\(request.request)", .strong),
                paint(request.state.text(language), isGood ? .good : .care)))
        let about = [
            request.account.map { FindPhrase.accounts.text(language, $0.text) },
            request.product.map { FindPhrase.products.text(language, $0.text) },
            request.price?.price.text,
            request.transaction.map { AccountPhrase.transaction.text(language, $0.text) },
            request.environment == .production ? nil : request.environment.rawValue,
        ]
        var branches = [Branch(language.list(about.compactMap(\.self)))]
        branches.append(
            Branch(
                RefundPhrase.asked.text(language, request.askedAt.date, request.dueAt.date)))
        if let reason = request.reason {
            branches.append(Branch(RefundPhrase.reason.text(language, reason.shown)))
        }
        if let decision = request.decision { branches.append(Branch(decision.text(language))) }
        branches += answer(to: request)
        tree(branches)
    }

    private func answer(to request: RefundRequestAnswer) -> [Branch] {
        var branches: [Branch] = []
        if let statement = request.statement?.statement {
            let phrase: RefundPhrase = request.answered == nil ? .wouldSay : .said
            let notes = request.notes.map { Branch($0.note.text(language)) }
            branches.append(Branch(phrase.text(language, words(of: statement)), notes))
        }
        if let begun = request.begun {
            branches.append(Branch(RefundPhrase.begun.text(language, begun.recordedAt.date)))
        }
        if let rule = request.rule { branches.append(Branch(self.rule(rule))) }
        if let obstacle = request.obstacle?.obstacle, request.answered == nil {
            branches.append(
                Branch(
                    paint(
                        RefundPhrase.tellsNothing.text(
                            language, obstacle.text(language), obstacle.rawValue), .care)))
        }
        if let failure = request.failure {
            branches.append(
                Branch(
                    TicketPhrase.failure.text(
                        language, failure.code.text(language), failure.code.rawValue)))
        }
        if let answered = request.answered {
            branches.append(Branch(RefundPhrase.at.text(language, answered.recordedAt.date)))
            if let code = answered.code {
                branches.append(
                    Branch(
                        TicketPhrase.code.text(
                            language, AppStoreTrouble.words(code, language), code.shown)))
            }
            if let actor = answered.actor, let reason = answered.reason {
                branches.append(
                    Branch(RefundPhrase.byPerson.text(language, actor.shown, reason.shown)))
            }
        }
        return branches
    }

    /// `GRANT_PRORATED, DELIVERED, 12.5 %`.
    private func words(of statement: RefundStatement) -> String {
        var words = [statement.preference.rawValue, statement.delivery.rawValue]
        if let consumed = statement.consumed {
            words.append(RefundPhrase.used.text(language, percent(consumed)))
        }
        if statement.hadSample { words.append(RefundPhrase.sample.text(language)) }
        return language.list(words)
    }

    private func percent(_ thousandths: Int64) -> String {
        let rest = String("\(1_000 + thousandths % 1_000)".dropFirst())
        let decimals = rest.reversed().drop { $0 == "0" }.reversed()
        let whole = "\(thousandths / 1_000)"
        return decimals.isEmpty ? "\(whole) %" : "\(whole).\(String(decimals)) %"
    }

    /// What a person calls to answer it.
    mutating func write(answeringOf request: RefundRequestAnswer) {
        guard request.state == .open, request.obstacle == nil,
            let command = request.answeringCommand
        else { return }
        add(RefundPhrase.howTo.text(language))
        if let statement = request.statement?.statement, statement.isFirstVersion {
            add(RefundPhrase.file.text(language, statement.firstVersionFile.shown))
        }
        add("  \(command.shown)")
        add("  \(ShellCommand("refunds answered", "\(request.request)").text.shown)")
    }

    mutating func write(_ preview: RefundPreview) {
        add(RefundPhrase.preview.text(language, preview.policy.short))
        if preview.counts.isEmpty { add(RefundPhrase.noneYet.text(language)) }
        table(
            preview.counts.map { count in
                [
                    count.answer.rawValue, "\(count.count)",
                    language.list(count.amounts.map(\.price.text)),
                    RefundPhrase.withoutConsent.text(language, "\(count.withoutConsent)"),
                ]
            })
        guard !preview.requests.isEmpty else { return }
        add(RefundPhrase.newest.text(language, "\(preview.requests.count)"))
        table(
            preview.requests.map { request in
                [
                    "\(request.request)", request.askedAt.date, request.account?.text ?? "",
                    request.product?.text ?? "", request.price?.price.text ?? "",
                    request.statement.map { words(of: $0.statement) }
                        ?? request.obstacle?.obstacle.text(language) ?? "",
                    request.rule?.name ?? "",
                ]
            })
    }
}

extension RefundRequestAnswer {
    /// As a shell takes it; nil where nothing is to be said. The first version takes a file, whose
    /// content comes first.
    fileprivate var answeringCommand: String? {
        guard let statement = statement?.statement, let transaction else { return nil }
        let start =
            "usher app-store consumption \(ShellCommand.quoted(transaction.text)) --environment "
            + "\(environment.rawValue) --customer-consented"
        guard !statement.isFirstVersion else { return start + " --advanced-commerce FILE" }
        var words = [
            "--delivery \(statement.delivery.rawValue)",
            statement.hadSample ? "--sample" : "--no-sample",
            "--preference \(statement.preference.rawValue)",
        ]
        if let consumed = statement.consumed {
            words.append("--consumed-milli-percent \(consumed)")
        }
        return ([start] + words).joined(separator: " ")
    }
}

extension RefundStatement {
    /// What `usher app-store consumption --advanced-commerce` reads.
    fileprivate var firstVersionFile: String {
        var file: JSONValue = ["sampleContentProvided": .bool(hadSample)]
        file["appAccountToken"] = token.map { .string($0.text) }
        for (name, number) in firstVersion { file[name] = .integer(number) }
        return file.text
    }
}
