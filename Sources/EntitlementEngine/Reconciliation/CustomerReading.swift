internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Reads the customers of a ledger, a few at a time: nothing is derived but the Apple IDs that
/// share a page.
struct CustomerReading {
    let policy: ActivePolicy
    let reader: any LedgerReading

    /// How many share one view of the ledger.
    static let page = 128

    /// The Apple IDs that the facts are about, in the environments that Apple has servers for.
    func customers(in facts: FactSet, at instant: Instant) -> [CustomerOutline] {
        let known = Set(
            facts.transactions.map(\.value.lineage) + facts.renewals.map(\.value.lineage))
        var outlines = self.outlines(facts)
        var seen: Set<LineageKey> = []
        var customers: [CustomerOutline] = []
        for lineage in known.sorted()
        where lineage.environment.hasServers && !seen.contains(lineage) {
            let timeline = policy.deriver.deriveAppleID(holding: lineage, facts)
            // A renewal info may have come without its transaction.
            let key = timeline?.key ?? AppleIDKey(alone: lineage)
            let members = timeline?.lineages ?? [lineage]
            for unit in timeline?.units ?? [] {
                guard case .lineage(let key) = unit.unit else { continue }
                outlines[key]?.setState(in: unit, at: instant)
            }
            seen.formUnion(members)
            customers.append(
                CustomerOutline(
                    key: key, environment: lineage.environment,
                    lineages: members.compactMap { outlines[$0] }))
        }
        return customers
    }

    /// The facts of what may be one Apple ID, as they are derived from.
    func facts(of lineage: LineageKey) throws(LedgerError) -> FactSet {
        policy.folding(try reader.facts(forLineage: lineage))
    }

    private func outlines(_ facts: FactSet) -> [LineageKey: LineageOutline] {
        var outlines: [LineageKey: LineageOutline] = [:]
        var newest: [TransactionKey: TransactionSnapshot] = [:]
        for fact in facts.transactions {
            let snapshot = fact.value
            let outline = outlines[snapshot.lineage] ?? LineageOutline(key: snapshot.lineage)
            outlines[snapshot.lineage] = outline.adding(snapshot)
            if let other = newest[snapshot.key], !other.isOutranked(by: snapshot) { continue }
            newest[snapshot.key] = snapshot
        }
        for snapshot in newest.values {
            outlines[snapshot.lineage]?.transactions += 1
            guard let date = snapshot.revocation?.date, !snapshot.isUpgraded else { continue }
            let last = outlines[snapshot.lineage]?.lastRevocation ?? .distantPast
            outlines[snapshot.lineage]?.lastRevocation = max(last, date)
        }
        for fact in facts.renewals {
            var outline =
                outlines[fact.value.lineage] ?? LineageOutline(key: fact.value.lineage)
            outline.isSubscription = true
            outline.lastSigned = max(outline.lastSigned, fact.value.signedDate)
            outlines[fact.value.lineage] = outline
        }
        return outlines
    }
}

extension LineageOutline {
    fileprivate func adding(_ snapshot: TransactionSnapshot) -> LineageOutline {
        var outline = self
        outline.lastSigned = max(lastSigned, snapshot.signedDate)
        if snapshot.isOfSubscription { outline.isSubscription = true }
        return outline
    }

    fileprivate mutating func setState(in unit: UnitTimeline, at instant: Instant) {
        guard let span = unit.states.last(where: { $0.interval.start <= instant }) else { return }
        state = span.state
        // Auto-renew may be turned off and on within a state: what counts is when that ends.
        let later = unit.states.first {
            $0.interval.start > instant && $0.state != span.state
        }
        stateSpan = Interval(
            from: span.enteredAt, to: later?.interval.start ?? unit.states.last?.interval.end)
    }
}

extension TransactionSnapshot {
    var isOfSubscription: Bool {
        kind.map { $0.known == .autoRenewable } ?? (expiresDate != nil)
    }

    /// Whether another snapshot of the same transaction holds instead (spec 1.2).
    func isOutranked(by other: TransactionSnapshot) -> Bool {
        let (isImported, otherIsImported) = (
            source.trust == .imported, other.source.trust == .imported
        )
        if isImported != otherIsImported { return isImported }
        if signedDate != other.signedDate { return signedDate < other.signedDate }
        if (source.form == .jws) != (other.source.form == .jws) {
            return other.source.form == .jws
        }
        return source.canonicalDigest < other.source.canonicalDigest
    }
}

extension StoreEnvironment {
    /// Whether Apple has servers for it: Xcode has none.
    var hasServers: Bool { self == .production || self == .sandbox }
}

extension AppleIDKey {
    /// Of a lineage that is not known to belong to others (spec 1.3).
    init(alone lineage: LineageKey) {
        self.init(
            unchecked:
                "otx:\(lineage.environment.rawValue):\(lineage.originalTransactionID.text)")
    }
}
