internal import EntitlementModel

/// The balances of one account: deliveries, spends and holds, refunds and expiry (spec 1.7).
struct Credits {
    let account: AccountID
    let view: FactView
    /// An account has few credits: they are searched, not hashed.
    private(set) var ledgers: [Ledger] = []

    /// What happens to one credit of the account, in no order.
    struct Ledger {
        let key: CreditKey
        var events: [CreditEvent] = []
        var freezes: [CreditFreeze] = []
    }

    init(account: AccountID, units: [DerivedUnit], gifts: Gifts, view: FactView) {
        self.account = account
        self.view = view
        var paid = PaidGifts(gifts, to: account, view: view)
        for unit in units { deliver(unit, replacing: &paid) }
        for (grant, revocation) in gifts.all where !paid.replaced.contains(grant.sequence) {
            add(grant, revocation)
        }
        addActions()
        addMerges()
    }

    var balances: [CreditKey: CreditTimeline] {
        var balances: [CreditKey: CreditTimeline] = [:]
        for ledger in ledgers {
            var lots = CreditLots()
            for event in ledger.events.sorted(by: CreditEvent.isEarlier) { lots.apply(event) }
            balances[ledger.key] = CreditTimeline(
                entries: lots.entries, freezes: ledger.freezes.sorted(by: Self.isEarlier),
                holds: lots.holds,
                warnBefore: view.policy.policy.credits[ledger.key.credit]?.warnBefore)
        }
        return balances
    }

    /// Of each credit that a purchase delivered, how much was spent by the instant and not given
    /// back, in the burn order (spec 1.12); of those alone of which some had come to the account.
    ///
    /// - Parameter delivered: the units of the whole delivery, whoever got them.
    func spentShares(
        of id: CreditLot.ID, in environment: StoreEnvironment, _ delivered: [CreditName: Int64],
        at instant: Instant
    ) -> [ConsumedShare] {
        ledgers.filter { $0.key.environment == environment }.compactMap { ledger in
            var (lots, hasCome) = (CreditLots(), false)
            for event in ledger.events.sorted(by: CreditEvent.isEarlier)
            where event.entry.occurredAt <= instant {
                if case .give(let lot, _) = event.effect, lot.id == id { hasCome = true }
                lots.apply(event)
            }
            guard hasCome, let units = delivered[ledger.key.credit] else { return nil }
            return ConsumedShare(Int64(clamping: lots.spent(of: id)), of: units)
        }
    }

    /// Whatever order the purchases were read in.
    private static func isEarlier(_ left: CreditFreeze, _ right: CreditFreeze) -> Bool {
        if left.interval.start != right.interval.start {
            return left.interval.start < right.interval.start
        }
        let (own, other) = (left.transaction, right.transaction)
        return (own.environment.rawValue, own.transactionID.text)
            < (other.environment.rawValue, other.transactionID.text)
    }

    private mutating func append(
        _ events: [CreditEvent], freezes: [CreditFreeze] = [], to key: CreditKey
    ) {
        guard !events.isEmpty || !freezes.isEmpty else { return }
        let found = ledgers.firstIndex { $0.key == key }
        if found == nil { ledgers.append(Ledger(key: key)) }
        let place = found ?? ledgers.count - 1
        ledgers[place].events += events
        // Several deliveries of one purchase are refunded together.
        ledgers[place].freezes += freezes.filter { !ledgers[place].freezes.contains($0) }
    }
}

/// What purchases deliver.
extension Credits {
    /// Once per purchase, to the account that it was first accepted for, who owns it for its
    /// past too: balances never move by a restore, only by a merge of accounts or by a person.
    private mutating func deliver(_ unit: DerivedUnit, replacing gifts: inout PaidGifts) {
        switch unit.kind.known {
        case .consumable:
            guard unit.ownership.deliveries.contains(where: { $0.account == account }) else {
                return
            }
            deliver(unit.firstPurchase, of: unit, replacing: &gifts)
        case .autoRenewable:
            guard view.policy.deliversByPeriod,
                // It may have had it for no time at all: a ruling moves what a claim does not.
                unit.ownership.changes.contains(where: { $0.value.ownersAfter.contains(account) })
            else { return }
            for purchase in unit.states.purchases where purchase.isDeliveredByPeriod(in: view) {
                deliver(purchase, of: unit, replacing: &gifts)
            }
        case .nonConsumable, .nonRenewing, .free, nil: return
        }
    }

    private mutating func deliver(
        _ purchase: Purchase, of unit: DerivedUnit, replacing gifts: inout PaidGifts
    ) {
        guard let sold = view.policy.product(purchase.productID, soldAt: purchase.soldAt),
            unit.kind.isKnown(sold.kind)
        else { return }
        for case .credit(let credit, let units, let terms) in sold.grants {
            let delivered = purchase.units(units, terms, of: sold.kind, in: view)
            guard delivered > 0 else { continue }
            let environments = environments(of: purchase, of: unit)
            for date in DeliveryDate.all(of: purchase, of: unit, terms) {
                let delivery = delivery(
                    of: purchase, of: unit, at: date, giving: delivered, of: credit)
                for environment in environments {
                    let key = CreditKey(environment, credit)
                    let gift =
                        date.isFirst
                        ? gifts.gift(for: purchase, of: unit, key, had: delivery.holders) : nil
                    append(
                        delivery.events(for: account, replacing: gift),
                        freezes: freezes(by: delivery, of: purchase, of: unit, key), to: key)
                }
            }
        }
    }

    private func delivery(
        of purchase: Purchase, of unit: DerivedUnit, at date: DeliveryDate,
        giving delivered: Int64, of credit: CreditName
    ) -> Delivery {
        let refund = purchase.revocation.flatMap { revocation -> Delivery.Refund? in
            let credit = view.policy.history.credit(credit, refundedAt: revocation.date)
            let mode = credit?.onRefund ?? .debt
            guard mode != .ignore else { return nil }
            return Delivery.Refund(
                refundedAt: revocation.date,
                dates: Set(purchase.members.flatMap(\.refundDates)),
                at: max(revocation.date, date.at),
                units: delivered.share(revocation.percentage), mode: mode)
        }
        return Delivery(
            transaction: TransactionKey(unit.unit.environment, purchase.transactionID),
            units: delivered, date: date,
            holders: unit.kind.isKnown(.autoRenewable)
                ? unit.ownership.deliveries(at: date.at) : unit.ownership.deliveries,
            refund: refund, facts: purchase.sequences(in: view))
    }

    /// While it has the delivery, an account cannot spend the credit after a refund that freezes
    /// it, until a person lifts that. A refund that takes nothing freezes nothing.
    private func freezes(
        by delivery: Delivery, of purchase: Purchase, of unit: DerivedUnit, _ key: CreditKey
    ) -> [CreditFreeze] {
        guard let refund = delivery.refund, refund.mode == .freeze, refund.units > 0 else {
            return []
        }
        let thaw = view.facts.creditThaws.filter { thaw in
            thaw.value.environment == key.environment && thaw.value.credit == key.credit
                && refund.dates.contains(thaw.value.refundedAt)
                && view.currentName(
                    of: .purchase(thaw.value.transaction),
                    presenting: thaw.value.transaction.transactionID) == unit.unit
                && purchase.isPaid(by: thaw.value.transaction, as: unit.unit)
        }.map(\.recordedAt).min()
        let holders = delivery.holders
        return holders.indices.compactMap { index -> CreditFreeze? in
            guard holders[index].account == account else { return nil }
            let next = index + 1 < holders.count ? holders[index + 1].from : nil
            let start = max(holders[index].from, refund.at)
            return Interval(from: start, to: Interval.earlier(next, thaw)).map {
                CreditFreeze(
                    interval: $0, transaction: delivery.transaction,
                    refundedAt: refund.refundedAt, facts: delivery.facts)
            }
        }
    }

    /// The unit's own environment, and others where an access rule names it. A purchase is judged
    /// as active when bought. Unknown ownership gives nothing without such a rule (spec 1.2).
    private func environments(
        of purchase: Purchase, of unit: DerivedUnit
    ) -> [StoreEnvironment] {
        let own = unit.unit.environment
        let ownership = OwnershipWord(purchase.ownership(in: view))
        let isCounted = view.countsElsewhere(purchase, of: unit, for: account)
        return StoreEnvironment.allCases.filter { $0 == own ? ownership != .unknown : isCounted }
    }
}

extension FactView {
    /// Whether what a purchase brings to an account counts in other environments too (spec 1.7).
    /// The catalogue of today says what the product is, or, where it is gone, that of the sale.
    func countsElsewhere(
        _ purchase: Purchase, of unit: DerivedUnit, for account: AccountID
    ) -> Bool {
        let (own, id) = (unit.unit.environment, purchase.productID)
        guard policy.namedEnvironments.contains(own),
            let product = policy.product(id) ?? policy.product(id, soldAt: purchase.soldAt)
        else { return false }
        let subject = Subject(delivering: purchase, of: unit, view: self, account: account)
        let decisive = policy.rules.first {
            $0.names(own) && $0.matches(delivery: subject, of: product, at: purchase.start)
        }
        return decisive?.grants ?? false
    }
}

/// What people give.
extension Credits {
    private mutating func add(
        _ grant: Recorded<Grant>, _ revocation: Recorded<GrantRevocation>?
    ) {
        guard case .credit(let credit, let units) = grant.value.gift else { return }
        let (from, until) = (grant.value.from, grant.value.until)
        guard Interval(from: from, to: Interval.earlier(until, revocation?.recordedAt)) != nil
        else { return }
        let lot = CreditLot.ID.grant(grant.value.id)
        func event(
            _ rank: CreditEvent.Rank, _ effect: CreditEvent.Effect, at instant: Instant,
            _ cause: CreditTimeline.Entry.Cause, _ last: LedgerSequence? = nil
        ) -> CreditEvent {
            CreditEvent(
                rank: rank, order: [last ?? grant.sequence], effect: effect,
                entry: CreditTimeline.Entry(
                    occurredAt: instant, units: 0, cause: cause, grant: grant.value.id,
                    facts: [grant.sequence] + (last.map { [$0] } ?? [])))
        }
        var events = [
            event(
                .gift, .give(CreditLot.Name(id: lot, start: from, end: until), units: units),
                at: from, .grant)
        ]
        let isRevoked =
            revocation.map { revocation in
                until.map { revocation.recordedAt < $0 } ?? true
            } ?? false
        if let revocation, isRevoked {
            let (effect, cause) = end(of: grant, units: units, by: revocation)
            events.append(
                event(.action, effect, at: revocation.recordedAt, cause, revocation.sequence))
        }
        if let until { events.append(event(.expiry, .end(lot), at: until, .expiry)) }
        append(events, to: CreditKey(grant.value.environment, credit))
    }

    /// A merge takes all of it to the other account, and who undoes a gift takes all of it back.
    private func end(
        of grant: Recorded<Grant>, units: Int64, by revocation: Recorded<GrantRevocation>
    ) -> (CreditEvent.Effect, CreditTimeline.Entry.Cause) {
        let lot = CreditLot.ID.grant(grant.value.id)
        if isOfMerge(revocation, of: grant) { return (.moveOut(lot, units: units), .merge) }
        return revocation.value.effect == .undone
            ? (.moveOut(lot, units: units), .ruling) : (.end(lot), .expiry)
    }

    /// Whether a merge has ended the grant, to give it to the other account.
    private func isOfMerge(
        _ revocation: Recorded<GrantRevocation>, of grant: Recorded<Grant>
    ) -> Bool {
        view.facts.accountMerges.contains { merge in
            let giver = merge.value.undoes == nil ? merge.value.from : merge.value.into
            return giver == account && merge.recordedAt == revocation.recordedAt
                && grant.sequence < merge.sequence && merge.sequence < revocation.sequence
                && merge.value.actor == revocation.value.actor
                && merge.value.reason == revocation.value.reason
        }
    }
}

/// The gifts of an account whose place a payment has taken (spec 1.7).
private struct PaidGifts {
    private struct Gift {
        let unit: OwnedUnit
        let payment: TransactionKey
        let key: CreditKey
        let place: LedgerSequence
        let replaced: Delivery.Replaced
    }

    private let account: AccountID
    private var gifts: [Gift] = []
    /// Grants that have become a part of a delivery.
    private(set) var replaced: Set<LedgerSequence> = []

    init(_ all: Gifts, to account: AccountID, view: FactView) {
        self.account = account
        for (grant, revocation) in all.all {
            guard let revocation, let payment = revocation.value.payment,
                case .credit(let credit, _) = grant.value.gift
            else { continue }
            gifts.append(
                Gift(
                    unit: view.currentName(
                        of: .purchase(payment), presenting: payment.transactionID),
                    payment: payment,
                    key: CreditKey(grant.value.environment, credit), place: grant.sequence,
                    replaced: Delivery.Replaced(
                        given: grant.value.from, endedAt: revocation.recordedAt,
                        facts: [grant.sequence, revocation.sequence])))
        }
    }

    /// The first that was given for a purchase of which the account had the delivery when the gift
    /// ended.
    mutating func gift(
        for purchase: Purchase, of unit: DerivedUnit, _ key: CreditKey,
        had holders: [DeliveryHolder]
    ) -> Delivery.Replaced? {
        let own = gifts.filter { gift in
            gift.unit == unit.unit && gift.key == key
                && purchase.isPaid(by: gift.payment, as: unit.unit)
                && holders.contains {
                    $0.account == account && $0.from <= gift.replaced.endedAt
                }
        }
        replaced.formUnion(own.map(\.place))
        return own.map(\.replaced).min { $0.given < $1.given }
    }
}

/// Spends, holds and reversals by services.
extension Credits {
    private mutating func addActions() {
        for spend in view.facts.creditSpends where spend.value.account == account {
            for part in spend.value.parts {
                let event = CreditEvent(of: spend, part)
                append([event], to: CreditKey(spend.value.environment, part.credit))
            }
        }
        for hold in view.facts.creditHolds
        where hold.value.account == account && hold.recordedAt < hold.value.until { add(hold) }
        for reversal in view.facts.spendReversals where reversal.value.account == account {
            for part in reversal.value.parts {
                let event = CreditEvent(
                    .reversal, .reverse(part.units, spend: reversal.value.spend), reversal,
                    also: reversal.value.spend)
                append([event], to: CreditKey(reversal.value.environment, part.credit))
            }
        }
    }

    private mutating func add(_ hold: Recorded<CreditHold>) {
        let end = view.facts.holdEnds.first { $0.value.hold == hold.sequence }
        for part in hold.value.parts {
            let (beginning, release) = CreditEvent.events(of: hold, part)
            var events = [beginning, release]
            if let end {
                let captured = end.value.captured.first { $0.credit == part.credit }
                events.append(
                    CreditEvent(
                        captured == nil ? .release : .spend,
                        .capture(captured?.units ?? 0, hold: hold.sequence), end,
                        also: hold.sequence))
            }
            append(events, to: CreditKey(hold.value.environment, part.credit))
        }
    }

    /// Balances that merges moved besides purchases, grants and holds.
    private mutating func addMerges() {
        for merge in view.facts.accountMerges
        where (merge.value.from == account) != (merge.value.into == account) {
            for carried in merge.value.credits {
                let units =
                    merge.value.into == account ? carried.units : carried.units.negatedSaturating
                let event = CreditEvent(
                    rank: .action, order: [merge.sequence], effect: .carry(units),
                    entry: CreditTimeline.Entry(
                        occurredAt: merge.recordedAt, units: 0, cause: .merge,
                        facts: [merge.sequence]))
                append([event], to: CreditKey(carried.environment, carried.credit))
            }
        }
    }
}

extension CreditEvent {
    /// A part of a spend.
    init(of spend: Recorded<CreditSpend>, _ part: CreditPart) {
        self.init(.spend, .spend(part.units), spend)
    }

    /// A part of a hold, and its expiry.
    static func events(
        of hold: Recorded<CreditHold>, _ part: CreditPart
    ) -> (hold: CreditEvent, release: CreditEvent) {
        (
            CreditEvent(.hold, .hold(part.units, id: hold.sequence), hold),
            CreditEvent(
                rank: .release, order: [hold.sequence], effect: .release(hold.sequence),
                entry: CreditTimeline.Entry(
                    occurredAt: hold.value.until, units: 0, cause: .release,
                    action: hold.sequence, facts: [hold.sequence]))
        )
    }

    /// An action of a service, as of its recording.
    fileprivate init<Value>(
        _ cause: CreditTimeline.Entry.Cause, _ effect: CreditEvent.Effect,
        _ fact: Recorded<Value>, also other: LedgerSequence? = nil
    ) {
        self.init(
            rank: .action, order: [fact.sequence], effect: effect,
            entry: CreditTimeline.Entry(
                occurredAt: fact.recordedAt, units: 0, cause: cause, action: fact.sequence,
                facts: (other.map { [$0] } ?? []) + [fact.sequence]))
    }
}

extension Int64 {
    /// The part that a refund takes, rounded down; nil is all of it (spec 1.7).
    fileprivate func share(_ percentage: Int64?) -> Int64 {
        let bounded = Swift.min(Swift.max(percentage ?? 100_000, 0), 100_000)
        let (high, low) = multipliedFullWidth(by: bounded)
        return Int64(100_000).dividingFullWidth((high, low)).quotient
    }

    func multipliedSaturating(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    fileprivate var negatedSaturating: Int64 { self == .min ? .max : -self }
}
