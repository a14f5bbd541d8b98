internal import ArgumentParser
internal import EntitlementModel
internal import LedgerModel

/// `usher ledger …`: the ledger file itself.
struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Verify, back up, restore, copy, measure and export the ledger file.",
        discussion: "Example: usher ledger verify --ledger usher.ledger",
        subcommands: [
            LedgerVerify.self, LedgerBackup.self, LedgerRestore.self, LedgerCopies.self,
            LedgerStats.self, LedgerExport.self,
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
