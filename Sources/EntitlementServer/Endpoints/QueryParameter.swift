internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// Something that a query can contain: its names, an example, and its schema. Routing, the
/// description and the reader of a query follow from here.
struct QueryParameter: Sendable {
    /// Unique: some parameters of different calls have one name.
    let key: String
    /// As it is written in a query.
    let name: String
    /// As it was once called: it means the same.
    let formerName: String?
    let example: JSONValue
    let schema: @Sendable (inout WireSchemas) -> JSONValue

    private init(
        _ key: String, name: String? = nil, formerName: String? = nil, example: JSONValue,
        schema: @escaping @Sendable (inout WireSchemas) -> JSONValue
    ) {
        self.key = key
        self.name = name ?? key
        self.formerName = formerName
        self.example = example
        self.schema = schema
    }

    private init(
        _ key: String, name: String? = nil, _ type: (some WireText).Type, example: JSONValue
    ) {
        self.init(key, name: name, example: example) { type.schema(in: &$0) }
    }

    static let at = Self("at", Instant.self, example: "2026-06-01T00:00:00.000Z")
    static let knownAt = Self("known_at", Instant.self, example: "2026-06-01T00:00:00.000Z")
    static let environment = Self("environment", StoreEnvironment.self, example: "production")
    static let appleID = Self(
        "apple_id", AppleIDKey.self, example: "atx:production:700000000000000001")
    static let minimumRevision = Self("min_revision", example: 1, schema: natural)
    static let fresh = Self("fresh", example: true, schema: flag)
    static let state = Self("state", example: "waiting") { _ in
        ["type": "string", "enum": ["waiting"]]
    }
    static let kind = Self("kind", Finding.Kind.self, example: "unclaimed-payment")
    static let after = Self(
        "after", FindingPosition.self, example: "unclaimed-payment.1780272000000.42.1f")
    static let afterEntry = Self(
        "after_entry", name: "after", formerName: "after_entry", example: 412, schema: natural)
    static let skip = Self(
        "skip", name: "after", formerName: "skip", example: 0, schema: natural)
    static let limit = Self("limit", example: 100) { _ in
        ["type": "integer", "minimum": 1, "maximum": 1_000]
    }
    static let storefront = Self("storefront", example: "CHN") { _ in
        ["type": "string", "pattern": "^[A-Z]{3}$"]
    }
    static let open = Self("open", example: true, schema: flag)
    static let afterChange = Self("after_change", name: "after", FeedCursor.self, example: "1")
    static let wait = Self("wait", example: "0s") { _ in
        ["type": "string", "pattern": "^[0-9]{1,2}s$"]
    }
    static let account = Self("account", AccountID.self, example: "alice")
    static let entitlement = Self("entitlement", EntitlementName.self, example: "premium")
    static let changeKind = Self(
        "change_kind", name: "kind", FeedChange.Kind.self, example: "right-gained")
    static let reason = Self("reason", Reason.self, example: "The chargebacks were a mistake.")

    /// What every question about an account can be asked with.
    static let reading = [at, environment, appleID, minimumRevision, fresh]
    /// The same about an Apple ID, which the path names.
    static let readingOfAppleID = [at, environment, minimumRevision, fresh]

    /// The same about credits.
    static let readingOfCredits = reading + [knownAt]

    private static let natural: @Sendable (inout WireSchemas) -> JSONValue = { _ in
        ["type": "integer", "minimum": 0]
    }
    private static let flag: @Sendable (inout WireSchemas) -> JSONValue = { _ in
        ["type": "boolean"]
    }
}

extension QueryParameter: Equatable {
    static func == (one: Self, other: Self) -> Bool { one.key == other.key }
}
