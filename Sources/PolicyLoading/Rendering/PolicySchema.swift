package import EntitlementModel
internal import StrictJSON

/// The JSON Schema (2020-12) of a policy file, for editors to complete and check as one types.
///
/// Made of the grammar that reads the files. What needs to look at two places at once (names
/// that refer to others, keys that go with a kind) is left to `policy check`.
package func policySchema(in language: Language = .english) -> String {
    let writer = SchemaWriter(language: language)
    let file = writer.schema(of: .section(PolicyGrammar.file))
    let title = CheckPhrase.schemaTitle.text(language)
    let head: [(String, JSONValue)] = [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("title", .string(title)),
    ]
    return JSONValue.object(head + file).laidOut + "\n"
}

private struct SchemaWriter {
    let language: Language

    typealias Members = [(String, JSONValue)]

    func schema(of shape: Shape) -> Members {
        switch shape {
        case .list(let element):
            return [("type", .string("array")), ("items", .object(schema(of: element)))]
        case .oneOrMany(let element):
            let one = JSONValue.object(schema(of: element))
            let many: Members = [
                ("type", .string("array")), ("items", one), ("minItems", .integer(1)),
            ]
            return [("anyOf", .array([one, .object(many)]))]
        case .section(let section): return schema(of: section)
        case .table(let names, let row):
            return [
                ("type", .string("object")),
                ("propertyNames", .object(schema(of: names))),
                ("additionalProperties", .object(schema(of: row))),
            ]
        case .either(let text, let sections):
            let choices = [schema(of: text)] + sections.map { schema(of: $0) }
            return [("anyOf", .array(choices.map(JSONValue.object)))]
        default: return schema(ofScalar: shape)
        }
    }

    private func schema(of section: Section) -> Members {
        let properties = section.fields.map { field in
            let about: Members = [("description", .string(field.about.text(language)))]
            let examples = field.shape.examples
            let shown: Members =
                examples.isEmpty ? [] : [("examples", .array(examples.map(JSONValue.string)))]
            return (field.key, JSONValue.object(about + schema(of: field.shape) + shown))
        }
        var members: Members = [
            ("type", .string("object")), ("additionalProperties", .bool(false)),
        ]
        let required = section.fields.filter(\.isRequired).map { JSONValue.string($0.key) }
        if !required.isEmpty { members.append(("required", .array(required))) }
        return members + [("properties", .object(properties))] + section.schemaConstraints
    }

    private func schema(of names: NameClass) -> Members {
        switch names {
        case .currency: [("pattern", .string("^[A-Z]{3}$"))]
        case .entitlement, .credit, .group, .product: text(SchemaPattern.name)
        }
    }

    private func schema(ofScalar shape: Shape) -> Members {
        switch shape {
        case .text:
            [
                ("type", .string("string")), ("minLength", .integer(1)),
                ("maxLength", .integer(400)), ("pattern", .string("^.*\\S.*$")),
            ]
        case .word(let words): [("enum", .array(words.map(JSONValue.string)))]
        case .boolean: [("type", .string("boolean"))]
        case .whole(let range):
            [
                ("type", .string("integer")), ("minimum", .integer(range.lowerBound)),
                ("maximum", .integer(range.upperBound)),
            ]
        case .version: [("const", .integer(PolicyGrammar.version))]
        case .amount:
            [
                ("type", .string("number")), ("minimum", .integer(0)),
                ("maximum", .integer(1_000_000_000_000)),
            ]
        case .name: text(SchemaPattern.name)
        case .productPattern: text("^[!-~]{1,128}$")
        case .accountPattern: text("^[!-)+-~]{0,255}[!-~]$")
        case .length(let allowsCalendar):
            text(allowsCalendar ? SchemaPattern.calendarLength : SchemaPattern.fixedLength)
        case .date: text("^\(SchemaPattern.date)$")
        case .age: text("^\(SchemaPattern.age)$")
        case .dateBound: text("^\(SchemaPattern.dateBound)$")
        case .window: text("^\(SchemaPattern.window)$")
        case .timeZone: text("^[A-Z][A-Za-z0-9_+/-]*$")
        case .moves: text("^[1-9][0-9]{0,3} per \(SchemaPattern.fixed)$")
        case .storefront: text("^[A-Z]{2,3}$")
        case .bundleID: text("^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$")
        case .fingerprint: text("^[0-9a-fA-F]{64}$")
        case .certificatePath: text("^[^/].*$")
        case .root:
            [
                (
                    "anyOf",
                    .array([
                        .object([
                            (
                                "enum",
                                .array(BuiltInRoot.allCases.map { .string($0.rawValue) })
                            )
                        ]),
                        .object(text("^[0-9a-fA-F]{64}$")),
                    ])
                )
            ]
        case .list, .oneOrMany, .section, .table, .either:
            preconditionFailure("lists and sections have schemas of their own")
        }
    }

    private func text(_ pattern: String) -> Members {
        [("type", .string("string")), ("pattern", .string(pattern))]
    }
}

private enum SchemaPattern {
    static let name = "^[!-)+-~]{1,128}$"
    static let fixed = "[1-9][0-9]*(ms|s|m|h|d|w)"
    static let fixedLength = "^\(fixed)$"
    static let calendarLength = "^[1-9][0-9]*(ms|s|m|h|d|w|mo|y)$"
    static let age = "((under|at least) \(fixed)|from \(fixed) to \(fixed))"
    static let window = "from \(date) until \(date)"
    static let dateBound = "((before|from) \(date)|\(window))"
    static let date =
        "[0-9]{4}-[0-9]{2}-[0-9]{2}"
        + "([Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:?[0-9]{2}))?"
}

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
    /// How such a value is written; none where the words are listed, or the author chooses.
    var examples: [String] {
        switch self {
        case .oneOrMany(let element): element.examples
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
    }
}
