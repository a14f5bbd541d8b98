package import EntitlementModel
internal import StrictJSON

/// What a check has read, so that a file that was overlooked is noticed (spec 2.2).
package struct FolderSummary: Sendable {
    package var files: [String]
    package var ignored: [String]
    /// Nil where the folder has errors.
    package var policy: Policy?
    /// Warnings that the folder expects.
    package var waived = 0
    /// Nil where there is no policy in force to compare with.
    package var comparison: PolicyComparisonResult?

    package init(
        files: [String], ignored: [String], policy: Policy?,
        comparison: PolicyComparisonResult? = nil
    ) {
        self.files = files
        self.ignored = ignored
        self.policy = policy
        self.comparison = comparison
    }
}

/// What would become of a folder, given the policy in force (spec 2.6).
package struct PolicyComparisonResult: Sendable {
    package enum Outcome: String, Sendable {
        /// It is in force.
        case unchanged
        case activates
        /// The folder's own `accept.yaml` accepts what it takes away.
        case accepted
        case waits
    }

    package var outcome: Outcome
    /// Of the policy in force.
    package var replaces: Digest256
    package var losses: [PolicyLoss]
    /// What the folder's `accept.yaml` was written for, if that was another policy.
    package var acceptedAfter: Digest256?
    /// How many accounts lose something now or later; nil where nobody counted them.
    package var losing: Int64?
    package var gaining: Int64?
    /// How many the folder's `accept.yaml` accepts, where they are more.
    package var acceptedAtMost: Int64?
    /// Files that the policy in force has and the folder lacks.
    package var missingFiles: [String] = []

    package init(
        outcome: Outcome, replaces: Digest256, losses: [PolicyLoss] = [],
        acceptedAfter: Digest256? = nil
    ) {
        self.outcome = outcome
        self.replaces = replaces
        self.losses = losses
        self.acceptedAfter = acceptedAfter
    }
}

extension FolderSummary {
    /// Names that a line holds.
    private static let shown = 20

    private var products: [(String, Int)] {
        let kinds = policy?.soldProducts.map(\.kind) ?? []
        return ProductKind.allCases.map { kind in (kind.rawValue, kinds.count { $0 == kind }) }
            .filter { $0.1 > 0 }
    }

    private var rules: [(String, Int)] {
        guard let policy else { return [] }
        return RuleList.allCases.map { ($0.rawValue, $0.references(of: policy).count) }
            .filter { $0.0 != RuleList.appPurchase.rawValue || $0.1 > 0 }
    }

    /// For people, line by line.
    package func text(in language: Language) -> String {
        var lines: [(CheckPhrase, String)] = [
            (.filesRead, list(files, language)), (.filesIgnored, list(ignored, language)),
        ]
        if policy != nil {
            lines += [(.products, counts(products, language)), (.rules, counts(rules, language))]
        }
        if waived > 0 { lines.append((.expected, "\(waived)")) }
        return lines.map { label, text in
            CheckPhrase.labelled.text(language, label.text(language), text) + "\n"
        }.joined()
    }

    private func list(_ names: [String], _ language: Language) -> String {
        guard !names.isEmpty else { return CheckPhrase.none.text(language) }
        let text = names.prefix(Self.shown).map(\.inMessage)
            .joined(separator: ChoicePhrase.separator.text(language))
        let left = names.count - Self.shown
        return left <= 0 ? text : CheckPhrase.andMore.text(language, text, "\(left)")
    }

    private func counts(_ counts: [(String, Int)], _ language: Language) -> String {
        list(counts.map { "\($0.0) \($0.1)" }, language)
    }

    func members(in language: Language) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("files", .array(files.map(JSONValue.string))),
            ("ignored", .array(ignored.map(JSONValue.string))),
        ]
        if policy != nil {
            members += [("products", json(products)), ("rules", json(rules))]
        }
        if waived > 0 { members.append(("expected_warnings", .integer(Int64(waived)))) }
        if let comparison {
            members.append(("in_force", .object(comparison.members(in: language))))
        }
        return members
    }

    private func json(_ counts: [(String, Int)]) -> JSONValue {
        .object(counts.map { ($0.0, .integer(Int64($0.1))) })
    }
}

extension PolicyComparisonResult {
    fileprivate func members(in language: Language) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("outcome", .string(outcome.rawValue)), ("policy", .string(replaces.hexadecimal)),
        ]
        if let acceptedAfter {
            members.append(("accepted_after", .string(acceptedAfter.hexadecimal)))
        }
        if !missingFiles.isEmpty {
            members.append(("missing_files", .array(missingFiles.map(JSONValue.string))))
        }
        let counts = [
            ("losing", losing), ("gaining", gaining), ("accepted_at_most", acceptedAtMost),
        ]
        members += counts.compactMap { name, count in count.map { (name, .integer($0)) } }
        let losses = losses.map { loss in
            JSONValue.object([
                ("kind", .string(loss.kind.rawValue)),
                ("names", .array(loss.names.map(JSONValue.string))),
                ("detail", .string(loss.sentence(in: language))),
            ])
        }
        return members + [("losses", .array(losses))]
    }
}
