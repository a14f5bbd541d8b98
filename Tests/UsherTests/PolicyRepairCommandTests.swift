internal import EntitlementModel
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

/// `policy check --fix`, from outside the process: what is on the disk afterwards.
@Suite("The repair of a policy", .timeLimit(.minutes(20)))
struct PolicyRepairCommandTests {
    private let folder: TemporaryFolder
    private let right: String
    private let wrong: String

    init() throws {
        folder = try TemporaryFolder()
        for name in ["app.yaml", "catalog.yaml", "rules.yaml"] {
            let path = Repository.path("policies/\(name)")
            try folder.write(try String(contentsOfFile: path, encoding: .utf8), to: name)
        }
        right = try String(contentsOf: folder.url("rules.yaml"), encoding: .utf8)
        wrong = "\u{FEFF}" + right.replacing("then: share", with: "then：shrae")
        try folder.write(wrong, to: "rules.yaml")
    }

    private func run(_ arguments: String...) throws -> Program.Output {
        try Program.run(["policy", "check", folder.path] + arguments + ["--lang", "en"])
    }

    private func rules() throws -> String {
        // Not by Foundation, which drops the byte order mark.
        String(decoding: try Data(contentsOf: folder.url("rules.yaml")), as: UTF8.self)
    }

    @Test("shows the diff and changes nothing; with --write it makes the repairs, once")
    func shownThenWritten() throws {
        let shown = try run("--fix")
        #expect(shown.status == 1)
        #expect(shown.output.contains("+    then: share\n"), "\(shown.output)")
        #expect(shown.output.contains("3 repairs; add --write"), "\(shown.output)")
        #expect(try rules() == wrong)
        let written = try run("--fix", "--write")
        #expect(written.status == 0, "\(written.output)")
        #expect(written.output.contains("3 repairs made in the files"))
        #expect(try rules() == right)
        let again = try run("--fix", "--write", "--json")
        #expect(again.status == 0)
        let report = try parseJSON(Array(again.output.utf8))
        #expect(report["repairs"]?.elements?.isEmpty == true)
        #expect(try rules() == right)
    }

    @Test("shows other line ends, and writes LF when it is asked to")
    func lineEnds() throws {
        let windows = right.replacing("\n", with: "\r\n")
        try folder.write(windows, to: "rules.yaml")
        let silent = try run("--strict")
        #expect(silent.status == 0, "\(silent.output)")
        let shown = try run("--fix", "--json")
        #expect(try rules() == windows)
        let report = try parseJSON(Array(shown.output.utf8))
        #expect(report["written"]?.bool == false)
        #expect(report["line_ends"]?.elements?.count == 1)
        #expect(report["diff"]?.string?.contains("<U+000D>") == true)
        let written = try run("--fix", "--write")
        #expect(written.status == 0)
        #expect(written.output.contains("1 repair made in the files"), "\(written.output)")
        #expect(try rules() == right)
        #expect(try run("--fix").output.contains("no file was changed"))
    }

    @Test("says what it leaves, with the choices")
    func leftToTheAuthor() throws {
        try folder.write(right.replacing("cooldown: 7d", with: "cooldown: 7"), to: "rules.yaml")
        let before = try rules()
        let run = try run("--fix", "--write", "--json")
        #expect(run.status == 1)
        let left = try parseJSON(Array(run.output.utf8))["left"]?.elements
        #expect(left?.first?["choices"]?.elements?.count == 3)
        #expect(try rules() == before)
    }

    @Test("a read-only file stays, and so do the others")
    func readOnly() throws {
        #expect(chmod(folder.url("rules.yaml").path, 0o444) == 0)
        let run = try run("--fix", "--write")
        #expect(run.status == 2)
        #expect(run.errors.contains("rules.yaml is read-only"))
        #expect(try rules() == wrong)
    }

    /// At whatever moment it ends, each file is the old or the new one, whole.
    @Test("killed in between, it leaves no half file")
    func killed() throws {
        for delay in [0, 5, 10, 20, 40, 60, 80, 120, 200] as [UInt32] {
            try folder.write(wrong, to: "rules.yaml")
            let process = try ChildProcess(
                Program.path, ["policy", "check", folder.path, "--fix", "--write"])
            usleep(delay * 1_000)
            process.send(SIGKILL)
            process.waitUntilExit()
            let found = try rules()
            #expect(found == wrong || found == right)
        }
        #expect(try run("--fix", "--write").status == 0 || rules() == right)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == ["app.yaml", "catalog.yaml", "rules.yaml"])
    }

    @Test("refuses options that do not go together")
    func options() throws {
        #expect(try run("--write").status == 64)
        #expect(try run("--fix", "--format", "sarif").status == 64)
        #expect(try rules() == wrong)
    }
}
