internal import EntitlementAnswers
internal import EntitlementModel
internal import EvidenceVerification

/// The pages of `usher evidence`.
extension Page {
    /// - Parameter isFile: whether the ledger was read from its file, next to the service.
    mutating func write(tickets list: TicketList, isFile: Bool = false) {
        if list.tickets.isEmpty { add(paint(TicketPhrase.none.text(language), .good)) }
        if isFile, !list.tickets.isEmpty {
            add(TicketPhrase.fromFile.text(language))
        } else if !list.asks, !list.tickets.isEmpty {
            add(paint(AppStoreTrouble.notConfigured.text(language), .bad))
        }
        for ticket in list.tickets { write(ticket: ticket, at: list.at, isFile: isFile) }
        if let next = list.next {
            add(OrderPhrase.more.text(language, "usher evidence waiting --after \(next)"))
        }
    }

    mutating func write(ticket: TicketAnswer, at now: Instant, isFile: Bool = false) {
        let isGood = ticket.state == .judged
        add(
            TicketPhrase.title.text(
                language, paint("\(ticket.ticket)", .strong),
                paint(ticket.state.text(language), isGood ? .good : .care)))
        let about = [
            ticket.form.text(language),
            ticket.account.map { FindPhrase.accounts.text(language, $0.text) },
            ticket.transaction.map { AccountPhrase.transaction.text(language, $0.text) },
            ticket.order.map { ExplainPhrase.order.text(language, $0.text) },
            ticket.environment.flatMap { $0 == .production ? nil : $0.rawValue },
        ]
        var branches = [Branch(language.list(about.compactMap(\.self)))]
        if ticket.state == .waiting {
            let age = max(0, now.milliseconds(since: ticket.since))
            branches.append(
                Branch(
                    OrderPhrase.age.text(language, length(milliseconds: age), ticket.since.date)))
            if !isFile { branches.append(Branch(attempts(ticket))) }
        }
        if !isFile, let failure = ticket.failure {
            branches.append(
                Branch(
                    TicketPhrase.failure.text(
                        language, failure.code.text(language), failure.code.rawValue)))
        }
        if let closed = ticket.closedAt {
            branches.append(Branch(TicketPhrase.closed.text(language, closed.date)))
        }
        if let code = ticket.code { branches.append(Branch(refusal(code.shown))) }
        branches += ticket.transactions.map { transaction in
            let (id, product) = (transaction.transaction.text, transaction.product.text)
            guard !transaction.owners.isEmpty else {
                return Branch(TicketPhrase.unowned.text(language, id, product))
            }
            return Branch(
                TicketPhrase.transaction.text(
                    language, id, product, language.list(transaction.owners.map(\.shown))))
        }
        if ticket.form == .transaction, ticket.account != nil,
            ticket.transactions.contains(where: \.owners.isEmpty)
        {
            branches.append(Branch(TicketPhrase.idClaimsNothing.text(language)))
        }
        tree(branches)
    }

    private func attempts(_ ticket: TicketAnswer) -> String {
        let count = TicketPhrase.attempts.text(language, "\(ticket.attempts)")
        guard let next = ticket.nextAttempt else { return count }
        return language.list([count, TicketPhrase.next.text(language, next.toTheSecond)])
    }

    /// Why it is not judged: what Apple said, or why its answer is refused.
    func refusal(_ code: String) -> String {
        let sentence =
            AppStoreTrouble(rawValue: code)?.text(language)
            ?? VerificationRefusalCode(rawValue: code)?.text(language)
        return TicketPhrase.code.text(language, sentence ?? "", code)
    }
}
