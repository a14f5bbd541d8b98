internal import EntitlementModel

/// Which lineages belong to one Apple ID (spec 1.3). Depends on the set of facts only.
struct AppleIDs {
    /// The Apple ID of each lineage of the view, in its order.
    let keys: [AppleIDKey]
    /// Lineages whose receipts name two or more Apple IDs, with those lineages.
    let conflicts: [Conflict]
    private let view: FactView

    struct Conflict {
        let lineage: LineageKey
        /// The lineages in its receipts that know an appTransactionId, sorted.
        let others: [LineageKey]
    }

    init(_ view: FactView) {
        let own = view.lineages.map { view.appTransactionID(of: $0) }
        let neighbours = SharedReceipts(view)
        var resolved = own
        var conflicts: [Conflict] = []
        var isAlone = Array(repeating: false, count: own.count)
        for index in own.indices where own[index] == nil && neighbours.exist {
            let known = neighbours.of(index).filter { own[$0] != nil }
            let ids = Set(known.compactMap { own[$0] })
            if ids.count == 1 { resolved[index] = ids.first }
            guard ids.count > 1 else { continue }
            isAlone[index] = true
            conflicts.append(
                Conflict(
                    lineage: view.lineages[index].key,
                    others: known.map { view.lineages[$0].key }.sorted()))
        }
        let unnamed = own.indices.filter { resolved[$0] == nil }
        let names = neighbours.smallestLineage(
            connecting: unnamed.filter { !isAlone[$0] }, view: view)
        keys = own.indices.map { index in
            let lineage = view.lineages[index].key
            if let id = resolved[index] {
                return .appTransaction(id, lineage.environment)
            }
            return .lineage(names[index] ?? lineage)
        }
        self.conflicts = conflicts.sorted { $0.lineage < $1.lineage }
        self.view = view
    }

    func key(of lineage: LineageKey) -> AppleIDKey? {
        view.position(lineage).map { keys[$0] }
    }

    /// Sorted; empty for a lineage that is not known.
    func lineages(withAppleIDOf lineage: LineageKey) -> [LineageKey] {
        guard let key = key(of: lineage) else { return [] }
        return lineages(of: key)
    }

    /// Sorted.
    func lineages(of key: AppleIDKey) -> [LineageKey] {
        keys.indices.filter { keys[$0] == key }.map { view.lineages[$0].key }.sorted()
    }
}

extension AppleIDKey {
    static func appTransaction(
        _ id: AppTransactionID, _ environment: StoreEnvironment
    ) -> AppleIDKey {
        AppleIDKey(unchecked: "atx:\(environment.rawValue):\(id.text)")
    }

    static func lineage(_ key: LineageKey) -> AppleIDKey {
        AppleIDKey(
            unchecked: "otx:\(key.environment.rawValue):\(key.originalTransactionID.text)")
    }

    /// Whether Apple named it, rather than one of its lineages.
    var isCertain: Bool { text.hasPrefix("atx:") }
}

extension FactView {
    /// That of the newest snapshot, of a transaction or a renewal info, that has one.
    fileprivate func appTransactionID(of lineage: Lineage) -> AppTransactionID? {
        var best: (id: AppTransactionID, date: Instant, source: EvidenceSource)?
        func consider(_ id: AppTransactionID?, _ date: Instant, _ source: EvidenceSource) {
            guard let id else { return }
            if let best, !SnapshotOrder.precedes(best.date, best.source, date, source) { return }
            best = (id, date, source)
        }
        for index in lineage.transactions {
            let snapshot = facts.transactions[index].value
            consider(snapshot.appTransactionID, snapshot.signedDate, snapshot.source)
        }
        for index in lineage.renewals {
            let snapshot = facts.renewals[index].value
            consider(snapshot.appTransactionID, snapshot.signedDate, snapshot.source)
        }
        return best?.id
    }
}

extension AppleIDs {
    /// The name that an Apple ID has by the facts: an `otx` name is resolved through its
    /// lineage (spec 1.3). A key that is not known stays as it is.
    func currentName(of key: AppleIDKey) -> AppleIDKey {
        let parts = key.text.split(separator: ":", maxSplits: 2)
        guard parts.count == 3, parts[0] == "otx",
            let environment = StoreEnvironment(rawValue: String(parts[1])),
            let original = TransactionID(parts[2])
        else { return key }
        return self.key(of: LineageKey(environment, original)) ?? key
    }

    /// The Apple ID of a device's key; nil if the key is of another environment, or names an
    /// unknown lineage, which may be of any Apple ID.
    func name(of key: AppleIDKey, in environment: StoreEnvironment) -> AppleIDKey? {
        let parts = key.text.split(separator: ":", maxSplits: 2)
        guard parts.count == 3, parts[1] == environment.rawValue else { return nil }
        guard parts[0] == "otx" else { return key }
        return TransactionID(parts[2]).flatMap { self.key(of: LineageKey(environment, $0)) }
    }
}

/// Which lineages share a receipt or an answer: everything in one belongs to one Apple ID
/// (spec 1.3).
struct SharedReceipts {
    /// For each receipt, the positions of its lineages, ascending.
    private let receipts: [[Int]]
    /// For each lineage, the positions of its receipts.
    private let receiptsOfLineage: [[Int]]

    init(_ view: FactView) {
        var positions: [Digest256: Int] = [:]
        var receipts: [[Int]] = []
        var receiptsOfLineage = Array(repeating: [Int](), count: view.lineages.count)
        for (lineage, content) in view.lineages.enumerated() {
            var digests: Set<Digest256> = []
            for index in content.transactions {
                if let receipt = view.facts.transactions[index].value.source.receipt {
                    digests.insert(receipt)
                }
            }
            for index in content.renewals {
                if let receipt = view.facts.renewals[index].value.source.receipt {
                    digests.insert(receipt)
                }
            }
            for digest in digests {
                let receipt = positions[digest] ?? receipts.count
                if receipt == receipts.count {
                    positions[digest] = receipt
                    receipts.append([])
                }
                receipts[receipt].append(lineage)
                receiptsOfLineage[lineage].append(receipt)
            }
        }
        self.receipts = receipts
        self.receiptsOfLineage = receiptsOfLineage
    }

    var exist: Bool { !receipts.isEmpty }

    /// The other lineages that share a receipt with this one.
    func of(_ lineage: Int) -> Set<Int> {
        var found = Set(receiptsOfLineage[lineage].flatMap { receipts[$0] })
        found.remove(lineage)
        return found
    }

    /// Joins lineages that share receipts, directly or through one another, and names each
    /// group by its smallest lineage.
    func smallestLineage(connecting lineages: [Int], view: FactView) -> [Int: LineageKey] {
        let members = Set(lineages)
        var names: [Int: LineageKey] = [:]
        for start in lineages where names[start] == nil {
            var group: Set<Int> = [start]
            var frontier = [start]
            while let next = frontier.popLast() {
                for neighbour in of(next).intersection(members)
                where group.insert(neighbour).inserted {
                    frontier.append(neighbour)
                }
            }
            let smallest = group.map { view.lineages[$0].key }.min()
            for member in group { names[member] = smallest }
        }
        return names
    }
}
