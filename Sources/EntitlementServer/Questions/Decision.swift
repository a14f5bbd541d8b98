internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// The answer to one question of AuthZEN, with what is behind it.
enum Decision {
    case unknown(Evaluation.UnknownWord)
    /// Nil for an Apple ID that no fact knows.
    case right(PackedRightAnswer?)
    case purchase(PreflightAnswer)
    case spend(SpendAnswer)

    var isPermit: Bool {
        switch self {
        case .unknown: false
        case .right(let answer): answer?.decision ?? false
        case .purchase(let answer): answer.verdict.effect != .block
        case .spend(let answer): answer.isEnough
        }
    }
}

/// Whether a balance is enough, as of when.
struct SpendAnswer {
    let balance: Int128
    let amount: Int64
    let policy: Digest256
    let revision: LedgerSequence

    var isEnough: Bool { balance >= amount }
}

/// Decides questions from whatever rights the lookup finds.
struct DecisionMaker<Lookup: RightsLookup> {
    let lookup: Lookup
    let now: Instant

    func decide(_ evaluation: Evaluation) throws(LookupFailure) -> Decision {
        let instant = evaluation.instant ?? now
        switch evaluation.matter {
        case .unknown(let word): return .unknown(word)
        case .use(let entitlement, let subject):
            guard lookup.knownEntitlements.contains(entitlement) else {
                return .unknown(.entitlement)
            }
            let key = RightKey(evaluation.environment, entitlement)
            return .right(try answer(key, for: subject, evaluation, at: instant))
        case .purchase(let product, let account):
            let request = PreflightRequest(
                account: account, product: product, environment: evaluation.environment,
                appleID: evaluation.appleID)
            let found = try lookup.preflight(request, at: instant)
            try require(found.revision, for: evaluation)
            return .purchase(found)
        case .spend(let credit, let amount, let account):
            let found = try self.account(account, evaluation)
            let key = CreditKey(evaluation.environment, credit)
            return .spend(
                SpendAnswer(
                    balance: found.packed.balance(key, at: instant), amount: amount,
                    policy: found.packed.policy, revision: found.revision))
        }
    }

    /// The account as of what the caller has seen or later, through the Apple ID that it names.
    private func account(
        _ account: AccountID, _ evaluation: Evaluation
    ) throws(LookupFailure) -> (packed: PackedAccount, revision: LedgerSequence) {
        let found =
            if let key = evaluation.appleID {
                try lookup.account(account, through: key)
            } else {
                try lookup.account(account)
            }
        try require(found.revision, for: evaluation)
        return found
    }

    private func require(
        _ revision: LedgerSequence, for evaluation: Evaluation
    ) throws(LookupFailure) {
        guard revision >= evaluation.minimumRevision else {
            throw .failed(Problem(.revision, field: "context.min_revision"))
        }
    }

    /// Nil for an Apple ID that no fact knows.
    private func answer(
        _ key: RightKey, for subject: Evaluation.Subject, _ evaluation: Evaluation,
        at instant: Instant
    ) throws(LookupFailure) -> PackedRightAnswer? {
        switch subject {
        case .account(let account):
            let found = try self.account(account, evaluation)
            return found.packed.answer(key, at: instant, revision: found.revision)
        case .appleID(let name):
            try require(lookup.revision, for: evaluation)
            guard let found = try lookup.appleID(name) else { return nil }
            return found.view.rights.answer(key, at: instant, revision: found.revision)
        }
    }
}
