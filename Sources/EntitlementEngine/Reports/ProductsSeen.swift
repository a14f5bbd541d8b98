package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// Every product of which there is evidence, sorted. Reads the whole ledger, a portion at a
    /// time. Blocks.
    package func productsSeen() throws(EngineError) -> [ProductID] {
        try ledger.reading { reader throws(LedgerError) in
            var seen: Set<ProductID> = []
            var last = LedgerSequence(0)
            while true {
                let portion = try reader.entries(after: last, limit: 1_000)
                guard let newest = portion.last else { return seen.sorted() }
                last = newest.sequence
                for case .transaction(let fact) in portion.map(\.value) {
                    seen.insert(fact.snapshot.productID)
                }
            }
        }
    }
}
