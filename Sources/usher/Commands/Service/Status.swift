internal import ArgumentParser
internal import EntitlementAnswers

/// `usher status`: the operator's page.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print the status of the running service.",
        discussion: """
            Exit codes: 0 healthy, 1 needs attention (it accepts no evidence, or a changed policy \
            was rejected), 2 no service answers.

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

/// `usher version`.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of the program and of its five contracts.",
        discussion: "Example: usher version --json")

    @OptionGroup var output: OutputOptions

    func run() {
        let text =
            output.json
            ? #"{"usher":"\#(ProgramVersion.text)","policy_format":1,"#
                + #""ledger_format":\#(LedgerFile.format),"socket_protocol":1,"#
                + #""command_json":1,"metrics":1}"#
            : "usher \(ProgramVersion.text) (policy format 1, ledger format \(LedgerFile.format), "
                + "socket protocol 1, command JSON 1, metrics 1)"
        Terminal.current.printLine(text)
    }
}
