internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import PolicyAnalysis
internal import PolicyLoading

/// A comparison over a ledger file, which can be interrupted and gone on with.
struct LedgerImpact {
    /// How often the state is kept. Milliseconds.
    private static let pause: Int64 = 5_000

    let path: String
    let at: Instant
    /// Where the state is kept; nil for nowhere.
    let resume: String?
    /// How many days to look ahead.
    var days = ImpactWindow.usualDays
    /// Where every account that loses or gains something is listed; nil for nowhere.
    var accounts: String?
    let output: OutputOptions

    func compare(_ old: Policy?, _ new: Policy) throws(CommandFailure) -> PolicyImpactAnswer {
        let line = ProgressLine(isShown: Terminal.current.showsProgress)
        defer { line.clear() }
        Interruption.holdBack(saying: "")
        let keeper = CheckpointKeeper(path: resume, pause: Self.pause)
        var options = ImpactOptions { [language = output.language] progress in
            let stage: ImpactPhrase = progress.stage == .searching ? .searching : .deriving
            line.show(stage.text(language), progress.done, of: progress.total)
            let isStopped = Interruption.isPending
            keeper.note(progress, isLast: isStopped)
            return !isStopped
        }
        options.checkpoint = try keeper.read(for: new.digest)
        options.days = days
        let questions = try questions()
        // The ledger is open by now: a list is not written over it.
        let list = try accounts.map { path throws(CommandFailure) in try AccountsFile(path) }
        if let list { options.rows = { list.add($0) } }
        let impact: PolicyImpactAnswer?
        do throws(EngineError) {
            impact = try questions.impact(of: new, replacing: old, at: at, options)
        } catch {
            throw .engine(error)
        }
        if let failure = keeper.failure ?? list?.failure { throw failure }
        guard let impact else {
            line.clear()
            let stopped = ImpactPhrase.stopped.text(output.language)
            let how = keeper.resumable.map {
                ImpactPhrase.resumable.text(output.language, $0.shown)
            }
            throw .said(output.language.clauses([stopped, how].compactMap(\.self)))
        }
        try list?.finish()
        keeper.remove()
        return impact
    }

    private func questions() throws(CommandFailure) -> LedgerQuestions {
        do throws(EngineError) {
            return try LedgerQuestions(file: path)
        } catch {
            throw .engine(error)
        }
    }
}

/// A comparison by the running service, which does it in the background.
struct LiveImpact {
    /// Between two questions, growing. Milliseconds.
    private static let pauses: [UInt32] = [20, 50, 100, 200, 400]

    let call: ServiceCall
    /// How many days to look ahead; nil for as many as the service does by itself.
    var days: Int?
    let output: OutputOptions

    /// - Parameter old: the policy in force if omitted.
    func compare(
        _ old: [PolicyText]?, _ new: [PolicyText]
    ) throws(CommandFailure) -> PolicyImpactAnswer {
        let line = ProgressLine(isShown: Terminal.current.showsProgress)
        defer { line.clear() }
        let body = PolicyImpactBody(
            files: new.map(\.file), oldFiles: old?.map(\.file),
            days: days.map(Int64.init))
        var asked = 0
        while true {
            let answer = try Answered<ImpactRunAnswer>(
                received: call.ask("/v1/policy/impact", body)
            ).value
            if let impact = answer.impact { return impact }
            line.show(
                ImpactPhrase.deriving.text(output.language), answer.done, of: max(1, answer.total))
            usleep(Self.pauses[min(asked, Self.pauses.count - 1)] * 1_000)
            asked += 1
        }
    }
}

extension PolicyText {
    /// As calls have it.
    var file: PolicyTextAnswer.File {
        let text = String(validating: bytes, as: UTF8.self)
        return PolicyTextAnswer.File(
            path: path, text: text, base64: text == nil ? Base64.standard.encode(bytes) : nil)
    }
}
