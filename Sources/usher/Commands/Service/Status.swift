internal import ArgumentParser
internal import EntitlementAnswers

/// `usher status`: the operator's page.
struct Status: ReportCommand {
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

    func answer() throws(CommandFailure) -> Answered<StatusReport> {
        try Answered(received: ServiceCall(socket: sockets.usherSocket).get("/status"))
    }

    func isYes(_ status: StatusReport) -> Bool { status.isWell }

    func write(_ status: StatusReport, to page: inout Page) { page.write(status) }
}

/// `usher version`.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of the program and of its three contracts.",
        discussion: "Example: usher version --json")

    @OptionGroup var output: OutputOptions

    func run() {
        let text =
            output.json
            ? #"{"usher":"\#(ProgramVersion.text)","policy_format":1,"#
                + #""ledger_format":\#(LedgerFile.format),"socket_protocol":1}"#
            : "usher \(ProgramVersion.text) "
                + "(policy format 1, ledger format \(LedgerFile.format), socket protocol 1)"
        Terminal.current.printLine(text)
    }
}
