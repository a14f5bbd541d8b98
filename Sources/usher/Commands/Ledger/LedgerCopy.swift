internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

/// `usher ledger copy FROM TO`: a ledger from its file into a database, or back.
struct LedgerCopies: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a ledger from its file to a fleet's database, or back.",
        discussion: """
            One of the two is a ledger file, the other 'database:FILE', where FILE holds the \
            database's address and is readable by its owner only, or 'database:' where \
            USHER_FLEET_DATABASE has the address. The ledger is verified first, \
            and both sides end with the same entry and hash afterwards. Into a database: stop the \
            service first; a copy that was interrupted goes on where it was. Into a file: there \
            may be none yet. Exit codes: 0 done, 1 the ledger is damaged, 2 failed.

            Example: usher ledger copy usher.ledger database:fleet-database
            """)

    @Argument(help: "The ledger to copy.", completion: .file())
    var from: String

    @Argument(help: "Where to copy it.", completion: .file())
    var to: String

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (DatabaseName(from) == nil) != (DatabaseName(to) == nil) else {
            throw ValidationError(.copySides)
        }
    }

    func run() throws {
        var isSound = false
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let access = try ServiceSettings.ofCommands().fileAccess()
            let outcome: CopiedLedger
            if let database = DatabaseName(from) {
                outcome = try LedgerFile(to).copy(from: database, access)
            } else if let database = DatabaseName(to) {
                outcome = try LedgerFile(from).copy(to: database)
            } else {
                preconditionFailure("one of the two is a database")
            }
            isSound = outcome.problems.isEmpty
            let problems = outcome.problems.map(AuditProblem.ledger)
            let json: JSONValue = [
                "from": .string(from), "to": .string(to), "copied": .bool(isSound),
                "head": outcome.head.json, "problems": .array(problems.map(\.json)),
            ]
            try output.show(quiet: quiet) {
                json.serialized()
            } as: { page in
                if problems.isEmpty {
                    page.add(
                        whole: LedgerPhrase.copied.text(
                            page.language, from.shown, to.shown, "\(outcome.head.sequence)"))
                    page.add(whole: LedgerPhrase.anchor.text(page.language, outcome.head.anchor))
                } else {
                    page.write(problems)
                }
            }
        }
        if !isSound { throw ExitCode.no }
    }
}
