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

    /// The mistake for people; a description where no text can show it.
    var wrongLines: [String] { lines(isRight: false) }

    /// The same without the mistake; none where that goes without saying.
    var rightLines: [String] { lines(isRight: true) }

    private func lines(isRight: Bool) -> [String] {
        switch self {
        case .added(let wrong, let right), .changed(_, let wrong, let right):
            (isRight ? right : wrong).split(separator: "\n").map(String.init)
        case .folder(_, _, let about), .fileSystem(let about):
            isRight
                ? []
                : about.split(separator: "\n").filter { !$0.hasPrefix("```") }.map(String.init)
        }
    }

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
    /// A policy that has it. An id without one is a defect.
    package var example: PolicyExample {
        guard let example = PolicyExample.all[self] else {
            preconditionFailure("the diagnostic '\(rawValue)' has no example")
        }
        return example
    }
}

extension PolicyExample {
    static let all = [
        fileExamples, yamlExamples, wordExamples, keyExamples, valueExamples, settingExamples,
        catalogueExamples, productExamples, ruleExamples,
        proofExamples, lintExamples, nameLintExamples, meaningExamples, storyExamples,
    ].reduce(into: [:]) { all, family in all.merge(family) { first, _ in first } }
}

extension String {
    /// The text with the first occurrence of a part exchanged; itself where it has none.
    package func replacingFirst(_ part: String, _ replacement: String) -> String {
        replacing(part, with: replacement, maxReplacements: 1)
    }
}
