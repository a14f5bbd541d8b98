internal import EntitlementModel

/// A merge of two accounts beside all that one of them has. An undo is the same in the other
/// direction, for what the merge moved and nobody has moved since.
struct MergeBench {
    private let cause: AccountMerge
    private let undone: LedgerSequence?
    private let sequence: LedgerSequence
    private let recordedAt: Instant
    private let view: FactView
    private let book: OwnershipBook

    /// `undone` is the merge that `cause` takes back.
    init(
        cause: AccountMerge, undone: LedgerSequence?, sequence: LedgerSequence,
        recordedAt: Instant, view: FactView
    ) {
        self.cause = cause
        self.undone = undone
        self.sequence = sequence
        self.recordedAt = recordedAt
        self.view = view
        book = OwnershipBook(view)
    }

    /// The account that is left, and the one that has it all then.
    var giver: AccountID { undone == nil ? cause.from : cause.into }
    private var taker: AccountID { undone == nil ? cause.into : cause.from }

    var facts: MergedFacts {
        var merged = MergedFacts()
        for unit in book.units {
            let ownership = book.ownership(of: unit)
            if let decision = move(unit, ownership) { merged.decisions.append(decision) }
            for claim in waitingClaims(on: unit) {
                follow(claim, on: unit, owners: ownership.owners, in: &merged)
            }
        }
        moveGrants(in: &merged)
        merged.accountTokens = registrations
        return merged
    }
}

/// Units and claims.
extension MergeBench {
    private func move(_ unit: OwnedUnit, _ ownership: UnitOwnership) -> RuledDecision? {
        guard let newest = ownership.changes.last, ownership.owners.contains(giver) else {
            return nil
        }
        let others = ownership.owners.filter { $0 != giver && $0 != taker }
        var after = (others + [taker]).sorted()
        if undone != nil {
            guard newest.value.cause == undone else { return nil }
            after = newest.value.ownersBefore
        }
        return RuledDecision(
            unit: unit, transactionID: newest.value.transactionID, outcome: .accepted,
            rule: .merged, ownersBefore: ownership.owners, ownersAfter: after,
            from: recordedAt)
    }

    /// Of an undo, those that came with the merge.
    private func waitingClaims(on unit: OwnedUnit) -> [Recorded<Claim>] {
        let decisions = book.decisions(on: unit)
        let waiting = RulingBench.waitingClaims(decisions, facts: view.facts)
            .filter { $0.value.account == giver }
        guard let undone else { return waiting }
        let moved = Set(decisions.filter { $0.value.rule == .merged }.map(\.value.cause))
        return waiting.filter { claim in
            claim.sequence > undone
                && view.facts.claims.contains {
                    moved.contains($0.sequence) && $0.value.account == taker
                        && $0.value.transaction == claim.value.transaction
                }
        }
    }

    /// The claim is refused to the one, and waits for the other if the unit is not its own now.
    private func follow(
        _ claim: Recorded<Claim>, on unit: OwnedUnit, owners: [AccountID],
        in merged: inout MergedFacts
    ) {
        let decision = RuledDecision(
            refusedClaim: claim.sequence, unit: unit,
            transactionID: claim.value.transaction.transactionID, outcome: .refused(.denied),
            rule: .merged, ownersBefore: owners, ownersAfter: owners, from: recordedAt)
        merged.decisions.append(decision)
        guard !owners.contains(taker) else { return }
        var waiting = decision
        waiting.refusedClaim = nil
        waiting.outcome = .refused(.waiting)
        var followed = claim.value
        followed.account = taker
        merged.claims.append(MergedFacts.MovedClaim(claim: followed, decision: waiting))
    }
}

/// What was given by hand, and what tokens mean.
extension MergeBench {
    /// A grant that has not ended is ended, and given to the other account for what is left.
    private func moveGrants(in merged: inout MergedFacts) {
        for (grant, revocation) in Gifts(to: giver, in: view.facts).all {
            let isOver = grant.value.until.map { $0 <= recordedAt } ?? false
            guard revocation == nil, !isOver, isMoved(grant) else { continue }
            merged.grantRevocations.append(
                GrantRevocation(
                    grant: grant.value.id, account: giver, actor: cause.actor,
                    reason: cause.reason))
            var given = grant.value
            given.id = GrantID(
                unchecked: Self.prefix(of: sequence) + "\(merged.grants.count + 1)")
            given.account = taker
            given.from = max(grant.value.from, recordedAt)
            given.actor = cause.actor
            given.reason = cause.reason
            merged.grants.append(given)
        }
    }

    private func isMoved(_ grant: Recorded<Grant>) -> Bool {
        undone.map { grant.value.id.text.hasPrefix(Self.prefix(of: $0)) } ?? true
    }

    /// No two merges share a sequence, so no two grants share an id.
    private static func prefix(of merge: LedgerSequence) -> String { "merge-\(merge)-" }

    private var registrations: [AccountTokenRegistration] {
        var newest: [AppAccountToken: Recorded<AccountTokenRegistration>] = [:]
        for registration in view.facts.accountTokens.sorted(by: { $0.sequence < $1.sequence }) {
            newest[registration.value.token] = registration
        }
        var tokens = newest.filter { $0.value.value.account == giver && isMoved($0.value) }
            .map(\.key)
        if undone == nil, view.policy.policy.app.accountToken == .isAccountID,
            let own = AppAccountToken(giver.text), newest[own] == nil
        {
            tokens.append(own)
        }
        return tokens.sorted { $0.text < $1.text }.map {
            AccountTokenRegistration(
                token: $0, account: taker, actor: cause.actor, reason: cause.reason)
        }
    }

    /// Of an undo: whether the merge registered it, for a token that was the other account's.
    private func isMoved(_ registration: Recorded<AccountTokenRegistration>) -> Bool {
        guard let undone else { return true }
        let wasOfTaker =
            AppAccountToken(taker.text) == registration.value.token
            || view.facts.accountTokens.contains {
                $0.value.token == registration.value.token && $0.value.account == taker
                    && $0.sequence < undone
            }
        return registration.sequence > undone && wasOfTaker
    }
}
