internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// What people do with an order. Each has an actor and a reason. A gift and a refusal can be undone
/// until something follows (spec 1.8).
struct OrderRulingEvaluation {
    private let commit: EngineTransaction
    private let history: OrderHistory
    private let state: OrderState
    private let cause: AdminActionCause
    private var orders: OrderLedger
    private var given: Set<AccountID> = []

    init(_ commit: EngineTransaction, _ history: OrderHistory, _ cause: AdminActionCause) {
        self.commit = commit
        self.history = history
        self.cause = cause
        state = commit.orders.candidate(history).state
        orders = OrderLedger(commit)
    }

    var touched: Set<AccountID> { orders.touched.union(given) }

    /// - Returns: why it cannot be done; nil where it is done.
    mutating func apply(_ ruling: OrderRuling) throws(LedgerError) -> OrderRejection? {
        switch ruling {
        case .settle(let payment?):
            return try settle(by: TransactionKey(history.order.value.environment, payment))
        case .settle(nil): return try settleAsGift()
        case .refuse: return try record(.refused)
        case .reassign(let account): return try reassign(to: account)
        case .undo: return try undo()
        }
    }

    /// What a person could rule instead.
    private var legal: [OrderEventKind] {
        let isUndoable = history.events.last?.value.isUndoable ?? false
        return state.rulings + (isUndoable ? [.undone] : [])
    }

    private func impossible(_ kind: OrderEventKind) -> OrderRejection {
        .state(state, legal: legal)
    }

    private mutating func record(
        _ kind: OrderEventKind, transaction: TransactionKey? = nil, account: AccountID? = nil,
        grants: [GrantID] = [], basis: OrderMatchBasis? = nil,
        differences: [OrderDifference] = []
    ) throws(LedgerError) -> OrderRejection? {
        guard let after = state.after(kind) else { return impossible(kind) }
        _ = try orders.append(
            OrderEvent(
                order: history.id, kind: kind, state: after, transaction: transaction,
                basis: basis, differences: differences, account: account, grants: grants,
                actor: cause.actor,
                reason: cause.reason), to: history)
        return nil
    }

    /// Settling again by the same payment is answered as the first time.
    private mutating func settle(by payment: TransactionKey) throws(LedgerError) -> OrderRejection?
    {
        let ledger = commit.transaction
        guard try ledger.lineage(of: payment) != nil else {
            return state.after(.settled) == nil ? impossible(.settled) : .transaction
        }
        let account = try commit.standing(for: history.account)
        let facts = try ledger.facts(forClaimsOn: [payment], by: [account])
        let paid = commit.policy.deriver.payments(of: [payment], facts).first
        guard let paid, paid.paysOrders, !paid.isRevoked else {
            return state.after(.settled) == nil ? impossible(.settled) : .transaction
        }
        let isItsOwn = history.payment.map(paid.keys.contains) ?? false
        if isItsOwn, history.recordedState != .paid { return nil }
        guard state.after(.settled) != nil else { return impossible(.settled) }
        if let other = try orders.order(paidBy: paid), other.id != history.id {
            return .transaction
        }
        if !paid.owners.contains(account) {
            given.formUnion(paid.owners)
            guard try transfer(paid.unit, to: account, facts) else { return .transaction }
        }
        // What a person gave for it before goes: it is delivered once.
        for grant in history.grants { try orders.revoke(grant, actor: cause.actor) }
        return try record(
            .settled, transaction: paid.transaction, basis: .person,
            differences: paid.differences(from: history.order.value))
    }

    /// Gives the unit of the payment to the order's account, as a ruling by hand does.
    private mutating func transfer(
        _ unit: OwnedUnit, to account: AccountID, _ facts: FactSet
    ) throws(LedgerError) -> Bool {
        let ruling = Ruling(
            verb: .transfer, unit: unit, account: account, actor: cause.actor,
            reason: cause.reason)
        switch commit.policy.deriver.rule(ruling, recordedAt: commit.now, facts) {
        case .impossible: return false
        case .decided(let decided):
            given.formUnion(try commit.record(ruling, decided).touched)
            return true
        }
    }

    /// What the product gives, until the order is paid.
    private mutating func settleAsGift() throws(LedgerError) -> OrderRejection? {
        if history.isGift { return nil }
        guard state.after(.settled) != nil else { return impossible(.settled) }
        guard history.payment == nil, state != .review else { return .hasPayment }
        let order = history.order.value
        let account = try commit.standing(for: history.account)
        guard let product = commit.policy.orderPolicy(order.policy).products[order.product] else {
            return .nothingToGive
        }
        let gifts = product.gifts(quantity: order.quantity, from: commit.now)
        guard !gifts.isEmpty, gifts.allSatisfy(\.gift.isPossible) else { return .nothingToGive }
        var ids: [GrantID] = []
        for (index, gift) in gifts.enumerated() {
            let settled = history.events.count
            let id = GrantID(unchecked: "order:\(order.id.text):\(settled):\(index)")
            let grant = Grant(
                id: id, account: account, environment: order.environment,
                gift: gift.gift, from: commit.now, until: gift.until, actor: cause.actor,
                reason: cause.reason)
            _ = try commit.append(grant, as: .grant(grant))
            ids.append(id)
        }
        given.insert(account)
        return try record(.settled, grants: ids, basis: .person)
    }

    /// What is paid from now on is the other account's.
    private mutating func reassign(to account: AccountID) throws(LedgerError) -> OrderRejection? {
        let account = try commit.transaction.account(
            standingFor: commit.policy.name(account), commit.policy)
        if account == history.account { return nil }
        given.formUnion([account, history.account])
        if let rejection = try record(.reassigned, account: account) { return rejection }
        try follow()
        guard let token = history.order.value.token else { return nil }
        let registration = AccountTokenRegistration(
            token: token, account: account, actor: cause.actor, reason: cause.reason)
        _ = try commit.append(registration, as: .accountToken(registration))
        return nil
    }

    /// What is paid is delivered if it is owned by whoever has the order now.
    private mutating func follow() throws(LedgerError) {
        guard let history = try commit.transaction.order(history.id),
            let payment = history.payment
        else { return }
        let facts = try commit.transaction.facts(forClaimsOn: [payment], by: [])
        for paid in commit.policy.deriver.payments(of: [payment], facts) {
            try orders.follow(history, paid, by: cause.actor)
        }
    }

    /// The last ruling, where nothing happened since: what was given is taken back, and the order
    /// stands where it stood.
    private mutating func undo() throws(LedgerError) -> OrderRejection? {
        guard let last = history.events.last?.value, last.isUndoable else {
            return .state(state, legal: legal)
        }
        for grant in last.grants { try orders.revoke(grant, actor: cause.actor) }
        let before = OrderHistory(
            order: history.order, events: Array(history.events.dropLast()))
        _ = try orders.append(
            OrderEvent(
                order: history.id, kind: .undone, state: before.recordedState,
                actor: cause.actor, reason: cause.reason), to: history)
        return nil
    }
}

extension EngineTransaction {
    func rule(
        on id: OrderID, _ ruling: OrderRuling, _ cause: AdminActionCause
    ) throws(LedgerError) -> (value: OrderReport, touched: Set<AccountID>) {
        guard let history = try transaction.order(id) else { return (.rejected(.unknown), []) }
        var evaluation = OrderRulingEvaluation(self, history, cause)
        if let rejection = try evaluation.apply(ruling) { return (.rejected(rejection), []) }
        guard let told = try transaction.order(id) else { return (.rejected(.unknown), []) }
        return (.done(told), evaluation.touched)
    }
}

extension GrantedGift {
    /// Whether a person could give as many.
    fileprivate var isPossible: Bool {
        guard case .credit(_, let units) = self else { return true }
        return Self.possibleUnits.contains(units)
    }
}

extension OrderEvent {
    /// A gift or a refusal; a payment that was given to an account is moved by claims.
    fileprivate var isUndoable: Bool {
        kind == .refused || kind == .settled && transaction == nil
    }
}

extension Product {
    /// What one order of it gives, and until when; nil for what lasts.
    fileprivate func gifts(
        quantity: Int64, from instant: Instant
    ) -> [(gift: GrantedGift, until: Instant?)] {
        grants.map { grant in
            switch grant {
            case .entitlement(let name, let lasting):
                let length = lasting ?? (kind == .autoRenewable ? period : duration)
                return (.entitlement(name), length?.end(from: instant))
            case .credit(let name, let units):
                return (.credit(name, units: units * quantity), nil)
            }
        }
    }
}
