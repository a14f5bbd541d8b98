internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// Options of the commands by which a person changes something.
struct AdminActionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The reason; recorded with the action.", valueName: "text"))
    var reason: String

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    var call: ServiceCall { ServiceCall(socket: sockets.usherSocket) }
}

extension AdminActionOptions {
    /// Has something done, and prints what was done.
    func carryOut<Done: WireObject>(
        _ action: (ServiceCall) throws(CommandFailure) -> [UInt8],
        telling write: (Done, DoneLine) -> String
    ) throws {
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let done = try Answered<Done>(received: action(call))
            try output.show(done, quiet: quiet) { value, page in
                page.add(write(value, DoneLine(language: page.language)))
            }
        }
    }

    /// What every call that ends something carries.
    var reasonOnly: ReasonRequest { ReasonRequest(reason: stated) }

    var stated: Reason { Reason(unchecked: reason) }
}
