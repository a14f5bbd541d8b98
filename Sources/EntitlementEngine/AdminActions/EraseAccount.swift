package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension EntitlementEngine {
    /// Erases what concerns the account alone, and all that was merged into it (docs/PRIVACY.md). An
    /// account of which nothing is known is recorded as erased too.
    package func erase(
        _ account: AccountID, reference: ErasureReference, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<ErasedAccount> {
        guard let privacyKey else { return .rejected(.erasureWithoutKey) }
        guard sharedLedger == nil else { return .rejected(.erasureInFleet) }
        let report: AdminActionReport<ErasedAccount> = try await commit(
            calledAt: clock.now(), meant: cause.intent
        ) { ledger throws(LedgerError) in
            let account = ledger.policy.name(account)
            if let into = try ledger.mergedInto(account) {
                return (.rejected(.merged(into: into)), [])
            }
            return try ledger.erase(
                account, Erasure(reference: reference, actor: cause.actor, digest: .none),
                knownBy: privacyKey)
        }
        if case .preview(let rehearsal) = cause.intent, case .done(let erased) = report,
            var effect = rehearsal.effect
        {
            effect.value.erasure = erased.scope
            effect.value.takesAway = erased.scope.wasKnown
            rehearsal.note(effect)
        }
        return report
    }
}

extension Digest256 {
    /// Before there is anything to digest.
    fileprivate static let none = EntryHash.digest(of: [])
}

/// An erasure that is recorded.
package struct ErasedAccount: Sendable {
    package let erasure: Recorded<Erasure>
    package let scope: ErasureScope
    let head: LedgerHead

    package var answer: ErasureAnswer {
        ErasureAnswer(
            erasure, wasKnown: scope.wasKnown, anchor: LedgerPosition(head).description)
    }
}

extension EngineTransaction {
    fileprivate func erase(
        _ account: AccountID, _ wish: Erasure, knownBy key: PrivacyKey
    ) throws(LedgerError) -> (value: AdminActionReport<ErasedAccount>, touched: Set<AccountID>) {
        let person = try person(of: account)
        let wasKnown = try transaction.knows(account)
        let facts = try transaction.facts(forAccount: account)
        let touched = try transaction.accountsTouched(
            byLineages: Set(facts.transactions.map(\.value.lineage)).sorted())
        let (subscriptions, credits) = running(account, facts)
        let orders = try openOrders(of: account)
        var wish = wish
        wish.names = person.map(key.digest).sorted()
        (wish.delivered, wish.owned) = owned(by: person, facts, key)
        let erasure = try transaction.erase(person.sorted(), as: wish, at: now)
        let scope = ErasureScope(
            erasure.value, wasKnown: wasKnown, subscriptions: subscriptions, orders: orders,
            credits: credits)
        let erased = ErasedAccount(
            erasure: erasure, scope: scope, head: try transaction.head())
        return (.done(erased), person.union(touched))
    }

    /// The account, and those that were merged into it and stand for it.
    private func person(of account: AccountID) throws(LedgerError) -> Set<AccountID> {
        var person: Set<AccountID> = [account]
        var unasked = [account]
        while let next = unasked.popLast() {
            for merge in try transaction.mergesAndBlocks(of: next).accountMerges.map(\.value) {
                let former = policy.name(merge.from)
                guard !person.contains(former), try standing(for: former) == account else {
                    continue
                }
                person.insert(former)
                unasked.append(former)
            }
        }
        return person
    }

    /// What Apple goes on charging for, and the credits that are left.
    private func running(
        _ account: AccountID, _ facts: FactSet
    ) -> ([RunningSubscription], [CreditName]) {
        let timeline = policy.deriver.deriveAccount(account, facts)
        var found: [RunningSubscription] = []
        for unit in timeline.units where unit.kind == .known(.autoRenewable) {
            let isOwner = unit.owners.contains {
                $0.account == account && $0.interval.contains(now)
            }
            guard isOwner, let span = unit.states.last(where: { $0.interval.contains(now) }),
                span.state != .expired, span.state != .revoked
            else { continue }
            found.append(
                RunningSubscription(
                    product: span.productID, environment: unit.unit.environment, state: span.state,
                    willRenew: span.willRenew, paidUntil: span.paidUntil))
        }
        let credits = timeline.balances.filter { $0.value.balance(at: now) != 0 }.keys.map(\.credit)
        return (found, Set(credits).sorted())
    }

    private func openOrders(of account: AccountID) throws(LedgerError) -> [OrderID] {
        let newest = try transaction.orders(
            of: account, before: LedgerSequence(.max), limit: Self.mostOrders)
        var open: [OrderID] = []
        for id in newest {
            guard let order = try transaction.order(id),
                (order.events.last?.value.state ?? .created).isOpen
            else { continue }
            open.append(id)
        }
        return open
    }

    /// More are not named.
    private static var mostOrders: Int { 1_000 }

    /// Without what was delivered to somebody who is erased, and without what only a token claims
    /// for them: whoever comes back presents what is theirs.
    func withoutErased(_ claims: [Claim]) throws(LedgerError) -> [Claim] {
        guard let privacyKey, !claims.isEmpty else { return claims }
        var left: [Claim] = []
        for claim in claims {
            let delivery = Erasure.name(ofDelivery: privacyKey.digest(of: claim.transaction))
            if try transaction.erasure(named: delivery) != nil { continue }
            if claim.moment == .notification,
                try transaction.erasure(of: claim.account, knownBy: privacyKey) != nil
            {
                continue
            }
            left.append(claim)
        }
        return left
    }

    /// What was delivered once, and what had an owner.
    private func owned(
        by person: Set<AccountID>, _ facts: FactSet, _ key: PrivacyKey
    ) -> (delivered: [Digest256], owned: [Digest256]) {
        var (delivered, owned): (Set<Digest256>, Set<Digest256>) = ([], [])
        for decision in facts.decisions.map(\.value)
        where decision.ownersAfter.contains(where: { person.contains(policy.name($0)) }) {
            switch decision.unit {
            case .purchase(let purchase):
                delivered.formUnion([
                    key.digest(of: purchase), key.digest(of: decision.transaction),
                ])
            case .lineage(let lineage): owned.insert(key.digest(of: lineage))
            }
        }
        return (delivered.sorted(), owned.sorted())
    }
}

extension LedgerReading {
    /// The erasure of an account of which nothing was recorded since.
    func erasure(
        of account: AccountID, knownBy key: PrivacyKey?
    ) throws(LedgerError) -> LedgerSequence? {
        guard let key else { return nil }
        let name = Erasure.name(ofPerson: key.digest(of: account))
        guard let erasure = try erasure(named: name), try !knows(account) else { return nil }
        return erasure
    }
}
