internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import LedgerModel
internal import StrictJSON

/// `usher ledger …`: the ledger file itself.
struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Verify, back up, restore, copy, measure and export the ledger file.",
        discussion: "Example: usher ledger verify --ledger usher.ledger",
        subcommands: [
            LedgerVerify.self, LedgerBackup.self, LedgerRestore.self, LedgerCopies.self,
            LedgerStats.self, LedgerExport.self, LedgerKey.self,
        ])
}

/// `usher ledger stats`: how large a ledger is, and what is in it.
struct LedgerStats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the entries of a ledger, and measure its file.",
        discussion: """
            Reads the file, whether or not a service is running. A fleet's database ('--ledger \
            database:FILE') is measured as the file that holds the same.

            Example: usher ledger stats --ledger usher.ledger
            """)

    @OptionGroup var file: LedgerFileOptions

    func run() throws {
        try file.output.attempt(quiet: file.quiet) { () throws(CommandFailure) in
            let statistics = try file.withFile { source throws(CommandFailure) in
                try file.working { try source.statistics() }
            }
            try file.show(statistics.json) { $0.write(statistics, of: file.path) }
        }
    }
}

/// `usher ledger export`: the facts as JSON lines.
struct LedgerExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print every entry of a ledger as a line of JSON.",
        discussion: """
            One object per line: 'sequence', 'recorded_at', 'kind' and 'entry', with Apple's \
            fields under Apple's names and every instant as a date; docs/LEDGER.md lists the \
            kinds. Pass the last 'sequence' to --after to continue later. Entries whose content \
            was erased are omitted. A fleet's database ('--ledger database:FILE') is exported as \
            the file that holds the same, byte for byte.

            Example: usher ledger export --ledger usher.ledger > facts.jsonl
            """)

    @Option(help: .value("entry", "Start after this entry."), transform: readSequence)
    var after: LedgerSequence?

    @Flag(help: "Include the evidence, byte for byte, as 'payload' (base64 if it is not text).")
    var evidence = false

    @OptionGroup var file: LedgerFileOptions

    func run() throws {
        try file.output.attempt(quiet: file.quiet) { () throws(CommandFailure) in
            try file.withFile { source throws(CommandFailure) in try export(source) }
        }
    }

    private func export(_ source: LedgerFile) throws(CommandFailure) {
        let reader = try file.working { try source.openReadOnly() }
        var last = after ?? .zero
        while let entries = try next(after: last, reader), let newest = entries.last {
            try write(entries)
            last = newest.sequence
        }
    }

    /// A batch is one view: an export does not keep a busy ledger's log from being cut.
    private func next(
        after last: LedgerSequence, _ reader: any ReadableLedger
    ) throws(CommandFailure) -> [Recorded<LedgerEntry>]? {
        try file.working { try reader.read { try $0.entries(after: last, limit: 512) } }
    }

    private func write(_ entries: [Recorded<LedgerEntry>]) throws(CommandFailure) {
        if file.quiet { return }
        var bytes: [UInt8] = []
        for entry in entries {
            bytes += ReadableEntry(entry, includesEvidence: evidence).bytes
            bytes.append(UInt8(ascii: "\n"))
        }
        try Terminal.current.printWhole(bytes)
    }
}

private func readSequence(_ text: String) throws -> LedgerSequence {
    guard let number = Int64(text), number >= 0 else {
        throw ValidationError(.entryNumber)
    }
    return LedgerSequence(number)
}

/// `usher ledger backup [FILE]`: a complete, checked copy.
struct LedgerBackup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a ledger, in use or not; the copy is complete and synced to disk.",
        discussion: """
            With a file name it copies the ledger file itself, or what a fleet's database keeps \
            ('--ledger database:FILE'); it never overwrites an existing file. Without one it asks the running service for a copy in the service's backup \
            folder (setting 'backups'), with a reason. Keep the printed anchor somewhere else, for \
            'usher ledger verify'. A ledger that lacks what was acknowledged, as the head file \
            next to it says, is not copied. Exit codes: 0 done, 1 not copied because of that, \
            2 failed.

            Example: usher ledger backup /backups/usher-2026-03-01.ledger --ledger usher.ledger
            """)

    @Argument(help: "The copy; if omitted, the service makes one.", completion: .file())
    var copy: String?

    @Option(help: .value("text", "The reason, for the service."))
    var reason: String?

    @OptionGroup var file: LedgerFileOptions
    @OptionGroup var sockets: SocketOptions

    func validate() throws {
        switch (copy, reason, file.ledger) {
        case (nil, nil, _): throw ValidationError(.copyOrReason)
        case (_?, _?, _):
            throw ValidationError(.serviceReason)
        case (nil, _?, _?):
            throw ValidationError(.copyName)
        default: break
        }
    }

    func run() throws {
        try file.output.attempt(quiet: file.quiet) { () throws(CommandFailure) in
            if let copy { try backUp(to: copy) } else { try ask(for: reason ?? "") }
        }
    }

    private func backUp(to copy: String) throws(CommandFailure) {
        let access = try ServiceSettings.ofCommands().fileAccess()
        // Before a database is copied for nothing.
        try LedgerFile(copy).expectNothing()
        let slash = copy.lastIndex(of: "/")
        let folder = slash.map { copy[...$0].description } ?? "."
        let head = try file.withFile(in: folder) { source throws(CommandFailure) in
            try file.working { try source.backUp(to: copy, access) }
        }
        try file.show(["file": .string(copy), "head": head.json]) { page in
            page.add(whole: LedgerPhrase.backedUp.text(page.language, copy, "\(head.sequence)"))
            page.add(whole: LedgerPhrase.anchor.text(page.language, head.anchor))
        }
    }

    private func ask(for reason: String) throws(CommandFailure) {
        let answer = try serviceBackup(reason)
        try file.output.show(answer, quiet: file.quiet) { value, page in
            page.add(
                whole: LedgerPhrase.backedUp.text(
                    page.language, value.file.shown, "\(value.revisionAtLeast)"))
        }
    }

    private func serviceBackup(_ reason: String) throws(CommandFailure) -> Answered<BackupAnswer> {
        do throws(CommandFailure) {
            let call = ServiceCall(socket: sockets.usherSocket)
            return try Answered(
                received: call.ask(
                    "/v1/backup", ReasonRequest(reason: Reason(unchecked: reason))))
        } catch {
            guard error.code == ProblemCode.unsupported.rawValue else {
                throw error
            }
            throw .said(LedgerPhrase.noFolder.text(file.output.language))
        }
    }
}

/// `usher ledger restore BACKUP`: a ledger from a backup.
struct LedgerRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a ledger from a backup.",
        discussion: """
            The backup is checked first (the file, the hash chain, the index); a damaged backup is \
            not restored. An existing ledger is never replaced: move it away, together with the \
            files next to it whose names begin with its name, except for the list of erasures \
            ('.erasures'). What that list names, or the one given with --against, and the backup \
            still has, is erased again; this needs the key (USHER_PRIVACY_KEY_FILE). Exit codes: \
            0 done, 1 the backup is damaged, 2 failed.

            Example: usher ledger restore /backups/usher-2026-03-01.ledger --ledger usher.ledger
            """)

    @Argument(help: "The backup.", completion: .file())
    var backup: String

    @Option(
        help: .value("list", "A list of erasures (.erasures), or a newer backup that has them."),
        completion: .file())
    var against: String?

    @OptionGroup var file: LedgerFileOptions

    func validate() throws {
        try require(DatabaseName(file.path) == nil, or: .copyCommand)
    }

    func run() throws {
        try file.output.decide(quiet: file.quiet) { () throws(CommandFailure) in
            let access = try ServiceSettings.ofCommands().fileAccess()
            let key = try ServiceSettings.ofCommands().privacyKey()
            let restored = try file.working {
                try LedgerFile(file.path).restore(
                    from: backup, access, against: against, knownBy: key)
            }
            let problems = restored.problems.map(AuditProblem.ledger)
            let json: JSONValue = [
                "file": .string(file.path), "restored": .bool(problems.isEmpty),
                "erased_again": .integer(Int64(restored.erasedAgain ?? 0)),
                "erasures_listed": .bool(restored.erasedAgain != nil),
                "problems": .array(problems.map(\.json)),
            ]
            try file.show(json) { page in
                if problems.isEmpty {
                    page.add(
                        whole: LedgerPhrase.restored.text(
                            page.language, file.path.shown, backup.shown))
                    switch restored.erasedAgain {
                    case nil: page.add(LedgerPhrase.unlisted, as: .care)
                    case 0?: break
                    case let count?: page.add(LedgerPhrase.erasedAgain, "\(count)")
                    }
                } else {
                    page.add(whole: LedgerPhrase.notRestored.text(page.language, backup))
                    page.write(problems)
                }
            }
            return problems.isEmpty
        }
    }
}

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
        try require((DatabaseName(from) == nil) != (DatabaseName(to) == nil), or: .copySides)
    }

    func run() throws {
        try output.decide(quiet: quiet) { () throws(CommandFailure) in
            let access = try ServiceSettings.ofCommands().fileAccess()
            let outcome: CopiedLedger
            if let database = DatabaseName(from) {
                outcome = try LedgerFile(to).copy(from: database, access)
            } else if let database = DatabaseName(to) {
                outcome = try LedgerFile(from).copy(to: database)
            } else {
                preconditionFailure("one of the two is a database")
            }
            let problems = outcome.problems.map(AuditProblem.ledger)
            let json: JSONValue = [
                "from": .string(from), "to": .string(to), "copied": .bool(problems.isEmpty),
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
            return problems.isEmpty
        }
    }
}
