package import EntitlementModel
internal import PolicyLoading

/// The entitlements that the policies of a ledger have named, from the first on. A question about
/// any other is a mistake: a misspelt name must not look like a right that nobody has.
///
/// A grant names only what a policy has, so grants add nothing.
package struct KnownEntitlements: Sendable {
    /// Sorted.
    private let names: [EntitlementName]
    private let lookup: Set<EntitlementName>

    init(_ history: PolicyHistory) {
        var names: Set<EntitlementName> = []
        for activation in history.activations {
            names.formUnion(activation.policy.entitlements.keys)
            for product in activation.policy.products.values {
                for case .entitlement(let name, _) in product.grants { names.insert(name) }
            }
        }
        lookup = names
        self.names = names.sorted()
    }

    package func contains(_ name: EntitlementName) -> Bool { lookup.contains(name) }

    /// The same of a name that is no string yet. There are few.
    package func contains(named name: Span<UInt8>) -> Bool {
        names.contains { $0.text.utf8.span.isSame(as: name) }
    }

    /// The name that was probably meant.
    package func nearest(to name: EntitlementName) -> EntitlementName? {
        suggestion(for: name.text, among: names.map(\.text)).flatMap { EntitlementName($0) }
    }
}

extension LedgerQuestions {
    /// - Throws: `.unknownEntitlement` for one that no policy ever named.
    package func require(_ name: EntitlementName) throws(EngineError) {
        let known = policy.knownEntitlements
        guard !known.contains(name) else { return }
        throw .unknownEntitlement(nearest: known.nearest(to: name))
    }
}
