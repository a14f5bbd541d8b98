internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher orders …`: what was going to be bought, what became of it, and what a person decides
/// (spec 1.8).
struct OrdersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders",
        abstract: "List orders, find lost ones, and decide them by hand.",
        discussion: "Example: usher orders list alice",
        subcommands: [
            OrdersList.self, OrdersShow.self, OrdersLost.self, OrdersStates.self,
            OrdersSettle.self, OrdersRefuse.self, OrdersReassign.self, OrdersUndo.self,
        ])
}

/// Options of the commands that read what only now can be asked about.
struct PresentReadingOptions: ParsableArguments {
    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        guard reading.at == nil else {
            throw ValidationError(.ordersNow)
        }
    }
}

/// How much of a list a command reads.
struct LimitOption: ParsableArguments {
    @Option(help: "The maximum number to list, from 1 to 1000.")
    var limit = 100

    func validate() throws {
        guard (1...1_000).contains(limit) else {
            throw ValidationError(.range, "--limit", "1", "1000")
        }
    }

    var query: Parameters { [("limit", "\(limit)")] }
}

/// Which page of a list that is in the ledger's order.
struct EntryPageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Continue after this entry, as printed at the end of a page.", valueName: "entry"))
    var after: Int64 = 0

    @OptionGroup var limit: LimitOption

    func validate() throws {
        guard after >= 0 else { throw ValidationError(.entryNumber) }
    }

    var entry: LedgerSequence { LedgerSequence(after) }

    var query: Parameters { [("after", "\(after)")] + limit.query }
}

/// `usher orders list ACCOUNT`.
struct OrdersList: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the orders of an account, the newest first.",
        discussion: """
            Prints id, product, quantity, state, when it was made, and what pays it.

            Example: usher orders list alice --limit 10
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @OptionGroup var part: EntryPageOptions
    @OptionGroup var options: PresentReadingOptions

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/accounts/\(account.inPath)/orders" }
    var query: Parameters { part.query }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> OrderList? {
        try ledger.orders(
            of: account, after: part.entry, at: reading.instant, limit: part.limit.limit)
    }

    func write(_ list: OrderList, to page: inout Page) { page.write(orders: list) }
}

/// `usher orders show ORDER`.
struct OrdersShow: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an order, what happened to it, and what can be done next.",
        discussion: """
            Exit codes: 0 found, 1 no order has this id, 2 no answer.

            Example: usher orders show 6f9619ff-8b86-4011-b42d-00cf4fc964ff
            """)

    @Argument(help: "The order: the appAccountToken of its purchase.", transform: readName)
    var order: OrderID

    @OptionGroup var options: PresentReadingOptions

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/orders/" + order.inPath }
    var unknown: CommandFailure {
        .serviceRejected(RejectedCall(.unknownOrder, "order", order.text))
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> OrderAnswer? {
        guard let token = order.token else { return nil }
        return try ledger.order(OrderID(token), at: reading.instant)
    }

    func write(_ answer: OrderAnswer, to page: inout Page) { page.write(order: answer) }
}
