internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import PolicyAnalysis
internal import PolicyLoading
internal import StrictJSON
internal import Synchronization

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

/// Keeps the state of a long comparison in a file, so that it can be gone on with.
final class CheckpointKeeper: Sendable {
    private struct State {
        var keptAt: Instant?
        var failure: CommandFailure?
        var holdsState = false
    }

    /// Nil to keep nothing.
    private let path: String?
    /// Milliseconds.
    private let pause: Int64
    private let clock = SystemClock()
    private let state = Mutex(State())

    init(path: String?, pause: Int64) {
        self.path = path
        self.pause = pause
    }

    /// Why the state could not be kept.
    var failure: CommandFailure? { state.withLock { $0.failure } }

    /// The file from which the comparison can be continued; nil while there is nothing in one.
    var resumable: String? { state.withLock { $0.holdsState } ? path : nil }

    /// What an earlier run has left; nil where there is no file.
    ///
    /// - Parameter policy: what is compared now: a run of another one is not continued.
    /// - Throws: where the file is something else, which is not to be overwritten.
    func read(for policy: Digest256) throws(CommandFailure) -> ImpactCheckpoint? {
        guard let path, access(path, F_OK) == 0 else { return nil }
        guard let bytes = try? InputFile.read(path),
            let json = try? parseJSON(
                bytes, limits: JSONLimits(bytes: bytes.count, values: bytes.count)),
            let checkpoint = try? ImpactCheckpoint.read(json)
        else { throw .unreadableFile(path) }
        state.withLock { $0.holdsState = checkpoint.impact.policy == policy }
        return checkpoint
    }

    /// Written from time to time, and at the end.
    func note(_ progress: ImpactProgress, isLast: Bool) {
        guard let path, let checkpoint = due(progress, isLast: isLast) else { return }
        let temporary = path + ".new"
        do throws(CommandFailure) {
            try OutputFile.write(checkpoint.json, to: temporary)
            guard rename(temporary, path) == 0 else { throw .unwritableFile(path) }
            state.withLock { $0.holdsState = true }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    private func due(_ progress: ImpactProgress, isLast: Bool) -> ImpactCheckpoint? {
        let now = clock.now()
        let isDue = state.withLock { state in
            let keptAt = state.keptAt ?? now
            let isDue = isLast || now < keptAt || now.milliseconds(since: keptAt) >= pause
            state.keptAt = isDue ? now : keptAt
            return isDue
        }
        return isDue ? progress.checkpoint : nil
    }

    /// The comparison is done.
    func remove() {
        if let path { unlink(path) }
    }
}
