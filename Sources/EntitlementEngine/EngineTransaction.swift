package import EntitlementAnswers
package import EntitlementModel
package import LedgerModel
package import PolicyLoading

/// The ledger within one commit: decisions in it are as of `now` and by `policy`.
struct EngineTransaction {
    let transaction: any LedgerWriting
    let policy: ActivePolicy
    private(set) var now: Instant
    /// Whether something may be left to Apple: a client is configured.
    let mayAskApple: Bool
    /// The same for verifyReceipt.
    let mayAskAboutReceipts: Bool
    let appStoreQueue: AppStoreQueue
    /// A JWS signed longer ago than this is looked up at Apple when it brings something new; nil
    /// for never. Milliseconds.
    let refreshAge: Int64?
    /// By which what was erased is known again.
    let privacyKey: PrivacyKey?
    /// The tickets that this commit has opened.
    let opened = OpenedTickets()
    /// What spends take from.
    let credits: CreditsOfCommit

    /// The same commit, for a call that came at that instant.
    func calledAt(_ called: Instant) throws(LedgerError) -> EngineTransaction {
        var later = self
        later.now = try transaction.recordingInstant(at: called)
        return later
    }

    /// The entry as the ledger has it, with the instant that it was given.
    func append<Value: Sendable>(
        _ value: Value, as entry: LedgerEntry
    ) throws(LedgerError) -> Recorded<Value> {
        let sequence = try transaction.append(entry, at: now)
        return Recorded(
            sequence: sequence, recordedAt: try transaction.head().recordedAt, value: value)
    }
}

/// The tickets of one commit.
final class OpenedTickets {
    struct Opened: Sendable {
        let ticket: Recorded<EvidenceTicket>
        let user: String?
        let bytes: Int
    }

    fileprivate(set) var tickets: [Opened] = []
    /// Their share of the queue.
    private(set) var amount = WaitingLoad.Amount()

    func append(_ opened: Opened) {
        tickets.append(opened)
        amount = amount + WaitingLoad.Amount(tickets: 1, bytes: opened.bytes)
    }
}

extension EntitlementEngine {
    /// Runs the body in the writer, and returns only when what it wrote is durable and every
    /// question sees it.
    ///
    /// - Parameters:
    ///   - called: when it was asked for; it is recorded then, or at the last entry's instant.
    ///   - intent: a preview writes nothing, and returns what the action would have.
    ///   - body: returns, in addition to its value, the accounts whose views it makes stale.
    func commit<Value: Sendable>(
        calledAt called: Instant, meant intent: ActionIntent = .act,
        _ body:
            @escaping @Sendable (EngineTransaction) throws(LedgerError)
            -> (value: Value, touched: Set<AccountID>)
    ) async throws(EngineError) -> Value {
        if case .preview(let rehearsal) = intent {
            return try await rehearse(calledAt: called, into: rehearsal, body)
        }
        do {
            return try await ledger.write(
                { [self] transaction in
                    let policy = try active.policy(for: transaction)
                    let before = try transaction.head()
                    creditCache.begin(at: before.hash, policy: policy.mark)
                    let commit = try begin(transaction, policy, calledAt: called, creditCache)
                    let written = try body(commit)
                    if case .actUnlessChanged(let revision) = intent {
                        let changed = try commit.entries(
                            after: revision, concerning: written.touched, before: before.sequence)
                        // Thrown, it takes everything back.
                        guard changed.isEmpty else { throw EngineError.changedSince(changed) }
                    }
                    creditCache.end(
                        at: try transaction.head().hash, touched: written.touched,
                        keeping: commit.credits.accounts)
                    return (written.value, written.touched, commit.opened.tickets)
                },
                committed: { [self] written, head in
                    publish(touched: written.1, head: head.sequence)
                    for opened in written.2 {
                        appStoreQueue.add(opened.ticket, user: opened.user, bytes: opened.bytes)
                    }
                    if !written.2.isEmpty { jobs.wake([.appStore]) }
                }
            ).0
        } catch {
            throw EngineError(thrown: error)
        }
    }

    private func begin(
        _ transaction: any LedgerWriting, _ policy: ActivePolicy, calledAt called: Instant,
        _ credits: CreditCache
    ) throws(LedgerError) -> EngineTransaction {
        EngineTransaction(
            transaction: transaction, policy: policy,
            now: try transaction.recordingInstant(at: called),
            mayAskApple: appStore?.hasServerAPI == true,
            mayAskAboutReceipts: appStore?.hasVerifyReceipt == true,
            appStoreQueue: appStoreQueue, refreshAge: refreshAge, privacyKey: privacyKey,
            credits: CreditsOfCommit(credits))
    }

    /// The same with what the body writes taken back: nothing that is kept in memory hears of it.
    private func rehearse<Value: Sendable>(
        calledAt called: Instant, into rehearsal: Rehearsal,
        _ body:
            @escaping @Sendable (EngineTransaction) throws(LedgerError)
            -> (value: Value, touched: Set<AccountID>)
    ) async throws(EngineError) -> Value {
        do {
            let (value, effect, revision) = try await ledger.rehearse { [self] transaction in
                let before = try transaction.head()
                let commit = try begin(
                    transaction, active.policy(for: transaction), calledAt: called,
                    CreditCache(limit: 0))
                let value = try body(commit).value
                return (value, try commit.effect(after: before.sequence), before.sequence)
            }
            rehearsal.note(Written(effect, revision))
            return value
        } catch {
            throw EngineError(thrown: error)
        }
    }
}

/// The ledger's calls with the engine's errors.
extension ReadableLedger {
    package func reading<Value>(
        _ body: (any LedgerReading) throws(LedgerError) -> Value
    ) throws(EngineError) -> Value {
        do {
            return try read(body)
        } catch let fault as EngineError {
            throw fault
        } catch {
            throw EngineError(thrown: error)
        }
    }
}

extension Ledger {
    func writing<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws(LedgerError) -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void
    ) async throws(EngineError) -> Value {
        do {
            return try await write(body, committed: committed)
        } catch {
            throw EngineError(thrown: error)
        }
    }
}

extension EngineError {
    /// Wraps an error thrown by a call of the ledger.
    package init(thrown error: any Error) {
        self = error as? EngineError ?? .ledger(LedgerError(thrown: error))
    }

    /// The ledger's errors as the engine's.
    package static func mapping<Value>(
        _ body: () throws(LedgerError) -> Value
    ) throws(EngineError) -> Value {
        do throws(LedgerError) {
            return try body()
        } catch {
            throw .ledger(error)
        }
    }
}

extension LedgerReading {
    /// The instant of this commit's entries: decisions in it are as of then, so that repeating them
    /// from the ledger gives the same.
    func recordingInstant(at now: Instant) throws(LedgerError) -> Instant {
        max(now, try earliestRecording())
    }
}

/// Why the engine could not do what was asked. Faults in the caller's data are never errors but
/// values (`SubmissionReport.refused`).
package enum EngineError: EngineText, Error, Sendable {
    /// The store failed. A write that fails so has an unknown outcome; repeating it is safe.
    case ledger(LedgerError)
    /// The policy has errors, and no other one is in force.
    case policyRejected([Diagnostic])
    /// The ledger names a policy that this version cannot read.
    case policyHistoryUnreadable(LedgerSequence)
    /// No policy was ever in force in the ledger.
    case noPolicy
    /// Asked about an entitlement that no policy of the ledger ever named.
    case unknownEntitlement(nearest: EntitlementName?)
    /// A place in the change feed of another ledger.
    case otherFeed
    /// A place in the change feed that it has not reached.
    case futureChange(head: Int64)
    /// What is assumed cannot happen; which of several, from 1.
    case assumption(AssumptionFault, number: Int)
    /// Asked what will be known later than now, or by an entry that there is not yet.
    case futureKnowledge(head: LedgerSequence, now: Instant)
    /// Asked what was known of an account that was erased since.
    case accountErased(LedgerSequence)
    /// The same of an account that may have been: the key that would tell is missing.
    case accountMaybeErased
    /// What concerns an action was recorded after the entry that it named; nothing was done.
    case changedSince([ChangedEntry])

    /// Stable, for logs and scripts.
    package var code: String {
        switch self {
        case .ledger(let error): error.code
        case .policyRejected: "policy.refused"
        case .policyHistoryUnreadable: "policy.history-unreadable"
        case .noPolicy: "policy.none"
        case .unknownEntitlement: "entitlement.unknown"
        case .otherFeed: "feed.other-ledger"
        case .futureChange: "feed.future"
        case .assumption(let fault, _): fault.code.rawValue
        case .futureKnowledge: "input.future"
        case .accountErased: ProblemCode.accountErased.rawValue
        case .accountMaybeErased: ProblemCode.accountMaybeErased.rawValue
        case .changedSince: ProblemCode.changedSince.rawValue
        }
    }

    package func facts(in language: Language) -> [String] {
        switch self {
        case .ledger(let error): error.facts(in: language)
        case .policyHistoryUnreadable(let sequence): ["\(sequence)"]
        case .futureChange(let head): ["\(head)"]
        case .assumption(let fault, let number): ["\(number)", fault.text(language)]
        case .futureKnowledge(let head, let now): ["\(head)", now.rfc3339]
        case .accountErased(let erasure): ["\(erasure)"]
        case .changedSince(let entries): ["\(entries.first?.entry ?? .zero)"]
        case .policyRejected, .noPolicy, .unknownEntitlement, .otherFeed, .accountMaybeErased: []
        }
    }

    /// Whether there was no room on the ledger's disk: nothing was written.
    package var isDiskFull: Bool {
        guard case .ledger(let error) = self else { return false }
        return error.kind == .full
    }

    /// Whether the ledger is not the file that was opened.
    package var isLedgerReplaced: Bool {
        guard case .ledger(let error) = self else { return false }
        return error.kind == .replaced
    }

    /// Whether the same call may succeed later without a repair.
    package var isTransient: Bool {
        guard case .ledger(let error) = self else { return false }
        return error.isTransient
    }

    package var english: String {
        switch self {
        case .ledger(let error): error.template(in: .english)
        case .policyRejected: "the policy has errors"
        case .policyHistoryUnreadable: "entry {0} holds a policy that this version cannot read"
        case .unknownEntitlement: "no policy has ever defined this entitlement"
        case .otherFeed: "the cursor belongs to the change feed of another ledger"
        case .futureChange: "the feed has not reached this change; its newest one is {0}"
        case .futureKnowledge:
            "nothing is known of then yet: it is {1}, and the newest entry is {0}"
        case .accountErased:
            "the account was erased since (entry {0}), and what was known of it then with it"
        case .accountMaybeErased:
            "nothing is recorded of the account, or it was erased since: the key of the erasures would "
                + "tell (USHER_PRIVACY_KEY_FILE)"
        case .noPolicy: "no policy has ever been in force in this ledger"
        case .assumption: "assumption {0} cannot happen: {1}"
        case .changedSince:
            "entry {0} concerns the same accounts, and came after the entry that was named; nothing "
                + "was changed"
        }
    }

    package var substitute: (any LocalizedText)? {
        if case .ledger(let error) = self { return error }
        return nil
    }
}
