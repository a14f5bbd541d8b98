package import EntitlementModel

/// One key of a `when` or `unless` (spec 2.1), and what of a condition it stands for. What goes
/// through the keys of a condition, to read, show, compare or check it, goes through `all`.
package struct ConditionTerm: Sendable {
    /// The lists of rules whose conditions may have a key.
    struct Lists: OptionSet, Sendable {
        let rawValue: UInt8

        static let access = Lists(rawValue: 1)
        static let claims = Lists(rawValue: 2)
        static let refunds = Lists(rawValue: 4)
        static let all: Lists = [.access, .claims, .refunds]
    }

    /// Where a condition has the values of a key.
    private typealias Path<Value> = any WritableKeyPath<Condition, [Value]?> & Sendable

    let field: Field
    let lists: Lists
    /// The values as a policy writes them; nil where a condition does not have the key.
    let texts: @Sendable (Condition) -> [String]?
    /// Whether a condition has the key.
    package let isWritten: @Sendable (Condition) -> Bool
    /// Makes the condition as it were without the key.
    package let remove: @Sendable (inout Condition) -> Void
    /// Takes the values of the key into a condition.
    let read: @Sendable (CheckedValue, inout Condition) -> Void
    /// Whether a condition allows, by this key, all that another one allows: of a list any element
    /// must hold, so more elements allow more, and no list allows all.
    let allows: @Sendable (Condition, Condition) -> Bool

    package var key: String { field.key }

    private init<Value: Hashable & Sendable>(
        _ field: Field, _ path: Path<Value>, _ lists: Lists,
        text: @escaping @Sendable (Value) -> String,
        value: @escaping @Sendable (CheckedValue) -> Value?
    ) {
        (self.field, self.lists) = (field, lists)
        texts = { $0[keyPath: path]?.map(text) }
        isWritten = { $0[keyPath: path] != nil }
        remove = { $0[keyPath: path] = nil }
        read = { $1[keyPath: path] = $0.elements.compactMap(value) }
        allows = { condition, other in
            guard let list = condition[keyPath: path] else { return true }
            return other[keyPath: path].map { Set(list).isSuperset(of: $0) } ?? false
        }
    }

    /// In the order of the schema.
    package static let all: [ConditionTerm] = [
        words("kind", \.kinds, .all, .conditionKind),
        patterns("product", .productPattern, \.products, .productPattern),
        names("group", \.groups, .all, .conditionGroup),
        names("level", \.levels, .all, .conditionLevel),
        names("entitlement", \.entitlements, .access, .conditionEntitlement),
        patterns("account", .accountPattern, \.accounts, .conditionAccount),
        words("environment", \.environments, .all, .conditionEnvironment),
        words("ownership", \.ownerships, .all, .ownership),
        ConditionTerm(
            Field("storefront", .oneOrMany(.storefront), .storefront), \.storefronts,
            [.access, .refunds], text: \.self, value: \.text),
        words("offer", \.offers, .access, .offer),
        words("token", \.tokens, .claims, .tokenMatch),
        words("moment", \.moments, .claims, .moment),
        words("state", \.states, .access, .state),
        ages("state_age", \.stateAges, .stateAge),
        ages("unpaid_for", \.unpaidFor, .unpaidFor),
        words("expiry_reason", \.expiryReasons, .access, .expiryReason),
        words("auto_renew", \.autoRenews, .access, .autoRenew),
        words("revocation", \.revocations, .access, .revocation),
        dates("purchased", \.purchased, [.access, .refunds], .purchased),
        dates("first_purchased", \.firstPurchased, .access, .firstPurchased),
        dates("at", \.at, .all, .inForce),
    ]
}

extension ConditionTerm {
    private static func words<Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
        _ key: String, _ path: Path<Word>, _ lists: Lists,
        _ about: FieldMeaning
    ) -> ConditionTerm {
        ConditionTerm(
            Field(key, .oneOrMany(.words(Word.self)), about), path, lists, text: { $0.rawValue },
            value: { $0.text.flatMap(Word.init(rawValue:)) })
    }

    private static func names<Name: Identifier>(
        _ key: String, _ path: Path<Name>, _ lists: Lists,
        _ about: FieldMeaning
    ) -> ConditionTerm {
        ConditionTerm(
            Field(key, .oneOrMany(.name), about), path, lists, text: { $0.text },
            value: { $0.text.map { Name(unchecked: $0) } })
    }

    private static func patterns(
        _ key: String, _ shape: Shape,
        _ path: Path<NamePattern>, _ about: FieldMeaning
    ) -> ConditionTerm {
        ConditionTerm(
            Field(key, .oneOrMany(shape), about), path, .all, text: { $0.text },
            value: { $0.text.map { NamePattern($0) } })
    }

    private static func ages(
        _ key: String, _ path: Path<AgeBound>,
        _ about: FieldMeaning
    ) -> ConditionTerm {
        ConditionTerm(
            Field(key, .oneOrMany(.age), about), path, .access, text: { $0.text },
            value: { $0.age })
    }

    private static func dates(
        _ key: String, _ path: Path<DateBound>, _ lists: Lists,
        _ about: FieldMeaning
    ) -> ConditionTerm {
        ConditionTerm(
            Field(key, .oneOrMany(.dateBound), about), path, lists, text: { $0.text },
            value: { $0.dateBound })
    }
}

extension Condition {
    /// All of its keys, as a policy writes them; kind and state first.
    package var described: [String] {
        Self.described(self, ConditionTerm.all.filter(\.isKindOrState))
            + describedBesideKindAndState
    }

    /// The keys other than kind and state, as a policy writes them: `state_age: under 7d`.
    package var describedBesideKindAndState: [String] {
        Self.described(self, ConditionTerm.all.filter { !$0.isKindOrState })
    }

    private static func described(_ condition: Condition, _ terms: [ConditionTerm]) -> [String] {
        terms.compactMap { term in
            term.texts(condition).map { "\(term.key): \($0.joined(separator: " | "))" }
        }
    }

    /// Whether it holds wherever the other does: each of its keys allows all that the other's
    /// allows.
    func isImplied(by other: Condition) -> Bool {
        ConditionTerm.all.allSatisfy { $0.allows(self, other) }
    }
}

extension ConditionTerm {
    fileprivate var isKindOrState: Bool { key == "kind" || key == "state" }
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
