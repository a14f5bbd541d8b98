internal import EntitlementModel

/// What `usher policy explain` says in English.
extension PolicyExplanation.Subject {
    package var english: String {
        switch self {
        case .diagnostic: "diagnostic"
        case .finding: "finding"
        case .key: "key"
        case .rule: "rule"
        case .product: "product"
        case .entitlement: "entitlement"
        case .credit: "credit"
        case .group: "group"
        case .level: "level"
        }
    }
}

extension PolicyExplanation.Label {
    package var english: String {
        switch self {
        case .severity: "severity"
        case .meaning: "meaning"
        case .list: "list"
        case .when: "when"
        case .unless: "unless"
        case .then: "then"
        case .only: "only"
        case .decides: "can decide"
        case .before: "tried before it"
        case .kind: "kind"
        case .title: "title"
        case .group: "group and level"
        case .gives: "gives"
        case .states: "by state"
        case .rules: "rules that name it"
        case .givenBy: "given by"
        case .openedBy: "open to everybody by"
        case .levels: "levels, best first"
        case .products: "products"
        case .section: "in section"
        case .words: "may be"
        case .ofGroup: "group"
        }
    }
}

extension ExplainPolicyPhrase {
    var english: String {
        switch self {
        case .after: "{0}, after {1}"
        case .nothing: "nothing: its cases do not occur, or rules before it decide them all"
        }
    }
}
