internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel

/// Options of the commands that ask about one right of one account.
struct RightOptions: ParsableArguments {
    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Argument(help: "The entitlement.", transform: readName)
    var entitlement: EntitlementName

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var reading: ReadingOptions

    var key: RightKey { RightKey(environment, entitlement) }

    /// The same as a question to the service has it.
    var query: [(name: String, value: String)] {
        [(name: "environment", value: environment.rawValue)] + AppleIDKey.query(appleID.key)
    }
}
