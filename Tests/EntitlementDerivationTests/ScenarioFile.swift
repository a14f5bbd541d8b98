internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import TestSupport
internal import Testing
internal import Yams

/// One file of `fixtures/scenarios`: why it is there, what happened, and what must follow.
struct ScenarioFile: CustomStringConvertible, Sendable {
    /// Relative to `fixtures/scenarios`.
    let path: String
    let why: String
    /// Texts that stand beside the common catalogue; each is a policy of its own, activated by
    /// a line `policy N @T`, the first from the start.
    let policies: [String]
    let facts: [String]
    let expectations: [String]

    var description: String { path }

    static let folder = Repository.url("fixtures/scenarios")

    /// All of them, by path.
    static let all: [String] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return (files ?? []).filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("policy/") }.sorted()
    }()

    init(path: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
        let root = try #require(try Yams.compose(yaml: text)?.mapping, "\(path) is no mapping")
        for key in root.keys {
            let name = try #require(key.string)
            guard ["why", "policy", "facts", "expect"].contains(name) else {
                throw ScenarioMistake("\(path): unknown key '\(name)'")
            }
        }
        self.path = path
        why = try #require(root["why"]?.string, "\(path) says no why")
        policies = try root["policy"].map { try Self.texts($0, path) } ?? []
        facts = try root["facts"].map { try Self.texts($0, path) } ?? []
        expectations = try root["expect"].map { try Self.texts($0, path) } ?? []
    }

    private static func texts(_ node: Node, _ path: String) throws -> [String] {
        if let text = node.string { return [text] }
        let items = try #require(node.sequence, "\(path): a list was expected")
        return try items.map { try #require($0.string, "\(path): every item is one line of text") }
    }

    /// The policies, each beside the common files that it does not replace.
    func loadPolicies() throws -> [Policy] {
        try (policies.isEmpty ? [""] : policies).map { text in
            var texts = text.isEmpty ? [] : [PolicyText(path: "scenario.yaml", text: text)]
            for (file, section) in [("app", "app:"), ("catalog", "products:")]
            where !text.split(separator: "\n").contains(where: { $0.hasPrefix(section) }) {
                let url = Self.folder.appending(path: "policy/\(file).yaml")
                let common = try String(contentsOf: url, encoding: .utf8)
                texts.append(PolicyText(path: "\(file).yaml", text: common))
            }
            let report = loadPolicy(texts)
            guard let policy = report.policy else {
                let messages = report.diagnostics.map { $0.message(in: .english) }
                throw ScenarioMistake("\(path): \(messages.joined(separator: "; "))")
            }
            return policy
        }
    }
}

/// A scenario that cannot be read or does not do what it says.
struct ScenarioMistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
