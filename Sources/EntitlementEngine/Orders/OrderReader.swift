internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Reads orders as of an instant.
struct OrderReader {
    let reader: any LedgerReading
    let policy: ActivePolicy
    let instant: Instant

    /// How many orders are read at once.
    private static let portion = 16

    /// The newest open order of the account for the product. Consumables may be bought several
    /// times at once.
    func open(
        for product: ProductID, of account: AccountID, in environment: StoreEnvironment
    ) throws(LedgerError) -> OrderHistory? {
        guard policy.history.current.products[product]?.kind != .consumable,
            try reader.hasOrders()
        else { return nil }
        return try open(of: account, in: environment, for: product).max {
            $0.order.sequence < $1.order.sequence
        }
    }

    /// The open orders of the account, and of those that were merged into it.
    ///
    /// - Parameter product: nil for all of them.
    func open(
        of account: AccountID, in environment: StoreEnvironment, for product: ProductID? = nil
    ) throws(LedgerError) -> [OrderHistory] {
        let longest = policy.history.activations.map(\.policy.orders.payWithin)
        var found: [OrderHistory] = []
        for maker in try accounts(standingAs: account) {
            for awaited in [OrderAwaited.payment, .approvedPayment, .planChange] {
                try visit(maker, awaited, product, for: account) { candidate in
                    let history = candidate.history
                    if candidate.state.isOpen, history.order.value.environment == environment {
                        found.append(history)
                    }
                    // Whatever changed before this one is abandoned too.
                    return awaited != .payment
                        || longest.contains { instant < $0.end(from: history.lastEntry) }
                }
            }
        }
        return found
    }

    /// The orders of an account, and of those that were merged into it, that payments of the
    /// product may be for; the newest first. Those for which all of them are too late are left out.
    func candidates(
        of account: AccountID, for product: ProductID, paidBy payments: [OrderPayment]
    ) throws(LedgerError) -> [OrderCandidate] {
        // The orders of an account that was merged into another are that one's.
        guard try reader.account(standingFor: account, policy) == account else { return [] }
        let payments = payments.filter { $0.product == product }
        var candidates: [OrderCandidate] = []
        for maker in try accounts(standingAs: account) {
            for awaited in OrderAwaited.payments {
                try visit(maker, awaited, product, for: account) { candidate in
                    let last = candidate.history.lastEntry
                    guard payments.contains(where: { canReach($0, last, awaited) }) else {
                        return false
                    }
                    candidates.append(candidate)
                    return true
                }
            }
        }
        return candidates.sorted {
            $0.history.order.sequence > $1.history.order.sequence
        }
    }

    /// The orders for which an account waits: for a payment, if anything of them was recorded since
    /// then, or for a change of plan.
    func waiting(
        of account: AccountID, since start: Instant
    ) throws(LedgerError) -> [OrderCandidate] {
        var found: [OrderCandidate] = []
        for maker in try accounts(standingAs: account) {
            for awaited in [OrderAwaited.payment, .approvedPayment, .planChange] {
                try visit(maker, awaited, nil, for: account) { candidate in
                    guard awaited == .planChange || candidate.history.lastEntry >= start else {
                        return false
                    }
                    found.append(candidate)
                    return true
                }
            }
        }
        return found
    }

    /// How many transactions that clients have reported may wait for an account.
    private static let mostReported = 20

    /// Whether the account has the most reported transactions allowed to wait to be presented.
    func isFull(
        ofReports named: TransactionKey, account: AccountID
    ) throws(LedgerError) -> Bool {
        guard try reader.lineage(of: named) == nil else { return false }
        var reported: Set<TransactionKey> = []
        for maker in try accounts(standingAs: account) {
            for awaited in OrderAwaited.payments {
                try visit(maker, awaited, nil, for: account) { candidate in
                    reported.formUnion(candidate.history.reportedTransactions)
                    return true
                }
            }
        }
        if reported.contains(named) { return false }
        var waiting = 0
        for transaction in reported where try reader.lineage(of: transaction) == nil {
            waiting += 1
        }
        return waiting >= Self.mostReported
    }

    /// How many orders of other accounts a payment is compared with at most, of each kind.
    private static let mostOfOthers = 64

    /// The orders of other accounts for the product that wait for a payment, or were given by hand.
    func ofOthers(
        than account: AccountID, for product: ProductID
    ) throws(LedgerError) -> [OrderCandidate] {
        var found: [OrderCandidate] = []
        for awaited in [OrderAwaited.payment, .approvedPayment, .paymentOfGift] {
            for id in try reader.orders(awaiting: awaited, for: product, limit: Self.mostOfOthers) {
                guard let history = try reader.order(id),
                    try reader.account(standingFor: policy.name(history.account), policy)
                        != account
                else { continue }
                found.append(candidate(history))
            }
        }
        return found
    }

    /// Whether a payment may be of an order of which nothing was recorded after that.
    private func canReach(
        _ payment: OrderPayment, _ last: Instant, _ awaited: OrderAwaited
    ) -> Bool {
        if let since = payment.planChangedSince {
            return last >= since.advanced(byMilliseconds: -300_000)
        }
        // What was given may have waited for a change of plan.
        if awaited == .planChange || awaited == .paymentOfGift { return true }
        var windows = policy.history.activations.map(\.policy.orders.matchWindow)
        if awaited == .approvedPayment { windows.append(OrderMatching.approval) }
        return windows.contains { payment.purchasedAt < $0.end(from: last) }
    }

    /// The orders of an account, and of those that were merged into it, that are paid and not
    /// delivered.
    func undelivered(of account: AccountID) throws(LedgerError) -> [OrderHistory] {
        var found: [OrderHistory] = []
        for maker in try accounts(standingAs: account) {
            try visit(maker, .delivery, nil, for: account) { candidate in
                found.append(candidate.history)
                return true
            }
        }
        return found
    }

    /// - Parameters:
    ///   - account: who made the orders.
    ///   - owner: whose they are now.
    ///   - body: gets the latest change first; returns false to stop.
    private func visit(
        _ account: AccountID, _ awaited: OrderAwaited, _ product: ProductID?,
        for owner: AccountID, _ body: (OrderCandidate) -> Bool
    ) throws(LedgerError) {
        var last = LedgerSequence(.max)
        while true {
            let some = try reader.orders(
                of: account, awaiting: awaited, for: product, before: last,
                limit: Self.portion)
            for (place, id) in some {
                last = place
                // The ledger finds other spellings of the account too, which may be others.
                guard let history = try reader.order(id), policy.name(history.account) == account,
                    try self.owner(of: history) == owner
                else { continue }
                guard body(candidate(history)) else { return }
            }
            if some.count < Self.portion { return }
        }
    }

    /// Whose an order is: of an account that was merged into another, that one's.
    func owner(of order: OrderHistory) throws(LedgerError) -> AccountID {
        try reader.account(
            standingFor: policy.name(order.account), at: order.order.recordedAt, policy)
    }

    /// The account, and those that were merged into it with what they had by then, directly or
    /// through others.
    func accounts(standingAs account: AccountID) throws(LedgerError) -> [AccountID] {
        var (found, unasked) = ([account], [account])
        while let next = unasked.popLast() {
            for merge in try policy.folding(reader.mergesAndBlocks(of: next)).accountMerges
            where merge.value.into == next && !found.contains(merge.value.from) {
                let from = merge.value.from
                let boughtAt = merge.recordedAt.advanced(byMilliseconds: -1)
                let standing = try reader.account(standingFor: from, at: boughtAt, policy)
                guard standing == account else { continue }
                found.append(from)
                unasked.append(from)
            }
        }
        return found
    }

    func candidate(_ history: OrderHistory) -> OrderCandidate {
        OrderCandidate(history, at: instant, policy.orderSettings(history.order.value.policy))
    }
}

extension OrderHistory {
    /// When anything of it was recorded last.
    fileprivate var lastEntry: Instant { events.last?.recordedAt ?? order.recordedAt }
}

extension ActivePolicy {
    /// The `orders` section of the policy with that digest, which was in force when an order was
    /// made.
    func orderSettings(_ digest: Digest256) -> OrderSettings { orderPolicy(digest).orders }

    /// The policy with that digest; the one in force where the ledger lacks it.
    func orderPolicy(_ digest: Digest256) -> Policy {
        history.activations.last { $0.policy.digest == digest }?.policy ?? history.current
    }
}

/// Evidence that names an order moves a weaker match: the payment takes its own place, and the one
/// that was there moves to the next order that fits (spec 1.8).
extension OrderLedger {
    /// - Parameter paid: the order that the payment pays so far.
    /// - Returns: false where nothing moves.
    mutating func takePlace(
        _ payment: OrderPayment, _ place: OrderPlace, from paid: OrderHistory?,
        _ claimant: AccountID?
    ) throws(LedgerError) -> Bool {
        let order = place.candidate.history
        guard payment.paysOrders, paid?.id != order.id, order.payment != nil || paid != nil,
            try isMovable(paid, by: place, payment, claimant), !order.isRuled
        else { return false }
        var displaced: TransactionKey?
        if order.payment != nil {
            guard order.isHeld(withLessForceThan: place.basis) else { return false }
            displaced = order.payment
        }
        if let paid { try free(paid) }
        var free = order
        if displaced != nil { free = try self.free(order) }
        let target = (candidate: commit.orders.candidate(free), basis: place.basis)
        _ = try apply(OrderMatching(payment).match(named: target, others: []), payment)
        if let displaced { try matchAgain(displaced, of: order.account) }
        return true
    }

    /// Rulings are final, and an unsigned name moves only the account's own match.
    private func isMovable(
        _ paid: OrderHistory?, by place: OrderPlace, _ payment: OrderPayment,
        _ claimant: AccountID?
    ) throws(LedgerError) -> Bool {
        guard let paid else { return true }
        guard !paid.isRuled, paid.isHeld(withLessForceThan: place.basis) else { return false }
        if place.basis == .token { return true }
        return try commit.standing(for: paid.account) == claimant
    }

    @discardableResult
    private mutating func free(_ order: OrderHistory) throws(LedgerError) -> OrderHistory {
        try append(
            OrderEvent(
                order: order.id, kind: .paymentMoved, state: order.beforePayment.recordedState,
                transaction: order.payment, actor: actor), to: order)
    }

    /// What had to leave its order is compared with the others of the account. Nobody presents it:
    /// the evidence is of the payment that took its place.
    private mutating func matchAgain(
        _ transaction: TransactionKey, of account: AccountID
    ) throws(LedgerError) {
        let presenting = claimant
        claimant = nil
        defer { claimant = presenting }
        let account = try commit.standing(for: account)
        let facts = try ledger.facts(forClaimsOn: [transaction], by: [])
        for payment in commit.policy.deriver.payments(of: [transaction], facts) {
            let known = try histories(ledger.orders(naming: payment.keys)).filter { !$0.isRuled }
            let reported = try reported(payment, known, by: account)
            var others: [OrderCandidate] = []
            if payment.owners.isEmpty || payment.owners.contains(account) {
                others = try commit.orders.candidates(
                    of: account, for: payment.product, paidBy: [payment]
                ).filter { !$0.history.isRuled }
            }
            _ = try apply(match(payment, reported, others), payment)
        }
    }
}

extension OrderHistory {
    fileprivate func isHeld(withLessForceThan basis: OrderMatchBasis) -> Bool {
        guard let own = paymentBasis else { return false }
        return own.strength < basis.strength
    }
}
