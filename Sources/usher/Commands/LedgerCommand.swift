internal import ArgumentParser

/// `usher ledger …`: the ledger file itself.
struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Verify, back up, restore, measure and export the ledger file.",
        discussion: "Example: usher ledger verify --ledger usher.ledger",
        subcommands: [
            LedgerVerify.self, LedgerBackup.self, LedgerRestore.self, LedgerStats.self,
            LedgerExport.self,
        ])
}
