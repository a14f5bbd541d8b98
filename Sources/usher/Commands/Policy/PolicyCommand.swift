internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// `usher policy …`.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Check, test, compare, show, reload and schedule policy files.",
        discussion: "Example: usher policy check policies",
        subcommands: [
            PolicyCheck.self, PolicyExplain.self, PolicyTest.self, PolicyDiff.self, PolicyShow.self,
            PolicySchema.self, PolicyReload.self, PolicyRollback.self, PolicyScheduleCommand.self,
            PolicyScheduled.self, PolicyUnschedule.self, PolicyLanguageServer.self,
        ])
}

/// `usher policy reload`: has the running service read its policy folder now.
struct PolicyReload: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Make the running service reload its policy folder now.",
        discussion: """
            The service reloads by itself one second after the last change to the folder. A folder \
            with errors changes nothing; one by which somebody loses something waits until its \
            accept.yaml or --accept-loss accepts as many losses as there are. Exit codes: 0 in \
            force, 1 rejected or waiting, 2 failed.

            Example: usher policy reload --reason 'spring prices'
            """)

    @Option(
        help: ArgumentHelp(
            "Accept that up to this many accounts lose something now or later.",
            valueName: "number"))
    var acceptLoss: Int64?

    @OptionGroup var action: AdminActionOptions

    func validate() throws {
        guard (0...1_000_000_000).contains(acceptLoss ?? 0) else {
            throw ValidationError(.range, "--accept-loss", "0", "1,000,000,000")
        }
    }

    var call: AdminCall {
        AdminCall(
            "/v1/policy/reload", ReloadBody(reason: action.stated, acceptLoss: acceptLoss))
    }

    func lines(on reload: ReloadAnswer, in language: Language) -> [String] {
        let phrase: AdminActionPhrase =
            reload.outcome == .activated ? .policyActivated : .policyUnchanged
        let line = phrase.text(language, reload.policy.short)
        let counted = reload.losing.map { PolicyPhrase.counted.text(language, "\($0)") }
        let missing = reload.missingFiles.map { files in
            PolicyPhrase.filesGone.text(language, language.list(files.map(\.shown)))
        }
        return [line, counted, missing].compactMap(\.self)
    }

    func run() throws {
        do {
            try carryOut()
        } catch let code as ExitCode where code == .no {
            if !action.quiet, !action.output.json { Terminal.current.printErrorText(reasons) }
            throw code
        }
    }

    /// What waits, or where to see what is wrong.
    private var reasons: String {
        var page = Page(action.output.language)
        let status = try? Answered<StatusReport>(received: action.service.get("/status"))
        if let waiting = status?.value.policyWaiting {
            page.write(waiting: waiting)
        } else {
            page.add(AdminActionPhrase.checkFolder.text(action.output.language))
        }
        return page.text
    }
}

/// `usher policy rollback`: the policy before the one in force comes back.
struct PolicyRollback: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Put the policy that was in force before this one into force again.",
        discussion: """
            The text comes from the ledger, at once and without a comparison. The folder of the \
            service is not touched: it waits until it changes or a person accepts it with \
            'usher policy reload --accept-loss'. Repeated, it goes back one more. Exit codes: 0 in \
            force, 1 there is none before it, 2 failed.

            Example: usher policy rollback --reason 'subscribers lost premium'
            """)

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall { AdminCall("/v1/policy/rollback", action.reasonOnly) }

    func lines(on rollback: RollbackAnswer, in language: Language) -> [String] {
        [
            AdminActionPhrase.policyRolledBack.text(
                language, rollback.policy.short, rollback.replaced.short)
        ]
    }
}
