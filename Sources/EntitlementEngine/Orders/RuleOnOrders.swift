internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// What people do with an order. Each has an actor and a reason, and can be undone until something
/// follows (spec 1.8).
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

    /// The rulings that are legal instead.
    private var legal: [OrderEventKind] {
        (history.isGift ? [.settled] : state.rulings)
            + (history.undoable == nil ? [] : [.undone])
    }

    /// The state after a settlement, also of a replacement by its payment. Nil if there is none.
    private var settled: OrderState? {
        history.isGift ? state : state.after(.settled)
    }

    private func impossible(_ kind: OrderEventKind) -> OrderRejection {
        let isDelivered = state == .delivered || state == .finished
        return isDelivered && kind != .undone
            ? .delivered(state, legal: legal) : .state(state, legal: legal)
    }

    private mutating func record(
        _ kind: OrderEventKind, transaction: TransactionKey? = nil, account: AccountID? = nil,
        grants: [GrantID] = [], basis: OrderMatchBasis? = nil,
        differences: [OrderDifference] = []
    ) throws(LedgerError) -> OrderRejection? {
        guard let after = kind == .settled ? settled : state.after(kind) else {
            return impossible(kind)
        }
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
            return settled == nil ? impossible(.settled) : .transaction
        }
        let account = try commit.orders.owner(of: history)
        let facts = try ledger.facts(forClaimsOn: [payment], by: [account])
        let paid = commit.policy.deriver.payments(of: [payment], facts).first
        guard let paid, paid.paysOrders, !paid.isRevoked else {
            return settled == nil ? impossible(.settled) : .transaction
        }
        let isItsOwn = history.payment.map(paid.keys.contains) ?? false
        if isItsOwn, history.recordedState != .paid { return nil }
        guard settled != nil else { return impossible(.settled) }
        if let other = try orders.order(paidBy: paid), other.id != history.id {
            return .transaction
        }
        if !paid.owners.contains(account) {
            given.formUnion(paid.owners)
            guard try transfer(paid.unit, to: account, facts) else { return .transaction }
        }
        // It takes the place of what a person gave for it.
        for grant in history.grants {
            try orders.end(grant, paidBy: paid.transaction, actor: cause.actor)
        }
        if let rejection = try record(
            .settled, transaction: paid.transaction, basis: .person,
            differences: paid.differences(from: history.order.value))
        {
            return rejection
        }
        // What moved may be what other orders were paid by.
        try orders.deliver(to: given, by: cause.actor)
        return nil
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

    /// Gives what the product contains, until the order is paid.
    private mutating func settleAsGift() throws(LedgerError) -> OrderRejection? {
        if history.isGift { return nil }
        guard settled != nil else { return impossible(.settled) }
        guard history.payment == nil, state != .review else { return .hasPayment }
        let order = history.order.value
        let account = try commit.orders.owner(of: history)
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

    /// Later payments belong to the other account.
    private mutating func reassign(to account: AccountID) throws(LedgerError) -> OrderRejection? {
        let account = try commit.transaction.account(
            standingFor: commit.policy.name(account), commit.policy)
        if account == history.account { return nil }
        given.formUnion([account, history.account])
        if let rejection = try record(.reassigned, account: account) { return rejection }
        try register(for: account)
        try deliver()
        return nil
    }

    /// The order's token names the account from now on.
    private func register(for account: AccountID) throws(LedgerError) {
        guard let token = history.order.value.token else { return }
        let registration = AccountTokenRegistration(
            token: token, account: account, actor: cause.actor, reason: cause.reason)
        _ = try commit.append(registration, as: .accountToken(registration))
    }

    /// If its account now has the purchase.
    private mutating func deliver() throws(LedgerError) {
        guard let told = try commit.transaction.order(history.id) else { return }
        try orders.deliver([told], by: cause.actor)
    }

    /// Reverts the last ruling, if nothing happened since: takes back what was given, and restores
    /// the order's state.
    private mutating func undo() throws(LedgerError) -> OrderRejection? {
        guard let last = history.undoable else { return impossible(.undone) }
        for grant in last.value.grants {
            try orders.end(grant, paidBy: nil, actor: cause.actor)
        }
        guard try takeBackTransfer(by: last) else { return impossible(.undone) }
        let before = history.before
        let isReassigned = last.value.kind == .reassigned
        if isReassigned {
            given.formUnion([before.account, history.account])
            try register(for: before.account)
        }
        _ = try orders.append(
            OrderEvent(
                order: history.id, kind: .undone, state: before.recordedState,
                account: isReassigned ? before.account : nil,
                actor: cause.actor, reason: cause.reason), to: history)
        return nil
    }

    /// Returns the purchase to its owner before it settled the order.
    ///
    /// - Returns: false where it has moved since.
    private mutating func takeBackTransfer(
        by settled: Recorded<OrderEvent>
    ) throws(LedgerError) -> Bool {
        let ledger = commit.transaction
        let place = settled.sequence.number
        // A transfer is a ruling and its decision, before what it is for.
        guard settled.value.kind == .settled, let payment = settled.value.transaction,
            case .decision(let decision)? = try ledger.entry(LedgerSequence(place - 1))?.value,
            decision.cause == LedgerSequence(place - 2),
            case .ruling(let transfer)? = try ledger.entry(decision.cause)?.value
        else { return true }
        let ruling = Ruling(
            verb: .undo, unit: transfer.unit, decision: LedgerSequence(place - 1),
            actor: cause.actor, reason: cause.reason)
        let facts = try ledger.facts(forClaimsOn: [payment], by: [])
        switch commit.policy.deriver.rule(ruling, recordedAt: commit.now, facts) {
        case .impossible: return false
        case .decided(let decided):
            given.formUnion(try commit.record(ruling, decided).touched)
            return true
        }
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

extension Product {
    /// What one order of it gives, and until when; nil for permanent.
    fileprivate func gifts(
        quantity: Int64, from instant: Instant
    ) -> [(gift: GrantedGift, until: Instant?)] {
        grants.compactMap { grant in
            switch grant {
            case .entitlement(let name, let lasting):
                let length = lasting ?? (kind == .autoRenewable ? period : duration)
                return (.entitlement(name), length?.end(from: instant))
            case .credit(let name, let units, let terms):
                // Of a subscription the first part of its period.
                let given = kind == .autoRenewable ? units : units * quantity
                let length: Period? =
                    switch terms.expires {
                    case .never: nil
                    case .period: terms.every ?? period
                    case .after(let length): length
                    }
                return given == 0
                    ? nil : (.credit(name, units: given), length?.end(from: instant))
            }
        }
    }
}
