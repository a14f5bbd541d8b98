internal import EntitlementModel
internal import PolicyAnalysis
internal import Testing

/// The tables of `policy show` against asking every case, over random policies: a rule is in a
/// cell if and only if it decides some case of it.
@Suite(.timeLimit(.minutes(20)))
struct TableTests {
    private static let portion: UInt64 = 50

    @Test(arguments: 0..<4 as Range<UInt64>)
    func accessAgrees(_ part: UInt64) {
        var listed = 0
        for seed in (part * Self.portion)..<((part + 1) * Self.portion) {
            let random = RandomPolicy(seed: seed, .access)
            let table = policyTables(random.policy).access
            var found: [BruteCell: Set<Int>] = [:]
            for cell in table.cells {
                for decider in cell.deciders {
                    for isElsewhere in [false, true] where decider.counts(isElsewhere) {
                        found[
                            .right(cell.kind, cell.state, isElsewhere: isElsewhere), default: []
                        ].insert(decider.rule)
                    }
                }
            }
            for decider in table.deliveries { found[.delivery, default: []].insert(decider.rule) }
            let brute = BruteForce(random, .access, isForTables: true)
            #expect(found == brute.cells, "seed \(seed): \(random.policy.accessRules)")
            listed += found.values.joined().count { $0 < random.policy.accessRules.count }
        }
        #expect(listed > Int(Self.portion))
    }

    @Test(arguments: 0..<2 as Range<UInt64>)
    func switchesAgree(_ part: UInt64) {
        var listed = 0
        for seed in (part * Self.portion)..<((part + 1) * Self.portion) {
            let random = RandomPolicy(seed: seed, .claims)
            let table = policyTables(random.policy).switches
            var found: [BruteCell: Set<Int>] = [:]
            for group in table.groups {
                for (cells, isOwned) in [(group.owned, true), (group.unowned, false)] {
                    for (cell, product) in cells.flatMap({ cell in
                        group.products.map { (cell, $0) }
                    }) {
                        found[
                            .claim(product, isOwned: isOwned, cell.token, cell.moment)] = Set(
                                cell.deciders.map(\.rule))
                    }
                }
            }
            let brute = BruteForce(random, .claims, isForTables: true)
            #expect(found == brute.cells, "seed \(seed): \(random.policy.claimRules)")
            listed += found.values.joined().count { $0 < random.policy.claimRules.count }
        }
        #expect(listed > Int(Self.portion))
    }

    /// What is limited to an entitlement or a product lists what the whole table lists for it.
    @Test func scopeNarrows() {
        for seed in 0..<25 as Range<UInt64> {
            let policy = RandomPolicy(seed: seed, .access).policy
            let whole = policyTables(policy).access
            var joined: [[String]: Set<Int>] = [:]
            for product in policy.products.keys {
                let scope = TableScope(products: ProductFilter(product.text + "*"))
                for cell in policyTables(policy, scope).access.cells {
                    joined[[cell.kind.rawValue, cell.state.rawValue], default: []]
                        .formUnion(cell.deciders.map(\.rule))
                }
            }
            for cell in whole.cells {
                #expect(
                    joined[[cell.kind.rawValue, cell.state.rawValue]]
                        == Set(cell.deciders.map(\.rule)), "seed \(seed)")
            }
        }
    }
}

extension Decider {
    fileprivate func counts(_ isElsewhere: Bool) -> Bool {
        reach == .both || (reach == .elsewhere) == isElsewhere
    }
}
