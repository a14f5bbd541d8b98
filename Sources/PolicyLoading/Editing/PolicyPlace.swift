package import EntitlementModel

/// What may be written in a place of a policy file, by the grammar that reads it: for editors.
package struct PolicyPlace: Sendable {
    private let shapes: [Shape]
    private let about: FieldMeaning?

    /// The place that keys and elements lead to; nil where the grammar has none.
    package init?(at path: some Sequence<PolicyStep>) {
        var shapes = [Shape.section(PolicyGrammar.file)]
        var about: FieldMeaning?
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
    package var isList: Bool {
        shapes.contains { if case .list = $0 { true } else { false } }
    }

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
    package var isDefinition: Bool { about == .levels }

    /// Whether a text here is the name of a rule.
    package var isRuleName: Bool { about == .ruleName }

    /// What a word means; nil where the word says it.
    package func meaning(ofWord word: String, in language: Language) -> String? {
        switch about {
        case .state: EntitlementState(rawValue: word)?.text(language)
        case .expiryReason: ExpiryReason(rawValue: word)?.text(language)
        case .productKind, .conditionKind: ProductKind(rawValue: word)?.text(language)
        case .conditionEnvironment, .rootEnvironments:
            StoreEnvironment(rawValue: word)?.text(language)
        case .moment: ClaimMoment(rawValue: word)?.text(language)
        case .expectedID: DiagnosticID(rawValue: word)?.meaning.text(language)
        default: nil
        }
    }
}

/// One key of a section.
package struct PolicyKey: Sendable {
    package let name: String
    package let isRequired: Bool
    /// What is written behind it.
    package let form: Form
    private let about: FieldMeaning

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
