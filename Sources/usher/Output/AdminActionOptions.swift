internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// Options of the commands by which a person changes something.
struct AdminActionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Why; kept with what is done.", valueName: "text"))
    var reason: String

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    var call: ServiceCall { ServiceCall(socket: sockets.usherSocket) }
}

extension AdminActionOptions {
    /// Has something done, and prints what was done.
    func carryOut(
        _ action: (ServiceCall) throws(CommandFailure) -> [UInt8],
        telling write: (DoneLine) -> String
    ) throws {
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let done = try Answered(action(call))
            try output.show(done, quiet: quiet) { value, page in
                page.add(write(DoneLine(record: value, language: page.language)))
            }
        }
    }
}

/// For admin actions on an account that may be misspelt: one that nothing is known of is named so.
struct NewAccountOption: ParsableArguments {
    @Flag(help: "The account is a new one: nothing is known of it yet.")
    var newAccount = false

    /// - Throws: `.unknownAccount` where nothing is known of it and nobody has said so.
    func check(_ account: AccountID, _ call: ServiceCall) throws(CommandFailure) {
        guard !newAccount else { return }
        let report = try Answered(call.get("/v1/accounts/" + account.inPath))
        if report.value.saysNothing { throw .unknownAccount(account.text) }
    }
}

extension JSONValue {
    /// Whether the report on an account has nothing in it.
    var saysNothing: Bool {
        ["units", "balances", "grants", "blocks", "claims", "findings"].allSatisfy {
            list($0).isEmpty
        } && list("rights").allSatisfy { $0["decision"]?.bool != true }
    }
}

/// Limits an answer to one Apple ID.
struct AppleIDOption: ParsableArguments {
    @Option(
        name: .customLong("apple-id"),
        help: ArgumentHelp(
            "Only what came through this Apple ID, by any of its keys.", valueName: "key"),
        transform: readName)
    var key: AppleIDKey?
}

extension AppleIDKey {
    /// A limit as a question to the service has it.
    static func query(_ key: AppleIDKey?) -> [(name: String, value: String)] {
        key.map { [(name: "apple_id", value: $0.text)] } ?? []
    }
}

/// Options of the commands that ask about one right of one account.
struct RightOptions: ParsableArguments {
    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Argument(help: "The entitlement.", transform: readName)
    var entitlement: EntitlementName

    @Option(help: "The environment to ask for.")
    var environment = StoreEnvironment.production

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var reading: ReadingOptions

    var key: RightKey { RightKey(environment, entitlement) }

    /// The same as a question to the service has it.
    var query: [(name: String, value: String)] {
        [(name: "environment", value: environment.rawValue)] + AppleIDKey.query(appleID.key)
    }
}
