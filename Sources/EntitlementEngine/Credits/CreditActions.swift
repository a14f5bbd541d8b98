package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel
internal import PolicyLoading

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
    /// The idempotency key stands for something else: the digest of its entry's payload.
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
    /// What it is for, in the caller's own words.
    package var reference: String?

    package init(
        actor: String, formerActor: String? = nil, reason: String? = nil, reference: String? = nil
    ) {
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

    /// What the account can spend now: as the last spend left it where nothing else has happened
    /// since, else derived.
    func spendable(_ account: AccountID) throws(LedgerError) -> SpendableCredits {
        // The clock may have been set back since somebody was denied.
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

    /// Where the actor has used the key before, and for what.
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

    /// What was done, with the balances right after it: by the facts that were known then, so
    /// that it is the same each time.
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
