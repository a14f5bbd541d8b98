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
        try require(reading.at == nil, or: .ordersNow)
        try reading.requirePresent()
    }
}

/// Options of the commands about orders, which are shown as of now, or as they were known then.
struct OrderReadingOptions: ParsableArguments {
    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        try require(reading.at == nil, or: .ordersNow)
    }
}

/// How much of a list a command reads.
struct LimitOption: ParsableArguments {
    @Option(help: "The maximum number to list, from 1 to 1000.")
    var limit = 100

    func validate() throws {
        try require(limit, in: 1...1_000, of: "--limit")
    }

    var query: Parameters { [("limit", "\(limit)")] }
}

/// Which page of a list that is in the ledger's order.
struct EntryPageOptions: ParsableArguments {
    @Option(help: .value("entry", "Continue after this entry, as printed at the end of a page."))
    var after: Int64 = 0

    @OptionGroup var limit: LimitOption

    func validate() throws {
        try require(after >= 0, or: .entryNumber)
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
    @OptionGroup var options: OrderReadingOptions

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/accounts/\(account.inPath)/orders" }
    var query: Parameters { part.query }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> OrderList? {
        try ledger.orders(
            of: account, after: part.entry, at: reading.instant(of: ledger), limit: part.limit.limit
        )
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

    @OptionGroup var options: OrderReadingOptions

    var reading: ReadingOptions { options.reading }
    var path: String { "/v1/orders/" + order.inPath }
    var unknown: CommandFailure {
        .serviceRejected(RejectedCall(.unknownOrder, "order", order.text))
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> OrderAnswer? {
        guard let token = order.token else { return nil }
        return try ledger.order(OrderID(token), at: reading.instant(of: ledger))
    }

    func write(_ answer: OrderAnswer, to page: inout Page) { page.write(order: answer) }
}

/// The pages of `usher orders list` and `usher orders show`.
extension Page {
    mutating func write(orders list: OrderList) {
        if list.orders.isEmpty { add(OrderPhrase.noOrders) }
        table(
            list.orders.map { order in
                [
                    paint(name(order.id), .strong), name(order.product),
                    AccountPhrase.quantity.text(language, "\(order.quantity)"),
                    state(order.state), order.madeAt.date,
                ]
                    + (order.transaction.map {
                        [AccountPhrase.transaction.text(language, $0.text)]
                    } ?? [])
            }, indentedBy: 0)
        if let next = list.next {
            let command = ShellCommand(asking: "orders list --after \(next)", list.account.text)
            add(OrderPhrase.more, command.text)
        }
    }

    mutating func write(order: OrderAnswer) {
        add(
            OrderPhrase.title, paint(order.id.text, .strong),
            paint(named(order.state), tone(of: order.state)))
        table(facts(of: order))
        tree(possible(order.possiblePayments ?? [], for: order.id))
        heading(OrderPhrase.events.text(language))
        tree(
            [branch(OrderPhrase.made, order.madeAt.date)]
                + order.events.map(event))
        if let refusals = order.refusals {
            heading(OrderPhrase.refused.text(language))
            tree(
                refusals.map {
                    branch(Phrase.labelled, $0.recordedAt.date, refusal($0.code.shown))
                })
        }
        heading(OrderPhrase.reports.text(language))
        tree([Branch(listOrNothing(order.reports.map(\.rawValue)))])
        heading(OrderPhrase.next.text(language))
        let commands = order.commands
        tree(
            commands.isEmpty
                ? [branch(OrderPhrase.nothing)]
                : commands.map { Branch(typed: $0) })
    }

    private func facts(of order: OrderAnswer) -> [[String]] {
        let rows: [(OrderPhrase, String?)] = [
            (.account, name(order.account)), (.product, name(order.product)),
            (.quantity, "\(order.quantity)"), (.price, order.price?.price.text),
            (.appleID, order.appleID?.text), (.environment, order.environment.rawValue),
            (.policy, order.policy.short),
            (.changed, order.changedAt.date), (.promised, promise(of: order)),
            (.payment, order.transaction.map { name($0) }),
            (
                .owners,
                order.owners.map {
                    $0.isEmpty
                        ? OrderPhrase.unowned.text(language) : names($0)
                }
            ),
            (
                .difference,
                order.differences.map { language.list($0.map { $0.text(language) }) }
            ),
            (.parent, order.parent?.text),
        ]
        return facts(rows)
    }

    private func promise(of order: OrderAnswer) -> String? {
        order.promisedUntil.map { end in
            let outcome = order.isPromiseKept.map { $0 ? OrderPhrase.kept : .tooLate }
            return language.clauses([end.date] + (outcome.map { [$0.text(language)] } ?? []))
        }
    }

    private func event(_ event: OrderEventAnswer) -> Branch {
        let title = Phrase.labelled.text(language, event.recordedAt.date, named(event.event))
        let actor =
            event.reason.map { action(event.actor.shown, $0.shown) }
            ?? branch(OrderPhrase.by, event.actor.shown)
        let details: [String?] = [
            ExplainPhrase.stateIs.text(language, named(event.state)),
            event.transaction.map { AccountPhrase.transaction.text(language, $0.text) },
            event.storeCode.map { OrderPhrase.storeCode.text(language, $0.shown) },
            event.account.map { OrderPhrase.movedTo.text(language, $0.text) },
            event.presenter.map { OrderPhrase.presentedBy.text(language, $0.text) },
            event.grants.map {
                OrderPhrase.gave.text(language, language.list($0.map(\.text)))
            },
            event.basis.map { OrderPhrase.matched.text(language, named($0)) },
        ]
        let compared = (event.comparison ?? []).map { Branch(comparison($0)) }
        let differences = event.differences.map {
            branch(OrderPhrase.differs, language.list($0.map { $0.text(language) }), as: .care)
        }
        return Branch(
            title,
            [actor] + details.compactMap(\.self).map { Branch($0) } + compared
                + [differences].compactMap(\.self))
    }

    private func comparison(_ comparison: OrderComparison) -> String {
        OrderPhrase.compared.text(
            language, comparison.order.text, comparison.appleID.text(language),
            comparison.price.text(language), length(milliseconds: comparison.distance))
    }

    private func listOrNothing(_ names: [String]) -> String {
        names.isEmpty ? OrderPhrase.nothing.text(language) : language.list(names)
    }

    /// In words, and by its code where that says something else.
    func named<Word: LocalizedText & RawRepresentable<String>>(_ word: Word) -> String {
        let words = word.text(language)
        return words == word.rawValue ? words : "\(words) [\(word.rawValue)]"
    }

    func state(_ state: OrderState) -> String {
        paint(state.text(language), tone(of: state))
    }

    private func tone(of state: OrderState) -> Paint.Tone {
        switch state {
        case .delivered, .finished, .scheduled: .good
        case .created, .paying, .paid, .deferred, .noReceipt, .review: .care
        case .notAllowed, .cancelled, .failed, .abandoned, .refunded: .bad
        }
    }
}

extension OrderAnswer {
    /// What a person can do next, to copy into a shell.
    var commands: [String] {
        var commands: [String] = []
        if let payment = presentedByOther {
            commands.append(ShellCommand.settle(id, payment))
        } else if state.after(.settled) != nil,
            refusals == nil || state == .review || state == .paid
        {
            let tied = state == .review ? events.last { $0.event == .tied }?.transaction : nil
            commands.append(ShellCommand.settle(id, state == .paid ? transaction : tied))
        }
        if state.after(.refused) != nil {
            commands.append(ShellCommand("orders refuse", id.text).text)
        }
        if state.after(.reassigned) != nil {
            commands.append(ShellCommand("orders reassign", id.text, "ACCOUNT").text)
        }
        if let last = events.last(where: { $0.event != .seen }), last.isUndoable {
            commands.append(ShellCommand("orders undo", id.text).text)
        }
        return commands
    }
}

extension OrderAnswer {
    /// What another account has presented and may be the payment.
    private var presentedByOther: TransactionID? {
        guard transaction == nil else { return nil }
        return events.last { $0.event == .seen && $0.presenter != nil }?.transaction
    }
}

extension OrderEventAnswer {
    /// As the engine has it, but for a payment that took a gift's place.
    fileprivate var isUndoable: Bool {
        event == .refused || event == .settled || event == .reassigned
    }
}

extension ShellCommand {
    /// - Parameter payment: the one that is the order's.
    static func settle(_ order: OrderID, _ payment: TransactionID?) -> String {
        let option = payment.map { " --transaction=" + quoted($0.text) } ?? ""
        return ShellCommand("orders settle" + option, order.text).text
    }
}

/// What `usher orders …` says.
enum OrderPhrase: String, CaseIterable, UsherText, Wording {
    case title = "order {0}: {1}"
    case noOrders = "no orders"
    case noLost = "no lost orders"
    case account, product, quantity, price
    case priceUnknown = "price unknown"
    case appleID = "Apple ID"
    case environment, policy
    case changed = "last change"
    case promised = "promised until"
    case kept = "the payment gets what was promised"
    case tooLate = "the payment gets what is sold now"
    case payment = "paid by transaction"
    case parent = "second payment of order"
    case events = "Events"
    case made = "{0}: made"
    case by = "by {0}"
    case storeCode = "StoreKit code {0}"
    case movedTo = "for account {0} from then on"
    case presentedBy = "presented by account {0}"
    case gave = "manual grants: {0}"
    case matched = "matched: {0}"
    case compared = "compared with order {0}: Apple ID {1}, price {2}, {3} apart"
    case differs = "the payment differs from the order: {0}"
    case reports = "The client may report"
    case next = "Next commands"
    case nothing = "nothing"
    case age = "for {0}, since {1}"
    case more = "more: {0}"
    case state = "STATE"
    case eventColumn = "EVENT"
    case after = "STATE AFTER IT"
    case unpaid = "not paid within 'pay_within'"
    case undone = "{0}: back to the state before the ruling, if nothing happened since"
    case legal = "; possible now: {0}"
    case nextStep = "next step: {0}"
    case difference = "payment differs in"
    case owned = "owned by {0}"
    case unowned = "owned by nobody"
    case takes = "this would take transaction {0} from {1}"
    case owners = "owned by"
    case possible = "a payment that nobody owns may be its own: {0}"
    case refused = "Evidence that was refused"
}
