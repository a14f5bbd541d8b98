internal import ArgumentParser
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
