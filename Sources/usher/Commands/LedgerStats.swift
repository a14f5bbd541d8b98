internal import ArgumentParser
internal import LedgerModel
internal import LedgerStore

/// `usher ledger stats`: how large a ledger is, and what is in it.
struct LedgerStats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the entries of a ledger, and measure its file.",
        discussion: """
            Reads the file, whether or not a service is running.

            Example: usher ledger stats --ledger usher.ledger
            """)

    @OptionGroup var file: LedgerFileOptions

    func run() throws {
        try file.output.attempt(quiet: file.quiet) { () throws(CommandFailure) in
            let statistics = try file.working {
                let reader = try SQLiteLedger.openReadOnly(path: file.path)
                let statistics = try reader.statistics()
                try reader.close()
                return statistics
            }
            try file.show(statistics.json) { $0.write(statistics, of: file.path) }
        }
    }
}
