internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// Options of the commands by which a person changes something.
struct AdminActionOptions: ParsableArguments {
    @Option(help: .value("text", "The reason; recorded with the action."))
    var reason: String

    @OptionGroup var options: ServiceOptions

    var quiet: Bool { options.quiet }
    var output: OutputOptions { options.output }
    var service: ServiceCall { options.call }
}

extension AdminActionOptions {
    /// Has something done, and prints what was done.
    func carryOut<Done: WireObject>(
        _ action: (ServiceCall) throws(CommandFailure) -> [UInt8],
        telling lines: (Done, Language) -> [String]
    ) throws {
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let done = try Answered<Done>(received: action(service))
            try output.show(done, quiet: quiet) { value, page in
                for line in lines(value, page.language) { page.add(whole: line) }
            }
        }
    }

    /// What every call that ends something carries.
    var reasonOnly: ReasonRequest { ReasonRequest(reason: stated) }

    var stated: Reason { Reason(unchecked: reason) }
}

/// For admin actions on an account that may be misspelt: one that nothing is known of is named so.
struct NewAccountOption: ParsableArguments {
    @Flag(help: "The account is new: nothing is known about it yet.")
    var newAccount = false
}

extension AccountReport {
    /// Whether nothing is known of the account.
    var saysNothing: Bool {
        units.isEmpty && balances.isEmpty && grants.isEmpty && blocks.isEmpty && claims.isEmpty
            && findings.isEmpty && refundConsent == nil && !rights.contains(where: \.decision)
    }
}

/// Limits an answer to one Apple ID.
struct AppleIDOption: ParsableArguments {
    @Option(
        name: .customLong("apple-id"),
        help: .value("key", "Only purchases of this Apple ID, given by any of its keys."),
        transform: readName)
    var key: AppleIDKey?
}

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
    var query: Parameters {
        [("environment", environment.rawValue), ("apple_id", appleID.key?.text)]
    }
}

/// A command of this program that a person may copy into a shell.
///
/// An identifier may hold any visible ASCII character (spec 1.1): what a shell would read as more
/// than a name stands in quotes.
struct ShellCommand {
    /// The words of the command itself: `claims approve`.
    let verb: String
    let names: [String]
    /// Nil for one that changes nothing.
    private let reason: String?

    init(_ verb: String, _ names: String...) {
        self.verb = verb
        self.names = names
        reason = "--reason '…'"
    }

    /// One that changes nothing, and has no reason.
    init(asking verb: String, _ names: String...) {
        self.verb = verb
        self.names = names
        reason = nil
    }

    /// The whole line, with a reason to fill in.
    var text: String {
        let words = names.map(Self.quoted).joined(separator: " ")
        // Behind two hyphens a name that begins with one is no option.
        let parts =
            names.contains { $0.hasPrefix("-") }
            ? [verb, reason, "--", words] : [verb, words, reason]
        return (["usher"] + parts.compactMap(\.self)).joined(separator: " ")
    }

    /// A name as one word of a shell, which it never takes for anything else.
    static func quoted(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "._:@/+-".utf8.contains(byte)
            }
        }
        if isPlain && !name.isEmpty { return name }
        let parts = name.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}
