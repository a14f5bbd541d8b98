internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// The living example under `policies/`.
@Suite(.timeLimit(.minutes(20)))
struct ExamplePolicyTests {
    @Test func isCleanAndHoldsEveryKind() throws {
        let texts = try readPolicyFolder(Repository.path("policies"))
        var options = PolicyCheckOptions()
        options.now = Instant(rfc3339: "2026-06-01")
        let report = checkPolicy(texts, options)
        let shown = render(report.diagnostics, sources: texts)
        #expect(shown == "0 errors, 0 warnings\n")
        let policy = try #require(report.policy)
        #expect(Set(policy.products.values.map(\.kind)) == Set(ProductKind.allCases))
        #expect(policy.accessRules.count == 3)
        #expect(policy.claimRules.count == 5)
        #expect(policy.refundRules.map(\.answer) == [.nothing, .prorate, .prorate])
        #expect(policy.groups.count == 2)
    }
}
