internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

/// What `usher policy check` costs for a large policy.
struct PolicyTimes {
    private static let title = """
        | check a policy | ms (lowest, highest) |
        |---|---|
        """

    static func table(passes: Int) throws -> String {
        let clock = ContinuousClock()
        let sizes = [(20, 10), (2_000, 200)]
        let rows = try sizes.map { products, rules in
            let texts = [PolicyText(path: "policy.yaml", text: text(products, rules))]
            guard let policy = loadPolicy(texts).policy else {
                throw BenchFailure.refused("the policy")
            }
            let whole = (0...passes).map { _ in clock.measure { _ = checkPolicy(texts) } }
            let proofs = (0...passes).map { _ in clock.measure { _ = prove(policy) } }
            return row("\(products) products and \(rules) rules", whole) + "\n"
                + row("of that the proofs", proofs)
        }
        return ([title] + rows).joined(separator: "\n")
    }

    private static func row(_ name: String, _ times: [Duration]) -> String {
        let sorted = times.dropFirst().sorted().map { "\(($0 / .milliseconds(1)).rounded())" }
        return "| \(name) | **\(sorted[sorted.count / 2])** "
            + "(\(sorted[0]), \(sorted[sorted.count - 1])) |"
    }

    /// Rules of every sort, of which many overlap: by product, state, account, date and age.
    private static func text(_ products: Int, _ rules: Int) -> String {
        let entitlements = (0..<10).map { "  e\($0): {title: Right \($0)}\n" }.joined()
        let catalogue = (0..<products).map { number in
            "  com.example.p\(number): {kind: auto-renewable, group: g\(number % 20), "
                + "level: gold, period: 1mo, grants: [e\(number % 10), e\((number + 1) % 10)]}\n"
        }.joined()
        let groups = (0..<20).map { "  g\($0): {levels: [gold]}\n" }.joined()
        return """
            usher: 1
            app: {bundle_id: com.example, apple_id: 77}
            trust: {roots: {jws: [apple-root-ca-g3]}}
            environments: {production: trusted, sandbox: trusted}
            entitlements:
            \(entitlements)groups:
            \(groups)products:
            \(catalogue)access:
            \((0..<rules).map(rule).joined())
            """
    }

    private static func rule(_ number: Int) -> String {
        let conditions = [
            "product: \"com.example.p\(number)*\", state: billing-retry, state_age: under \(number + 1)d",
            "group: g\(number % 20), state: expired, expiry_reason: [cancelled, billing-error], "
                + "state_age: under \(number % 30 + 1)d",
            "account: [\"qa-\(number)*\", tester-\(number)], environment: sandbox, state: active",
            "entitlement: e\(number % 10), storefront: [USA, DEU], offer: free-trial, "
                + "purchased: before 20\(10 + number % 80)-01-01",
            "ownership: family-shared, level: gold, auto_renew: \"off\", "
                + "at: from 2026-01-0\(number % 9 + 1) until 2026-02-0\(number % 9 + 1)",
        ]
        return "  - name: rule \(number)\n    when: {\(conditions[number % conditions.count])}\n"
            + "    then: \(number % 3 == 0 ? "withhold" : "grant")\n"
    }
}
