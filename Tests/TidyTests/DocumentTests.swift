internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Documents and fixtures", .timeLimit(.minutes(20)))
struct DocumentTests {
    @Test("every markdown file has one title")
    func markdownHasOneTitle() throws {
        let paths = Repository.files(under: "", suffix: ".md")
        #expect(!paths.isEmpty)
        for path in paths {
            var inFence = false
            var titles = 0
            for line in try Repository.lines(path) {
                let isFence = line.hasPrefix("```") && line.dropFirst(3).allSatisfy(\.isLetter)
                if isFence { inFence.toggle() }
                if !inFence, line.hasPrefix("# ") { titles += 1 }
            }
            #expect(titles == 1, "\(path) has \(titles) titles")
        }
    }

    @Test("every fixture is named by a test, a script, a manifest or its folder's runner")
    func fixturesAreReferenced() throws {
        let readers =
            try Repository.files(under: "Tests", suffix: ".swift")
            .map(Repository.text).joined() + scripts()
        let manifests = try Repository.files(under: "fixtures", suffix: "manifest.yaml")
            .map(Repository.text).joined()
        let paths = Repository.files(under: "fixtures", suffix: "").filter(isFile)
        for (folder, paths) in Dictionary(grouping: paths, by: { $0.split(separator: "/")[1] })
        where !readers.contains("fixtures/\(folder)") {
            for path in paths {
                let name = String(path.split(separator: "/").last ?? "")
                #expect(
                    readers.contains(name) || manifests.contains(name), "nothing reads \(path)")
            }
        }
    }

    @Test(
        "every test that a document names exists",
        arguments: [("docs/THREATS.md", 150), ("docs/GUARANTEES.md", 20)])
    func namedTestsExist(document: String, atLeast count: Int) throws {
        let parts = try Repository.text(document).split(separator: "`")
        let names = parts.filter { $0.contains("Tests.") && !$0.contains(" ") }
        #expect(names.count >= count)
        let tests = try Repository.files(under: "Tests", suffix: "Tests.swift")
            .map(Repository.text)
        for name in Set(names) {
            let words = name.split(separator: ".")
            let exists = tests.contains { text in
                text.contains("struct \(words[0]) ") && text.contains("func \(words[1])(")
            }
            #expect(exists, "there is no test \(name)")
        }
    }

    @Test("the policy of the demonstration is the example, but for whom it trusts")
    func demonstration() throws {
        for name in ["app", "catalog", "rules"] {
            let (example, shown) = try (
                Self.settings(in: "policies/\(name).yaml"), Self.settings(in: "demo/\(name).yaml")
            )
            #expect(shown == example, "\(name).yaml")
        }
    }

    /// The lines that say something, without whom the policy trusts.
    private static func settings(in path: String) throws -> [Substring] {
        try Repository.text(path).split(separator: "\n").filter { line in
            let words = line.drop { $0 == " " }
            return !["#", "jws: [", "receipt: ["].contains { words.hasPrefix($0) }
        }
    }

    @Test("no file names a machine's paths")
    func noMachinePaths() throws {
        for path in Repository.swiftFiles + Repository.files(under: "", suffix: ".md")
            + Repository.files(under: "scripts", suffix: "") where isFile(path)
        {
            let text = try Repository.text(path)
            for prefix in ["/" + "work/", "/" + "opt/", "/" + "root/"] {
                #expect(!text.contains(prefix), "\(path) has \(prefix)")
            }
        }
    }

    @Test("no work is left in the code")
    func nothingIsLeftUndone() throws {
        for path in Repository.swiftFiles {
            let words = try Repository.text(path).split { !$0.isLetter }
            for word in ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"] {
                #expect(!words.contains(Substring(word)), "\(path) has \(word)")
            }
        }
    }

    private func scripts() throws -> String {
        try Repository.files(under: "scripts", suffix: "").filter(isFile)
            .map(Repository.text).joined()
    }

    private func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(
            atPath: Repository.root.appending(path: path).path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue
    }
}
