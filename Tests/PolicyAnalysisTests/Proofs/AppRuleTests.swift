internal import EntitlementModel
internal import TestSupport
internal import Testing

@testable internal import PolicyAnalysis
@testable internal import PolicyLoading

/// Rules about the app itself, against asking every case of small random ones: which never give
/// anything, and what one policy takes away from another.
@Suite("The app as a purchase", .timeLimit(.minutes(20)))
struct AppRuleTests {
    /// All that the rules below can tell apart.
    private struct Asked: CaseIterable {
        let version: String?
        let bought: Int64
        let environment: StoreEnvironment
        let account: String?
        /// In another environment than the purchase's.
        let isElsewhere: Bool

        static let allCases: [Asked] = ["0", "1", "1.5", "2", "3", "4", "beta"].flatMap { version in
            [ProofField.dates[0] - 1, ProofField.dates[0], ProofField.dates[1]].flatMap { bought in
                StoreEnvironment.allCases.flatMap { environment in
                    ["bob", "qa-1", "qa-2", "zoe", nil].flatMap { account in
                        [false, true].map {
                            Asked(
                                version: version, bought: bought, environment: environment,
                                account: account, isElsewhere: $0)
                        }
                    }
                }
            }
        }

        func meets(_ rule: AccessRule) -> Bool {
            let when = rule.when
            let versions = when.firstVersions.map { bounds in
                version.flatMap { AppVersion($0) }.map { known in
                    bounds.contains { $0.contains(known) }
                } ?? false
            }
            let dates = when.bought.map { $0.contains { $0.range.contains(bought) } }
            let places = when.environments.map { $0.contains(environment) }
            let accounts = when.accounts.map { patterns in
                account.map { name in patterns.contains { $0.matches(name) } } ?? false
            }
            return (versions ?? true) && (dates ?? true) && (accounts ?? true)
                && (places ?? (environment == .production && !isElsewhere))
        }
    }

    private static let names = ["a", "b"].map { EntitlementName(unchecked: $0) }

    private static func policy(_ rules: [AccessRule]) -> Policy {
        var policy = RandomPolicy(seed: 1, .access).policy
        policy.accessRules = []
        policy.appRules = rules
        if !rules.isEmpty { policy.products[.app] = Product(appGiving: rules) }
        return policy
    }

    private static func rules(_ random: inout SplitMix64) -> [AccessRule] {
        let versions = ["1", "2.0", "3"].compactMap { AppVersion($0) }
        let dates = ProofField.dates.map { Instant(milliseconds: $0) }
        return (0..<Int.random(in: 1...4, using: &random)).map { index in
            var when = Condition()
            if random.chance(70) {
                when.firstVersions = random.some(of: [
                    .before(versions[0]), .before(versions[2]), .from(versions[1]),
                    .from(versions[2]), .within(versions[0], versions[1]),
                    .within(versions[1], versions[2]),
                ])
            }
            if random.chance(30) {
                when.bought = random.some(of: [.before(dates[0]), .from(dates[0]), .from(dates[1])])
            }
            if random.chance(30) {
                when.environments = random.some(of: StoreEnvironment.allCases, atMost: 3)
            }
            if random.chance(20) { when.accounts = random.some(of: ProofField.accounts) }
            return AccessRule(
                ofApp: RuleReference(name: "r\(index)", file: "r.yaml", line: index + 1),
                when: when, grants: random.some(of: names))
        }
    }

    private static func gives(
        _ rules: [AccessRule], _ name: EntitlementName, _ asked: Asked
    ) -> Bool {
        rules.contains { $0.only?.contains(name) == true && asked.meets($0) }
    }

    @Test("a rule that gives nothing new is told, and no other")
    func unreachable() {
        var found = 0
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let rules = Self.rules(&random)
            let expected = rules.indices.filter { index in
                !Self.names.contains { name in
                    rules[index].only?.contains(name) == true
                        && Asked.allCases.contains {
                            $0.meets(rules[index]) && !Self.gives(Array(rules[..<index]), name, $0)
                        }
                }
            }
            let told = prove(Self.policy(rules)).compactMap { finding -> Int? in
                guard case .rule(.appPurchase, let index) = finding.subject,
                    finding.id == .unreachableRule
                else { return nil }
                return index
            }
            #expect(told == expected, "seed \(seed): \(rules)")
            found += expected.count
        }
        #expect(found > 300)
    }

    @Test("what is taken away is never let in, and every example shows it")
    func losses() {
        var (lost, kept) = (0, 0)
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let old = Self.rules(&random)
            var new = random.chance(30) ? Self.rules(&random) : old
            if random.chance(50), new.count > 1 { new.removeLast() }
            if random.chance(50) { new += Self.rules(&random) }
            let (before, after) = (Self.policy(old), Self.policy(new))
            let taken = Self.names.filter { name in
                Asked.allCases.contains {
                    !$0.isElsewhere && $0.account != nil && Self.gives(old, name, $0)
                        && !Self.gives(new, name, $0)
                }
            }
            let losses = policyLosses(from: before, to: after, builtIns: [])
            if losses.isEmpty { #expect(taken.isEmpty, "seed \(seed)") }
            let changes = cellChanges(from: before, to: after, builtIns: []).changes
                .filter { $0.product == .app }
            #expect(
                Set(changes.filter { $0.lost != nil }.map(\.entitlement)) == Set(taken),
                "seed \(seed): \(old) \(new)")
            lost += taken.count
            if losses.isEmpty { kept += 1 }
        }
        #expect(lost > 300 && kept > 100)
    }
}
