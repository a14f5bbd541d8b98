internal import EntitlementModel

/// What editors ask of a shape.
extension Shape {
    /// What a step leads to, and what that is about.
    func inside(_ step: PolicyStep) -> (Shape, FieldMeaning?)? {
        switch (self, step) {
        case (.section(let section), .key(let key)):
            section[key].map { ($0.shape, $0.about) }
        case (.table(_, let row), .key): (row, nil)
        case (.list(let element), .element), (.oneOrMany(let element), .element): (element, nil)
        case (.oneOrMany(let element), .key): element.inside(step)
        case (.either(_, let sections), .key):
            sections.lazy.compactMap { Shape.section($0).inside(step) }.first
        default: nil
        }
    }

    /// What may be written in its place, each by itself.
    var alternatives: [Shape] {
        switch self {
        case .oneOrMany(let element): element.alternatives
        case .either(let text, let sections): [text] + sections.map { .section($0) }
        default: [self]
        }
    }

    var words: [String] {
        switch self {
        case .word(let words): words
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
        case .date: [today]
        case .dateBound: ["before \(today)", "from \(today)", "from \(today) until \(today)"]
        case .window: ["from \(today) until \(today)"]
        case .moves: ["1 per 90d", "3 per 365d"]
        default: []
        }
    }
}

extension FieldMeaning {
    /// What the texts are names of that are written behind the key.
    var names: PolicyNameKind? {
        switch self {
        case .grants, .grantedEntitlement, .only, .conditionEntitlement, .openEntitlements:
            .entitlement
        case .grantedCredit: .credit
        case .productGroup, .conditionGroup: .group
        case .productLevel, .conditionLevel, .levels: .level
        case .productPattern: .product
        case .stack: .stack
        default: nil
        }
    }
}
