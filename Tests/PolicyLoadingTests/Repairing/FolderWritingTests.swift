internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Repaired files on the disk, and what the diff says of them.
@Suite(.timeLimit(.minutes(20)))
struct FolderWritingTests {
    private let folder: TemporaryFolder
    private let before = PolicyText(path: "rules.yaml", text: "# one\nleeway: 1 h\n")
    private let after = PolicyText(path: "rules.yaml", text: "# one\nleeway: 1h\n")

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(before.bytes, to: "rules.yaml")
    }

    private func contents(_ name: String) throws -> String {
        try String(contentsOf: folder.url(name), encoding: .utf8)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func keepsPermissionsAndLeavesNothingElse() throws {
        #expect(chmod(folder.url("rules.yaml").path, 0o640) == 0)
        try writePolicyFolder(folder.path, from: [before], to: [after])
        var status = stat()
        #expect(stat(folder.url("rules.yaml").path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o640)
        #expect(try contents("rules.yaml") == after.text)
        #expect(try names() == ["rules.yaml"])
    }

    @Test func replacesWhatALinkLeadsTo() throws {
        try folder.write(before.bytes, to: "versions/first.yaml")
        try FileManager.default.removeItem(at: folder.url("rules.yaml"))
        try folder.link("rules.yaml", to: "versions/first.yaml")
        try writePolicyFolder(folder.path, from: [before], to: [after])
        #expect(try contents("versions/first.yaml") == after.text)
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: folder.path + "/rules.yaml")
        #expect(target == "versions/first.yaml")
    }

    /// One that cannot be written changes none.
    @Test func readOnlyChangesNothing() throws {
        let other = PolicyText(path: "app.yaml", text: "usher: 1\n")
        try folder.write(other.bytes, to: "app.yaml")
        #expect(chmod(folder.url("rules.yaml").path, 0o444) == 0)
        #expect(throws: PolicyWriteError.readOnly(path: "rules.yaml")) {
            try writePolicyFolder(
                folder.path, from: [other, before],
                to: [PolicyText(path: "app.yaml", text: "usher: 2\n"), after])
        }
        #expect(try contents("rules.yaml") == before.text)
        #expect(try contents("app.yaml") == other.text)
        #expect(try names() == ["app.yaml", "rules.yaml"])
    }

    @Test func changedMeanwhileStays() throws {
        try folder.write("leeway: 2h\n", to: "rules.yaml")
        #expect(throws: PolicyWriteError.changedMeanwhile(path: "rules.yaml")) {
            try writePolicyFolder(folder.path, from: [before], to: [after])
        }
        #expect(try contents("rules.yaml") == "leeway: 2h\n")
        #expect(try names() == ["rules.yaml"])
    }

    @Test func diffShowsLinesAround() {
        let lines = (1...20).map { "line \($0)" }
        let old = PolicyText(path: "a.yaml", text: lines.joined(separator: "\n") + "\n")
        var changed = lines
        changed[4] = "line\u{A0}five"
        changed.remove(at: 15)
        let new = PolicyText(path: "a.yaml", text: changed.joined(separator: "\n") + "\n")
        #expect(
            unifiedDiff(old, new, path: "policies/a.yaml") == """
                --- policies/a.yaml
                +++ policies/a.yaml
                @@ -2,7 +2,7 @@
                 line 2
                 line 3
                 line 4
                -line 5
                +line<U+00A0>five
                 line 6
                 line 7
                 line 8
                @@ -13,7 +13,6 @@
                 line 13
                 line 14
                 line 15
                -line 16
                 line 17
                 line 18
                 line 19

                """)
        #expect(unifiedDiff(old, old, path: "a").isEmpty)
    }
}
