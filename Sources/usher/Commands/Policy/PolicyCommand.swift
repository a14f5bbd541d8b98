internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyLoading

/// `usher policy …`.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Check, test, compare, show, reload and schedule policy files.",
        discussion: "Example: usher policy check policies",
        subcommands: [
            PolicyCheck.self, PolicyExplain.self, PolicyTest.self, PolicyDiff.self, PolicyShow.self,
            PolicySchema.self, PolicyReload.self, PolicyRollback.self, PolicyScheduleCommand.self,
            PolicyScheduled.self, PolicyUnschedule.self, PolicyWaiting.self,
            PolicyLanguageServer.self,
        ])
}

/// `usher policy waiting`: what waits to be accepted, and whom it concerns.
struct PolicyWaiting: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting",
        abstract: "Show the policy that waits to be accepted: who gains and who loses what.",
        discussion: """
            The service counts it while the policy waits; until that is done the command says how \
            far it has come. Exit codes: 0 nothing waits, 1 something does, 2 no answer.

            Example: usher policy waiting
            """)

    @OptionGroup var options: ServiceOptions

    var output: OutputOptions { options.output }
    var quiet: Bool { options.quiet }

    func answer() throws(CommandFailure) -> Answered<WaitingPolicyReport> {
        try Answered(received: options.call.get("/v1/policy/waiting"))
    }

    /// Whether nothing waits.
    func isYes(_ report: WaitingPolicyReport) -> Bool { report.waiting == nil }

    func write(_ report: WaitingPolicyReport, to page: inout Page) {
        guard let waiting = report.waiting else { return page.add(PolicyPhrase.nothingWaits) }
        page.write(waiting: waiting)
        if let impact = report.impact {
            page.write(impact)
        } else if report.total > 0 {
            page.add(PolicyPhrase.counting, "\(report.done)", "\(report.total)")
        }
    }
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
        help: .value("number", "Accept that up to this many accounts lose something now or later."))
    var acceptLoss: Int64?

    @OptionGroup var action: AdminActionOptions

    /// Consent is an option of its own.
    static var asks: Bool { false }

    func validate() throws {
        try require(
            (0...1_000_000_000).contains(acceptLoss ?? 0), or: .range, "--accept-loss", "0",
            "1,000,000,000")
    }

    var call: AdminCall {
        AdminCall(
            "/v1/policy/reload", ReloadBody(reason: action.stated, acceptLoss: acceptLoss))
    }

    func write(_ reload: ReloadAnswer, to page: inout Page) {
        let phrase: AdminActionPhrase =
            reload.outcome == .activated ? .policyActivated : .policyUnchanged
        page.add(whole: phrase, reload.policy.short)
        if let losing = reload.losing { page.add(whole: PolicyPhrase.counted, "\(losing)") }
        if let files = reload.missingFiles {
            page.add(whole: PolicyPhrase.filesGone, page.language.list(files.map(\.shown)))
        }
    }

    /// What waits, or where to see what is wrong.
    func hint(on failure: CommandFailure) -> String? {
        guard failure.exitCode == .no else { return nil }
        var page = Page(output.language)
        let status = try? Answered<StatusReport>(received: action.service.get("/status"))
        if let waiting = status?.value.policyWaiting {
            page.write(waiting: waiting)
        } else {
            page.add(AdminActionPhrase.checkFolder)
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

    func write(_ rollback: RollbackAnswer, to page: inout Page) {
        page.add(
            whole: AdminActionPhrase.policyRolledBack, rollback.policy.short,
            rollback.replaced.short)
    }
}

/// What a policy may take away, and what is to be done about it.
extension Page {
    /// How many losses a page names.
    private static var namedLosses: Int { 20 }

    mutating func write(_ comparison: PolicyComparisonResult) {
        let replaces = comparison.replaces.short
        write(missingFiles: comparison.missingFiles)
        switch comparison.outcome {
        case .unchanged: add(PolicyPhrase.unchanged)
        case .activates:
            let phrase: PolicyPhrase = comparison.losses.isEmpty ? .activates : .harmless
            add(phrase, replaces)
        case .accepted, .waits:
            let phrase: PolicyPhrase = comparison.outcome == .waits ? .waits : .accepted
            add(phrase, "\(comparison.losses.count)", replaces, as: .care)
            writeLosses(
                comparison.losses.prefix(Self.namedLosses).map {
                    $0.sentence(in: language)
                }, of: comparison.losses.count)
            if let other = comparison.acceptedAfter {
                add(PolicyPhrase.otherAcceptance, other.hexadecimal)
            }
            if let accepted = comparison.acceptedAtMost {
                add(PolicyPhrase.tooMany, "\(accepted)")
            }
            if comparison.outcome == .waits {
                add(PolicyPhrase.howToAccept, comparison.replaces.hexadecimal)
            }
        }
    }

    private mutating func write(missingFiles files: [String]) {
        guard !files.isEmpty else { return }
        let names = language.list(files.map(\.shown))
        add(PolicyPhrase.missingFiles, names, as: .care)
    }

    /// What `/status` says of a policy that waits.
    mutating func write(waiting: WaitingPolicyAnswer) {
        write(missingFiles: waiting.missingFiles ?? [])
        let replaces = waiting.replaces.hexadecimal
        add(
            paint(
                waiting.losses == 0
                    ? PolicyPhrase.waitsForPerson.text(language, waiting.replaces.short)
                    : PolicyPhrase.waits.text(
                        language, "\(waiting.losses)", waiting.replaces.short), .care))
        writeLosses(waiting.firstLosses.map(sentence), of: Int(waiting.losses))
        if let other = waiting.acceptedAfter {
            add(PolicyPhrase.otherAcceptance, other.hexadecimal)
        }
        if waiting.isRolledBack == true { add(PolicyPhrase.rolledBack) }
        if waiting.isSuperseded == true { add(SchedulePhrase.superseded) }
        if let losing = waiting.losing {
            add(PolicyPhrase.counted, "\(losing)")
            if let accepted = waiting.acceptedAtMost {
                add(PolicyPhrase.tooMany, "\(accepted)")
            }
        } else if waiting.isRolledBack != true, waiting.isSuperseded != true {
            add(PolicyPhrase.notCounted)
        }
        if paint.links == nil { add(PolicyPhrase.howToAccept, replaces) }
    }

    /// In the reader's language; a service of another version may know other kinds.
    private func sentence(_ loss: LossAnswer) -> String {
        guard let kind = PolicyLoss.Kind(rawValue: loss.kind) else { return loss.detail }
        return PolicyLoss(kind, names: loss.names).sentence(in: language)
    }

    private mutating func writeLosses(_ sentences: [String], of count: Int) {
        var branches = sentences
        if count > sentences.count {
            branches.append(PolicyPhrase.more.text(language, "\(count - sentences.count)"))
        }
        tree(branches.map { Branch($0) })
    }
}
