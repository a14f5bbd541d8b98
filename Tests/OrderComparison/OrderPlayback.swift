internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementSpecification
internal import HistoryComparison
internal import LedgerModel
internal import PolicyLoading
internal import TestSupport

/// A script played on an engine, and beside it by the specification: call by call, what is answered
/// and what is written of orders must be what the rules say.
struct OrderPlayback {
    let shop: OrderShop
    var disagreements: [Disagreement] = []
    var coverage = Coverage()
    var specified = SpecifiedOrders()
    /// What the ledger holds.
    var facts = FactSet()
    var policies: PolicyHistory
    /// What the ledger holds of orders.
    var recorded: [OrderID: OrderHistory] = [:]
    /// The engine's ids by the script's numbers.
    var numbers: [Int: OrderID] = [:]
    /// Orders of accounts that another policy takes for the owner's: no policy delivers anything by
    /// itself, so they wait for the next call that is about them.
    var delayed: Set<OrderID> = []
    /// What a merge moves has new ids (see `compareGifts`).
    var hasMerges = false
    private(set) var calls = 0
    private var head = LedgerSequence.zero

    init(_ script: OrderScript, on nodes: [any LedgerLocation]) async throws {
        let beginning = script.steps.first?.recordedAt ?? Instant(milliseconds: 1_772_323_200_000)
        shop = try await OrderShop(script.firstPolicy, at: beginning, on: nodes)
        policies = shop.engine.policy.history
        do {
            try await play(script)
        } catch {
            try? shop.close()
            throw error
        }
    }

    private mutating func play(_ script: OrderScript) async throws {
        try read()
        for step in script.steps {
            shop.set(step.recordedAt)
            try await play(step.value, at: step.recordedAt)
            calls += 1
            if disagreements.count > 20 { break }
        }
    }

    /// By the facts so far.
    func specification() -> Specification { Specification(policies: policies, facts: facts) }

    mutating func expect(
        _ question: @autoclosure () -> String, at instant: Instant, engine: String,
        specified: String
    ) {
        guard engine != specified else { return }
        disagreements.append(
            Disagreement(question(), at: instant, derived: engine, specified: specified))
    }

    /// Takes in what the engine has written since.
    @discardableResult
    mutating func read() throws -> [Recorded<LedgerEntry>] {
        let entries = try shop.ledger.read { [head] in
            try $0.entries(after: head, limit: 10_000)
        }
        for entry in entries {
            facts.insert(entry)
            switch entry.value {
            case .order(let order):
                recorded[order.id] = OrderHistory(order: entry.with(order))
            case .orderEvent(let event):
                recorded[event.order]?.events.append(entry.with(event))
                nameSecond(event)
            default: break
            }
            head = entry.sequence
        }
        return entries
    }

    /// What pays the order that was made beside another one names both.
    private mutating func nameSecond(_ event: OrderEvent) {
        guard let order = recorded[event.order], order.events.count == 1,
            let parent = order.order.value.parent, let payment = event.transaction
        else { return }
        specified.namesOfSeconds[.init(order: parent, payment: payment)] = event.order
    }

    /// The id that the script means.
    func id(_ reference: OrderReference) -> OrderID? {
        switch reference {
        case .made(let number): return numbers[number]
        case .second(let number):
            let parent = numbers[number]
            return specified.orders.last { parent != nil && $0.parent == parent }?.id
        case .nobodys: return OrderID(unchecked: "00000000-0000-4000-8000-00000000000f")
        }
    }

    private mutating func play(_ step: OrderStep, at now: Instant) async throws {
        switch step {
        case .make(let number, let order): try await make(number, order, at: now)
        case .report(let reference, let kind, let transaction, let code):
            guard let id = id(reference) else { return }
            try await report(id, kind, transaction, code, at: now)
        case .submit(let evidence): try await submit(evidence, at: now)
        case .inform(let renewal): try await inform(renewal, at: now)
        case .settle, .refuse, .reassign, .undo: try await rule(step, at: now)
        case .transfer(let transaction, let account):
            try await move(transaction, to: account, at: now)
        case .merge(let from, let into):
            try await merge(from, into, at: now)
        case .mergeUndo(let from, let into):
            try await undoMerge(from, into, at: now)
        case .policy(let policy):
            _ = try await shop.engine.activate(OrderShop.texts(policy))
            policies = shop.engine.policy.history
            try read()
            delayed.formUnion(specified.undelivered(by: specification()))
        }
        for place in specified.visits { coverage.visit(place) }
        compareOrders("after \(step)".prefix(60), at: now)
    }
}

/// Whatever a call came to: each order is what it must be.
extension OrderPlayback {
    private mutating func compareOrders(_ topic: Substring, at now: Instant) {
        expect(
            "orders, their number \(topic)", at: now, engine: "\(recorded.count)",
            specified: "\(specified.orders.count)")
        for order in specified.orders {
            coverage.visit("order \(order.state(at: now).rawValue)")
            guard let history = recorded[order.id] else {
                expect(
                    "order \(order.id) \(topic)", at: now, engine: "none",
                    specified: order.text)
                continue
            }
            expect(
                "order \(order.id) \(topic)", at: now, engine: history.text,
                specified: order.text)
        }
        compareGifts(at: now)
    }

    /// What a person gave for an order is there until its payment is delivered, or it is undone.
    ///
    /// Where accounts were merged, a gift goes on under another id, which nothing here knows.
    private mutating func compareGifts(at now: Instant) {
        if hasMerges { return }
        let revoked = Set(facts.grantRevocations.map(\.value.grant))
        for order in specified.orders {
            let given = facts.grants.map(\.value.id).filter {
                $0.text.hasPrefix("order:\(order.id):")
            }
            let standing = given.filter { !revoked.contains($0) }
            expect(
                "gifts for the order \(order.id)", at: now, engine: "\(!standing.isEmpty)",
                specified: "\(order.hasGift)")
        }
    }
}

extension OrderHistory {
    /// The order and its events, one a line.
    var text: String {
        let head = "\(order.value.account) \(order.value.product) x\(order.value.quantity)"
        let lines = events.map { event in
            line(
                event.value.kind, event.value.state, event.recordedAt, event.value.transaction,
                event.value.basis, Set(event.value.comparison), Set(event.value.differences),
                event.value.account, event.value.presenter)
        }
        return ([head] + lines).joined(separator: "\n    ")
    }
}

extension SpecifiedOrder {
    var text: String {
        let head = "\(account) \(product) x\(quantity)"
        let lines = events.map { event in
            line(
                event.kind, event.state, event.at, event.transaction, event.basis, event.compared,
                event.differences, event.account, event.presenter)
        }
        return ([head] + lines).joined(separator: "\n    ")
    }
}

private func line(
    _ kind: OrderEventKind, _ state: OrderState, _ at: Instant, _ transaction: TransactionKey?,
    _ basis: OrderMatchBasis?, _ compared: Set<OrderComparison>,
    _ differences: Set<OrderDifference>, _ account: AccountID?, _ presenter: AccountID?
) -> String {
    let comparisons = compared.map { comparison in
        "\(comparison.order.text.prefix(8)) \(comparison.appleID.rawValue) "
            + "\(comparison.price.rawValue) \(comparison.distance)"
    }
    return [
        at.rfc3339, kind.rawValue, "->", state.rawValue,
        transaction.map { "\($0.environment.rawValue):\($0.transactionID)" } ?? "-",
        basis?.rawValue ?? "-", account?.text ?? "-", presenter?.text ?? "-",
        differences.map(\.rawValue).sorted().joined(separator: "+"),
        comparisons.sorted().joined(separator: ", "),
    ].joined(separator: " ")
}
