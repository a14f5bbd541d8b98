internal import Foundation
internal import TestSupport

/// What the checkout holds.
extension Repository {
    /// The files below a folder of the checkout that end in `suffix`, relative to the root,
    /// build products left out.
    static func files(under folder: String, suffix: String) -> [String] {
        let start = root.appending(path: folder)
        guard let paths = FileManager.default.enumerator(atPath: start.path) else { return [] }
        var files: [String] = []
        while let path = paths.nextObject() as? String {
            if path == ".build" || path.hasSuffix("/.build") {
                paths.skipDescendants()
            } else if path.hasSuffix(suffix) {
                files.append(folder.isEmpty ? path : folder + "/" + path)
            }
        }
        files.sort()
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
