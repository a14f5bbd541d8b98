internal import EntitlementModel

/// Who has owned one unit: the fold of the decisions on it (spec 1.6).
struct UnitOwnership {
    /// By start, then by account.
    private(set) var spans: [OwnershipSpan] = []
    /// The decisions that changed the owners, in the ledger's order.
    private(set) var changes: [Recorded<OwnershipDecision>] = []
    /// Sorted.
    private(set) var owners: [AccountID] = []
    /// By the changes that reverted another one, which.
    private(set) var undone: [LedgerSequence: LedgerSequence] = [:]

    /// `decisions` are in the ledger's order.
    init(_ decisions: [Recorded<OwnershipDecision>], _ undoings: Undoings) {
        for decision in decisions
        where decision.value.ownersAfter != decision.value.ownersBefore {
            hold(decision)
            guard decision.value.ownersAfter != owners else { continue }
            owners = decision.value.ownersAfter
            changes.append(decision)
            undone[decision.sequence] = undoings.decision(undoneBy: decision, of: changes)
        }
        guard spans.count > 1 else { return }
        spans.sort {
            ($0.interval.start, $0.account, $0.decision)
                < ($1.interval.start, $1.account, $1.decision)
        }
    }

    /// From its instant on all is as the decision says, also where it reaches further back than
    /// one before it: two units may since have turned out to be one (spec 1.2).
    private mutating func hold(_ decision: Recorded<OwnershipDecision>) {
        let (after, from) = (decision.value.ownersAfter, decision.value.from)
        var held: [OwnershipSpan] = []
        for span in spans where span.interval.start < from {
            if let end = span.interval.end, end <= from {
                held.append(span)
            } else {
                let end = after.contains(span.account) ? nil : from
                held.append(
                    OwnershipSpan(
                        account: span.account,
                        interval: Interval(uncheckedFrom: span.interval.start, to: end),
                        decision: span.decision))
            }
        }
        for account in after
        where !held.contains(where: { $0.account == account && $0.interval.end == nil }) {
            held.append(
                OwnershipSpan(
                    account: account, interval: Interval(uncheckedFrom: from, to: nil),
                    decision: decision.sequence))
        }
        spans = held
    }

    /// The account that the unit was first accepted for: consumables are delivered to it.
    var firstOwner: AccountID? { changes.first?.value.ownersAfter.first }

    /// Who has the delivery of a consumable, and from when: its first owner, then whoever replaced
    /// that account by a merge or by a ruling. No claim moves a balance, but what a ruling left to
    /// nobody goes to the next owner (spec 1.6, 1.7).
    var deliveries: [DeliveryHolder] {
        guard let first = changes.first, let owner = firstOwner else { return [] }
        let holder = DeliveryHolder(
            account: owner, from: .distantPast, decision: first.sequence, cause: .delivery)
        return holders(from: holder, changes.dropFirst())
    }

    /// Who has what a subscription delivers at an instant, and from when: whoever owned it then, of
    /// several the one that had it first; from there on as with a consumable. What came before the
    /// first owner had it was somebody's who was erased: nobody has it (spec 1.14).
    func deliveries(at instant: Instant) -> [DeliveryHolder] {
        if let first = changes.first, instant < first.value.from { return [] }
        let then = spans.filter { $0.interval.contains(instant) }
        let owner = changes.lazy.flatMap(\.value.ownersAfter).first { account in
            then.contains { $0.account == account }
        }
        let decision = then.first { $0.account == owner }?.decision
        let holder = DeliveryHolder(
            account: owner, from: .distantPast, decision: decision ?? .zero, cause: .delivery)
        return holders(from: holder, changes.filter { $0.value.from > instant })
    }

    private func holders(
        from first: DeliveryHolder, _ changes: some Sequence<Recorded<OwnershipDecision>>
    ) -> [DeliveryHolder] {
        var holders = [first]
        var earlier: [LedgerSequence: AccountID?] = [:]
        for change in changes {
            let (before, after) = (change.value.ownersBefore, change.value.ownersAfter)
            let isMerge = change.value.rule == .merged
            let holder = holders.last?.account
            earlier[change.sequence] = .some(holder)
            var next = after.first { !before.contains($0) } ?? after.first
            if let former = undone[change.sequence].flatMap({ earlier[$0] }) {
                // It takes back what the other one moved, and nothing else.
                next = former
            } else if let holder {
                guard isMerge || change.value.rule == .byHand, before.contains(holder),
                    !after.contains(holder)
                else { continue }
            }
            guard next != holder else { continue }
            let isFirst = holders.allSatisfy { $0.account == nil }
            holders.append(
                DeliveryHolder(
                    account: next, from: change.value.from, decision: change.sequence,
                    cause: isFirst ? .delivery : isMerge ? .merge : .ruling))
        }
        return holders
    }
}

/// Who has what a purchase delivered, until the next one's instant.
struct DeliveryHolder {
    /// Nil if a ruling has left it to nobody.
    let account: AccountID?
    let from: Instant
    let decision: LedgerSequence
    let cause: CreditTimeline.Entry.Cause
}

/// What people took back: the decisions that rulings undid, and the merges that later ones did.
struct Undoings {
    private var decisions: [LedgerSequence: LedgerSequence] = [:]
    private var merges: [LedgerSequence: LedgerSequence] = [:]

    init(_ facts: FactSet) {
        for ruling in facts.rulings where ruling.value.verb == .undo {
            decisions[ruling.sequence] = ruling.value.decision
        }
        for merge in facts.accountMerges { merges[merge.sequence] = merge.value.undoes }
    }

    /// The decision that a change reverted: named by a ruling, or moved by a merge.
    ///
    /// - Parameter changes: those up to it.
    func decision(
        undoneBy change: Recorded<OwnershipDecision>, of changes: [Recorded<OwnershipDecision>]
    ) -> LedgerSequence? {
        switch change.value.rule {
        case .byHand: decisions[change.value.cause]
        case .merged:
            merges[change.value.cause].flatMap { undone in
                changes.last { $0.value.cause == undone }?.sequence
            }
        default: nil
        }
    }
}

/// The decisions of a fact set by the unit that they are about.
struct OwnershipIndex {
    private var decisions: [OwnedUnit: [Recorded<OwnershipDecision>]] = [:]
    private let undoings: Undoings

    /// Units are named again: a purchase may since have been given a smaller name by another
    /// transaction of its set (spec 1.2), and where Apple signs no kind, a catalogue may since
    /// have given the transaction another.
    init(_ view: FactView) {
        undoings = Undoings(view.facts)
        decisions.reserveCapacity(view.facts.decisions.count)
        for decision in view.facts.decisions {
            let unit = view.currentName(
                of: decision.value.unit, presenting: decision.value.transactionID)
            decisions[unit, default: []].append(decision)
        }
        for (unit, list) in decisions where list.count > 1 {
            decisions[unit] = list.sorted { $0.sequence < $1.sequence }
        }
    }

    /// Every unit that someone decided on, in a fixed order.
    var units: [OwnedUnit] { decisions.keys.sorted(by: OwnedUnit.precedes) }

    /// Those with a unit that someone decided on.
    func lineages(in view: FactView) -> Set<LineageKey> {
        var lineages: Set<LineageKey> = []
        for unit in decisions.keys {
            switch unit {
            case .lineage(let key): lineages.insert(key)
            case .purchase(let key):
                if let lineage = view.lineage(of: key) { lineages.insert(lineage.key) }
            }
        }
        return lineages
    }

    func ownership(of unit: OwnedUnit) -> UnitOwnership {
        UnitOwnership(decisions[unit] ?? [], undoings)
    }

    func decisions(on unit: OwnedUnit) -> [Recorded<OwnershipDecision>] {
        decisions[unit] ?? []
    }
}

extension FactView {
    /// The unit under the name that it has by all facts of this view and this catalogue.
    /// `transactionID` was presented when the unit was decided on.
    func currentName(of unit: OwnedUnit, presenting transactionID: TransactionID) -> OwnedUnit {
        if hasSignedName(unit, presenting: transactionID) { return unit }
        let found = self.unit(of: TransactionKey(unit.environment, transactionID))?.unit
        // A lineage keeps its decisions, whichever lineage the transaction is part of now.
        if case .lineage = unit, case .lineage? = found { return unit }
        return found ?? unit
    }

    /// Whether nothing but its own transaction can be the unit, whatever the catalogue says.
    private func hasSignedName(
        _ unit: OwnedUnit, presenting transactionID: TransactionID
    ) -> Bool {
        switch unit {
        case .lineage(let key):
            // If nothing is left of it, its transactions now belong to another lineage.
            return lineage(key)?.transactions.allSatisfy {
                facts.transactions[$0].value.kind?.known?.isAccountScoped == false
            } ?? false
        case .purchase(let key):
            // A transaction of another lineage may now be the same purchase.
            guard key.transactionID == transactionID else { return false }
            guard let lineage = lineage(of: key) else { return true }
            let first = lineage.transactions[0]
            return lineage.transactions.count == 1
                && facts.transactions[first].value.kind?.known?.isAccountScoped == true
        }
    }

    /// The unit of a transaction, by its kind; nil if the transaction is unknown or has no effect.
    /// A purchase of unknown kind is owned as a lineage.
    func unit(of transaction: TransactionKey) -> (unit: OwnedUnit, purchase: Purchase)? {
        guard let lineage = lineage(of: transaction),
            let purchase = purchases(of: lineage).named(transaction.transactionID)?.purchase
        else { return nil }
        return (unit(of: purchase, in: lineage.key), purchase)
    }

    func unit(of purchase: Purchase, in lineage: LineageKey) -> OwnedUnit {
        guard purchase.kind?.known?.isAccountScoped == true else { return .lineage(lineage) }
        return .purchase(TransactionKey(lineage.environment, purchase.transactionID))
    }
}
