internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// The claims that wait for a person (spec 1.6).
///
/// Folded from the ledger, and kept: each look reads only what was written since the last one.
final class WaitingClaims: Sendable {
    private struct Fold {
        var place = LedgerSequence.zero
        /// Claims that may come to wait; nothing else is kept of the ledger.
        var waiting: [LedgerSequence: ClaimRecord] = [:]
        /// The claims of a commit stand before their decisions.
        var undecided: [LedgerSequence: Recorded<Claim>] = [:]

        mutating func insert(_ entry: Recorded<LedgerEntry>) {
            switch entry.value {
            case .claim(let claim): undecided[entry.sequence] = entry.with(claim)
            case .decision(let decision): insert(entry.with(decision))
            case .ruling(let ruling) where ruling.verb == .approve:
                if let claim = ruling.claim { waiting[claim] = nil }
            default: break
            }
        }

        private mutating func insert(_ decision: Recorded<OwnershipDecision>) {
            let cause = decision.value.cause
            let claim = undecided.removeValue(forKey: cause) ?? waiting[cause]?.claim
            waiting[cause] = nil
            guard let claim, decision.value.outcome == .denied(.waiting) else { return }
            waiting[cause] = ClaimRecord(claim: claim, decision: decision, approval: nil)
        }
    }

    private let fold = Mutex(Fold())

    /// In the ledger's order.
    func all(in reader: any ReadableLedger) throws(EngineError) -> [ClaimRecord] {
        try fold.withLock { fold throws(EngineError) in
            while true {
                let place = fold.place
                let page = try reader.reading { reader throws(LedgerError) in
                    try reader.entries(after: place, limit: 1_000)
                }
                for entry in page { fold.insert(entry) }
                guard let last = page.last else { break }
                fold.place = last.sequence
            }
            return fold.waiting.values.sorted { $0.claim.sequence < $1.claim.sequence }
        }
    }
}
