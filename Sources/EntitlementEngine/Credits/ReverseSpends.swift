internal import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// Units of a spend that are to be given back.
package struct ReversalRequest: Hashable, Sendable {
    /// The entry of the spend, or of the capture that made it.
    package var spend: LedgerSequence
    /// Nil for all that is left of it.
    package var parts: [CreditPart]?
    /// The idempotency key, as that of a spend.
    package var key: String
    package var cause: CreditCause

    package init(
        spend: LedgerSequence, parts: [CreditPart]?, key: String, cause: CreditCause
    ) {
        self.spend = spend
        self.parts = parts
        self.key = key
        self.cause = cause
    }
}

/// Whose freezes a person lifts.
package struct ThawRequest: Hashable, Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    package var credit: CreditName
    package var cause: AdminActionCause

    package init(
        account: AccountID, environment: StoreEnvironment, credit: CreditName,
        cause: AdminActionCause
    ) {
        self.account = account
        self.environment = environment
        self.credit = credit
        self.cause = cause
    }
}

extension EntitlementEngine {
    /// Gives units of a spend back, never more in all than it took (spec 1.7).
    package func reverse(_ request: ReversalRequest) async throws(EngineError) -> CreditReport {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try CreditLedger(ledger).reverse(request)
        }
    }

    /// Lifts every freeze that keeps the account from spending the credit now. Where there is none
    /// there is nothing to do.
    package func thaw(_ request: ThawRequest) async throws(EngineError) -> CreditReport {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try CreditLedger(ledger).thaw(request)
        }
    }
}

extension CreditLedger {
    fileprivate func reverse(_ request: ReversalRequest) throws(LedgerError) -> Outcome {
        if let known = try known(request.key, by: request.cause) {
            guard case .spendReversal(let reversal) = known.value,
                reversal.spend == request.spend,
                request.parts.map({ $0 == reversal.parts }) ?? true
            else { return (conflict(known), []) }
            return (
                .done(try answer(known, of: commit.policy.name(reversal.account))), []
            )
        }
        guard let spend = try commit.transaction.spend(request.spend, commit.policy) else {
            return (.rejected(.unknownSpend), [])
        }
        let (spender, left) = (spend.account, spend.left)
        let wanted = request.parts ?? left
        for part in wanted.isEmpty ? spend.parts : wanted {
            let units = left.first { $0.credit == part.credit }?.units ?? 0
            if part.units > units { return (.rejected(.tooMuch(part.credit, left: units)), []) }
        }
        let account = try commit.standing(for: spender, at: spend.at)
        let entry = LedgerEntry.spendReversal(
            SpendReversal(
                spend: request.spend, account: account, spender: spender,
                environment: spend.environment, parts: wanted, key: request.key,
                actor: request.cause.actor, reason: request.cause.reason))
        let recorded = try commit.append(entry, as: entry)
        return (.done(try answer(recorded, of: account)), [account, spender])
    }

    fileprivate func thaw(_ request: ThawRequest) throws(LedgerError) -> Outcome {
        let account = commit.policy.name(request.account)
        let part = CreditPart(request.credit, 0)
        if let into = try commit.mergedInto(account) {
            return (.rejected(.merged(into: into)), [])
        }
        if let unknown = unknownCredit(in: [part]) { return (.rejected(unknown), []) }
        let standing = commit.policy.deriver.credits(of: account, try facts(of: account))
        let timeline = standing.timeline(CreditKey(request.environment, request.credit))
        var done = CreditActionAnswer(
            action: .thaw, account: account, environment: request.environment, at: now)
        done.reason = request.cause.reason
        for freeze in timeline.freezes where freeze.interval.contains(now) {
            let thaw = CreditThaw(
                account: account, environment: request.environment, credit: request.credit,
                transaction: freeze.transaction, refundedAt: freeze.refundedAt,
                actor: request.cause.actor, reason: request.cause.reason)
            let recorded = try commit.append(thaw, as: .creditThaw(thaw))
            done.id = done.id ?? recorded.sequence
            done.lifted.append(freeze.transaction.transactionID)
        }
        done.balances = [
            CreditActionAnswer.Balance(
                credit: request.credit, balance: timeline.balance(at: now),
                held: timeline.held(at: now))
        ]
        return (.done(done), done.lifted.isEmpty ? [] : [account])
    }
}
