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
        let report: AdminActionReport<ErasedAccount> = try await commit(
            calledAt: clock.now(), meant: cause.intent
        ) { ledger throws(LedgerError) in
            let account = ledger.policy.name(account)
            guard try ledger.transaction.isErased(by: privacyKey) else {
                return (.rejected(.erasureWithoutKey), [])
            }
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
        // Its journal may name the account.
        if cause.intent.acts { jobs.wake([.reconciliation]) }
        return report
    }

    /// Closes the account until it is erased (spec 1.14); of what nothing is known there is nothing to
    /// hold. A preview is that of the erasure.
    ///
    /// - Parameters:
    ///   - days: until then `reopen` cancels it; 0 erases at once.
    ///   - id: of the block that closes it.
    package func erase(
        _ account: AccountID, reference: ErasureReference, holding days: Int64, id: BlockID,
        _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<ErasureAnswer> {
        if days > 0, cause.intent.acts {
            let held: AdminActionReport<ErasureAnswer?> = try await commit(
                calledAt: clock.now(), meant: cause.intent
            ) { ledger throws(LedgerError) in
                try ledger.hold(account, as: reference, for: days, id: id, cause)
            }
            switch held {
            case .rejected(let rejection): return .rejected(rejection)
            case .done(let held?):
                jobs.wake([.erasures])
                return .done(held)
            case .done(nil): break
            }
        }
        switch try await erase(account, reference: reference, cause) {
        case .rejected(let rejection): return .rejected(rejection)
        case .done(let erased): return .done(erased.answer)
        }
    }

    /// Erases the account whose hold has been over for longest.
    func eraseWhatIsDue() async throws(EngineError) -> DueErasure {
        guard leads else { return .nothing(next: nil) }
        let hold = try ledger.reading { reader throws(LedgerError) in
            try reader.erasureHolds().first
        }
        guard let hold, case .erasure(let due, let reference) = hold.purpose else {
            return .nothing(next: nil)
        }
        guard due <= now() else { return .nothing(next: due) }
        let cause = AdminActionCause(actor: hold.actor, reason: hold.reason)
        switch try await erase(hold.account, reference: reference, cause) {
        case .done: return .erased(reference)
        case .rejected(let rejection): return .rejected(rejection)
        }
    }
}

/// What became of the accounts whose hold is over.
enum DueErasure {
    /// None is, and when the next one will be.
    case nothing(next: Instant?)
    case erased(ErasureReference)
    case rejected(AdminActionRejection)
}

extension LedgerReading {
    /// The holds of the accounts that wait to be erased, the next one first.
    fileprivate func erasureHolds() throws(LedgerError) -> [Block] {
        var holds: [Block] = []
        for place in try erasures(named: Erasure.anyHold) {
            guard case .block(let block)? = try entry(place)?.value else { continue }
            let removals = try facts(naming: block.account, of: [.blockRemoval], after: place)
            if !removals.blockRemovals.contains(where: { $0.value.block == block.id }) {
                holds.append(block)
            }
        }
        return holds
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
    /// - Returns: nil where nothing is known of the account.
    fileprivate func hold(
        _ account: AccountID, as reference: ErasureReference, for days: Int64, id: BlockID,
        _ cause: AdminActionCause
    ) throws(LedgerError) -> (
        value: AdminActionReport<ErasureAnswer?>, touched: Set<AccountID>
    ) {
        let account = policy.name(account)
        guard let privacyKey, try transaction.isErased(by: privacyKey) else {
            return (.rejected(.erasureWithoutKey), [])
        }
        if let into = try mergedInto(account) { return (.rejected(.merged(into: into)), []) }
        guard try transaction.knows(account) else { return (.done(nil), []) }
        let known = try closures(of: account).first { $0.value.purpose != .closure }
        if let known { return (.done(try held(known)), []) }
        let due = Period(days, .days).end(from: now)
        let (report, touched) = try block(
            account, purpose: .erasure(at: due, reference: reference), id: id, cause)
        switch report {
        case .rejected(let rejection): return (.rejected(rejection), [])
        case .done(let record): return (.done(try held(record.block)), touched)
        }
    }

    private func held(_ block: Recorded<Block>) throws(LedgerError) -> ErasureAnswer? {
        ErasureAnswer(
            holding: block, anchor: LedgerPosition(try transaction.head()).description)
    }

    fileprivate func erase(
        _ account: AccountID, _ wish: Erasure, knownBy key: PrivacyKey
    ) throws(LedgerError) -> (value: AdminActionReport<ErasedAccount>, touched: Set<AccountID>) {
        let person = try person(of: account)
        let wasKnown = try transaction.knows(account)
        let facts = try transaction.facts(forAccount: account)
        let touched = try transaction.accountsTouched(
            byLineages: Set(facts.transactions.map(\.value.lineage)).sorted())
        let timeline = policy.deriver.deriveAccount(account, facts)
        let (subscriptions, credits) = running(account, timeline)
        let orders = try openOrders(of: account)
        var wish = wish
        // Where tokens are ids of accounts, those that it had are no accounts either.
        let tokens = facts.accountTokens.map(\.value).filter { token in
            person.contains(policy.name(token.account))
        }.map { AccountID(unchecked: $0.token.text) }
        wish.names = Set((person.sorted() + tokens).map(key.digest) + [key.mark]).sorted()
        (wish.delivered, wish.owned) = owned(by: person, facts, timeline, key)
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
        _ account: AccountID, _ timeline: AccountTimeline
    ) -> ([RunningSubscription], [CreditName]) {
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

    /// Whether somebody who is erased had it, and it was not a consumable.
    func isReturn(_ payment: TransactionKey) throws(LedgerError) -> Bool {
        if try transaction.wasErased(ownerOf: .purchase(payment), knownBy: privacyKey) {
            return true
        }
        guard let lineage = try transaction.lineage(of: payment) else { return false }
        return try transaction.wasErased(ownerOf: .lineage(lineage), knownBy: privacyKey)
    }

    /// Without what was delivered to somebody who is erased, and without what only a token claims
    /// for them: whoever comes back presents what is theirs, and that is said of the claim.
    ///
    /// - Parameter facts: those that the claims are judged by.
    func withoutErased(
        _ claims: [Claim], _ facts: FactSet
    ) throws(LedgerError) -> [Claim] {
        guard let privacyKey, !claims.isEmpty, try transaction.newestErasure() != nil else {
            return claims
        }
        var left: [Claim] = []
        for claim in claims {
            let delivery = Erasure.name(ofDelivery: privacyKey.digest(of: claim.transaction))
            if try transaction.erasure(named: delivery) != nil { continue }
            if claim.moment == .notification,
                try transaction.erasure(of: claim.account, knownBy: privacyKey) != nil
            {
                continue
            }
            var claim = claim
            claim.isReturn = try isReturn(claim.transaction)
            if claim.isReturn { claim.erasedOwners = try erasedOwners(of: claim.transaction) }
            if let named = policy.deriver.account(namedBy: claim.transaction, facts) {
                let erasure = try transaction.erasure(of: named, knownBy: privacyKey)
                let isPseudonym = try transaction.isPseudonym(named)
                claim.hasErasedToken = isPseudonym || erasure != nil
            }
            left.append(claim)
        }
        return left
    }

    private func erasedOwners(of payment: TransactionKey) throws(LedgerError) -> [AccountID] {
        let decisions = try transaction.facts(forTransactions: [payment]).decisions
        let owners = Set(decisions.flatMap(\.value.ownersAfter)).sorted()
        var erased: [AccountID] = []
        for owner in owners where try transaction.isPseudonym(owner) { erased.append(owner) }
        return erased
    }

    /// What was delivered once, and what had an owner: all but consumables can be had again.
    private func owned(
        by person: Set<AccountID>, _ facts: FactSet, _ timeline: AccountTimeline, _ key: PrivacyKey
    ) -> (delivered: [Digest256], owned: [Digest256]) {
        let passes = Set(timeline.units.filter { $0.kind == .known(.nonRenewing) }.map(\.unit))
        var (delivered, owned): (Set<Digest256>, Set<Digest256>) = ([], [])
        for decision in facts.decisions.map(\.value)
        where decision.ownersAfter.contains(where: { person.contains(policy.name($0)) }) {
            switch decision.unit {
            case .purchase(let purchase):
                let digests = [key.digest(of: purchase), key.digest(of: decision.transaction)]
                if passes.contains(decision.unit) {
                    owned.formUnion(digests)
                } else {
                    delivered.formUnion(digests)
                }
            case .lineage(let lineage): owned.insert(key.digest(of: lineage))
            }
        }
        return (delivered.sorted(), owned.sorted())
    }
}

extension EntitlementEngine {
    /// Whether what was erased is known again: the setting has the key that has erased it. Blocks.
    package var knowsErased: Bool {
        guard let privacyKey else { return false }
        let isKey = try? ledger.reading { reader throws(LedgerError) in
            try reader.isErased(by: privacyKey)
        }
        return isKey ?? true
    }
}

extension LedgerReading {
    /// Whether no other key has erased anything.
    fileprivate func isErased(by key: PrivacyKey) throws(LedgerError) -> Bool {
        if try newestErasure() == nil { return true }
        return try erasure(named: Erasure.name(ofPerson: key.mark)) != nil
    }

    /// Whether somebody who is erased owned it, and it was not a consumable.
    func wasErased(
        ownerOf unit: OwnedUnit, knownBy key: PrivacyKey?
    ) throws(LedgerError) -> Bool {
        guard let key else { return false }
        let digest =
            switch unit {
            case .lineage(let lineage): key.digest(of: lineage)
            case .purchase(let purchase): key.digest(of: purchase)
            }
        return try erasure(named: Erasure.name(ofOwned: digest)) != nil
    }

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
