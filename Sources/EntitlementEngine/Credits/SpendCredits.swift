internal import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// Units that a service wants to spend, or to hold.
package struct SpendRequest: Hashable, Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// By credit, each once, positive.
    package var parts: [CreditPart]
    /// When a hold ends; nil for a spend.
    package var until: Instant?
    /// The idempotency key: a request that the same actor repeats with it is answered as the
    /// first time.
    package var key: String
    package var cause: CreditCause

    package init(
        account: AccountID, environment: StoreEnvironment = .production, parts: [CreditPart],
        until: Instant? = nil, key: String, cause: CreditCause
    ) {
        self.account = account
        self.environment = environment
        self.parts = parts
        self.until = until
        self.key = key
        self.cause = cause
    }

    /// How long a hold may last. Milliseconds: 30 days.
    package static let longestHold: Int64 = 30 * 86_400_000
}

extension EntitlementEngine {
    /// Takes all of the parts from the account, or none of them (spec 1.7). With `until` they are
    /// held until then.
    package func spend(_ request: SpendRequest) async throws(EngineError) -> CreditReport {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try CreditLedger(ledger).spend(request)
        }
    }
}

extension CreditLedger {
    typealias Outcome = (value: CreditReport, touched: Set<AccountID>)

    func spend(_ request: SpendRequest) throws(LedgerError) -> Outcome {
        var request = request
        request.account = commit.policy.name(request.account)
        if let known = try known(request.key, by: request.cause) {
            guard let first = known.value.creditAccount, request.says(known.value, commit.policy)
            else { return (conflict(known), []) }
            return (.done(try answer(known, of: commit.policy.name(first))), [])
        }
        if let into = try commit.mergedInto(request.account) {
            return (.rejected(.merged(into: into)), [])
        }
        if let unknown = unknownCredit(in: request.parts) { return (.rejected(unknown), []) }
        if let until = request.until {
            let longest = now.advanced(byMilliseconds: SpendRequest.longestHold)
            guard now < until, until <= longest else { return (.rejected(.until), []) }
        }
        var credits = try spendable(request.account)
        if let obstacle = obstacle(to: request, credits) {
            commit.credits.keep(credits, of: request.account)
            return (.rejected(obstacle), [])
        }
        let recorded = try append(request, takingFrom: &credits)
        var done = CreditActionAnswer(recorded, holds: [])
        done.balances = request.parts.map { part in
            let key = CreditKey(request.environment, part.credit)
            return CreditActionAnswer.Balance(
                credit: part.credit, balance: credits.balance(key), held: credits.held(key))
        }
        commit.credits.keep(credits, of: request.account)
        return (.done(done), [request.account])
    }

    /// What keeps the parts from being spent; nil where nothing does. A person's stop comes before
    /// a refund's, and both before what is not there.
    private func obstacle(
        to request: SpendRequest, _ credits: SpendableCredits
    ) -> CreditRejection? {
        let parts = request.parts.map { part in
            (part: part, key: CreditKey(request.environment, part.credit))
        }
        if let blocked = request.parts.first(where: { credits.isBlocked($0.credit, at: now) }) {
            return .blocked(blocked.credit)
        }
        if let frozen = parts.first(where: { credits.isFrozen($0.key, at: now) }) {
            return .frozen(frozen.part.credit)
        }
        for (part, key) in parts {
            let balance = credits.balance(key)
            if balance < part.units { return .insufficient(part.credit, balance: balance) }
        }
        return nil
    }

    private func append(
        _ request: SpendRequest, takingFrom credits: inout SpendableCredits
    ) throws(LedgerError) -> Recorded<LedgerEntry> {
        if let until = request.until {
            let hold = CreditHold(
                account: request.account, environment: request.environment,
                parts: request.parts, until: until, key: request.key,
                actor: request.cause.actor, reason: request.cause.reason,
                reference: request.cause.reference)
            let recorded = try commit.append(hold, as: .creditHold(hold))
            credits.hold(recorded)
            return recorded.with(.creditHold(hold))
        }
        let spend = CreditSpend(
            account: request.account, environment: request.environment,
            parts: request.parts, key: request.key, actor: request.cause.actor,
            reason: request.cause.reason, reference: request.cause.reference)
        let recorded = try commit.append(spend, as: .creditSpend(spend))
        credits.spend(recorded)
        return recorded.with(.creditSpend(spend))
    }
}

extension SpendRequest {
    /// Whether it asks for what was done. The reason may be another.
    fileprivate func says(_ entry: LedgerEntry, _ policy: ActivePolicy) -> Bool {
        switch entry {
        case .creditSpend(let spend):
            until == nil && policy.name(spend.account) == account
                && spend.environment == environment && spend.parts == parts
                && spend.reference == cause.reference
        case .creditHold(let hold):
            until == hold.until && policy.name(hold.account) == account
                && hold.environment == environment && hold.parts == parts
                && hold.reference == cause.reference
        default: false
        }
    }
}

extension LedgerEntry {
    /// Whose credits it is about; nil for what is about none.
    var creditAccount: AccountID? {
        switch self {
        case .creditSpend(let spend): spend.account
        case .creditHold(let hold): hold.account
        case .holdEnd(let end): end.account
        case .spendReversal(let reversal): reversal.account
        case .creditThaw(let thaw): thaw.account
        default: nil
        }
    }
}
