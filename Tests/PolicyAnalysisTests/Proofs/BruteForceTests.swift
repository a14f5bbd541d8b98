internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import Testing

/// The proofs against asking every case, over 10,000 random policies: no false alarm, no miss.
@Suite(.timeLimit(.minutes(20)))
struct BruteForceTests {
    private static let portion: UInt64 = 500

    @Test(arguments: 0..<12 as Range<UInt64>)
    func accessRulesAgree(_ part: UInt64) {
        compare(.access, part)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func claimRulesAgree(_ part: UInt64) {
        compare(.claims, part)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func refundRulesAgree(_ part: UInt64) {
        compare(.refunds, part)
    }

    private func compare(_ list: RandomPolicy.List, _ part: UInt64) {
        var found = 0
        for seed in (part * Self.portion)..<((part + 1) * Self.portion) {
            let random = RandomPolicy(seed: seed, list)
            let findings = prove(random.policy)
            let brute = BruteForce(random, list, findings)
            let expected = brute.expected(list)
            let proved = Set(findings.compactMap(\.comparable))
            #expect(
                brute.findingsWithoutCase.isEmpty,
                "seed \(seed): \(brute.findingsWithoutCase) \(random.policy.rulesText)")
            #expect(proved == expected, "seed \(seed): \(random.policy.rulesText)")
            found += expected.count
        }
        // Policies without findings compare nothing.
        #expect(found > Int(Self.portion) / 4)
    }
}

extension PolicyFinding {
    private static let readFromRules: [DiagnosticID] = [
        .transferWithoutLimits, .testPurchasesForAll, .beginsLate, .refundsEverything,
        .exceptionBehindRule,
    ]

    /// Nil for what is read from a rule alone, and from what two rules say; of these, only the
    /// examples are compared.
    fileprivate var comparable: String? {
        guard case .rule(_, let index) = subject, !Self.readFromRules.contains(id) else {
            return nil
        }
        return "\(id.rawValue) \(index)"
    }
}

extension Policy {
    fileprivate var rulesText: String {
        let rules =
            accessRules.map { "\($0)" } + claimRules.map { "\($0)" } + refundRules.map { "\($0)" }
        return "\(products.keys.sorted())\n" + rules.joined(separator: "\n")
    }
}
