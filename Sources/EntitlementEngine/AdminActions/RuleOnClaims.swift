internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// A person's decision on a claim and its unit (spec 1.6).
package struct RulingRequest: Hashable, Sendable {
    package var verb: Ruling.Verb
    package var claim: LedgerSequence
    /// For `transfer`; nil for the claimant. For `release`; nil for all owners.
    package var account: AccountID?
    /// For `undo`; nil for the newest in effect, if it is the claim's own or a ruling.
    package var decision: LedgerSequence?
    package var cause: AdminActionCause

    package init(
        verb: Ruling.Verb, claim: LedgerSequence, account: AccountID? = nil,
        decision: LedgerSequence? = nil, cause: AdminActionCause
    ) {
        self.verb = verb
        self.claim = claim
        self.account = account
        self.decision = decision
        self.cause = cause
    }
}

/// A ruling with the decisions that followed from it, its own first.
package struct RulingRecord: Hashable, Sendable {
    package let ruling: Recorded<Ruling>
    package let decisions: [Recorded<OwnershipDecision>]
}

extension EntitlementEngine {
    /// Judges a ruling by the facts before it, and records both.
    package func rule(
        _ request: RulingRequest
    ) async throws(EngineError) -> AdminActionReport<RulingRecord> {
        try await commit(calledAt: clock.now(), meant: request.cause.intent) {
            ledger throws(LedgerError) in
            try ledger.rule(request)
        }
    }
}

extension EngineTransaction {
    func rule(
        _ request: RulingRequest
    ) throws(LedgerError) -> (value: AdminActionReport<RulingRecord>, touched: Set<AccountID>) {
        guard case .claim(let claim)? = try transaction.entry(request.claim)?.value else {
            return (.rejected(.unknownClaim), [])
        }
        let facts = try transaction.facts(forRulingsOn: [claim.transaction])
        guard let subject = policy.deriver.subject(ofClaim: request.claim, facts) else {
            return (.rejected(.ruling(.unknownUnit)), [])
        }
        if let named = request.account, let into = try mergedInto(named) {
            return (.rejected(.merged(into: into)), [])
        }
        var ruling = Ruling(request, on: claim, subject.unit)
        ruling.isReturn = claim.isReturn
        if request.verb == .undo, request.decision == nil {
            switch subject.undone {
            case .decision(let decision): ruling.decision = decision
            case .nothing: return (.rejected(.ruling(.nothingToUndo)), [])
            case .another(let newest): return (.rejected(.newerDecision(newest)), [])
            }
        }
        // A claimant that was merged into another account is that one.
        if let account = ruling.account { ruling.account = try standing(for: account) }
        switch policy.deriver.rule(ruling, recordedAt: now, facts) {
        case .impossible(let obstacle): return (.rejected(.ruling(obstacle)), [])
        case .decided(let decided):
            var done = try record(ruling, decided)
            try writeToken(of: decided.newOwner, for: claim.transaction)
            done.touched.formUnion(
                try deliverOrders(of: claim.transaction, to: done.touched, by: ruling.actor))
            return done
        }
    }

    /// Delivers the orders of accounts to which a person has given the payment.
    func deliverOrders(
        of payment: TransactionKey, to accounts: Set<AccountID>, by actor: String
    ) throws(LedgerError) -> Set<AccountID> {
        guard try transaction.hasOrders() else { return [] }
        let facts = try transaction.facts(forClaimsOn: [payment], by: [])
        var orders = OrderLedger(self)
        try orders.settle(
            policy.deriver.payments(of: [payment], facts), claimant: nil, by: actor)
        try orders.deliver(to: accounts, by: actor)
        return orders.touched
    }

    func record(
        _ ruling: Ruling, _ decided: [RuledDecision]
    ) throws(LedgerError) -> (value: AdminActionReport<RulingRecord>, touched: Set<AccountID>) {
        let place = try append(ruling, as: .ruling(ruling))
        var decisions: [Recorded<OwnershipDecision>] = []
        var touched: Set<AccountID> = ruling.account.map { [$0] } ?? []
        for decision in decided {
            let decision = decision.decision(ruling: place.sequence, policy: policy.digest)
            decisions.append(try append(decision, as: .decision(decision)))
            touched.formUnion(decision.ownersBefore)
            touched.formUnion(decision.ownersAfter)
            if case .claim(let claim)? = try transaction.entry(decision.cause)?.value {
                touched.insert(claim.account)
            }
        }
        return (.done(RulingRecord(ruling: place, decisions: decisions)), touched)
    }
}

extension [RuledDecision] {
    /// The one account that has the unit now and did not before; nil if there is none.
    fileprivate var newOwner: AccountID? {
        guard let decision = first, decision.ownersAfter.count == 1,
            decision.ownersBefore != decision.ownersAfter
        else { return nil }
        return decision.ownersAfter.first
    }
}

extension Ruling {
    fileprivate init(
        _ request: RulingRequest, on claim: Claim, _ unit: OwnedUnit
    ) {
        let account: AccountID? =
            switch request.verb {
            case .transfer: request.account ?? claim.account
            case .release: request.account
            case .approve, .refuse, .undo: nil
            }
        self.init(
            verb: request.verb, unit: unit,
            claim: request.verb == .approve || request.verb == .refuse ? request.claim : nil,
            decision: request.verb == .undo ? request.decision : nil, account: account,
            actor: request.cause.actor, reason: request.cause.reason)
    }
}
