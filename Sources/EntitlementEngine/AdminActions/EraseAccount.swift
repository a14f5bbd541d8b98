package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// What is asked for about one account (spec 1.14).
package struct ErasureRequest: Hashable, Sendable {
    package var account: AccountID
    package var reference: ErasureReference
    /// For how many days the account is closed before it is erased, and `reopen` cancels that; 0
    /// erases at once.
    package var holdDays: Int64 = 0
    /// Whether an account is meant of which nothing is known: that is recorded at once.
    package var isNew = false

    package init(_ account: AccountID, for reference: ErasureReference) {
        (self.account, self.reference) = (account, reference)
    }
}

extension EntitlementEngine {
    /// Erases what concerns the account alone, and all that was merged into it (docs/PRIVACY.md),
    /// or closes it until then. What was done for the same reference already is answered again. A
    /// preview is that of the erasure.
    ///
    /// - Parameter id: of the block that closes it.
    package func erase(
        _ request: ErasureRequest, id: BlockID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<ErasureAnswer> {
        guard let privacyKey else { return .rejected(.erasureWithoutKey) }
        let report: AdminActionReport<ErasureOutcome> = try await commit(
            calledAt: clock.now(), meant: cause.intent
        ) { ledger throws(LedgerError) in
            try ledger.carryOut(request, id: id, knownBy: privacyKey, cause)
        }
        switch report {
        case .rejected(let rejection): return .rejected(rejection)
        case .done(let outcome):
            if case .preview(let rehearsal) = cause.intent, var effect = rehearsal.effect {
                effect.value.erasure = outcome.scope
                effect.value.takesAway = outcome.scope.wasKnown
                if outcome.scope.due != nil {
                    effect.value.undo = ["usher", "reopen", request.account.text]
                }
                rehearsal.note(effect)
            } else {
                // The journal of a reconciliation may name who is erased.
                jobs.wake([outcome.answer.due == nil ? .reconciliation : .erasures])
            }
            return .done(outcome.answer)
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
        guard let privacyKey else { return .rejected(.erasureWithoutKey) }
        let report: AdminActionReport<ErasureOutcome?> = try await commit(
            calledAt: clock.now()
        ) { ledger throws(LedgerError) in
            let account = ledger.policy.name(hold.account)
            // It may have been reopened meanwhile.
            guard try ledger.closures(of: account).contains(where: { $0.value == hold }) else {
                return (.done(nil), [])
            }
            if let obstacle = try ledger.obstacle(toErasing: account, knownBy: privacyKey) {
                return (.rejected(obstacle), [])
            }
            let (outcome, touched) = try ledger.erase(
                account, for: reference, by: hold.actor, knownBy: privacyKey)
            return (.done(outcome), touched)
        }
        switch report {
        case .rejected(let rejection): return .rejected(rejection)
        case .done(nil): return .nothing(next: now())
        case .done(let outcome?):
            jobs.wake([.reconciliation])
            return .erased(outcome.answer)
        }
    }

    /// How many accounts wait to be erased, and of how many of them the hold is over. Blocks.
    package func erasureCounts() throws(EngineError) -> (waiting: Int64, overdue: Int64) {
        let dues = try ledger.reading { reader throws(LedgerError) in
            try reader.erasureHolds().compactMap(\.purpose.due)
        }
        let now = now()
        return (Int64(dues.count), Int64(dues.count { $0 <= now }))
    }
}

/// What became of the accounts whose hold is over.
enum DueErasure {
    /// None is, and when the next one will be.
    case nothing(next: Instant?)
    case erased(ErasureAnswer)
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

    /// What is answered of an erasure, whenever it is asked for.
    fileprivate func certificate(at place: LedgerSequence) throws(LedgerError) -> ErasureAnswer? {
        guard let entry = try entry(place), case .erasure(let erasure) = entry.value,
            let head = try head(at: place)
        else { return nil }
        return ErasureAnswer(
            entry.with(erasure), anchor: LedgerPosition(head).description)
    }
}

extension Digest256 {
    /// Before there is anything to digest.
    fileprivate static let none = EntryHash.digest(of: [])
}

/// What is answered, and what a preview says besides.
private struct ErasureOutcome: Sendable {
    let answer: ErasureAnswer
    var scope: ErasureScope

    /// Nothing more is done.
    init(_ answer: ErasureAnswer) {
        (self.answer, scope) = (answer, ErasureScope(known: answer))
    }

    init(_ answer: ErasureAnswer, _ scope: ErasureScope) {
        (self.answer, self.scope) = (answer, scope)
    }
}

extension EngineTransaction {
    /// Why the account cannot be erased, whoever asks.
    fileprivate func obstacle(
        toErasing account: AccountID, knownBy key: PrivacyKey
    ) throws(LedgerError) -> AdminActionRejection? {
        guard try transaction.isErased(by: key) else { return .erasureWithoutKey }
        return try mergedInto(account).map { .merged(into: $0) }
    }

    fileprivate func carryOut(
        _ request: ErasureRequest, id: BlockID, knownBy key: PrivacyKey, _ cause: AdminActionCause
    ) throws(LedgerError) -> (
        value: AdminActionReport<ErasureOutcome>, touched: Set<AccountID>
    ) {
        let (account, reference) = (policy.name(request.account), request.reference)
        if let obstacle = try obstacle(toErasing: account, knownBy: key) {
            return (.rejected(obstacle), [])
        }
        var days = request.holdDays
        if try !transaction.knows(account) {
            if let earlier = try earlier(account, knownBy: key, as: reference) {
                return (earlier, [])
            }
            guard request.isNew else { return (.rejected(.unknownAccount), []) }
            days = 0
        }
        let hold = try closures(of: account).first { $0.value.purpose != .closure }
        if let first = hold?.value.purpose.reference, let hold, first != reference {
            return (.rejected(.waitsForErasure(hold.sequence, first)), [])
        }
        if hold == nil {
            let person = try person(of: account)
            guard !person.contains(where: reference.names) else {
                return (.rejected(.referenceNamesAccount), [])
            }
        }
        if days > 0, cause.intent.acts {
            return try self.hold(account, hold, as: reference, for: days, id: id, cause)
        }
        var (outcome, touched) = try erase(
            account, for: reference, by: cause.actor, knownBy: key)
        if days > 0 {
            outcome.scope.due = hold?.value.purpose.due ?? Period(days, .days).end(from: now)
        }
        return (.done(outcome), touched)
    }

    /// What is answered about an account that is erased and of which nothing was recorded since; nil
    /// for any other one.
    private func earlier(
        _ account: AccountID, knownBy key: PrivacyKey, as reference: ErasureReference
    ) throws(LedgerError) -> AdminActionReport<ErasureOutcome>? {
        var last: ErasureAnswer?
        for place in try transaction.erasures(of: account, knownBy: key).reversed() {
            guard let certificate = try transaction.certificate(at: place) else { continue }
            if certificate.reference == reference { return .done(ErasureOutcome(certificate)) }
            last = last ?? certificate
        }
        return last.map { .rejected(.erasedBefore($0.erasure, $0.reference)) }
    }

    /// Closes the account, unless it waits already.
    private func hold(
        _ account: AccountID, _ hold: Recorded<Block>?, as reference: ErasureReference,
        for days: Int64, id: BlockID, _ cause: AdminActionCause
    ) throws(LedgerError) -> (
        value: AdminActionReport<ErasureOutcome>, touched: Set<AccountID>
    ) {
        var (hold, touched): (Recorded<Block>?, Set<AccountID>) = (hold, [])
        if hold == nil {
            let due = Period(days, .days).end(from: now)
            let made = try block(
                account, purpose: .erasure(at: due, reference: reference), id: id, cause)
            switch made.value {
            case .rejected(let rejection): return (.rejected(rejection), [])
            case .done(let record): (hold, touched) = (record.block, made.touched)
            }
        }
        let anchor = LedgerPosition(try transaction.head()).description
        guard let hold, let answer = ErasureAnswer(holding: hold, anchor: anchor) else {
            preconditionFailure("a hold says until when it is one")
        }
        return (.done(ErasureOutcome(answer)), touched)
    }

    fileprivate func erase(
        _ account: AccountID, for reference: ErasureReference, by actor: String,
        knownBy key: PrivacyKey
    ) throws(LedgerError) -> (outcome: ErasureOutcome, touched: Set<AccountID>) {
        let person = try person(of: account)
        let facts = try transaction.facts(forAccount: account)
        let touched = try transaction.accountsTouched(
            byLineages: Set(facts.transactions.map(\.value.lineage)).sorted())
        let timeline = policy.deriver.deriveAccount(account, facts)
        let (subscriptions, credits) = running(account, timeline)
        let orders = try openOrders(of: account)
        var wish = Erasure(reference: reference, actor: actor, digest: .none)
        // Where tokens are ids of accounts, those that it had are no accounts either.
        let tokens = facts.accountTokens.map(\.value).filter { token in
            person.contains(policy.name(token.account))
        }.map { AccountID(unchecked: $0.token.text) }
        wish.names = Set((person.sorted() + tokens).map(key.digest) + [key.mark]).sorted()
        (wish.delivered, wish.owned) = owned(by: person, facts, timeline, key)
        let erasure = try transaction.erase(person.sorted(), as: wish, at: now)
        let scope = ErasureScope(
            erasure.value, subscriptions: subscriptions, orders: orders, credits: credits)
        guard let certificate = try transaction.certificate(at: erasure.sequence) else {
            preconditionFailure("an erasure is read where it was recorded")
        }
        return (ErasureOutcome(certificate, scope), person.union(touched))
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

    /// The erasures of an account, the newest last, whether something was recorded of it since or
    /// not.
    func erasures(
        of account: AccountID, knownBy key: PrivacyKey?
    ) throws(LedgerError) -> [LedgerSequence] {
        guard let key else { return [] }
        return try erasures(named: Erasure.name(ofPerson: key.digest(of: account)))
    }

    /// The erasure of an account of which nothing was recorded since.
    func erasure(
        of account: AccountID, knownBy key: PrivacyKey?
    ) throws(LedgerError) -> LedgerSequence? {
        guard let erasure = try erasures(of: account, knownBy: key).last, try !knows(account)
        else { return nil }
        return erasure
    }

    /// Whether the account may be one that was erased: nothing is known of it, and there are
    /// erasures by another key than this one.
    func maybeErased(
        _ account: AccountID, knownBy key: PrivacyKey?
    ) throws(LedgerError) -> Bool {
        guard try newestErasure() != nil, try !knows(account) else { return false }
        guard let key else { return true }
        return try !isErased(by: key)
    }
}
