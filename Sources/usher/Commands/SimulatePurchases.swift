internal import ArgumentParser
internal import StoreSimulator
internal import StrictJSON

/// `usher simulate purchases`.
struct SimulatePurchases: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purchases",
        abstract: "Sign any number of consumable purchases, for load tests.",
        discussion: """
            Prints one purchase a line, as 'usher ingest' reads them. They are signed under the \
            root of 'simulate fixtures' with the same seed.

            Example: usher simulate purchases --count 1000 --accounts 50 | usher ingest -
            """)

    @Option(help: "How many.")
    var count: Int = 100

    @Option(help: "How many accounts buy them, in turn.")
    var accounts: Int = 1

    @Option(help: "The number of the first; others make other transactions.")
    var from: Int = 0

    @Option(help: "Keys and contents follow from it.")
    var seed: UInt64 = 2026

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (0...10_000_000).contains(count), (0...1_000_000_000_000).contains(from) else {
            throw ValidationError("a count is from 0 to 10,000,000, and so on from 0")
        }
        guard (1...10_000_000).contains(accounts) else {
            throw ValidationError("there are 1 to 10,000,000 accounts")
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
