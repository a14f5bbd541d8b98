package import EntitlementModel

/// What may be written in a place of a policy file, by the grammar that reads it: for editors.
package struct PolicyPlace: Sendable {
    private let shapes: [Shape]
    private let about: Field.About?

    /// The place that keys and elements lead to; nil where the grammar has none.
    package init?(at path: some Sequence<PolicyStep>) {
        var shapes = [Shape.section(PolicyGrammar.file)]
        var about: Field.About?
        for step in path {
            var next: [Shape] = []
            for shape in shapes {
                guard let (inner, meaning) = shape.inside(step) else { continue }
                next.append(inner)
                about = meaning ?? about
            }
            shapes = next
        }
        guard !shapes.isEmpty else { return nil }
        self.shapes = shapes.flatMap(\.alternatives)
        self.about = about
    }

    /// The keys that a section in this place may have.
    package var keys: [PolicyKey] {
        var keys: [PolicyKey] = []
        for case .section(let section) in shapes {
            for field in section.fields where !keys.contains(where: { $0.name == field.key }) {
                keys.append(PolicyKey(field))
            }
        }
        return keys
    }

    /// What the names of the table are that is written here; nil where there is none.
    package var tableNames: PolicyNameKind? {
        for case .table(let names, _) in shapes { return PolicyNameKind(names) }
        return nil
    }

    /// Names that may be the keys of a table here, where the program knows them all.
    package var knownTableNames: [String] {
        for case .table(.currency, _) in shapes { return Currencies.codes.sorted() }
        return []
    }

    /// Whether a list may be written here.
    package var isList: Bool { shapes.contains(where: \.isList) }

    /// The words that may be written here, where there are so many only.
    package var words: [String] { shapes.flatMap(\.words) }

    /// How values are written that have no list: lengths, dates and bounds.
    package func samples(today: Instant) -> [String] {
        shapes.flatMap { $0.samples(today: String(today.rfc3339.prefix(10))) }
    }

    /// What a text here is a name of.
    package var names: PolicyNameKind? {
        let isText = shapes.contains { shape in
            switch shape {
            case .name, .productPattern: true
            default: false
            }
        }
        return isText ? about?.names : nil
    }

    /// Whether a text here gives the name its meaning.
    package var isDefinition: Bool { about == .key(.levels) }

    /// Whether a text here is the name of a rule.
    package var isRuleName: Bool { about == .key(.ruleName) }

    /// What a word means; nil where the word says it.
    package func meaning(ofWord word: String, in language: Language) -> String? {
        switch about {
        case .condition(let field):
            if case .words(let type, _) = field.slot.form {
                type.words(word, language)
            } else {
                nil
            }
        case .key(.productKind): ProductKind(rawValue: word)?.text(language)
        case .key(.rootEnvironments): StoreEnvironment(rawValue: word)?.text(language)
        case .key(.expectedID):
            DiagnosticID(rawValue: word)?.meaning.text(language)
                ?? PolicyLoading.meaning(ofRetired: word, in: language)
        case .key, .setting, nil: nil
        }
    }
}

/// One key of a section.
package struct PolicyKey: Sendable {
    package let name: String
    package let isRequired: Bool
    /// What is written behind it.
    package let form: Form
    private let about: Field.About

    package enum Form: Sendable {
        case value
        /// Keys below it.
        case section
        /// Elements below it.
        case list
    }

    fileprivate init(_ field: Field) {
        name = field.key
        isRequired = field.isRequired
        about = field.about
        form =
            switch field.shape {
            case .section, .table: .section
            case .list(.section): .list
            default: .value
            }
    }

    package func meaning(in language: Language) -> String { about.text(language) }
}

/// What a name is a name of.
package enum PolicyNameKind: String, CaseIterable, Sendable {
    case entitlement, credit, group, product, level, stack

    /// The section that defines such names; nil for those that are defined elsewhere.
    package var section: String? {
        switch self {
        case .entitlement: "entitlements"
        case .credit: "credits"
        case .group: "groups"
        case .product: "products"
        case .level, .stack: nil
        }
    }

    fileprivate init?(_ names: NameClass) {
        switch names {
        case .entitlement: self = .entitlement
        case .credit: self = .credit
        case .group: self = .group
        case .product: self = .product
        case .currency: return nil
        }
    }
}

/// A text as it has to be written in a policy: in quotes where it would be read otherwise.
///
/// - Parameter isInBraces: whether it is to be written in `{…}` or `[…]`.
package func writtenInPolicy(_ text: String, isInBraces: Bool) -> String {
    let first = text.unicodeScalars.first ?? " "
    let isPlain =
        PlainReading(text) == .text && !"!&*-?|>@`\"'#%{}[],: ".unicodeScalars.contains(first)
        && text[...].range(of: ": ") == nil && text[...].range(of: " #") == nil
        && !text.hasSuffix(":") && !text.hasSuffix(" ")
        && !(isInBraces && text.contains { "[]{},".contains($0) })
    guard !isPlain else { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

/// One step from a value of a policy file to one inside it.
package enum PolicyStep: Hashable, Sendable {
    case key(String)
    /// Of a list, by its place.
    case element(Int)

    /// The key; nil for an element.
    package var key: String? {
        if case .key(let key) = self { key } else { nil }
    }
}

/// What editors ask of a shape.
extension Shape {
    /// What a step leads to, and what that is about.
    func inside(_ step: PolicyStep) -> (Shape, Field.About?)? {
        switch (self, step) {
        case (.section(let section), .key(let key)):
            section[key].map { ($0.shape, $0.about) }
        case (.table(_, let row), .key): (row, nil)
        case (.list(let element), .element), (.oneOrMany(let element), .element): (element, nil)
        case (.oneOrMany(let element), .key): element.inside(step)
        case (.either(_, let sections), .key):
            sections.lazy.compactMap { Shape.section($0).inside(step) }.first
        case (.allOr(let section, _), .key): Shape.section(section).inside(step)
        case (.allOr(_, let other), .element): other.inside(step)
        default: nil
        }
    }

    /// What may be written in its place, each by itself.
    var alternatives: [Shape] {
        switch self {
        case .oneOrMany(let element): element.alternatives
        case .either(let text, let sections): [text] + sections.map { .section($0) }
        case .allOr(let section, let other):
            [.word(["all"]), .section(section)] + other.alternatives
        case .wordOrLength(let words): [.word(words), .length(allowsCalendar: true)]
        default: [self]
        }
    }

    /// Whether a list may be written in its place, whatever else may be.
    var isList: Bool {
        alternatives.contains { if case .list = $0 { true } else { false } }
    }

    var words: [String] {
        switch self {
        case .word(let words), .wordOrLength(let words): words
        case .boolean: ["true", "false"]
        case .version: ["\(PolicyGrammar.version)"]
        case .root: BuiltInRoot.allCases.map(\.rawValue)
        case .storefront: Storefronts.codes
        case .timeZone: PolicyTimeZone.all
        default: []
        }
    }

    func samples(today: String) -> [String] {
        switch self {
        case .length(let allowsCalendar):
            allowsCalendar ? ["1w", "1mo", "3mo", "6mo", "1y"] : ["30m", "1h", "24h", "7d", "90d"]
        case .age: ["under 7d", "at least 7d", "from 7d to 14d"]
        case .count: ["under 5", "at least 5", "5"]
        case .date: [today]
        case .dateBound: ["before \(today)", "from \(today)", "from \(today) until \(today)"]
        case .versionBound: ["before 3.0", "from 3.0", "from 2.0 until 3.0"]
        case .window: ["from \(today) until \(today)"]
        case .moves: ["1 per 90d", "3 per 365d"]
        default: []
        }
    }
}

extension Field.About {
    /// What the texts are names of that are written behind the key.
    fileprivate var names: PolicyNameKind? {
        switch self {
        case .key(.grants), .key(.allExcept), .key(.grantedEntitlement), .key(.only),
            .key(.openEntitlements), .key(.appGrants), .condition(.entitlement):
            .entitlement
        case .key(.grantedCredit): .credit
        case .key(.productGroup), .condition(.group): .group
        case .key(.productLevel), .key(.levels), .condition(.level): .level
        case .condition(.product): .product
        case .key(.stack): .stack
        case .key, .setting, .condition: nil
        }
    }
}
