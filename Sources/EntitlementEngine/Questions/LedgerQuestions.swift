package import EntitlementAnswers
package import EntitlementModel
package import LedgerModel

/// Answers that are read from the ledger and kept nowhere: those of a service that need more
/// than a view, and those about a ledger file, read-only and safely beside a running service, by
/// the policy that was last in force in it.
package struct LedgerQuestions: Sendable {
    let ledger: any ReadableLedger
    let policy: ActivePolicy
    let waiting: WaitingClaims

    init(ledger: any ReadableLedger, policy: ActivePolicy, waiting: WaitingClaims) {
        self.ledger = ledger
        self.policy = policy
        self.waiting = waiting
    }

    /// - Throws: `.noPolicy` if no policy was ever in force in the ledger.
    package init(_ ledger: any ReadableLedger) throws(EngineError) {
        guard let history = try PolicyHistory(recordedIn: ledger) else { throw .noPolicy }
        self.ledger = ledger
        policy = ActivePolicy(history)
        waiting = WaitingClaims()
    }

    /// Names the policy that answers are given by.
    package var policyDigest: Digest256 { policy.digest }

    package func account(
        _ account: AccountID
    ) throws(EngineError) -> (packed: PackedAccount, revision: LedgerSequence) {
        try ledger.reading { reader throws(LedgerError) in
            let facts = try policy.facts(of: account, throughIfAny: nil, reader)
            return (policy.packed(of: account, facts: facts), try reader.head().sequence)
        }
    }
}

extension LedgerQuestions {
    /// The account as far as what it has came through one Apple ID (spec 3.1, `apple_id`).
    /// Blocks.
    package func account(
        _ account: AccountID, through key: AppleIDKey
    ) throws(EngineError) -> (packed: PackedAccount, revision: LedgerSequence) {
        try ledger.reading { reader throws(LedgerError) in
            let facts = try policy.facts(of: account, through: key, reader)
            return (policy.packed(of: account, facts: facts), try reader.head().sequence)
        }
    }

    /// One right of an account, as far as what it has came through an Apple ID if one is named.
    /// Reads and derives the account again; nothing is kept. Blocks.
    ///
    /// - Throws: `.unknownEntitlement`.
    package func answer(
        _ key: RightKey, of account: AccountID, at instant: Instant,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> Answer {
        try require(key.entitlement)
        return try ledger.reading { reader throws(LedgerError) in
            let facts = try policy.facts(of: account, throughIfAny: appleID, reader)
            return policy.view(of: account, facts: facts)
                .answer(key, at: instant, revision: try reader.head().sequence)
        }
    }

    /// The next accounts that any entry names, by name. Blocks.
    package func accounts(
        after account: AccountID?, limit: Int
    ) throws(EngineError) -> [AccountID] {
        try ledger.reading { reader throws(LedgerError) in
            try reader.accounts(
                after: account, limit: limit, folded: policy.history.current.foldsAccounts)
        }
    }

    /// All claims that wait for a person, in the ledger's order. Blocks; the first call reads
    /// the whole ledger.
    package func waitingClaims() throws(EngineError) -> ClaimList {
        ClaimList(claims: try waiting.all(in: ledger).map(\.answer))
    }
}
