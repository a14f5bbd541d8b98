internal import EntitlementModel

/// Which lineages share a receipt or an answer: everything in one belongs to one Apple ID
/// (spec 1.3).
struct Neighbours {
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
