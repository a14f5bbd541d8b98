internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification
internal import TestSupport

/// What there is to say before a purchase (spec 1.8).
extension Comparison {
    /// A few of the many questions that can be asked: who, what, on which Apple ID, and when.
    mutating func comparePreflights(_ policies: PolicyHistory, _ facts: FactSet) {
        var dice = SplitMix64(seed: UInt64(facts.transactions.count))
        let products = policies.current.products.keys.sorted()
        let lineages = specification.lineages.map(Optional.some) + [nil]
        let instants = specification.boundaries()
        let deriver = Deriver(policies: policies)
        guard !products.isEmpty, !instants.isEmpty else { return }
        for _ in 0..<6 {
            let lineage = dice.pick(lineages)
            let request = PreflightRequest(
                account: dice.pick(accounts), product: dice.pick(products),
                environment: lineage?.environment ?? .production,
                appleID: lineage.flatMap { specification.appleIDKey(of: $0) })
            let instant = dice.pick(instants)
            let verdict = deriver.preflight(request, at: instant, facts)
            let specified = specification.preflight(
                of: request.product, for: request.account, in: request.environment,
                on: request.appleID, at: instant)
            for note in verdict.notes { coverage.visit("preflight \(note.code.rawValue)") }
            expect(
                "preflight of \(request.product) for \(request.account) on "
                    + "\(request.appleID?.text ?? "no Apple ID")",
                at: instant, derived: "\(verdict.told)", specified: "\(specified)")
        }
    }
}

extension PreflightVerdict {
    fileprivate var told: [String] {
        let claims = claims.map { "claim \($0.withToken.code) \($0.withoutToken.code)" }
        return (notes.map(\.told) + [claims].compactMap(\.self)).sorted()
    }
}

extension PreflightNote {
    fileprivate var told: String {
        [
            code.rawValue, effect.rawValue, lineage?.originalTransactionID.text,
            change?.rawValue, takesEffect?.rawValue,
        ].compactMap(\.self).joined(separator: " ")
    }
}
