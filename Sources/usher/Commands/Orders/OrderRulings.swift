internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// What the rulings on orders share: the order, and the reason.
struct OrderRulingOptions: ParsableArguments {
    @Argument(
        help: "The order, as printed by 'orders list' and 'orders lost'.", transform: readName)
    var order: OrderID

    @OptionGroup var action: AdminActionOptions

    func rule(
        _ verb: String, _ body: some WireObject, account: AccountID? = nil,
        new: NewAccountOption? = nil, telling write: @escaping (DoneLine, OrderAnswer) -> String
    ) throws {
        try action.carryOut { call throws(CommandFailure) in
            if let account { try new?.check(account, call) }
            return try call.ask("/v1/orders/\(order.inPath)/\(verb)", body)
        } telling: { (done: OrderAnswer, line) in
            write(line, done)
        }
    }
}

/// `usher orders settle ORDER [--transaction ID]`.
struct OrdersSettle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Deliver an order by hand: by a payment, or until it is paid.",
        discussion: """
            With --transaction the order's account gets the purchase of that payment. Without it \
            the account gets what the product gives; a payment that comes later takes its place, \
            so that it is delivered once.

            Example: usher orders settle 6f9619ff-8b86-4011-b42d-00cf4fc964ff \
            --transaction 400000000001001 --reason 'paid, says the bank'
            """)

    @Option(
        help: ArgumentHelp("The payment that the order is for.", valueName: "id"),
        transform: readName)
    var transaction: TransactionID?

    @OptionGroup var ruling: OrderRulingOptions

    func run() throws {
        let body = SettleBody(transaction: transaction, reason: ruling.action.stated)
        try ruling.rule("settle", body) { $0.settlement($1) }
    }
}

/// `usher orders refuse ORDER`.
struct OrdersRefuse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: "Close an order that nobody waits for any more.",
        discussion: """
            A payment that comes nevertheless opens it again. What was delivered or given stays \
            delivered, and a refunded order stays refunded: they leave the list of lost orders.

            Example: usher orders refuse 6f9619ff-8b86-4011-b42d-00cf4fc964ff \
            --reason 'the customer changed her mind'
            """)

    @OptionGroup var ruling: OrderRulingOptions

    func run() throws {
        try ruling.rule("refuse", ruling.action.reasonOnly) { $0.refusal($1) }
    }
}

/// `usher orders reassign ORDER ACCOUNT`.
struct OrdersReassign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reassign",
        abstract: "Give an order that is not delivered yet to another account.",
        discussion: """
            A payment of the order from now on is the other account's.

            Example: usher orders reassign 6f9619ff-8b86-4011-b42d-00cf4fc964ff alice \
            --reason 'made while signed in as another'
            """)

    @OptionGroup var ruling: OrderRulingOptions

    @Argument(help: "The account that gets it.", transform: readName)
    var account: AccountID

    @OptionGroup var new: NewAccountOption

    func run() throws {
        let body = ReassignBody(account: account, reason: ruling.action.stated)
        try ruling.rule("reassign", body, account: account, new: new) { $0.reassignment($1) }
    }
}

/// `usher orders undo ORDER`.
struct OrdersUndo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last ruling on an order.",
        discussion: """
            Only if nothing has happened to the order since. A purchase that settled the order \
            goes back to whoever had it.

            Example: usher orders undo 6f9619ff-8b86-4011-b42d-00cf4fc964ff \
            --reason 'settled by mistake'
            """)

    @OptionGroup var ruling: OrderRulingOptions

    func run() throws {
        try ruling.rule("undo", ruling.action.reasonOnly) { $0.undoing($1) }
    }
}
