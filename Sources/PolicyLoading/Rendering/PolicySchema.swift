package import EntitlementModel
internal import StrictJSON

/// The JSON Schema (2020-12) of a policy file, for editors to complete and check as one types.
///
/// Made of the grammar that reads the files. What needs to look at two places at once (names
/// that refer to others, keys that go with a kind) is left to `policy check`.
package func policySchema(in language: Language = .english) -> String {
    let head: JSONValue = [
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": .string(CheckPhrase.schemaTitle.text(language)),
    ]
    let file = SchemaWriter(language: language).schema(of: .section(PolicyGrammar.file))
    return head.joined(with: file).laidOut + "\n"
}

extension JSONValue {
    /// An object with the members of both.
    fileprivate func joined(with other: JSONValue) -> JSONValue {
        .object((members ?? []) + (other.members ?? []))
    }

    fileprivate static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(string)) }
}

private struct SchemaWriter {
    let language: Language

    func schema(of shape: Shape) -> JSONValue {
        switch shape {
        case .list(let element): ["type": "array", "items": schema(of: element)]
        case .oneOrMany(let element): oneOrMany(schema(of: element))
        case .section(let section): schema(of: section)
        case .table(let names, let row):
            [
                "type": "object", "propertyNames": schema(of: names),
                "additionalProperties": schema(of: row),
            ]
        case .either(let text, let sections):
            ["anyOf": .array([schema(of: text)] + sections.map { schema(of: $0) })]
        case .allOr(let section, let other):
            ["anyOf": [["const": "all"], schema(of: section), schema(of: other)]]
        case .text:
            ["type": "string", "minLength": 1, "maxLength": 400, "pattern": "^.*\\S.*$"]
        case .word(let words): ["enum": .strings(words)]
        case .boolean: ["type": "boolean"]
        case .whole(let range):
            [
                "type": "integer", "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ]
        case .version: ["const": .integer(PolicyGrammar.version)]
        case .amount: ["type": "number", "minimum": 0, "maximum": 1_000_000_000_000]
        case .name: text(SchemaPattern.name)
        case .productPattern: text("^[!-~]{1,128}$")
        case .accountPattern: text("^[!-)+-~]{0,255}[!-~]$")
        case .length(let allowsCalendar):
            text(allowsCalendar ? SchemaPattern.calendarLength : SchemaPattern.fixedLength)
        case .wordOrLength(let words):
            ["anyOf": [["enum": .strings(words)], text(SchemaPattern.calendarLength)]]
        case .date: text("^\(SchemaPattern.date)$")
        case .age: text("^\(SchemaPattern.age)$")
        case .count:
            ["anyOf": [["type": "integer"], text("^((under|at least) )?[1-9][0-9]{0,7}$")]]
        case .dateBound: text("^\(SchemaPattern.dateBound)$")
        case .versionBound: text("^\(SchemaPattern.versionBound)$")
        case .window: text("^\(SchemaPattern.window)$")
        case .timeZone: text("^[A-Z][A-Za-z0-9_+/-]*$")
        case .moves: text("^[1-9][0-9]{0,3} per \(SchemaPattern.fixed)$")
        case .storefront: text("^[A-Z]{2,3}$")
        case .bundleID: text("^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$")
        case .fingerprint: text(SchemaPattern.fingerprint)
        case .certificatePath: text("^[^/].*$")
        case .root:
            [
                "anyOf": [
                    ["enum": .strings(BuiltInRoot.allCases.map(\.rawValue))],
                    text(SchemaPattern.fingerprint),
                ]
            ]
        }
    }

    private func oneOrMany(_ one: JSONValue) -> JSONValue {
        ["anyOf": [one, ["type": "array", "items": one, "minItems": 1]]]
    }

    private func schema(of section: Section) -> JSONValue {
        let properties = section.fields.map { field in
            let about: JSONValue = ["description": .string(field.about.text(language))]
            let examples = field.shape.examples
            return JSONMember(
                field.key,
                about.joined(with: schema(of: field))
                    .joined(with: examples.isEmpty ? [:] : ["examples": .strings(examples)]))
        }
        let required = section.fields.filter(\.isRequired).map(\.key)
        let object: JSONValue = ["type": "object", "additionalProperties": false]
        return object.joined(with: required.isEmpty ? [:] : ["required": .strings(required)])
            .joined(with: ["properties": .object(properties)])
            .joined(with: section.schemaConstraints)
    }

    /// Former words are accepted, and no editor offers them.
    private func schema(of field: Field) -> JSONValue {
        let own = schema(of: field.shape)
        if field.former.isEmpty { return own }
        return ["anyOf": [own, text("^(\(field.former.joined(separator: "|")))$")]]
    }

    private func schema(of names: NameClass) -> JSONValue {
        switch names {
        case .currency: ["pattern": "^[A-Z]{3}$"]
        case .entitlement, .credit, .group, .product: text(SchemaPattern.name)
        }
    }

    private func text(_ pattern: String) -> JSONValue {
        ["type": "string", "pattern": .string(pattern)]
    }
}

private enum SchemaPattern {
    static let name = "^[!-)+-~]{1,128}$"
    static let fingerprint = "^[0-9a-fA-F]{64}$"
    static let fixed = "[1-9][0-9]*(ms|s|m|h|d|w)"
    static let fixedLength = "^\(fixed)$"
    static let calendarLength = "^[1-9][0-9]*(ms|s|m|h|d|w|mo|y)$"
    static let age = "((under|at least) \(fixed)|from \(fixed) to \(fixed))"
    static let version = "[0-9]+(\\.[0-9]+)*"
    static let versionBound =
        "((before|from) \(version)|from \(version) until \(version))"
    static let window = "from \(date) until \(date)"
    static let dateBound = "((before|from) \(date)|\(window))"
    static let date =
        "[0-9]{4}-[0-9]{2}-[0-9]{2}"
        + "([Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:?[0-9]{2}))?"
}

/// Keys of one section that go together, or that do not.
extension Section {
    /// What the schema says beyond the keys one by one.
    fileprivate var schemaConstraints: JSONValue {
        switch title {
        case "unless": ["minProperties": 1]
        case "limits":
            [
                "dependentSchemas": [
                    "else": ["anyOf": [["required": ["cooldown"]], ["required": ["moves"]]]]
                ]
            ]
        case "groups": ["dependentRequired": ["title_zh": ["title"]]]
        case "products":
            [
                "dependentRequired": ["title_zh": ["title"], "level": ["group"]],
                "allOf": .array(Self.productConstraints),
            ]
        case "access":
            [
                "not": [
                    "required": ["only", "when"],
                    "properties": ["when": ["required": ["entitlement"]]],
                ]
            ]
        case "account_switch": ["allOf": .array(Self.claimConstraints)]
        default: [:]
        }
    }

    private static var productConstraints: [JSONValue] {
        let periods = ["period", "group", "level", "credits"]
        let durations = ["duration", "stacking", "stack"]
        return [
            when("kind", in: ["auto-renewable"], requires: ["period"], durations),
            when("kind", in: ["non-renewing"], requires: ["duration"], periods),
            when("kind", in: ["consumable", "non-consumable"], requires: [], periods + durations),
            when("kind", in: ["free"], requires: [], periods + durations + ["price"]),
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
        let none = forbidden.map { JSONMember($0, false) }
        let then: JSONValue = required.isEmpty ? [:] : ["required": .strings(required)]
        return [
            "if": ["properties": [key: ["enum": .strings(words)]], "required": [.string(key)]],
            "then": then.joined(with: none.isEmpty ? [:] : ["properties": .object(none)]),
        ]
    }
}

extension Shape {
    /// How such a value is written; none where the words are listed, or the author chooses.
    var examples: [String] {
        switch self {
        case .oneOrMany(let element): element.examples
        case .length(let allowsCalendar): allowsCalendar ? ["1w", "1mo", "1y"] : ["30m", "7d"]
        case .wordOrLength(let words): words + ["90d"]
        case .date: ["2026-01-31", "2026-01-31T08:00:00+08:00"]
        case .age: ["under 7d", "at least 7d", "from 7d to 14d"]
        case .count: ["under 5", "at least 5", "5"]
        case .dateBound:
            ["before 2026-01-31", "from 2026-01-31", "from 2026-01-31 until 2026-03-01"]
        case .versionBound: ["before 3.0", "from 3.0", "from 2.0 until 3.0"]
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
