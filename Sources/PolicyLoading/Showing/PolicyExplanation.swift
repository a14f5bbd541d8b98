package import EntitlementModel
internal import StrictJSON

/// What the id of a diagnostic, or a name of a policy, stands for.
package struct PolicyExplanation: Sendable {
    /// What has the name.
    package enum Subject: String, CaseIterable, PolicyLoadingText, Sendable, Wording {
        case diagnostic, finding, key, rule, product, entitlement, credit, group, level
    }

    /// One thing to know about it.
    package enum Label: String, CaseIterable, PolicyLoadingText, Sendable {
        case severity, meaning, list, when, unless, then, only, decides
        case before, kind, title, group, gives, states, rules
        case givenBy = "given_by"
        case openedBy = "opened_by"
        case levels, products, section, words
        case ofGroup = "of_group"

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

    /// Lines under a label.
    package struct Part: Sendable {
        package var label: Label
        package var lines: [String]
    }

    package var subject: Subject
    package var name: String
    /// `file:line`; nil for what has no place in a policy.
    package var place: String?
    package var parts: [Part]

    /// Without parts that have no lines.
    init(_ subject: Subject, _ name: String, place: String? = nil, _ parts: [(Label, [String])]) {
        self.subject = subject
        self.name = name
        self.place = place
        self.parts = parts.filter { !$0.1.isEmpty }.map { Part(label: $0.0, lines: $0.1) }
    }
}

/// What rules decide of the purchases of a kind in a state.
package struct DecidedCell: Sendable {
    package var kind: ProductKind
    package var state: EntitlementState
    /// Those that decide some case, in the order in which they are tried.
    package var rules: [AccessRule]

    package init(kind: ProductKind, state: EntitlementState, rules: [AccessRule]) {
        self.kind = kind
        self.state = state
        self.rules = rules
    }
}

/// What stands in explanations between names.
enum ExplainPolicyPhrase: String, CaseIterable, PolicyLoadingText, Wording {
    case after = "{0}, after {1}"
    case all = "all entitlements of the policy, also later ones; now:"
    case allExcept = "all entitlements of the policy except {0}, also later ones; now:"
    case retired = """
        a warning of older versions; it is not given any more, and a policy that expects it is \
        read as before
        """
    case nothing = "nothing: its cases do not occur, or rules before it decide them all"
}

/// What `policy check` means by an id: why it is said. Examples are in `docs/DIAGNOSTICS.md`.
package func explain(_ id: DiagnosticID, in language: Language) -> PolicyExplanation {
    PolicyExplanation(
        .diagnostic, id.rawValue,
        [
            (.severity, [id.severity.text(language)]), (.meaning, [id.meaning.text(language)]),
        ])
}

/// What is said of an id of a check that there was; nil for any other word.
func meaning(ofRetired id: String, in language: Language) -> String? {
    DiagnosticID.retired.contains(id) ? ExplainPolicyPhrase.retired.text(language) : nil
}

/// What no policy is needed for but the id of a diagnostic: kinds of findings, and the keys of
/// policy files, once for each meaning.
package func explain(word name: String, in language: Language) -> [PolicyExplanation] {
    let kind = Finding.Kind(rawValue: name)
    let finding = kind.map {
        PolicyExplanation(.finding, name, [(.meaning, [$0.text(language)])])
    }
    let retired = meaning(ofRetired: name, in: language).map {
        PolicyExplanation(.diagnostic, name, [(.meaning, [$0])])
    }
    var keys: [PolicyExplanation] = []
    var known: Set<Field.About> = []
    for section in PolicyGrammar.sections {
        guard let field = section[name], known.insert(field.about).inserted else { continue }
        var words = field.shape.isList ? [] : field.shape.alternatives.flatMap(\.words)
        if case .wordOrLength = field.shape { words = field.shape.examples }
        let titles = PolicyGrammar.sections.filter { $0[name]?.about == field.about }.map(\.title)
        keys.append(
            PolicyExplanation(
                .key, name,
                [
                    (.meaning, [field.about.text(language)]),
                    (.section, Set(titles).subtracting([""]).sorted()),
                    // All storefronts or time zones would say less.
                    (.words, words.count < 30 ? words : []),
                ]))
    }
    return [finding, retired].compactMap(\.self) + keys
}

/// Everything in a policy that has a name: rules, products, entitlements, credits, groups, levels.
///
/// - Parameter cells: what the rules of a policy decide, the built-in ones among them.
package func explain(
    _ name: String, in policy: Policy, cells: @escaping (Policy) -> [DecidedCell],
    language: Language
) -> [PolicyExplanation] {
    let writer = ExplanationWriter(policy: policy, cells: cells, language: language)
    return writer.rules(name) + writer.product(name) + writer.entitlement(name)
        + writer.credit(name) + writer.group(name) + writer.levels(name)
}

/// Every name that can be explained, sorted; without a policy those that need none.
package func explainableNames(of policy: Policy?) -> [String] {
    var names = Set(DiagnosticID.allCases.map(\.rawValue))
    names.formUnion(Finding.Kind.allCases.map(\.rawValue))
    names.formUnion(PolicyGrammar.keys)
    guard let policy else { return names.sorted() }
    names.formUnion(policy.products.keys.map(\.text))
    names.formUnion(policy.entitlements.keys.map(\.text))
    names.formUnion(policy.credits.keys.map(\.text))
    names.formUnion(policy.groups.keys.map(\.text))
    names.formUnion(policy.groups.values.flatMap { $0.levels.map(\.text) })
    names.formUnion(RuleList.allCases.flatMap { $0.references(of: policy).map(\.name) })
    return names.sorted()
}

extension PolicyExplanation {
    /// For people; ends with a line break.
    package func text(in language: Language) -> String {
        let head = CheckPhrase.labelled.text(language, subject.text(language), name.inMessage)
        var text = head + (place.map { " (\($0.inMessage))" } ?? "") + "\n"
        for part in parts {
            let label = part.label.text(language)
            if part.lines.count == 1 {
                text +=
                    "  " + CheckPhrase.labelled.text(language, label, part.lines[0].shown) + "\n"
                continue
            }
            text += "  " + CheckPhrase.labelled.text(language, label, "") + "\n"
            for line in part.lines { text += "    \(line.shown)\n" }
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                var line = line
                while line.last == " " { line.removeLast() }
                return String(line)
            }.joined(separator: "\n")
    }

    /// Stable, for scripts: a list of lines for each label.
    private var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("subject", .string(subject.rawValue)), ("name", .string(name)),
        ]
        if let place { members.append(("place", .string(place))) }
        members += parts.map { ($0.label.rawValue, .array($0.lines.map(JSONValue.string))) }
        return .object(members)
    }

    /// All of a name as one document.
    package static func json(_ explanations: [PolicyExplanation]) -> String {
        JSONValue.object([("explanations", .array(explanations.map(\.json)))]).laidOut + "\n"
    }
}
