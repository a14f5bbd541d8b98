internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// A right to be granted by a person.
package struct GrantRequest: Hashable, Sendable {
    /// The idempotency key: a request that the same actor repeats with it is answered as the
    /// first time.
    package var id: GrantID
    package var account: AccountID
    package var environment: StoreEnvironment
    package var gift: GrantedGift
    /// Nil for the instant at which it is recorded.
    package var from: Instant?
    package var until: Instant?
    package var cause: AdminActionCause

    package init(
        id: GrantID, account: AccountID, environment: StoreEnvironment = .production,
        gift: GrantedGift, from: Instant? = nil, until: Instant? = nil, cause: AdminActionCause
    ) {
        self.id = id
        self.account = account
        self.environment = environment
        self.gift = gift
        self.from = from
        self.until = until
        self.cause = cause
    }
}

extension EntitlementEngine {
    /// Gives a right by hand (spec 1.1).
    package func grant(
        _ request: GrantRequest
    ) async throws(EngineError) -> AdminActionReport<GrantRecord> {
        try await commit(calledAt: clock.now(), meant: request.cause.intent) {
            ledger throws(LedgerError) in
            try ledger.grant(request)
        }
    }

    /// Ends a grant before its time; one that is ended already stays as it is.
    package func revokeGrant(
        _ id: GrantID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<GrantRecord> {
        try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
            guard let known = try ledger.grantRecord(id) else {
                return (.rejected(.unknownGrant), [])
            }
            guard known.revocation == nil else { return (.done(known), []) }
            let account = known.grant.value.account
            let revocation = GrantRevocation(
                grant: id, account: account, actor: cause.actor, reason: cause.reason)
            let recorded = try ledger.append(revocation, as: .grantRevocation(revocation))
            return (.done(GrantRecord(grant: known.grant, revocation: recorded)), [account])
        }
    }
}

extension EngineTransaction {
    func grant(
        _ request: GrantRequest
    ) throws(LedgerError) -> (value: AdminActionReport<GrantRecord>, touched: Set<AccountID>) {
        var request = request
        request.account = policy.name(request.account)
        let key = IdempotencyKey(id: request.id, cause: request.cause)
        let (id, known) = try key.look(grantRecord) { $0.grant.value.actor }
        if let known {
            var given = known.grant.value
            given.account = policy.name(given.account)
            let isSame = request.says(given)
            return (isSame ? .done(known) : .rejected(.conflict), [])
        }
        if let into = try mergedInto(request.account) {
            return (.rejected(.merged(into: into)), [])
        }
        // Names of grants made by merges and for orders.
        guard !id.text.hasPrefix("merge-"), !id.text.hasPrefix("order:") else {
            return (.rejected(.conflict), [])
        }
        let grant = Grant(request, as: id, from: request.from ?? now)
        if let refusal = grant.refusal(by: policy) { return (.rejected(refusal), []) }
        let recorded = try append(grant, as: .grant(grant))
        return (.done(GrantRecord(grant: recorded, revocation: nil)), [request.account])
    }

    fileprivate func grantRecord(_ id: GrantID) throws(LedgerError) -> GrantRecord? {
        guard let place = try transaction.sequence(of: id),
            let entry = try transaction.entry(place), case .grant(let grant) = entry.value
        else { return nil }
        let revocations = try transaction.facts(
            naming: grant.account, of: [.grantRevocation], after: place
        ).grantRevocations
        return GrantRecord(
            grant: entry.with(grant), revocation: revocations.first { $0.value.grant == id })
    }
}

extension GrantRequest {
    /// Whether it asks for the recorded grant. The reason may differ.
    fileprivate func says(_ grant: Grant) -> Bool {
        grant.account == account && grant.environment == environment && grant.gift == gift
            && grant.until == until && (from == nil || grant.from == from)
    }
}

extension Grant {
    fileprivate init(_ request: GrantRequest, as id: GrantID, from: Instant) {
        self.init(
            id: id, account: request.account, environment: request.environment,
            gift: request.gift, from: from, until: request.until, actor: request.cause.actor,
            reason: request.cause.reason)
    }

    fileprivate func refusal(by policy: ActivePolicy) -> AdminActionRejection? {
        switch gift {
        case .entitlement(let name):
            if let unknown = policy.unknownEntitlement(name) { return unknown }
            return Interval(from: from, to: until) == nil ? .emptyGift : nil
        case .credit(let name, let units):
            if let unknown = policy.unknownCredit(name) { return unknown }
            guard units > 0, Interval(from: from, to: until) != nil else { return .emptyGift }
            return GrantedGift.possibleUnits.contains(units) ? nil : .tooManyUnits
        }
    }
}

extension EntitlementEngine {
    /// Gives a payment without an owner to an account (spec 1.6): a ruling, which needs no claim.
    package func give(
        _ transaction: TransactionKey, to account: AccountID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<RulingRecord> {
        try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
            try ledger.give(transaction, to: account, cause)
        }
    }
}

extension EngineTransaction {
    fileprivate func give(
        _ payment: TransactionKey, to account: AccountID, _ cause: AdminActionCause
    ) throws(LedgerError) -> (value: AdminActionReport<RulingRecord>, touched: Set<AccountID>) {
        let account = try transaction.account(standingFor: policy.name(account), policy)
        guard try transaction.lineage(of: payment) != nil else {
            return (.rejected(.ruling(.unknownUnit)), [])
        }
        let facts = try transaction.facts(forClaimsOn: [payment], by: [account])
        guard let paid = policy.deriver.payments(of: [payment], facts).first else {
            return (.rejected(.ruling(.unknownUnit)), [])
        }
        guard paid.owners.isEmpty || paid.owners.contains(account) else {
            return (.rejected(.ownedByOther), [])
        }
        var ruling = Ruling(
            verb: .transfer, unit: paid.unit, account: account, actor: cause.actor,
            reason: cause.reason)
        ruling.isReturn = try isReturn(payment)
        switch policy.deriver.rule(ruling, recordedAt: now, facts) {
        case .impossible(let obstacle): return (.rejected(.ruling(obstacle)), [])
        case .decided(let decided):
            var done = try record(ruling, decided)
            try writeToken(of: account, for: payment)
            done.touched.formUnion(
                try deliverOrders(of: payment, to: done.touched, by: cause.actor))
            return done
        }
    }
}
