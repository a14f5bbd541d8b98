/// What one diagnostic says, what it means, and a policy that has it.
///
/// Everything about a diagnostic stands here once: `policy check` takes the messages,
/// `docs/DIAGNOSTICS.md` the meaning and the examples, the tests the examples.
package struct ManualPage: Sendable {
    package var severity: Severity
    /// One sentence; `{0}` … are the diagnostic's facts.
    package var message: Words
    /// What to do, where the diagnostic has nothing more exact to say.
    package var help: Words?
    /// Why the policy is better without it.
    package var meaning: Words
    package var example: PolicyExample

    init(
        _ severity: Severity, _ english: String, _ chinese: String, help: Words? = nil,
        meaning: Words, _ example: PolicyExample
    ) {
        self.severity = severity
        message = Words(english, chinese)
        self.help = help
        self.meaning = meaning
        self.example = example
    }

    /// An error's page.
    init(
        _ english: String, _ chinese: String, help: Words? = nil, meaning: Words,
        _ example: PolicyExample
    ) {
        self.init(.error, english, chinese, help: help, meaning: meaning, example)
    }
}

/// A mistake and its correction.
package enum PolicyExample: Sendable {
    /// A file beside the rest of a policy.
    case added(wrong: String, right: String)
    /// A line of that policy, changed.
    case changed(line: String, wrong: String, right: String)
    /// The only files of a folder.
    case folder(wrong: [PolicyText], right: [PolicyText], about: String)
    /// Something about the files themselves that no text can show.
    case fileSystem(about: String)
}

extension PolicyExample {
    /// The policy that examples add to or change.
    package static let base = PolicyText(
        path: "app.yaml",
        text: """
            usher: 1
            app:
              bundle_id: com.example.reader
              apple_id: 1234567890
            trust:
              roots:
                jws: [apple-root-ca-g3]
                receipt: [apple-inc-root]
            environments:
              production: trusted
              sandbox: trusted
            entitlements:
              premium: {title: Premium}
            groups:
              membership: {levels: [gold, silver]}
            products:
              gold.monthly:
                kind: auto-renewable
                group: membership
                level: gold
                period: 1mo
                grants: [premium]

            """)

    /// The folder with the mistake.
    package var wrongFolder: [PolicyText] { folder(isRight: false) }

    /// The folder without it.
    package var rightFolder: [PolicyText] { folder(isRight: true) }

    private func folder(isRight: Bool) -> [PolicyText] {
        switch self {
        case .added(let wrong, let right):
            return [
                Self.base,
                PolicyText(path: "catalog.yaml", text: (isRight ? right : wrong) + "\n"),
            ]
        case .changed(let line, let wrong, let right):
            let lines = Self.base.text.split(separator: "\n", omittingEmptySubsequences: false)
            precondition(lines.contains(line[...]), "the example changes a line of the base")
            let text = lines.map { $0 == line[...] ? (isRight ? right : wrong)[...] : $0 }
            return [PolicyText(path: "app.yaml", text: text.joined(separator: "\n"))]
        case .folder(let wrong, let right, _): return isRight ? right : wrong
        case .fileSystem: return []
        }
    }
}

extension DiagnosticID {
    /// The page of every id; an id without one is a defect of the program.
    package var page: ManualPage {
        guard let page = Self.pages[self] else {
            preconditionFailure("the diagnostic '\(rawValue)' has no page in the manual")
        }
        return page
    }

    private static let pages: [DiagnosticID: ManualPage] = [
        filePages, yamlPages, wordPages, keyPages, valuePages, settingPages, cataloguePages,
        productPages, rulePages,
    ].reduce(into: [:]) { all, family in all.merge(family) { first, _ in first } }
}

extension String {
    /// The text with the first occurrence of a part exchanged; itself where it has none.
    func replacingFirst(_ part: String, _ replacement: String) -> String {
        guard let range = self[...].range(of: part) else { return self }
        return String(self[..<range.lowerBound]) + replacement + self[range.upperBound...]
    }
}
