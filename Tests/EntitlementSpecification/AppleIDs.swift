package import EntitlementModel

/// Which Apple ID a lineage belongs to (spec 1.3).
struct AppleIDNames: Sendable {
    private(set) var keys: [LineageKey: AppleIDKey] = [:]
    /// Lineages that stay alone because the lineages beside them in receipts disagree.
    private(set) var conflicts: Set<LineageKey> = []

    init(policy: Policy, facts: FactSet, known: Set<LineageKey>) {
        let mentions = Mention.all(policy: policy, facts: facts).filter {
            known.contains($0.lineage)
        }
        // 1. A lineage that knows an appTransactionId.
        var own: [LineageKey: AppTransactionID] = [:]
        for lineage in known {
            own[lineage] =
                mentions.filter { $0.lineage == lineage }
                .sorted { $0.snapshot.isNewer(than: $1.snapshot) }
                .lazy.compactMap(\.appTransactionID).first
        }
        // 2. A lineage without one takes that of the lineages beside it in receipts.
        var taken = own
        for lineage in known where own[lineage] == nil {
            let beside = Mention.lineages(sharingReceiptWith: lineage, in: mentions)
            let ids = Set(beside.compactMap { own[$0] })
            if ids.count == 1 { taken[lineage] = ids.first }
            if ids.count > 1 { conflicts.insert(lineage) }
        }
        for (lineage, id) in taken {
            keys[lineage] = AppleIDKey(
                unchecked: "atx:\(lineage.environment.rawValue):\(id.text)")
        }
        // 3. Those still without one, joined by the receipts that they share.
        let nameless = known.filter { taken[$0] == nil && !conflicts.contains($0) }
        for lineage in nameless {
            var joined: Set<LineageKey> = [lineage]
            while true {
                let wider = joined.union(
                    joined.flatMap {
                        Mention.lineages(sharingReceiptWith: $0, in: mentions)
                    }
                ).intersection(nameless)
                if wider.union(joined) == joined { break }
                joined.formUnion(wider)
            }
            keys[lineage] = AppleIDNames.name(after: joined.min() ?? lineage)
        }
        for lineage in conflicts { keys[lineage] = AppleIDNames.name(after: lineage) }
    }

    /// 1 to 3 say that two lineages belong to one Apple ID.
    func areTheSame(_ left: LineageKey, _ right: LineageKey) -> Bool {
        keys[left] == keys[right]
    }

    /// Both are known by an appTransactionId, and they are unequal.
    func areNamedApart(_ left: LineageKey, _ right: LineageKey) -> Bool {
        guard let left = keys[left]?.text, let right = keys[right]?.text else { return false }
        return left != right && left.hasPrefix("atx:") && right.hasPrefix("atx:")
    }

    private static func name(after lineage: LineageKey) -> AppleIDKey {
        let (environment, id) = (lineage.environment, lineage.originalTransactionID)
        return AppleIDKey(unchecked: "otx:\(environment.rawValue):\(id.text)")
    }
}

/// One snapshot that says something of a lineage's Apple ID.
private struct Mention {
    let lineage: LineageKey
    let snapshot: any Snapshot
    let appTransactionID: AppTransactionID?

    static func all(policy: Policy, facts: FactSet) -> [Mention] {
        let transactions = facts.transactions.map(\.value).filter {
            $0.hasEffect(under: policy)
        }
        return transactions.map {
            Mention(
                lineage: LineageKey($0.environment, $0.originalTransactionID), snapshot: $0,
                appTransactionID: $0.appTransactionID)
        }
            + facts.renewals.map(\.value).map {
                Mention(
                    lineage: LineageKey($0.environment, $0.originalTransactionID),
                    snapshot: $0, appTransactionID: $0.appTransactionID)
            }
    }

    static func lineages(sharingReceiptWith lineage: LineageKey, in mentions: [Mention])
        -> Set<LineageKey>
    {
        let receipts = Set(
            mentions.filter { $0.lineage == lineage }.compactMap(\.snapshot.source.receipt))
        return Set(
            mentions.filter {
                $0.lineage.environment == lineage.environment && $0.lineage != lineage
                    && $0.snapshot.source.receipt.map(receipts.contains) == true
            }.map(\.lineage))
    }
}

extension Specification {
    /// The name of the Apple ID that a lineage belongs to; nil where nothing is known of it.
    package func appleIDKey(of lineage: LineageKey) -> AppleIDKey? {
        appleIDs.keys[lineage]
    }
}
