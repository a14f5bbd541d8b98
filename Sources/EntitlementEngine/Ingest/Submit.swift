internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
internal import Synchronization

/// Handing in evidence.
extension EntitlementEngine {
    /// Verifies each submission, records new facts, decides the claims, and reports. Returns only
    /// after the commit is durable; submissions of one call share it.
    package func submit(
        _ submissions: [EvidenceSubmission]
    ) async throws(EngineError) -> [SubmissionReport] {
        try await submit(verify(submissions))
    }

    /// The later cost of a piece that waits for Apple: verifying an answer, and a commit of its
    /// own.
    private static let awaitedNanoseconds: Int64 = 1_000_000

    /// Verifies each submission and measures the cost of those that are refused or not verifiable
    /// yet; writes nothing, and does not wait.
    package func verify(_ submissions: [EvidenceSubmission]) -> VerifiedSubmissions {
        let (called, now) = (clock.now(), now())
        let verifier = policy.verifier
        var refusals: Int64 = 0
        var begun = processorClock.now()
        let verdicts = submissions.map { submission in
            let verdict = verdict(on: submission, verifier, at: now)
            let ended = processorClock.now()
            switch verdict {
            case .judged(.refused): refusals += ended - begun
            case .awaited: refusals += ended - begun + Self.awaitedNanoseconds
            case .judged, .unanswerable: break
            }
            begun = ended
            return verdict
        }
        return VerifiedSubmissions(
            submissions: submissions, verdicts: verdicts, calledAt: called,
            refusalNanoseconds: refusals)
    }

    /// Records what verified submissions bring, decides the claims, and reports, as the other does.
    ///
    /// - Parameter intent: the reports of a preview say nothing of what accounts have.
    package func submit(
        _ verified: VerifiedSubmissions, meant intent: ActionIntent = .act
    ) async throws(EngineError) -> [SubmissionReport] {
        let outcomes = try await record([verified], meant: intent)
        guard intent.acts else { return outcomes }
        return try zip(verified.submissions, outcomes).map { pair throws(EngineError) in
            try report(pair.1, on: pair.0)
        }
    }

    /// Records what verified submissions bring, those of each group as of when it was verified, all in
    /// one commit. The reports, in the same order, say nothing of what accounts have then.
    ///
    /// - Parameter groups: in the order of `calledAt`.
    package func record(
        _ groups: [VerifiedSubmissions], meant intent: ActionIntent = .act
    ) async throws(EngineError) -> [SubmissionReport] {
        guard let first = groups.first else { return [] }
        // No preview takes the line of a refusal that is meant.
        let refusals = intent.acts ? self.refusals : RefusalThrottle()
        return try await commit(calledAt: first.calledAt, meant: intent) {
            ledger throws(LedgerError) in
            var reports: [SubmissionReport] = []
            var touched: Set<AccountID> = []
            for group in groups {
                var recorder = EvidenceRecorder(
                    try ledger.calledAt(group.calledAt), calledAt: group.calledAt,
                    refusals: refusals)
                for (submission, verdict) in zip(group.submissions, group.verdicts) {
                    try recorder.record(submission, verdict)
                }
                reports += recorder.outcomes
                touched.formUnion(recorder.touched)
            }
            return (reports, touched)
        }
    }

    /// Adds what is known only after the commit.
    private func report(
        _ outcome: SubmissionReport, on submission: EvidenceSubmission
    ) throws(EngineError) -> SubmissionReport {
        guard case .judged(var judged) = outcome else { return outcome }
        judged.revision = revision
        if let account = judged.mergedInto ?? submission.account {
            let (packed, revision) = try self.account(account)
            judged.packed = packed
            judged.revision = revision
            judged.isAccountUnused = judged.kind.isForNoAccount
        }
        return .judged(judged)
    }
}

extension EntitlementEngine {
    private func verdict(
        on submission: EvidenceSubmission, _ verifier: EvidenceVerifier, at now: Instant
    ) -> SubmissionVerdict {
        if submission.isImported {
            return .judged(
                verifier.verifyAnswer(
                    submission.payload, .imported, in: submission.environment, at: now))
        }
        guard submission.asksApple, let awaited = AwaitedEvidence(submission.payload) else {
            return .judged(verifier.verify(submission.payload, asIfAny: submission.kind, at: now))
        }
        let canAsk =
            switch awaited {
            case .transaction: appStore?.hasServerAPI == true
            case .oldReceipt: appStore?.hasVerifyReceipt == true
            }
        guard canAsk else { return .unanswerable(.notConfigured) }
        return .awaited(awaited)
    }
}

/// The result of verification, before anything is written.
enum SubmissionVerdict: Sendable {
    case judged(EvidenceVerdict)
    case awaited(AwaitedEvidence)
    case unanswerable(WhyUnanswerable)
}

extension EvidenceKind {
    /// Apple's own messages do not say who presents a purchase.
    fileprivate var isForNoAccount: Bool { self == .notification || self == .renewalInfo }
}

/// Submissions with the verdicts on them, on their way into the ledger.
package struct VerifiedSubmissions: Sendable {
    let submissions: [EvidenceSubmission]
    let verdicts: [SubmissionVerdict]
    let calledAt: Instant
    /// Processor time that went into those that are refused, and that those will take that wait.
    package let refusalNanoseconds: Int64
}

/// Decides which refusals get an audit line, so that a flood of them cannot fill the disk
/// (THREATS.md A28): the same evidence with the same code once an hour, and sixty lines a minute in
/// all. Omitted ones are counted; the caller gets every refusal.
///
/// Its memory is bounded by the lines it admits. A line that was admitted and not written, because
/// the commit failed, is not admitted again within the hour.
final class RefusalThrottle: Sendable {
    fileprivate struct State {
        var minute = Instant.distantPast
        var linesOfMinute = 0
        var written: [EvidenceRefusal: Instant] = [:]
        var leftOut: Int64 = 0
    }

    static let span: Int64 = 3_600_000
    static let minute: Int64 = 60_000
    static let linesPerMinute = 60

    private let state = Mutex(State())

    /// How many were omitted so far.
    var leftOut: Int64 { state.withLock { $0.leftOut } }

    func admits(_ refusal: EvidenceRefusal, at now: Instant) -> Bool {
        state.withLock { state in
            state.turn(to: now)
            guard !state.hasRecent(refusal, at: now),
                state.linesOfMinute < Self.linesPerMinute
            else {
                state.leftOut += 1
                return false
            }
            state.linesOfMinute += 1
            state.written[refusal] = now
            return true
        }
    }
}

extension RefusalThrottle.State {
    /// Begins another minute if the last is over, or if the clock was set back.
    fileprivate mutating func turn(to now: Instant) {
        guard now < minute || now >= minute.advanced(byMilliseconds: RefusalThrottle.minute)
        else { return }
        minute = now
        linesOfMinute = 0
        written = written.filter { hasRecent($0.key, at: now) }
    }

    /// Whether the refusal got its line less than an hour ago.
    fileprivate func hasRecent(_ refusal: EvidenceRefusal, at now: Instant) -> Bool {
        guard let instant = written[refusal] else { return false }
        return instant <= now && now < instant.advanced(byMilliseconds: RefusalThrottle.span)
    }
}
