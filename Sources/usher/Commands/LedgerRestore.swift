internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore
internal import StrictJSON

/// `usher ledger restore BACKUP`: a ledger from a backup.
struct LedgerRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a ledger from a backup.",
        discussion: """
            The backup is checked first (the file, the hash chain, the index); a damaged backup is \
            not restored. An existing ledger is never replaced: move it away, together with the \
            files next to it whose names begin with its name. Exit codes: 0 done, 1 the backup is \
            damaged, 2 failed.

            Example: usher ledger restore /backups/usher-2026-03-01.ledger --ledger usher.ledger
            """)

    @Argument(help: "The backup.", completion: .file())
    var backup: String

    @OptionGroup var file: LedgerFileOptions

    func run() throws {
        var isSound = false
        try file.output.attempt(quiet: file.quiet) { () throws(CommandFailure) in
            let access = try FileAccess.ofEnvironment()
            let problems = try file.working {
                try SQLiteLedger.restore(from: backup, to: file.path, access: access)
            }.map(AuditProblem.ledger)
            isSound = problems.isEmpty
            let json: JSONValue = [
                "file": .string(file.path), "restored": .bool(isSound),
                "problems": .array(problems.map(\.json)),
            ]
            try file.show(json) { page in
                if problems.isEmpty {
                    page.add(
                        LedgerPhrase.restored.text(
                            page.language, file.path.shown, backup.shown))
                } else {
                    page.add(LedgerPhrase.notRestored.text(page.language, backup))
                    page.write(problems)
                }
            }
        }
        if !isSound { throw ExitCode.no }
    }
}
