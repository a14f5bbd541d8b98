internal import Foundation
internal import TestSupport
internal import Testing

@Suite("What a program says to systemd's journal", .timeLimit(.minutes(20)))
struct JournalTests {
    @Test("why it ends has the level of an error there, and no mark anywhere else")
    func failure() throws {
        let serve = [
            Program.path, "serve", "--ledger", "/nonexistent/ledger", "--lang", "en",
            "--policies", Repository.url("policies").path,
        ]
        // As systemd says which of the streams is connected with its journal.
        for (stream, mark) in [("/proc/self/fd/2", "<3>"), ("/proc/self/fd/1", ""), ("/", "")] {
            let command = "JOURNAL_STREAM=$(stat -Lc %d:%i \(stream)) exec \"$0\" \"$@\""
            let said = try Program.run(
                ["-c", command] + serve, program: "/bin/sh",
                environment: ["PATH": "/usr/bin:/bin"])
            #expect(said.status != 0)
            #expect(said.errors.hasPrefix(mark), "\(stream): \(said.errors)")
            #expect(said.errors.contains("<3>") == (mark == "<3>"), "\(stream)")
            #expect(said.errors.contains("'/nonexistent"), "\(said.errors)")
        }
    }
}
