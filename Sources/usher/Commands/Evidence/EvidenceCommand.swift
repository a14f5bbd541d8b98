internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import EvidenceVerification

/// `usher evidence …`: what waits for Apple (spec 1.8).
struct EvidenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence",
        abstract: "List what waits for Apple, and show what came of it.",
        discussion: "Example: usher evidence waiting",
        subcommands: [EvidenceWaiting.self, EvidenceShow.self])
}

/// `usher evidence waiting`.
struct EvidenceWaiting: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting",
        abstract: "List what waits for Apple, the oldest first.",
        discussion: """
            Prints for each ticket what is asked, for whom, since when, how often this service \
            has asked, when it asks next, and why the last attempt came to nothing. Apple is asked \
            again by itself. Exit codes: 0 nothing waits, 1 something does, 2 no answer.

            Example: usher evidence waiting --limit 20
            """)

    @OptionGroup var part: EntryPageOptions
    @OptionGroup var options: PresentReadingOptions

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/evidence" }
    var query: Parameters { part.query }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> TicketList? {
        try ledger.waitingTickets(
            after: part.entry, at: reading.instant(of: ledger), limit: part.limit.limit)
    }

    /// Whether nothing waits.
    func isYes(_ list: TicketList) -> Bool { list.tickets.isEmpty }

    func write(_ list: TicketList, to page: inout Page) {
        page.write(tickets: list, isFile: reading.ledger != nil)
    }
}

/// `usher evidence show TICKET`.
struct EvidenceShow: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a ticket: whether it waits for Apple, and what came of it.",
        discussion: """
            Exit codes: 0 found, 1 no ticket has this number, 2 no answer.

            Example: usher evidence show 42
            """)

    @Argument(help: "The number of the ticket.")
    var ticket: Int64

    @OptionGroup var options: PresentReadingOptions

    func validate() throws {
        try require(ticket > 0, or: .aboveZero)
    }

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/evidence/\(ticket)" }
    var unknown: CommandFailure {
        .serviceRejected(RejectedCall(.unknownTicket, "ticket", "\(ticket)"))
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> TicketAnswer? {
        try ledger.ticket(LedgerSequence(ticket))
    }

    func write(_ answer: TicketAnswer, to page: inout Page) {
        page.write(ticket: answer, at: SystemClock().now(), isFile: reading.ledger != nil)
    }
}

/// The pages of `usher evidence`.
extension Page {
    /// - Parameter isFile: whether the ledger was read from its file, next to the service.
    mutating func write(tickets list: TicketList, isFile: Bool = false) {
        if list.tickets.isEmpty { add(TicketPhrase.none, as: .good) }
        if isFile, !list.tickets.isEmpty {
            add(TicketPhrase.fromFile)
        } else if !list.asks, !list.tickets.isEmpty {
            add(AppStoreTrouble.notConfigured, as: .bad)
        }
        for ticket in list.tickets { write(ticket: ticket, at: list.at, isFile: isFile) }
        if let next = list.next {
            add(OrderPhrase.more, "usher evidence waiting --after \(next)")
        }
    }

    mutating func write(ticket: TicketAnswer, at now: Instant, isFile: Bool = false) {
        let isGood = ticket.state == .judged
        add(
            TicketPhrase.title, paint("\(ticket.ticket)", .strong),
            paint(ticket.state.text(language), isGood ? .good : .care))
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
                branch(OrderPhrase.age, length(milliseconds: age), ticket.since.date))
            if !isFile { branches.append(Branch(attempts(ticket))) }
        }
        if !isFile, let failure = ticket.failure {
            branches.append(
                branch(TicketPhrase.failure, failure.code.text(language), failure.code.rawValue))
        }
        if let closed = ticket.closedAt {
            branches.append(branch(TicketPhrase.closed, closed.date))
        }
        if let code = ticket.code { branches.append(Branch(refusal(code.shown))) }
        branches += ticket.transactions.map { transaction in
            let (id, product) = (transaction.transaction.text, transaction.product.text)
            guard !transaction.owners.isEmpty else {
                return branch(TicketPhrase.unowned, id, product)
            }
            return branch(
                TicketPhrase.transaction, id, product,
                language.list(transaction.owners.map(\.shown)))
        }
        if ticket.form == .transaction, ticket.account != nil,
            ticket.transactions.contains(where: \.owners.isEmpty)
        {
            branches.append(branch(TicketPhrase.idClaimsNothing))
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
        return Phrase.coded.text(language, sentence ?? "", code)
    }
}

/// What `usher evidence …` says.
enum TicketPhrase: String, CaseIterable, UsherText, Wording {
    case title = "ticket {0}: {1}"
    case none = "nothing waits for Apple"
    case fromFile = "read from the file: only the service knows when it asks Apple"
    case attempts = "{0} attempts by this service"
    case next = "next at {0}"
    case failure = "last attempt: {0} [{1}]"
    case closed = "closed {0}"
    case transaction = "transaction {0} ({1}), owned by: {2}"
    case unowned = "transaction {0} ({1}), owned by nobody"
    case idClaimsNothing =
        "an id claims nothing for the account that sends it: submit the signed transaction"
}
