internal import EntitlementModel
internal import Foundation
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport

/// A mistake and its correction: a folder of `fixtures/policies-invalid`, and what is otherwise
/// in `fixtures/policies-right`.
struct PolicyExample {
    /// The folder with the mistake; empty for what only a file system can have.
    let wrong: [PolicyText]
    /// The folder without it.
    let right: [PolicyText]
    /// What it shows, where its texts do not.
    let about: String?

    init(of id: DiagnosticID) throws {
        let folder = "fixtures/policies-invalid/\(id.rawValue)"
        wrong = try readPolicyFolder(Repository.path(folder))
        about = Self.line(at: "\(folder)/about.txt")
        let corrected = "fixtures/policies-right/\(id.rawValue)"
        let isChanged = FileManager.default.fileExists(atPath: Repository.path(corrected))
        let texts = isChanged ? try readPolicyFolder(Repository.path(corrected)) : []
        right = texts.contains { $0.path == "app.yaml" } ? texts : [Self.base] + texts
    }

    private static func line(at path: String) -> String? {
        let text = try? String(contentsOf: Repository.url(path), encoding: .utf8)
        return text?.trimmingCharacters(in: .newlines)
    }

    /// The lines that are wrong, and those in their place; with the line before them where one of
    /// the two has none.
    var lines: (wrong: String, right: String) {
        guard wrong.count == 1 else { return (wrong.last?.lines ?? "", right.last?.lines ?? "") }
        let own = Self.lines(of: wrong[0])
        let other = Self.lines(of: right[0])
        var start = zip(own, other).prefix { $0 == $1 }.count
        let most = min(own.count, other.count) - start
        let end = zip(own.reversed(), other.reversed()).prefix { $0 == $1 }.count
        let rest = min(most, end)
        if own.count - rest == start || other.count - rest == start { start -= 1 }
        return (
            own[start..<(own.count - rest)].joined(separator: "\n"),
            other[start..<(other.count - rest)].joined(separator: "\n")
        )
    }

    private static func lines(of text: PolicyText) -> [Substring] {
        text.text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The policy that examples add to or change.
    static let base = PolicyText(
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
}

extension String {
    /// The text with the first occurrence of a part exchanged; itself where it has none.
    func replacingFirst(_ part: String, _ replacement: String) -> String {
        replacing(part, with: replacement, maxReplacements: 1)
    }
}

extension PolicyText {
    fileprivate var lines: String { text.trimmingCharacters(in: .newlines) }
}

extension DiagnosticID {
    /// All but those of stories, which docs/STORIES.md lists.
    static let ofPolicies = allCases.filter { !stories.contains($0) }

    /// Those that the texts of a folder can have.
    static let ofTexts = ofPolicies.filter { !ofFileSystems.contains($0) }

    private static let ofFileSystems: Set<DiagnosticID> = [
        .folderMissing, .pathUnreadable, .pathNotAFile, .pathOutside, .fileTooLarge, .tooManyFiles,
        .fileNotRead,
    ]

    /// What its example is checked with.
    var exampleOptions: PolicyCheckOptions {
        var options = PolicyCheckOptions()
        switch self {
        case .windowPast, .dateFarOff: options.now = Instant(rfc3339: "2026-06-01")
        case .uncovered: options.explainsDefaults = true
        case .unmappedProduct: options.seen = ["gold.yearly"].compactMap { ProductID($0) }
        case .fileNotRead: options.ignored = ["rules.yaml.bak"]
        default: break
        }
        return options
    }
}
