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
struct EvidenceWaiting: ParsableCommand {
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
    @OptionGroup var options: OrderReadingOptions

    func run() throws {
        var isEmpty = true
        try options.show { reading throws(CommandFailure) in
            let answer = try reading.answer("/v1/evidence", part.query) {
                questions throws(EngineError) -> TicketList? in
                try questions.waitingTickets(
                    after: part.entry, at: reading.instant, limit: part.limit.limit)
            }
            isEmpty = answer.value.tickets.isEmpty
            return answer
        } as: { (list: TicketList, page) in
            page.write(tickets: list, isFile: options.reading.ledger != nil)
        }
        if !isEmpty { throw ExitCode.no }
    }
}

/// `usher evidence show TICKET`.
struct EvidenceShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a ticket: whether it waits for Apple, and what came of it.",
        discussion: """
            Exit codes: 0 found, 1 no ticket has this number, 2 no answer.

            Example: usher evidence show 42
            """)

    @Argument(help: "The number of the ticket.")
    var ticket: Int64

    @OptionGroup var options: OrderReadingOptions

    func validate() throws {
        guard ticket > 0 else { throw ValidationError(.aboveZero) }
    }

    func run() throws {
        try options.show { reading throws(CommandFailure) in
            try reading.answer(
                "/v1/evidence/\(ticket)",
                unknown: .serviceRejected(RejectedCall(.unknownTicket, "ticket", "\(ticket)"))
            ) { questions throws(EngineError) -> TicketAnswer? in
                try questions.ticket(LedgerSequence(ticket))
            }
        } as: { (answer: TicketAnswer, page) in
            page.write(
                ticket: answer, at: options.reading.instant,
                isFile: options.reading.ledger != nil)
        }
    }
}
