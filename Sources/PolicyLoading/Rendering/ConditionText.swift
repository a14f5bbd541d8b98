package import EntitlementModel

extension Condition {
    /// All of its fields, as a policy writes them.
    package var described: [String] {
        let kinds = kinds.map { "kind: \($0.map(\.rawValue).joined(separator: " | "))" }
        let states = states.map { "state: \($0.map(\.rawValue).joined(separator: " | "))" }
        return [kinds, states].compactMap(\.self) + describedBesideKindAndState
    }

    /// The fields other than kind and state, as a policy writes them: `state_age: under 7d`.
    package var describedBesideKindAndState: [String] {
        let named: [(String, [String]?)] = [
            ("product", products?.map(\.text)), ("group", groups?.map(\.text)),
            ("level", levels?.map(\.text)), ("entitlement", entitlements?.map(\.text)),
            ("account", accounts?.map(\.text)),
            ("environment", environments?.map(\.rawValue)),
            ("ownership", ownerships?.map(\.rawValue)), ("storefront", storefronts),
            ("offer", offers?.map(\.rawValue)), ("state_age", stateAges?.map(\.text)),
            ("unpaid_for", unpaidFor?.map(\.text)),
            ("expiry_reason", expiryReasons?.map(\.rawValue)),
            ("auto_renew", autoRenews?.map(\.rawValue)),
            ("revocation", revocations?.map(\.rawValue)),
            ("token", tokens?.map(\.rawValue)), ("moment", moments?.map(\.rawValue)),
            ("purchased", purchased?.map(\.text)),
            ("first_purchased", firstPurchased?.map(\.text)), ("at", at?.map(\.text)),
        ]
        return named.compactMap { key, values in
            values.map { "\(key): \($0.joined(separator: " | "))" }
        }
    }
}

extension AgeBound {
    /// As a policy writes it.
    package var text: String {
        switch self {
        case .under(let period): "under \(period.text)"
        case .atLeast(let period): "at least \(period.text)"
        case .between(let least, let end): "from \(least.text) to \(end.text)"
        }
    }
}

extension DateBound {
    /// As a policy writes it.
    package var text: String {
        switch self {
        case .before(let instant): "before \(instant.shortText)"
        case .from(let instant): "from \(instant.shortText)"
        case .within(let start, let end):
            "from \(start.shortText) until \(end.shortText)"
        }
    }
}

extension Instant {
    /// A midnight as a day, everything else in full.
    fileprivate var shortText: String {
        let text = rfc3339
        return text.hasSuffix("T00:00:00.000Z") ? String(text.prefix(10)) : text
    }
}
