internal import ArgumentParser
internal import StoreSimulator
internal import StrictJSON

/// `usher simulate purchases`.
struct SimulatePurchases: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purchases",
        abstract: "Sign any number of consumable purchases, for load tests.",
        discussion: """
            Prints one purchase per line, in the format of 'usher ingest', signed under the root \
            of 'simulate fixtures' with the same seed.

            Example: usher simulate purchases --count 1000 --accounts 50 | usher ingest -
            """)

    @Option(help: "The number of purchases.")
    var count: Int = 100

    @Option(help: "The number of accounts, which buy in turn.")
    var accounts: Int = 1

    @Option(help: "The number of the first purchase; other numbers give other transactions.")
    var from: Int = 0

    @Option(help: "Determines keys and contents.")
    var seed: UInt64 = 2026

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (0...10_000_000).contains(count), (0...1_000_000_000_000).contains(from) else {
            throw ValidationError("--count is 0 to 10,000,000, --from 0 to 1,000,000,000,000")
        }
        guard (1...10_000_000).contains(accounts) else {
            throw ValidationError("--accounts is 1 to 10,000,000")
        }
    }

    /// The lines are JSON, asked for or not.
    func run() throws {
        let purchases = ManyPurchases(seed: seed, accounts: accounts)
        try output.attempt { () throws(CommandFailure) in
            for number in from..<from + count {
                try Terminal.current.printWhole(json: purchases[number].text + "\n")
            }
        }
    }
}
