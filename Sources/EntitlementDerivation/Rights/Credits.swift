internal import EntitlementModel

/// The balances of one account, without spends: deliveries, grants, claw-backs and expiries
/// (spec 1.7).
struct Credits {
    let account: AccountID
    let view: FactView
    /// An account has few credits: they are searched, not hashed.
    private var ledgers: [Ledger] = []

    private struct Ledger {
        let key: CreditKey
        var entries: [Draft]
    }

    /// An entry on its way into a balance.
    private struct Draft {
        var entry: CreditTimeline.Entry
        /// Whether it takes what is left, at most.
        var isFloored = false
    }

    init(account: AccountID, units: [DerivedUnit], gifts: Gifts, view: FactView) {
        self.account = account
        self.view = view
        for unit in units { deliver(unit) }
        for (grant, revocation) in gifts.all { add(grant, revocation) }
    }

    var balances: [CreditKey: CreditTimeline] {
        var balances: [CreditKey: CreditTimeline] = [:]
        for ledger in ledgers {
            balances[ledger.key] = CreditTimeline(entries: settled(ledger.entries))
        }
        return balances
    }

    /// Once per purchase, to the account that it was first accepted for, who owns it for its
    /// past too: balances never move by a restore, only by a merge of accounts or by a person.
    private mutating func deliver(_ unit: DerivedUnit) {
        guard unit.kind.isKnown(.consumable),
            unit.ownership.deliveries.contains(where: { $0.account == account }),
            let sold = view.policy.product(
                unit.firstPurchase.productID, soldAt: unit.firstPurchase.start)
        else { return }
        for case .credit(let credit, let units) in sold.grants {
            for environment in environments(of: unit, sold: sold) {
                append(entries(of: unit, giving: units, of: credit), environment, credit)
            }
        }
    }

    private func entries(
        of unit: DerivedUnit, giving units: Int64, of credit: CreditName
    ) -> [Draft] {
        let purchase = unit.firstPurchase
        let delivered = units.multipliedSaturating(by: purchase.quantity(in: view))
        let onRefund = purchase.revocation.map { refund in
            view.policy.history.credit(credit, refundedAt: refund.date)?.onRefund ?? .debt
        }
        let delivery = Delivery(
            transaction: TransactionKey(unit.unit.environment, purchase.transactionID),
            units: delivered, start: purchase.start,
            refund: onRefund == .ignore
                ? nil
                : purchase.revocation.map {
                    (max($0.date, purchase.start), delivered.share($0.percentage))
                },
            facts: purchase.sequences(in: view))
        return delivery.entries(for: account, holders: unit.ownership.deliveries).map {
            Draft(entry: $0, isFloored: $0.cause == .clawBack && onRefund == .floor)
        }
    }

    /// The unit's own, and all others where an access rule that names its environment counts
    /// it there. A consumable has no state of its own: it is judged as active when bought.
    /// Unknown ownership gives nothing by itself (spec 1.2), so only such a rule can count it.
    private func environments(of unit: DerivedUnit, sold: Product) -> [StoreEnvironment] {
        let own = unit.unit.environment
        let ownership = OwnershipWord(unit.firstPurchase.ownership(in: view))
        let isCounted = view.policy.namedEnvironments.contains(own) && countsElsewhere(unit, sold)
        return StoreEnvironment.allCases.filter { $0 == own ? ownership != .unknown : isCounted }
    }

    /// The catalogue of today says what the product is, or, where it is gone, that of the sale.
    private func countsElsewhere(_ unit: DerivedUnit, _ sold: Product) -> Bool {
        let purchase = unit.firstPurchase
        let product = view.policy.product(purchase.productID) ?? sold
        let subject = Subject(delivering: unit, view: view, account: account)
        let decisive = view.policy.rules.first {
            $0.names(unit.unit.environment)
                && $0.matches(delivery: subject, of: product, at: purchase.start)
        }
        return decisive?.grants ?? false
    }

    private mutating func add(
        _ grant: Recorded<Grant>, _ revocation: Recorded<GrantRevocation>?
    ) {
        guard case .credit(let credit, let units) = grant.value.gift else { return }
        let end = Interval.earlier(grant.value.until, revocation?.recordedAt)
        guard Interval(from: grant.value.from, to: end) != nil else { return }
        var added = [
            CreditTimeline.Entry(
                occurredAt: grant.value.from, units: units, cause: .grant,
                grant: grant.value.id, facts: [grant.sequence])
        ]
        if let end {
            added.append(
                CreditTimeline.Entry(
                    occurredAt: end, units: units.negatedSaturating, cause: .expiry,
                    grant: grant.value.id,
                    facts: [grant.sequence] + (revocation.map { [$0.sequence] } ?? [])))
        }
        append(added.map { Draft(entry: $0) }, grant.value.environment, credit)
    }

    private mutating func append(
        _ added: [Draft], _ environment: StoreEnvironment, _ credit: CreditName
    ) {
        let found = ledgers.firstIndex {
            $0.key.credit == credit && $0.key.environment == environment
        }
        if let found {
            ledgers[found].entries += added
        } else {
            ledgers.append(Ledger(key: CreditKey(environment, credit), entries: added))
        }
    }

    /// In the order of time, with what a refund takes by the rule of its day.
    private func settled(_ drafts: [Draft]) -> [CreditTimeline.Entry] {
        var balance: Int128 = 0
        return drafts.sorted { Self.isEarlier($0.entry, $1.entry) }.compactMap { draft in
            var entry = draft.entry
            if draft.isFloored {
                entry.units = Int64(clamping: max(Int128(entry.units), -max(balance, 0)))
            }
            if entry.cause == .clawBack, entry.units == 0 { return nil }
            balance += Int128(entry.units)
            return entry
        }
    }

    private static func isEarlier(
        _ left: CreditTimeline.Entry, _ right: CreditTimeline.Entry
    ) -> Bool {
        if left.occurredAt != right.occurredAt { return left.occurredAt < right.occurredAt }
        let gives = (left.units >= 0, right.units >= 0)
        if gives.0 != gives.1 { return gives.0 }
        return left.facts.lexicographicallyPrecedes(right.facts)
    }
}

extension Int64 {
    /// The part that a refund takes, rounded down; nil is all of it (spec 1.7).
    fileprivate func share(_ percentage: Int64?) -> Int64 {
        let bounded = Swift.min(Swift.max(percentage ?? 100_000, 0), 100_000)
        let (high, low) = multipliedFullWidth(by: bounded)
        return Int64(100_000).dividingFullWidth((high, low)).quotient
    }

    fileprivate func multipliedSaturating(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    fileprivate var negatedSaturating: Int64 { self == .min ? .max : -self }
}
