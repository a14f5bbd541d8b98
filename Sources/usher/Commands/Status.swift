internal import ArgumentParser
internal import EntitlementAnswers

/// `usher status`: the operator's page.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell how the running service is.",
        discussion: """
            Exit codes: 0 all is well, 1 something needs a person (it takes no evidence, or a \
            changed policy was refused), 2 no service answers.

            Example: usher status
            """)

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var isWell = false
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let answer = try Answered<StatusReport>(
                received: ServiceCall(socket: sockets.usherSocket).get("/status"))
            isWell = answer.value.isWell
            try output.show(answer, quiet: quiet) { $1.write($0) }
        }
        if !isWell { throw ExitCode.no }
    }
}
