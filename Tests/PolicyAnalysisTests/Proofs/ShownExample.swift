internal import EntitlementModel
internal import PolicyLoading

/// A finding about a rule that has an example.
struct ShownFinding {
    let finding: PolicyFinding
    let rule: Int
    let example: ShownExample

    init?(_ finding: PolicyFinding) {
        guard case .rule(_, let rule) = finding.subject, !finding.example.isEmpty else {
            return nil
        }
        self.finding = finding
        self.rule = rule
        example = ShownExample(
            parts: Dictionary(uniqueKeysWithValues: finding.example.map { ($0.key, $0.value) }))
    }
}

/// The example of a finding, held against cases.
struct ShownExample {
    let parts: [String: String]

    /// Whether the case is one of those that the example stands for.
    func describes(_ asked: BruteCase) -> Bool {
        let own: [String: String?] = [
            "kind": asked.kind?.rawValue, "entitlement": asked.entitlement?.text,
            "state": asked.isStateless ? nil : asked.state.rawValue, "paid": asked.paid?.rawValue,
            "expiry_reason": asked.expiryReason?.rawValue,
            "revocation": asked.revocation?.rawValue, "environment": asked.environment.rawValue,
            "ownership": asked.ownership.rawValue, "offer": asked.offer.rawValue,
            "auto_renew": asked.autoRenew.rawValue, "token": asked.token.rawValue,
            "moment": asked.moment.rawValue,
        ]
        for (key, value) in parts {
            if let words = own[key] {
                if words != value { return false }
            } else if !describes(asked, key, value) {
                return false
            }
        }
        let isElsewhere =
            asked.question == .rightElsewhere || asked.question == .deliveryElsewhere
        guard isElsewhere == (parts["asked_for"] != nil) else { return false }
        if case .unowned = asked.question { return parts["owner"] == "none" }
        return parts["owner"] == nil
    }

    private func describes(_ asked: BruteCase, _ key: String, _ value: String) -> Bool {
        switch key {
        case "product": matches(value, asked.product.text, ProofField.patterns)
        case "account": matches(value, asked.account ?? "none", ProofField.accounts)
        case "storefront":
            value == "other"
                ? !["DEU", "USA", "CHN"].contains(asked.storefront) : value == asked.storefront
        case "state_age": Self.holds(value, Self.ages, asked.age)
        case "unpaid_for": asked.unpaid.map { Self.holds(value, Self.ages, $0) } ?? false
        case "member_for": asked.member.map { Self.holds(value, Self.ages, $0) } ?? false
        case "purchased": Self.holds(value, Self.dates, asked.purchased)
        case "first_purchased": Self.holds(value, Self.dates, asked.first)
        case "quantity": Self.counts(value, asked.quantity)
        case "at": Self.holds(value, Self.dates, asked.at)
        case "asked_for": asked.environment.rawValue != value
        case "owner": true
        default: false
        }
    }

    /// Names that the same patterns match are one.
    private func matches(_ value: String, _ own: String, _ patterns: [NamePattern]) -> Bool {
        value == own
            || value != "none" && own != "none" && !["s1", "s2", "n", "p", "f", "c1"].contains(own)
                && patterns.allSatisfy { $0.matches(value) == $0.matches(own) }
    }

    private static func holds(
        _ value: String, _ bounds: [String: (Int64, Int64)], _ own: Int64
    ) -> Bool {
        bounds[value].map { $0.0 <= own && own < $0.1 } ?? false
    }

    /// `under 2`, `at least 2` or `2`.
    private static func counts(_ value: String, _ own: Int64) -> Bool {
        guard let number = value.split(separator: " ").last.flatMap({ Int64($0) }) else {
            return false
        }
        return value.hasPrefix("under")
            ? own < number : value.hasPrefix("at least") ? own >= number : own == number
    }

    private static let ages: [String: (Int64, Int64)] = [
        "under 1d": (0, ProofField.day), "under 7d": (0, 7 * ProofField.day),
        "from 1d to 7d": (ProofField.day, 7 * ProofField.day),
        "at least 1d": (ProofField.day, .max), "at least 7d": (7 * ProofField.day, .max),
    ]

    private static let dates: [String: (Int64, Int64)] = {
        let (first, second) = (ProofField.dates[0], ProofField.dates[1])
        let (early, late) = (Instant(milliseconds: first), Instant(milliseconds: second))
        return [
            DateBound.before(early).text: (.min, first),
            DateBound.before(late).text: (.min, second),
            DateBound.within(early, late).text: (first, second),
            DateBound.from(early).text: (first, .max), DateBound.from(late).text: (second, .max),
        ]
    }()
}
