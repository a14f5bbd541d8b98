package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import Synchronization

/// Why something asked of credits is not done. Nothing is written.
package enum CreditRejection: Hashable, Sendable {
    /// No policy of the ledger has a credit of that name.
    case unknownCredit(CreditName, nearest: CreditName?)
    /// Less can be spent of a credit than was asked for.
    case insufficient(CreditName, balance: Int128)
    /// A refund keeps it from being spent until a person lifts that.
    case frozen(CreditName)
    /// A block stops it.
    case blocked(CreditName)
    /// The idempotency key was used for something else: the digest of that entry's payload.
    case conflict(Digest256)
    case unknownSpend
    case unknownHold
    /// It was captured or released, or its end has come.
    case holdEnded
    /// A hold ends before it begins, or after the longest time.
    case until
    /// Less is left of the spend or the hold.
    case tooMuch(CreditName, left: Int64)
    /// The account was merged into this one.
    case merged(into: AccountID)

    /// Stable, for programs.
    package var code: ProblemCode {
        switch self {
        case .unknownCredit: .unknownCredit
        case .insufficient: .insufficientCredit
        case .frozen: .frozenCredit
        case .blocked: .blockedCredit
        case .conflict: .creditConflict
        case .unknownSpend: .unknownSpend
        case .unknownHold: .unknownHold
        case .holdEnded: .holdEnded
        case .until: .holdUntil
        case .tooMuch: .tooMuchCredit
        case .merged: .accountMerged
        }
    }
}

/// What became of a call about credits.
package enum CreditReport: Sendable {
    /// Durable.
    case done(CreditActionAnswer)
    case rejected(CreditRejection)
}

/// Who asks for something about credits, and what he says of it.
package struct CreditCause: Hashable, Sendable {
    package var actor: String
    /// As the ledger named the actor before: a key that was used so is the actor's too.
    package var formerActor: String?
    package var reason: String?
    /// The caller's own description.
    package var reference: String?
    package var intent: ActionIntent

    package init(
        actor: String, formerActor: String? = nil, reason: String? = nil,
        reference: String? = nil, intent: ActionIntent = .act
    ) {
        self.intent = intent
        self.actor = actor
        self.formerActor = formerActor
        self.reason = reason
        self.reference = reference
    }
}

/// The credits of one account inside a commit: judged as of its instant.
struct CreditLedger {
    let commit: EngineTransaction

    init(_ commit: EngineTransaction) {
        self.commit = commit
    }

    var now: Instant { commit.now }

    func facts(of account: AccountID) throws(LedgerError) -> FactSet {
        try commit.transaction.facts(forAccount: account)
    }

    /// The credits that the account can spend now: cached since the last spend if nothing else has
    /// happened, else derived.
    func spendable(_ account: AccountID) throws(LedgerError) -> SpendableCredits {
        // The clock may have been set back since the account was cached.
        if var kept = commit.credits.take(account), kept.reached <= now {
            kept.advance(to: now)
            return kept
        }
        return commit.policy.deriver.spendableCredits(
            of: account, try facts(of: account), at: now)
    }

    /// The names that no policy of the ledger ever had.
    func unknownCredit(in parts: [CreditPart]) -> CreditRejection? {
        let known = commit.policy.knownCredits
        for part in parts where !known.contains(part.credit) {
            let names = known.map(\.text).sorted()
            let nearest = suggestion(for: part.credit.text, among: names)
            return .unknownCredit(part.credit, nearest: nearest.flatMap { CreditName($0) })
        }
        return nil
    }

    /// The entry for which the actor has used the key before.
    func known(
        _ key: String, by cause: CreditCause
    ) throws(LedgerError) -> Recorded<LedgerEntry>? {
        for actor in [cause.actor, cause.formerActor].compactMap(\.self) {
            if let place = try commit.transaction.sequence(ofCreditKey: key, by: actor) {
                return try commit.transaction.entry(place)
            }
        }
        return nil
    }

    /// The action, with the balances right after it: by the facts known then, so that repeated
    /// answers are equal.
    func answer(
        _ entry: Recorded<LedgerEntry>, of account: AccountID
    ) throws(LedgerError) -> CreditActionAnswer {
        let facts = try facts(of: account).before(LedgerSequence(entry.sequence.number + 1))
        let standing = commit.policy.deriver.credits(of: account, facts)
        var answer = CreditActionAnswer(entry, holds: facts.creditHolds)
        answer.balances = answer.credits.map { part in
            let timeline = standing.timeline(CreditKey(answer.environment, part.credit))
            return CreditActionAnswer.Balance(
                credit: part.credit, balance: timeline.balance(at: entry.recordedAt),
                held: timeline.held(at: entry.recordedAt))
        }
        return answer
    }

    func conflict(_ entry: Recorded<LedgerEntry>) -> CreditReport {
        .rejected(.conflict(EntryHash.digest(of: Payload.encode(entry.value))))
    }
}

/// What accounts that have just spent can spend, kept by the writer from one spend to the next, so
/// that it is not derived for each.
///
/// It is as of one head of the ledger. Each commit that may write says which head it begins at: if
/// that is another one, a write was undone or something was written elsewhere, and the cache is
/// cleared. Then it says which accounts it has touched, and they are removed unless it has updated
/// them.
final class CreditCache: Sendable {
    private struct State {
        var head: Digest256?
        var policy: PolicyMark?
        /// When the limit is reached, accounts not used since the last time are removed.
        var recent: [AccountID: SpendableCredits] = [:]
        var older: [AccountID: SpendableCredits] = [:]
        var recentWeight = 0

        mutating func take(_ account: AccountID) -> SpendableCredits? {
            if let credits = recent.removeValue(forKey: account) {
                recentWeight -= credits.weight
                return credits
            }
            return older.isEmpty ? nil : older.removeValue(forKey: account)
        }

        mutating func insert(_ credits: SpendableCredits, of account: AccountID) {
            recentWeight += credits.weight
            recent[account] = credits
        }
    }

    /// How much is kept: twice this.
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: of lots, holds and future changes, of all accounts together; with zero
    ///   nothing is cached.
    init(limit: Int) {
        self.limit = (limit + 1) / 2
    }

    /// How many accounts are kept.
    var count: Int { state.withLock { $0.recent.count + $0.older.count } }

    /// A write begins at that end of the ledger, under that policy.
    func begin(at head: Digest256, policy: PolicyMark) {
        state.withLock { state in
            if state.head == head, state.policy == policy { return }
            state = State(head: head, policy: policy)
        }
    }

    /// Removes and returns the cached credits of the account.
    func take(_ account: AccountID) -> SpendableCredits? {
        state.withLock { $0.take(account) }
    }

    /// The write has ended at that end of the ledger.
    func end(
        at head: Digest256, touched: Set<AccountID>, keeping kept: [AccountID: SpendableCredits]
    ) {
        state.withLock { state in
            state.head = head
            // Updated accounts were removed before, and are cached under the name that touches
            // them.
            for account in touched where kept[account] == nil {
                _ = state.take(account)
                if !account.isFolded { _ = state.take(account.folded) }
            }
            guard limit > 0 else { return }
            for (account, credits) in kept { state.insert(credits, of: account) }
            guard state.recentWeight > limit else { return }
            (state.older, state.recent, state.recentWeight) = (state.recent, [:], 0)
        }
    }
}

/// The credits used by one commit.
final class CreditsOfCommit {
    private let kept: CreditCache
    fileprivate(set) var accounts: [AccountID: SpendableCredits] = [:]

    init(_ kept: CreditCache) {
        self.kept = kept
    }

    /// The credits that the account can spend, if cached.
    func take(_ account: AccountID) -> SpendableCredits? {
        accounts.removeValue(forKey: account) ?? kept.take(account)
    }

    /// Whatever else the commit writes, it does not concern the account.
    func keep(_ credits: SpendableCredits, of account: AccountID) {
        accounts[account] = credits
    }
}
