internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// What the rulings on orders share: the order, and the reason.
struct OrderRulingOptions: ParsableArguments {
    @Argument(
        help: "The order, as printed by 'orders list' and 'orders lost'.", transform: readName)
    var order: OrderID

    @OptionGroup var action: AdminActionOptions

    func call(
        _ verb: String, _ body: any WireObject, account: AccountID? = nil,
        new: NewAccountOption? = nil
    ) -> AdminCall {
        AdminCall("/v1/orders/\(order.inPath)/\(verb)", body, for: account, new)
    }
}

/// A command that decides an order.
protocol OrderRulingCommand: ActionCommand where Done == OrderAnswer {
    var ruling: OrderRulingOptions { get }
}

extension OrderRulingCommand {
    var action: AdminActionOptions { ruling.action }
}

/// `usher orders settle ORDER [--transaction ID]`.
struct OrdersSettle: OrderRulingCommand {
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

    @Option(help: .value("id", "The payment that the order is for."), transform: readName)
    var transaction: TransactionID?

    @OptionGroup var ruling: OrderRulingOptions

    var call: AdminCall {
        ruling.call("settle", SettleBody(transaction: transaction, reason: action.stated))
    }

    func lines(on order: OrderAnswer, in language: Language) -> [String] {
        let (id, account, product) = (order.id.text, order.account.text, order.product.text)
        if let payment = order.transaction {
            return [
                AdminActionPhrase.orderSettled.text(language, id, account, product, payment.text)
            ]
        }
        let undo = ShellCommand("orders undo", id).text
        return [AdminActionPhrase.orderGiven.text(language, id, account, product, undo)]
    }
}

/// `usher orders refuse ORDER`.
struct OrdersRefuse: OrderRulingCommand {
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

    var call: AdminCall { ruling.call("refuse", action.reasonOnly) }

    func lines(on order: OrderAnswer, in language: Language) -> [String] {
        let undo = ShellCommand("orders undo", order.id.text).text
        return [AdminActionPhrase.orderRefused.text(language, order.id.text, undo)]
    }
}

/// `usher orders reassign ORDER ACCOUNT`.
struct OrdersReassign: OrderRulingCommand {
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

    var call: AdminCall {
        let body = ReassignBody(account: account, reason: action.stated)
        return ruling.call("reassign", body, account: account, new: new)
    }

    func lines(on order: OrderAnswer, in language: Language) -> [String] {
        [AdminActionPhrase.orderReassigned.text(language, order.id.text, order.account.text)]
    }
}

/// `usher orders undo ORDER`.
struct OrdersUndo: OrderRulingCommand {
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

    var call: AdminCall { ruling.call("undo", action.reasonOnly) }

    func lines(on order: OrderAnswer, in language: Language) -> [String] {
        let state = order.state.text(language)
        return [AdminActionPhrase.orderUndone.text(language, order.id.text, state)]
    }
}
