package import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// What was known (spec 1.10): what was recorded by an instant, or up to an entry.
package enum KnownMoment: Hashable, Sendable {
    case instant(Instant)
    case revision(LedgerSequence)
}

/// The knowledge of questions about the past.
struct KnownPast {
    /// The last entry that is known.
    let revision: LedgerSequence
    /// What a question is about that names no instant: what was asked for, or when that entry was
    /// recorded; nil before the first one.
    let instant: Instant?
}

/// The policies that were in force, as far as questions about the past have needed them: what is
/// made of one takes longer than many answers.
final class PastPolicies: Sendable {
    /// How many are kept.
    private static let most = 8
    /// By how many had been activated.
    private let policies = Mutex<[Int: ActivePolicy]>([:])

    func policy(after count: Int, in history: PolicyHistory) -> ActivePolicy {
        if let known = policies.withLock({ $0[count] }) { return known }
        let policy = ActivePolicy(history.first(count))
        policies.withLock { policies in
            if policies.count >= Self.most { policies = [:] }
            policies[count] = policy
        }
        return policy
    }
}

extension LedgerQuestions {
    /// The same questions, answered by what was known then and by the policy that was in force.
    /// Before the first entry that is nothing, by the first policy. Blocks.
    ///
    /// - Throws: `.futureKnowledge` for what nothing can be known of yet.
    package func asKnown(
        at moment: KnownMoment, now: Instant
    ) throws(EngineError) -> LedgerQuestions {
        let found = try ledger.reading { reader throws(LedgerError) in
            try past(at: moment, now: now, reader)
        }
        return asKnown(try found.get())
    }

    /// The same as of exactly that entry.
    package func asKnown(at revision: LedgerSequence) throws(EngineError) -> LedgerQuestions {
        try asKnown(at: .revision(revision), now: .distantPast)
    }

    /// What a question is about that names no instant; nil for the present.
    package var knownAt: Instant? { past?.instant }

    func asKnown(_ found: (past: KnownPast, policy: ActivePolicy)) -> LedgerQuestions {
        var questions = LedgerQuestions(
            ledger: PastLedger(ledger, through: found.past.revision), policy: found.policy,
            waiting: waiting, pastPolicies: pastPolicies, past: found.past)
        questions.privacyKey = privacyKey
        return questions
    }

    func past(
        at moment: KnownMoment, now: Instant, _ reader: any LedgerReading
    ) throws(LedgerError) -> Result<(past: KnownPast, policy: ActivePolicy), EngineError> {
        let head = try reader.head()
        let known: KnownPast
        switch moment {
        case .instant(let instant):
            guard instant <= max(now, head.recordedAt) else {
                return .failure(.futureKnowledge(head: head.sequence, now: now))
            }
            known = KnownPast(
                revision: try reader.lastEntry(recordedBy: instant), instant: instant)
        case .revision(let revision):
            guard let then = try revision <= head.sequence ? reader.head(at: revision) : nil else {
                return .failure(.futureKnowledge(head: head.sequence, now: now))
            }
            known = KnownPast(
                revision: revision, instant: revision == .zero ? nil : then.recordedAt)
        }
        let policy = try policy(inForceAt: known.revision, reader)
        return policy.map { (known, $0) }
    }

    private func policy(
        inForceAt revision: LedgerSequence, _ reader: any LedgerReading
    ) throws(LedgerError) -> Result<ActivePolicy, EngineError> {
        let count = try reader.countOfActivations(through: revision)
        var history = policy.history
        if count == history.activations.count { return .success(policy) }
        if count > history.activations.count {
            // One that came into force since these questions were made.
            let activations = try reader.policyActivations()
            do throws(EngineError) {
                history = try PolicyHistory(activations) ?? history
            } catch {
                return .failure(error)
            }
        }
        return .success(pastPolicies.policy(after: count, in: history))
    }
}

/// What was known of somebody who was erased since (docs/PRIVACY.md).
extension LedgerQuestions {
    /// Nil for the present, and where nothing is gone.
    func loss(
        of account: AccountID, _ reader: any LedgerReading
    ) throws(LedgerError) -> EngineError? {
        guard let past, let newest = try reader.newestErasure(), newest > past.revision else {
            return nil
        }
        let account = policy.name(account)
        if let erasure = try reader.erasure(of: account, knownBy: privacyKey) {
            return erasure > past.revision ? .accountErased(erasure) : nil
        }
        return try reader.maybeErased(account, knownBy: privacyKey) ? .accountMaybeErased : nil
    }

    /// - Throws: `.accountErased`, or that it may be.
    func requireKept(_ account: AccountID) throws(EngineError) {
        guard past != nil else { return }
        let error = try ledger.reading { reader throws(LedgerError) in
            try loss(of: account, reader)
        }
        if let error { throw error }
    }
}

extension EntitlementEngine {
    /// Questions about what was known then, or is known, with the instant that one is about which
    /// names none. Blocks where it is the past.
    package func questions(
        asKnown moment: KnownMoment?
    ) throws(EngineError) -> (questions: LedgerQuestions, instant: Instant) {
        let now = now()
        guard let moment else { return (questions, now) }
        let past = try questions.asKnown(at: moment, now: now)
        return (past, past.knownAt ?? now)
    }
}
