internal import ArgumentParser
internal import LedgerStore

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
                + #""ledger_format":\#(SQLiteLedger.format),"socket_protocol":1}"#
            : "usher \(ProgramVersion.text) "
                + "(policy format 1, ledger format \(SQLiteLedger.format), socket protocol 1)"
        Terminal.current.printLine(text)
    }
}
