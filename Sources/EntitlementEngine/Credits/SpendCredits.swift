internal import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// Units that a service asks to spend, or to hold.
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
        try await commit(calledAt: clock.now(), meant: request.cause.intent) {
            ledger throws(LedgerError) in
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

    /// Why the parts cannot be spent; nil if they can. A block comes before a freeze, and both
    /// before a missing balance.
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
    /// Whether it asks for the recorded action. The reason may differ.
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
    /// The account whose credits it is about; nil if it is about none.
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

/// A hold that is ended before its time.
package struct HoldEndRequest: Hashable, Sendable {
    /// The entry of the hold, as it was answered when it was made.
    package var hold: LedgerSequence
    /// The captured part; nil for all, empty to release all.
    package var captured: [CreditPart]?
    package var cause: CreditCause

    package init(hold: LedgerSequence, captured: [CreditPart]?, cause: CreditCause) {
        self.hold = hold
        self.captured = captured
        self.cause = cause
    }
}

extension EntitlementEngine {
    /// Captures a hold, all of it or a part, or releases it. The rest is free again. A repeated
    /// call gets the first answer.
    package func endHold(_ request: HoldEndRequest) async throws(EngineError) -> CreditReport {
        try await commit(calledAt: clock.now(), meant: request.cause.intent) {
            ledger throws(LedgerError) in
            try CreditLedger(ledger).end(request)
        }
    }
}

extension CreditLedger {
    fileprivate func end(_ request: HoldEndRequest) throws(LedgerError) -> Outcome {
        guard let hold = try commit.transaction.hold(request.hold, commit.policy) else {
            return (.rejected(.unknownHold), [])
        }
        let account = commit.policy.name(hold.value.account)
        let captured = request.captured ?? hold.value.parts
        if let place = try commit.transaction.end(ofHold: hold.sequence),
            let entry = try commit.transaction.entry(place), case .holdEnd(let end) = entry.value
        {
            guard end.captured == captured else { return (.rejected(.holdEnded), []) }
            return (.done(try answer(entry, of: account)), [])
        }
        guard now < hold.value.until else { return (.rejected(.holdEnded), []) }
        for part in captured {
            let held = hold.value.parts.first { $0.credit == part.credit }?.units ?? 0
            if part.units > held { return (.rejected(.tooMuch(part.credit, left: held)), []) }
        }
        let standing = commit.policy.deriver.credits(of: account, try facts(of: account))
        if let obstacle = stop(captured, in: hold.value.environment, standing) {
            return (.rejected(obstacle), [])
        }
        let entry = LedgerEntry.holdEnd(
            HoldEnd(
                hold: hold.sequence, account: account, captured: captured,
                actor: request.cause.actor, reason: request.cause.reason,
                reference: request.cause.reference))
        let recorded = try commit.append(entry, as: entry)
        return (.done(try answer(recorded, of: account)), [account])
    }

    /// The held units exist; a block or a freeze prevents the capture nevertheless.
    private func stop(
        _ parts: [CreditPart], in environment: StoreEnvironment, _ standing: CreditStanding
    ) -> CreditRejection? {
        for part in parts where standing.isBlocked(part.credit, at: now) {
            return .blocked(part.credit)
        }
        for part in parts
        where standing.timeline(CreditKey(environment, part.credit)).isFrozen(at: now) {
            return .frozen(part.credit)
        }
        return nil
    }
}

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
        try await commit(calledAt: clock.now(), meant: request.cause.intent) {
            ledger throws(LedgerError) in
            try CreditLedger(ledger).reverse(request)
        }
    }

    /// Lifts every freeze that keeps the account from spending the credit now. Without one it does
    /// nothing.
    package func thaw(_ request: ThawRequest) async throws(EngineError) -> CreditReport {
        try await commit(calledAt: clock.now(), meant: request.cause.intent) {
            ledger throws(LedgerError) in
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
