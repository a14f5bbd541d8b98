internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Orders as they stand at an instant.
struct OrderBook {
    let reader: any LedgerReading
    let policy: ActivePolicy
    let instant: Instant

    /// How many orders are looked for at once.
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
        for account in try accounts(standingAs: account) {
            for awaited in [OrderAwaited.payment, .approvedPayment] {
                try visit(account, awaited, product) { candidate in
                    let history = candidate.history
                    if candidate.state.isOpen, history.order.value.environment == environment {
                        found.append(history)
                    }
                    // Whatever changed before this one is abandoned too.
                    return awaited != .payment
                        || longest.contains { instant < $0.end(from: history.changedAt) }
                }
            }
        }
        return found
    }

    /// The orders of an account, and of those that were merged into it, that a purchase of the
    /// product may pay; the newest first.
    ///
    /// - Parameter purchasedAt: orders for which such a purchase is too late are left out.
    func candidates(
        of account: AccountID, for product: ProductID, purchasedAt: Instant
    ) throws(LedgerError) -> [OrderCandidate] {
        // The orders of an account that was merged into another are that one's.
        guard try reader.account(standingFor: account, policy) == account else { return [] }
        let windows = policy.history.activations.map(\.policy.orders.matchWindow)
        var candidates: [OrderCandidate] = []
        for account in try accounts(standingAs: account) {
            for awaited in OrderAwaited.payments {
                try visit(account, awaited, product) { candidate in
                    let changedAt = candidate.history.changedAt
                    guard windows.contains(where: { purchasedAt < $0.end(from: changedAt) }) else {
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

    /// The orders of an account, and of those that were merged into it, that are paid and whose
    /// account has not got what was paid for.
    func undelivered(of account: AccountID) throws(LedgerError) -> [OrderHistory] {
        var found: [OrderHistory] = []
        for account in try accounts(standingAs: account) {
            try visit(account, .delivery, nil) { candidate in
                found.append(candidate.history)
                return true
            }
        }
        return found
    }

    /// - Parameter body: is given what changed last first; false where it wants no more.
    private func visit(
        _ account: AccountID, _ awaited: OrderAwaited, _ product: ProductID?,
        _ body: (OrderCandidate) -> Bool
    ) throws(LedgerError) {
        var last = LedgerSequence(.max)
        while true {
            let some = try reader.orders(
                of: account, awaiting: awaited, for: product, before: last,
                limit: Self.portion)
            for (place, id) in some {
                last = place
                // The ledger finds other spellings of the account too, which may be others.
                guard let history = try reader.order(id), policy.name(history.account) == account
                else { continue }
                guard body(candidate(history)) else { return }
            }
            if some.count < Self.portion { return }
        }
    }

    /// The account, and those that were merged into it, directly or through others.
    func accounts(standingAs account: AccountID) throws(LedgerError) -> [AccountID] {
        var (found, unasked) = ([account], [account])
        while let next = unasked.popLast() {
            for merge in try policy.folding(reader.mergeFacts(of: next)).accountMerges
            where merge.value.into == next && !found.contains(merge.value.from) {
                let from = merge.value.from
                guard try reader.account(standingFor: from, policy) == account else { continue }
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

extension ActivePolicy {
    /// The `orders` section of the policy with that digest, which was in force when an order was
    /// made.
    func orderSettings(_ digest: Digest256) -> OrderSettings { orderPolicy(digest).orders }

    /// The policy with that digest; the one in force where the ledger lacks it.
    func orderPolicy(_ digest: Digest256) -> Policy {
        history.activations.last { $0.policy.digest == digest }?.policy ?? history.current
    }
}
