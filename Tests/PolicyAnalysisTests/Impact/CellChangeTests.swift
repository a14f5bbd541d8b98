internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Cells of two policies, held against what the guard of a policy folder knows of them.
@Suite("The cells of two policies", .timeLimit(.minutes(20)))
struct CellChangeTests {
    private static let seeds: UInt64 = 300

    @Test("where a case is lost, the guard says that the cell may be narrower")
    func againstGuard() {
        var (narrower, wider, both) = (0, 0, 0)
        for seed in 1...Self.seeds {
            let old = History.random(seed: seed).firstPolicy.policy
            var new = History.random(seed: seed &+ 90_000).firstPolicy.policy
            // The same catalogue, so that all differences are of rules.
            new.products = old.products
            let losses = policyLosses(from: old, to: new, builtIns: builtInAccessRules)
                .filter { $0.kind == .cell }
            let found = cellChanges(from: old, to: new, builtIns: builtInAccessRules)
            #expect(found.changes.count <= found.cells)
            for change in found.changes where change.lost != nil {
                let isKnown = losses.contains { loss in
                    loss.names.prefix(2) == [change.product.text, change.entitlement.text]
                        && loss.names.contains(change.state.rawValue)
                }
                #expect(isKnown, "seed \(seed): \(change)")
            }
            narrower += found.changes.count { $0.verdict == .narrower }
            wider += found.changes.count { $0.verdict == .wider }
            both += found.changes.count { $0.verdict == .both }
        }
        #expect(min(narrower, wider, both) > 20, "\(narrower) \(wider) \(both)")
    }

    @Test("the other way round, what was lost is gained")
    func reversed() {
        for seed in 1...60 as ClosedRange<UInt64> {
            let old = History.random(seed: seed).firstPolicy.policy
            let new = History.random(seed: seed &+ 90_000).firstPolicy.policy
            let there = cellChanges(from: old, to: new, builtIns: builtInAccessRules)
            let back = cellChanges(from: new, to: old, builtIns: builtInAccessRules)
            #expect(there.cells == back.cells)
            #expect(there.changes.map(\.lost) == back.changes.map(\.gained), "seed \(seed)")
            #expect(there.changes.map(\.gained) == back.changes.map(\.lost), "seed \(seed)")
        }
    }
}
