internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// `usher policy …`.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Check, show and reload policy files.",
        discussion: "Example: usher policy check policies",
        subcommands: [
            PolicyCheck.self, PolicyShow.self, PolicySchema.self, PolicyReload.self,
        ])
}

/// `usher policy reload`: has the running service read its policy folder now.
struct PolicyReload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Make the running service reload its policy folder now.",
        discussion: """
            The service reloads by itself one second after the last change to the folder. A folder \
            with errors changes nothing; one by which somebody may lose something waits until its \
            accept.yaml or --accept-loss accepts the loss. Exit codes: 0 in force, 1 rejected or \
            waiting, 2 failed.

            Example: usher policy reload --reason 'spring prices'
            """)

    @Option(
        help: ArgumentHelp(
            "Accept that up to this many accounts may lose something; recorded, but not yet "
                + "compared with the accounts.", valueName: "number"))
    var acceptLoss: Int64?

    @OptionGroup var action: AdminActionOptions

    func validate() throws {
        guard (0...1_000_000_000).contains(acceptLoss ?? 0) else {
            throw ValidationError("--accept-loss is a number from 0 to 1,000,000,000")
        }
    }

    func run() throws {
        let body = ReloadBody(reason: action.stated, acceptLoss: acceptLoss)
        do {
            try action.carryOut { call throws(CommandFailure) in
                try call.ask("/v1/policy/reload", body)
            } telling: { (done: ReloadAnswer, line) in
                line.reload(done)
            }
        } catch let code as ExitCode where code == .no {
            if !action.quiet, !action.output.json { Terminal.current.printErrorText(reasons) }
            throw code
        }
    }

    /// What waits, or where to see what is wrong.
    private var reasons: String {
        var page = Page(action.output.language)
        let status = try? Answered<StatusReport>(received: action.call.get("/status"))
        if let waiting = status?.value.policyWaiting {
            page.write(waiting: waiting)
        } else {
            page.add(AdminActionPhrase.checkFolder.text(action.output.language))
        }
        return page.text
    }
}
