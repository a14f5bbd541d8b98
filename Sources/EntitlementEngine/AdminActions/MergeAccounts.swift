internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension EntitlementEngine {
    /// Merges the first account into the second, or undoes such a merge, in one commit (spec 1.6).
    /// The caller is authorised to: nothing merges automatically. An undo names the merge by its
    /// entry; a repeated merge is the first one.
    package func merge(
        _ cause: AccountMerge, meant intent: ActionIntent = .act
    ) async throws(EngineError) -> AdminActionReport<Recorded<AccountMerge>> {
        try await commit(calledAt: clock.now(), meant: intent) { ledger throws(LedgerError) in
            var recorder = MergeRecorder(ledger)
            let report = try recorder.record(cause)
            let delivered = try ledger.deliverOrders(of: recorder.touched, by: cause.actor)
            return (report, recorder.touched.union(delivered))
        }
    }

    /// Takes a merge back, named by its place in the ledger.
    package func undoMerge(
        _ place: LedgerSequence, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<Recorded<AccountMerge>> {
        let entry = try ledger.reading { reader throws(LedgerError) in
            try reader.entry(place)
        }
        guard case .accountMerge(let merge)? = entry?.value else {
            return .rejected(.merge(.unknownMerge))
        }
        return try await self.merge(
            AccountMerge(
                from: merge.from, into: merge.into, undoes: place, isUpToNow: merge.isUpToNow,
                actor: cause.actor, reason: cause.reason), meant: cause.intent)
    }
}

extension EngineTransaction {
    /// Delivers the orders of an account whose payment it has now, or the account that it was
    /// merged into.
    fileprivate func deliverOrders(
        of accounts: Set<AccountID>, by actor: String
    ) throws(LedgerError) -> Set<AccountID> {
        guard try transaction.hasOrders() else { return [] }
        var delivered = OrderLedger(self)
        try delivered.deliver(to: accounts, by: actor)
        return delivered.touched
    }
}

/// Writes a merge, and after it everything that follows from it.
struct MergeRecorder {
    let ledger: any LedgerWriting
    let policy: ActivePolicy
    let now: Instant
    /// Accounts whose timelines this makes stale.
    private(set) var touched: Set<AccountID> = []
    /// The newest of an account that a merge up to now examines.
    private static let mostOrders = 1_000

    init(_ commit: EngineTransaction) {
        ledger = commit.transaction
        policy = commit.policy
        now = commit.now
    }

    mutating func record(
        _ wish: AccountMerge
    ) throws(LedgerError) -> AdminActionReport<Recorded<AccountMerge>> {
        let cause = try addressed(wish)
        let head = try ledger.head()
        let sequence = LedgerSequence(head.sequence.number + 1)
        let outcome = policy.deriver.merge(
            cause, sequence: sequence, recordedAt: now, try ledger.facts(about: cause))
        let merged: MergedFacts
        switch outcome {
        case .impossible(let obstacle): return .rejected(.merge(obstacle))
        case .standing(let merge): return .done(merge)
        case .decided(let facts): merged = facts
        }
        var merge = cause
        merge.credits = merged.credits
        let place = try ledger.append(.accountMerge(merge), at: now)
        precondition(place == sequence, "the merge stands where it was judged to stand")
        try append(merged, cause: place)
        if merge.isUpToNow, merge.undoes == nil { try nameOrders(of: merge) }
        touched.formUnion([merge.from, merge.into])
        return .done(Recorded(sequence: place, recordedAt: now, value: merge))
    }

    /// Earlier orders belong to the other account whenever they are paid: their tokens name that
    /// one.
    private func nameOrders(of merge: AccountMerge) throws(LedgerError) {
        guard try ledger.hasOrders() else { return }
        let newest = try ledger.orders(
            of: merge.from, before: LedgerSequence(.max), limit: Self.mostOrders)
        for id in newest {
            guard let order = try ledger.order(id), policy.name(order.account) == merge.from,
                let token = order.order.value.token
            else { continue }
            let named = try ledger.accountTokens(token).last?.value.account
            guard named.map(policy.name) == merge.from else { continue }
            let registration = AccountTokenRegistration(
                token: token, account: merge.into, actor: merge.actor, reason: merge.reason)
            _ = try ledger.append(.accountToken(registration), at: now)
        }
    }

    /// If the target was itself merged into another account, that one is the target, except for the
    /// source itself.
    private func addressed(_ wish: AccountMerge) throws(LedgerError) -> AccountMerge {
        var cause = wish
        cause.from = policy.name(wish.from)
        cause.into = policy.name(wish.into)
        guard wish.undoes == nil, cause.from != cause.into else { return cause }
        let standing = try ledger.account(standingFor: cause.into, policy)
        if standing != cause.from { cause.into = standing }
        return cause
    }

    private mutating func append(
        _ merged: MergedFacts, cause: LedgerSequence
    ) throws(LedgerError) {
        for decided in merged.decisions { try append(decided, cause: cause) }
        for moved in merged.claims {
            let claim = try ledger.append(.claim(moved.claim), at: now)
            try append(moved.decision, cause: claim)
        }
        for revocation in merged.grantRevocations {
            _ = try ledger.append(.grantRevocation(revocation), at: now)
        }
        for grant in merged.grants { _ = try ledger.append(.grant(grant), at: now) }
        for registration in merged.accountTokens {
            _ = try ledger.append(.accountToken(registration), at: now)
        }
        for end in merged.holdEnds { _ = try ledger.append(.holdEnd(end), at: now) }
        for hold in merged.holds { _ = try ledger.append(.creditHold(hold), at: now) }
    }

    private mutating func append(
        _ decided: RuledDecision, cause: LedgerSequence
    ) throws(LedgerError) {
        let decision = decided.decision(ruling: cause, policy: policy.digest)
        _ = try ledger.append(.decision(decision), at: now)
        touched.formUnion(decision.ownersBefore)
        touched.formUnion(decision.ownersAfter)
    }
}

/// A call that names a merged account is rejected: the caller has to know which one is meant (spec
/// 1.6). Evidence and orders are redirected.
extension EngineTransaction {
    /// The account that has what this one had; nil where it was not merged into another.
    func mergedInto(_ account: AccountID) throws(LedgerError) -> AccountID? {
        try transaction.mergedInto(account, policy)
    }
}

extension LedgerReading {
    /// As the transaction's.
    func mergedInto(
        _ account: AccountID, _ policy: ActivePolicy
    ) throws(LedgerError) -> AccountID? {
        let name = policy.name(account)
        let standing = try self.account(standingFor: name, policy)
        return standing == name ? nil : standing
    }
}
