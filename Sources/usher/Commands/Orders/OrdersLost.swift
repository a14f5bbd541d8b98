internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// `usher orders lost`: the orders that a person should look at.
struct OrdersLost: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "lost",
        abstract: "List the orders that a person should look at.",
        discussion: """
            Paid without delivery, begun without outcome, in review, refunded after delivery, a \
            payment that no account claims and the like. What may still come right by itself is \
            listed after 'pay_within'. Those that have been so for longest come first. Prints \
            why, for how long, the amount, the account, the transaction, what to do and the next \
            command. Exit codes: 0 none, 1 some, 2 no answer.

            Example: usher orders lost --limit 20
            """)

    @OptionGroup var part: EntryPageOptions
    @OptionGroup var options: PresentReadingOptions

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/orders/lost" }
    var query: Parameters { part.query }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> LostOrderPage? {
        try ledger.lostOrders(after: part.entry, at: reading.instant, limit: part.limit.limit)
    }

    /// Whether there is none.
    func isYes(_ lost: LostOrderPage) -> Bool { lost.orders.isEmpty && lost.next == nil }

    func write(_ lost: LostOrderPage, to page: inout Page) { page.write(lost: lost) }
}

/// `usher orders states`: what can happen to an order, and where it stands afterwards.
struct OrdersStates: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "states",
        abstract: "Print what can happen to an order in each state, and the state after it.",
        discussion: """
            Everything else is rejected. Needs neither a service nor a ledger.

            Example: usher orders states
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.attempt { () throws(CommandFailure) in
            try output.show(quiet: false) {
                Self.json.serialized()
            } as: {
                $0.writeOrderStates()
            }
        }
    }

    /// Stable, for scripts: one row a transition.
    private static var json: JSONValue {
        let rows = OrderState.allCases.flatMap { state in
            state.events.compactMap { event in
                state.after(event).map { after -> JSONValue in
                    [
                        "state": .string(state.rawValue), "event": .string(event.rawValue),
                        "after": .string(after.rawValue),
                    ]
                }
            }
        }
        return ["transitions": .array(rows)]
    }
}
