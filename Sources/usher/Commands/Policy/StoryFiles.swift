internal import EntitlementEngine
internal import EntitlementModel
internal import FoundationEssentials
internal import Glibc
internal import PolicyLoading
internal import PolicyTools

/// The stories of a policy folder, or those that were named.
struct StoryFiles: Sendable {
    static let usualFolder = "policies"

    let folder: String
    /// Story files by name; empty for all of the folder.
    private let named: [String]

    /// - Parameter paths: a folder, then files; each may be left out. Nil where the folder is none.
    init?(_ paths: [String]) {
        let first = paths.first ?? Self.usualFolder
        let hasFolder = InputFile.isFolder(first)
        folder = hasFolder ? first : Self.usualFolder
        named = Array(hasFolder ? paths.dropFirst() : paths[...])
        guard InputFile.isFolder(folder) else { return nil }
    }

    var testFolder: String { folder + "/tests" }

    /// Where stories are, besides the folder itself.
    var storyFolders: [String] {
        let above = named.map { path in
            path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        }
        return [testFolder] + Set(above).sorted()
    }

    /// Read, in the order of their paths.
    func stories() throws(CommandFailure) -> [PolicyText] {
        var texts: [PolicyText] = []
        for path in named.isEmpty ? found : named {
            guard let bytes = try? InputFile.read(path, limit: 1 << 20) else {
                throw .unreadableFile(path)
            }
            texts.append(PolicyText(path: path, bytes: bytes))
        }
        return texts
    }

    private var found: [String] {
        InputFile.files(in: testFolder).filter { path in
            (path.hasSuffix(".yaml") || path.hasSuffix(".yml"))
                && !path.hasPrefix(testFolder + "/policies/")
        }
    }

    /// The texts of a folder in `tests/policies`; nil where it cannot be read.
    func policyFolder(named name: String) -> [PolicyText]? {
        guard !name.contains("/"), !name.hasPrefix(".") else { return nil }
        return try? readPolicyFolder(testFolder + "/policies/" + name)
    }
}

extension StorySuiteResult {
    /// A suite without stories is a failure.
    mutating func noteEmpty(_ folder: String) {
        guard results.isEmpty, sources.isEmpty else { return }
        diagnostics.append(
            Diagnostic(
                id: .noStory, place: TextLocation(file: folder), facts: [.written(folder)]))
    }
}

/// A ledger for one story: in `TMPDIR`, or in memory where the system has a folder for that.
enum ThrowAwayLedger {
    static func make() throws -> StoryLedger {
        var template = Array((folder + "/usher-story-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw CommandFailure.unwritableFile(folder) }
        let made = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        return StoryLedger(LedgerFile(made + "/ledger").throwAway) {
            try? FileManager.default.removeItem(atPath: made)
        }
    }

    private static var folder: String {
        if let named = Terminal.current.environment["TMPDIR"], !named.isEmpty { return named }
        return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    }
}
