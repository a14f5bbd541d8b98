internal import TestSupport
internal import Testing

@Suite("How the commands of support are used", .timeLimit(.minutes(20)))
struct SupportUsageTests {
    @Test(
        "where no service answers, a ledger is offered to those commands only that can read one",
        arguments: [
            ("show alice", true), ("check alice premium", true), ("preflight alice gold", true),
            ("status", false), ("grant alice premium --reason r", false),
            ("claims approve 6 --reason r", false), ("policy reload --reason r", false),
            ("ledger backup --reason r", false),
        ])
    func noService(line: String, offersLedger: Bool) throws {
        let folder = try TemporaryFolder()
        // A variable that is empty names no ledger.
        let run = try Program.run(
            line.split(separator: " ").map(String.init),
            environment: ["USHER_SOCKETS": folder.path, "USHER_LEDGER": ""])
        #expect(run.status == 2)
        let socket = folder.path + (line.hasPrefix("check") ? "/query.sock" : "/usher.sock")
        #expect(
            run.errors == "no service answers at \(socket); start one with 'usher serve'"
                + (offersLedger ? " or name a ledger with --ledger\n" : "\n"))
    }

    @Test(
        "wrong usage is 64, no service is 2",
        arguments: [
            ("show", 64), ("show a b", 64), ("show alice --at tomorrow", 64), ("show alice", 2),
            ("explain alice", 64), ("explain alice premium --environment moon", 64),
            ("explain alice premium", 2), ("findings", 2), ("findings alice", 2),
            ("findings --past", 64), ("findings alice --kind quarantined", 64),
            ("findings --kind moon", 64),
            ("claims list --at 2026-01-01", 64), ("claims list", 2),
            ("claims approve 6", 64), ("claims approve six --reason r", 64),
            ("claims approve 6 --reason r", 2), ("grant alice --reason r", 64),
            ("grant alice premium --units 5 --reason r", 64),
            ("grant alice premium --credit coins --units 5 --reason r", 64),
            ("grant alice premium", 64), ("grant alice premium --reason r", 2),
            ("revoke g --reason r", 2), ("block alice", 64), ("block alice --reason r", 2),
            ("unblock b --reason r", 2), ("merge a --reason r", 64), ("merge a b", 64),
            ("merge a b --reason r", 2), ("unmerge x --reason r", 64), ("unmerge 1 --reason r", 2),
            ("check alice premium --apple-id", 64), ("preflight alice", 64),
            ("preflight alice gold", 2),
            ("policy reload", 64), ("policy reload --reason r", 2),
            ("show alice --ledger no-such-file", 2), ("credits", 64),
            ("credits alice", 2),
        ] as [(String, Int32)])
    func exitCodes(line: String, status: Int32) throws {
        let folder = try TemporaryFolder()
        let run = try Program.run(
            line.split(separator: " ").map(String.init),
            environment: ["USHER_SOCKETS": folder.path])
        #expect(run.status == status, "\(run.errors)")
        #expect(run.output == "")
    }
}
