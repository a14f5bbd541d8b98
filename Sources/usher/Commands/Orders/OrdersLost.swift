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
        try ledger.lostOrders(
            after: part.entry, at: reading.instant(of: ledger), limit: part.limit.limit)
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

/// The pages of `usher orders lost` and `usher orders states`.
extension Page {
    /// One block an order.
    mutating func write(lost page: LostOrderPage) {
        if page.orders.isEmpty { add(OrderPhrase.noLost, as: .good) }
        for order in page.orders { write(lost: order) }
        if let next = page.next {
            add(OrderPhrase.more, "usher orders lost --after \(next)")
        }
    }

    mutating func write(lost order: LostOrder) {
        let reason = paint(order.reason.text(language), .care)
        add("\(reason) [\(order.reason.rawValue)]")
        let amount = order.price?.price.text ?? OrderPhrase.priceUnknown.text(language)
        let bought = [
            order.account.map { FindPhrase.accounts.text(language, name($0)) }
                ?? order.appleID.map { "\(OrderPhrase.appleID.text(language)) \($0.text)" },
            order.product.map { FindPhrase.products.text(language, name($0)) },
            order.ticket == nil ? amount : nil,
            order.transaction.map { AccountPhrase.transaction.text(language, name($0)) },
            order.owners.map {
                $0.isEmpty
                    ? OrderPhrase.unowned.text(language)
                    : OrderPhrase.owned.text(language, names($0))
            },
            order.environment == .production ? nil : order.environment.rawValue,
        ]
        let title = order.id.map { id in
            OrderPhrase.title.text(
                language, paint(name(id), .strong), order.state.map { named($0) } ?? "")
        }
        tree(
            [title].compactMap(\.self).map { Branch($0) }
                + [
                    branch(
                        OrderPhrase.age, length(milliseconds: order.ageSeconds * 1_000),
                        order.since.date),
                    Branch(language.list(bought.compactMap(\.self))),
                    branch(OrderPhrase.nextStep, order.step.text(language)),
                    order.takesFrom.map {
                        branch(
                            OrderPhrase.takes, order.transaction?.text ?? "",
                            language.list($0.map(\.text)), as: .care)
                    },
                    Branch(command: order.command.shown, language),
                ].compactMap(\.self)
                + possible(order.possiblePayments, for: order.id))
    }

    /// Payments that nobody owns, each with what settles the order by it.
    func possible(_ payments: [PossiblePayment], for order: OrderID?) -> [Branch] {
        guard let order else { return [] }
        return payments.map { payment in
            Branch(
                OrderPhrase.possible.text(language, self.payment(payment)),
                [Branch(command: ShellCommand.settle(order, payment.transaction), language)])
        }
    }

    /// `transaction 41…, 4.99 USD, purchased …`
    func payment(_ payment: PossiblePayment) -> String {
        let parts = [
            AccountPhrase.transaction.text(language, name(payment.transaction)),
            payment.price?.price.text,
            AccountPhrase.purchasedAt.text(language, payment.purchasedAt.date),
        ]
        return language.list(parts.compactMap(\.self))
    }

    /// A row for each event that can happen in a state, with the state after it.
    mutating func writeOrderStates() {
        var rows = [[OrderPhrase.state, .eventColumn, .after].map { $0.text(language) }]
        for state in OrderState.allCases {
            var title = named(state)
            for event in state.events {
                guard let after = state.after(event) else { continue }
                rows.append([title, named(event), named(after)])
                title = ""
            }
            if state == .created || state == .paying {
                rows.append(["", OrderPhrase.unpaid.text(language), named(OrderState.abandoned)])
            }
        }
        table(rows, indentedBy: 0, isWhole: true)
        add(whole: OrderPhrase.undone.text(language, named(OrderEventKind.undone)))
    }

    /// A length of time, in its two largest units.
    func length(milliseconds: Int64) -> String { length(minutes: milliseconds / 60_000) }
}

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
protocol OrderRulingCommand: ActionCommand where Report == OrderAnswer {
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

    func write(_ order: OrderAnswer, to page: inout Page) {
        let (id, account, product) = (order.id.text, order.account.text, order.product.text)
        if let payment = order.transaction {
            return page.add(
                whole: AdminActionPhrase.orderSettled, id, account, product, payment.text)
        }
        let undo = ShellCommand("orders undo", id).text
        page.add(whole: AdminActionPhrase.orderGiven, id, account, product, undo)
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

    func write(_ order: OrderAnswer, to page: inout Page) {
        let undo = ShellCommand("orders undo", order.id.text).text
        page.add(whole: AdminActionPhrase.orderRefused, order.id.text, undo)
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

    func write(_ order: OrderAnswer, to page: inout Page) {
        page.add(whole: AdminActionPhrase.orderReassigned, order.id.text, order.account.text)
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

    func write(_ order: OrderAnswer, to page: inout Page) {
        let state = order.state.text(page.language)
        page.add(whole: AdminActionPhrase.orderUndone, order.id.text, state)
    }
}
