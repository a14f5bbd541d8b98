internal import EntitlementModel
internal import StrictJSON

/// Keys of one section that go together, or that do not.
extension Section {
    typealias Members = [(String, JSONValue)]

    /// What the schema says beyond the keys one by one.
    var schemaConstraints: Members {
        switch title {
        case "unless": [("minProperties", .integer(1))]
        case "limits":
            [
                (
                    "dependentSchemas",
                    .object([
                        ("else", .object([("anyOf", Self.required(["cooldown"], ["moves"]))]))
                    ])
                )
            ]
        case "groups": [("dependentRequired", Self.dependent("title_zh", on: "title"))]
        case "products": productConstraints
        case "access":
            [("not", Self.having(["only", "when"], in: "when", requiring: "entitlement"))]
        case "account_switch": [("allOf", .array(Self.claimConstraints))]
        default: []
        }
    }

    private var productConstraints: Members {
        let dependent: Members = [
            ("title_zh", .array([.string("title")])), ("level", .array([.string("group")])),
        ]
        let periods = ["period", "group", "level"]
        let durations = ["duration", "stacking", "stack"]
        return [
            ("dependentRequired", .object(dependent)),
            (
                "allOf",
                .array([
                    Self.when("kind", in: ["auto-renewable"], requires: ["period"], durations),
                    Self.when("kind", in: ["non-renewing"], requires: ["duration"], periods),
                    Self.when(
                        "kind", in: ["consumable", "non-consumable"], requires: [],
                        periods + durations),
                    Self.when(
                        "kind", in: ["free"], requires: [], periods + durations + ["price"]),
                ])
            ),
        ]
    }

    /// `share` needs `max`, and nothing else has it; only what moves has limits.
    private static var claimConstraints: [JSONValue] {
        [
            when("then", in: ["share"], requires: ["max"], ["limits"]),
            when("then", in: ["keep", "deny", "inherit"], requires: [], ["max", "limits"]),
            when("then", in: ["transfer", "transfer-if-inactive", "ask"], requires: [], ["max"]),
        ]
    }

    private static func when(
        _ key: String, in words: [String], requires required: [String], _ forbidden: [String]
    ) -> JSONValue {
        let condition = JSONValue.object([
            (
                "properties",
                .object([(key, .object([("enum", .array(words.map(JSONValue.string)))]))])
            ),
            ("required", .array([.string(key)])),
        ])
        var then: Members = []
        if !required.isEmpty {
            then.append(("required", .array(required.map(JSONValue.string))))
        }
        if !forbidden.isEmpty {
            let none = forbidden.map { ($0, JSONValue.bool(false)) }
            then.append(("properties", .object(none)))
        }
        return .object([("if", condition), ("then", .object(then))])
    }

    private static func required(_ choices: [String]...) -> JSONValue {
        .array(choices.map { .object([("required", .array($0.map(JSONValue.string)))]) })
    }

    private static func dependent(_ key: String, on other: String) -> JSONValue {
        .object([(key, .array([.string(other)]))])
    }

    private static func having(
        _ keys: [String], in section: String, requiring key: String
    ) -> JSONValue {
        .object([
            ("required", .array(keys.map(JSONValue.string))),
            (
                "properties",
                .object([(section, .object([("required", .array([.string(key)]))]))])
            ),
        ])
    }
}

extension Shape {
    /// How such a value is written, for editors to show; none where the words are listed.
    var schemaExamples: [(String, JSONValue)] {
        if case .oneOrMany(let element) = self { return element.schemaExamples }
        let texts: [String] =
            switch self {
            case .length(let allowsCalendar): allowsCalendar ? ["1w", "1mo", "1y"] : ["30m", "7d"]
            case .date: ["2026-01-31", "2026-01-31T08:00:00+08:00"]
            case .age: ["under 7d", "at least 7d", "from 7d to 14d"]
            case .dateBound:
                ["before 2026-01-31", "from 2026-01-31", "from 2026-01-31 until 2026-03-01"]
            case .window: ["from 2026-12-05 until 2026-12-07"]
            case .timeZone: ["Asia/Shanghai", "UTC"]
            case .moves: ["3 per 365d"]
            case .storefront: ["USA", "CN"]
            case .bundleID: ["com.example.reader"]
            case .certificatePath: ["xcode.pem"]
            case .productPattern: ["com.example.reader.gold.*"]
            case .accountPattern: ["apple-review", "qa-*"]
            default: []
            }
        return texts.isEmpty ? [] : [("examples", .array(texts.map(JSONValue.string)))]
    }
}
