internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

/// `usher policy check`.
struct PolicyCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report every error and warning of a policy folder.",
        discussion: """
            Ends with a summary of what was read. If a service is running, it also says what would \
            happen to the folder there: whether it takes effect, or waits for acceptance because \
            somebody loses something, and how many accounts lose and gain what. Exit codes: 0 \
            valid, 1 errors (with --strict, also warnings or a folder that would wait), 2 failed.

            With --fix, it shows as a diff how each mistake with exactly one possible repair would \
            be repaired, and changes nothing; with --fix --write, it makes these repairs in the \
            files. What has several possible repairs is left to you, with the choices. The exit \
            code is that of the files as they are afterwards.

            Example: usher policy check policies --format github
            """)

    @Argument(help: "The policy folder.", completion: .directory)
    var folder = "policies"

    @Option(help: "Output format: text, json, github or sarif.")
    var format: RenderOptions.Format?

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @Option(
        help: .value(
            "file", "Compare with the policy last in force in this ledger, and with its products."),
        completion: .file())
    var ledger: String?

    @Flag(help: "Also show where no rule of the policy decides, only a built-in one.")
    var explainDefaults = false

    @Flag(help: "Show how mistakes with one possible repair would be repaired.")
    var fix = false

    @Flag(help: "With --fix: make the repairs in the files.")
    var write = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if write, !fix { throw ValidationError(.needs, "--write", "--fix") }
        if fix, ledger != nil || explainDefaults {
            throw ValidationError(.withNeither, "--fix", "--ledger", "--explain-defaults")
        }
        if fix, format == .github || format == .sarif {
            throw ValidationError(.fixFormats)
        }
    }

    func run() throws {
        if fix {
            let options = RenderOptions(
                format: format ?? (output.json ? .json : .text), language: output.language,
                usesColour: Terminal.current.isColoured, folder: folder)
            return try PolicyRepairing(folder: folder, isWritten: write, options: options)
                .run(strict: strict)
        }
        let checked = CheckedFolder(
            folder, explainsDefaults: explainDefaults, seen: productsSeen())
        let chosen = format ?? (output.json ? .json : .text)
        let options = RenderOptions(
            format: chosen, language: output.language,
            usesColour: Terminal.current.isColoured, folder: folder)
        var summary = FolderSummary(
            files: checked.texts.map(\.path), ignored: checked.ignored, policy: checked.policy)
        summary.waived = checked.waived
        var impact: PolicyImpactAnswer?
        if let policy = checked.policy, var found = compare(policy, checked) {
            impact = found.outcome == .unchanged ? nil : self.impact(of: checked, policy)
            if let impact { found.count(impact, checked.acceptance) }
            summary.comparison = found
        }
        if chosen == .text, checked.diagnostics.isEmpty, let policy = checked.policy {
            let digest = policy.digest.short
            Terminal.current.printLine(Phrase.policyClean.text(output.language, digest))
            Terminal.current.printText(summary.text(in: output.language))
        } else {
            let rendered = render(
                chosen == .text ? shown(checked) : checked.diagnostics, sources: checked.texts,
                summary: checked.isReadable ? summary : nil, as: options)
            let isJSON = chosen == .json || chosen == .sarif
            Terminal.current.printText(isJSON ? rendered.safeJSON : rendered)
        }
        if chosen == .text, let policy = checked.policy, !checked.diagnostics.isEmpty {
            let digest = policy.digest.short
            Terminal.current.printLine(Phrase.policyClean.text(output.language, digest))
        }
        if chosen == .text, let comparison = summary.comparison { tell(comparison, impact) }
        if !checked.isReadable { throw ExitCode.unanswered }
        let isWarned = checked.diagnostics.contains { $0.severity != .note }
        let isDoubtful =
            isWarned || summary.comparison?.outcome == .waits
            || summary.comparison?.missingFiles.isEmpty == false
        if checked.policy == nil || (strict && isDoubtful) { throw ExitCode.no }
    }

    /// The diagnostics, those of a folder with errors with the lines that would repair them.
    private func shown(_ checked: CheckedFolder) -> [Diagnostic] {
        guard checked.policy == nil else { return checked.diagnostics }
        return withRepairedLines(
            PolicyReport(policy: nil, diagnostics: checked.diagnostics), in: checked.texts,
            language: output.language
        ) { PolicyRepairing.check($0, checked.ignored) }
    }

    /// Those of the ledger that was named; nil where it cannot be read, which the comparison says.
    private func productsSeen() -> [ProductID]? {
        guard let ledger else { return nil }
        do throws(EngineError) {
            return try LedgerQuestions(file: ledger).productsSeen()
        } catch {
            return nil
        }
    }

    /// Compared with a running service or a ledger; nil where there is neither.
    private func compare(
        _ policy: Policy, _ checked: CheckedFolder
    ) -> PolicyComparisonResult? {
        do throws(CommandFailure) {
            let source = AnswerSource(ledger: ledger, socket: sockets.usherSocket)
            let answer: Answered<PolicyTextAnswer> = try source.answer {
                questions throws(EngineError) in
                guard let recorded = try questions.policyInForce() else { throw .noPolicy }
                return recorded
            } fromService: { call throws(CommandFailure) in
                try call.get("/v1/policy")
            }
            guard let old = Self.policy(answer.value) else { throw .unreadableAnswer }
            var result = Self.result(from: old, to: policy, checked.acceptance)
            let paths = Set(checked.texts.map(\.path))
            result.missingFiles = answer.value.files.map(\.path).filter { !paths.contains($0) }
            return result
        } catch .noService, .noServiceNorLedger {
            return nil
        } catch {
            Terminal.current.printError(
                PolicyPhrase.notCompared.text(output.language, error.sentence(output.language)))
            return nil
        }
    }

    private static func policy(_ answer: PolicyTextAnswer) -> Policy? {
        let texts = answer.files.compactMap { file -> PolicyText? in
            if let text = file.text { return PolicyText(path: file.path, text: text) }
            let bytes = file.base64.flatMap { Base64.standard.decode(Array($0.utf8)[...]) }
            return bytes.map { PolicyText(path: file.path, bytes: $0) }
        }
        return loadOldPolicy(texts)
    }

    private static func result(
        from old: Policy, to new: Policy, _ acceptance: FolderAcceptance?
    ) -> PolicyComparisonResult {
        if old.digest == new.digest {
            return PolicyComparisonResult(outcome: .unchanged, replaces: old.digest)
        }
        let losses = losses(from: old, to: new)
        let isAccepted = acceptance?.from == old.digest
        return PolicyComparisonResult(
            outcome: losses.isEmpty ? .activates : isAccepted ? .accepted : .waits,
            replaces: old.digest, losses: losses,
            acceptedAfter: isAccepted ? nil : acceptance?.from)
    }

    /// Who gains and who loses what since the policy in force; nil where nobody can tell.
    private func impact(of checked: CheckedFolder, _ policy: Policy) -> PolicyImpactAnswer? {
        do throws(CommandFailure) {
            if let ledger { return try impact(of: policy, in: ledger) }
            do throws(CommandFailure) {
                let call = ServiceCall(socket: sockets.usherSocket)
                return try LiveImpact(call: call, output: output).compare(nil, checked.texts)
            } catch {
                guard case .noService = error, let ledger = Terminal.current.namedLedger else {
                    throw error
                }
                return try impact(of: policy, in: ledger)
            }
        } catch {
            Terminal.current.printError(
                PolicyPhrase.notCompared.text(output.language, error.sentence(output.language)))
            return nil
        }
    }

    private func impact(
        of policy: Policy, in ledger: String
    ) throws(CommandFailure) -> PolicyImpactAnswer {
        try LedgerImpact(path: ledger, at: SystemClock().now(), resume: nil, output: output)
            .compare(nil, policy)
    }

    private func tell(_ comparison: PolicyComparisonResult, _ impact: PolicyImpactAnswer?) {
        var page = Page(output.language)
        page.write(comparison)
        if let impact { page.add(impact.summary(output.language)) }
        Terminal.current.printText(page.text)
    }
}

extension PolicyComparisonResult {
    /// Takes into account how many accounts lose something, as the guard does (spec 2.6).
    fileprivate mutating func count(
        _ impact: PolicyImpactAnswer, _ acceptance: FolderAcceptance?
    ) {
        (losing, gaining) = (impact.losingEver, impact.gaining)
        if impact.losingEver == 0, losses.allSatisfy(\.isSeenInAccounts) {
            outcome = .activates
        } else if outcome == .accepted, let acceptance,
            impact.losingEver > acceptance.accountsAtMost
        {
            outcome = .waits
            acceptedAtMost = acceptance.accountsAtMost
        }
    }
}

/// A policy folder, read and checked.
struct CheckedFolder {
    let texts: [PolicyText]
    let ignored: [String]
    let policy: Policy?
    let diagnostics: [Diagnostic]
    let acceptance: FolderAcceptance?
    /// How many warnings the folder expects.
    let waived: Int
    /// False where the folder itself could not be read.
    let isReadable: Bool

    init(_ folder: String, explainsDefaults: Bool = false, seen: [ProductID]? = nil) {
        let contents: PolicyFolderContents
        do {
            contents = try readPolicyFolderContents(folder)
        } catch {
            (texts, ignored) = ([], [])
            (policy, acceptance, waived) = (nil, nil, 0)
            diagnostics = error.diagnostics
            isReadable = false
            return
        }
        (texts, ignored) = (contents.texts, contents.ignored)
        var options = PolicyCheckOptions()
        options.ignored = ignored
        options.now = SystemClock().now()
        options.explainsDefaults = explainsDefaults
        options.seen = seen
        let report = loadNewPolicy(texts, options)
        waived = report.waived
        policy = report.policy
        acceptance = report.acceptance
        diagnostics = report.diagnostics
        isReadable = true
    }

    /// The policy, for a command that cannot do without it.
    ///
    /// - Parameters:
    ///   - path: the folder, as it was named.
    ///   - exitCode: what a folder with errors means for the command.
    func required(
        _ path: String, orElse exitCode: ExitCode = .unanswered
    ) throws(CommandFailure) -> Policy {
        guard isReadable else { throw .unreadablePolicyFolder(path) }
        guard let policy else {
            throw .policyErrors(
                FolderErrors(
                    path: path, diagnostics: diagnostics, texts: texts, exitCode: exitCode))
        }
        return policy
    }
}

extension CheckedFolder {
    /// Says why there is no policy: to programs in place of what was asked for, to people next to
    /// it, so that a page that is written to a file is a page or nothing.
    ///
    /// - Returns: the exit code that says so.
    func refuse(_ path: String, asJSON isJSON: Bool, _ language: Language) -> ExitCode {
        let options = RenderOptions(
            format: isJSON ? .json : .text, language: language, folder: path)
        let rendered = render(diagnostics, sources: texts, as: options)
        if isJSON {
            Terminal.current.printText(rendered.safeJSON)
        } else {
            Terminal.current.printErrorText(rendered)
        }
        return isReadable ? .no : .unanswered
    }
}

extension RenderOptions.Format: ExpressibleByArgument {}

/// `usher policy check --fix`.
struct PolicyRepairing {
    let folder: String
    let isWritten: Bool
    let options: RenderOptions

    /// Shows the repairs and makes them if asked to. Throws the exit code of the folder as it is
    /// then on the disk.
    func run(strict: Bool) throws {
        let contents: PolicyFolderContents
        do throws(PolicyFolderError) {
            contents = try readPolicyFolderContents(folder)
        } catch {
            Terminal.current.printText(render(error.diagnostics, sources: [], as: options))
            throw ExitCode.unanswered
        }
        let plan = planRepairs(contents.texts) { Self.check($0, contents.ignored) }
        if isWritten { try write(plan) }
        let rendered = render(plan, isWritten: isWritten, as: options)
        Terminal.current.printText(options.format == .json ? rendered.safeJSON : rendered)
        let report = isWritten ? plan.report : Self.check(contents.texts, contents.ignored)
        let isWarned = report.diagnostics.contains { $0.severity == .warning }
        if report.policy == nil || (strict && isWarned) { throw ExitCode.no }
    }

    static func check(_ texts: [PolicyText], _ ignored: [String]) -> PolicyReport {
        var options = PolicyCheckOptions()
        options.ignored = ignored
        options.now = SystemClock().now()
        return loadNewPolicy(texts, options)
    }

    private func write(_ plan: RepairPlan) throws {
        do throws(PolicyWriteError) {
            try writePolicyFolder(folder, from: plan.before, to: plan.after)
        } catch {
            let (phrase, path): (RepairFailurePhrase, String) =
                switch error {
                case .readOnly(let path): (.readOnly, path)
                case .changedMeanwhile(let path): (.changedMeanwhile, path)
                case .unwritable(let path): (.unwritable, path)
                }
            Terminal.current.printError(phrase.text(options.language, path.shown))
            throw ExitCode.unanswered
        }
    }
}

/// Why `usher policy check --fix --write` changed nothing.
enum RepairFailurePhrase: String, CaseIterable, UsherText, Wording {
    case readOnly = "{0} is read-only; no repair was made"
    case changedMeanwhile = "{0} has changed since it was read; run the command again"
    case unwritable = "{0} cannot be replaced in its folder; check permissions and disk space"
}
