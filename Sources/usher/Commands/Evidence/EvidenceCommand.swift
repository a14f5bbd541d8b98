internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

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
            after: part.entry, at: reading.instant, limit: part.limit.limit)
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
        guard ticket > 0 else { throw ValidationError(.aboveZero) }
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
        page.write(ticket: answer, at: reading.instant, isFile: reading.ledger != nil)
    }
}
