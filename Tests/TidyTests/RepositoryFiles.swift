internal import Foundation
internal import TestSupport

/// What the checkout holds.
extension Repository {
    /// The files below a folder of the checkout that end in `suffix`, relative to the root,
    /// build products left out.
    static func files(under folder: String, suffix: String) -> [String] {
        let start = root.appending(path: folder)
        guard let paths = FileManager.default.enumerator(atPath: start.path) else { return [] }
        let files = paths.compactMap { $0 as? String }
            .filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".build/") && !$0.contains("/.build/") }
            .map { folder.isEmpty ? $0 : folder + "/" + $0 }
            .sorted()
        precondition(!files.isEmpty, "a test that looks at no file of \(folder) could not fail")
        return files
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func lines(_ path: String) throws -> [String] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    static let swiftFiles =
        files(under: "Sources", suffix: ".swift")
        + files(under: "Tests", suffix: ".swift")
        + files(under: "Benchmarks", suffix: ".swift")
}
