internal import ArgumentParser
internal import EntitlementModel
internal import StrictJSON

/// `usher policy reload`: has the running service read its policy folder now.
struct PolicyReload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have the running service take its policy folder over now.",
        discussion: """
            It does so by itself a second after the folder was last changed. A folder with errors \
            changes nothing, and one by which somebody may lose something waits until its own \
            accept.yaml or --accept-loss accepts that. Exit codes: 0 in force, 1 refused or \
            waiting, 2 could not run.

            Example: usher policy reload --reason 'spring prices'
            """)

    @Option(
        help: ArgumentHelp(
            "Put it into force although so many accounts may lose something by it; recorded, and "
                + "not compared with the accounts yet.", valueName: "number"))
    var acceptLoss: Int64?

    @OptionGroup var action: AdminActionOptions

    func validate() throws {
        guard (0...1_000_000_000).contains(acceptLoss ?? 0) else {
            throw ValidationError("--accept-loss is a number from 0 to 1,000,000,000")
        }
    }

    func run() throws {
        let body = JSONValue.object(known: [
            ("reason", .string(action.reason)), ("accept_loss", acceptLoss.map { .integer($0) }),
        ])
        do {
            try action.carryOut { call throws(CommandFailure) in
                try call.ask("/v1/policy/reload", body)
            } telling: {
                $0.reload
            }
        } catch let code as ExitCode where code == .no {
            if !action.quiet, !action.output.json { Terminal.current.printErrorText(reasons) }
            throw code
        }
    }

    /// What waits, or where to see what is wrong.
    private var reasons: String {
        var page = Page(action.output.language)
        let status = try? Answered(action.call.get("/status"))
        if let waiting = status?.value["policy_waiting"] {
            page.write(waiting: waiting)
        } else {
            page.add(AdminActionPhrase.checkFolder.text(action.output.language))
        }
        return page.text
    }
}
