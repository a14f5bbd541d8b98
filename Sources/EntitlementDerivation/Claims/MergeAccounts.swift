package import EntitlementModel

/// What became of a merge, or of taking one back (spec 1.6).
package enum MergeOutcome: Hashable, Sendable {
    case decided(MergedFacts)
    /// The same merge again: it is in effect, and nothing new is to be moved.
    case standing(Recorded<AccountMerge>)
    case impossible(MergeObstacle)
}

/// The facts to append after a merge, in its commit: everything that follows the account. Tokens
/// follow without an entry while the merge is in effect.
package struct MergedFacts: Hashable, Sendable {
    /// Waiting claims are presented again by the other account, and go on waiting.
    package struct MovedClaim: Hashable, Sendable {
        package var claim: Claim
        package var decision: RuledDecision
    }

    /// Units first, then the refusals of the waiting claims that moved.
    package var decisions: [RuledDecision] = []
    package var claims: [MovedClaim] = []
    package var grantRevocations: [GrantRevocation] = []
    package var grants: [Grant] = []
    /// Holds continue with the other account.
    package var holdEnds: [HoldEnd] = []
    package var holds: [CreditHold] = []
    /// The balances carried by the merge entry itself.
    package var credits: [CarriedCredit] = []
    /// Of an undo: tokens that the merge registered again, as merges once did.
    package var accountTokens: [AccountTokenRegistration] = []

    package var isEmpty: Bool { self == MergedFacts() }
}

/// Why a merge cannot be.
package enum MergeObstacle: String, CaseIterable, Hashable, Sendable {
    case sameAccount = "same-account"
    /// A block is in effect: nothing leaves a blocked account, since a merge would lift the block.
    case blocked
    /// The account has nothing that could follow.
    case nothingToMerge = "nothing-to-merge"
    /// Undo needs a merge of these two accounts.
    case unknownMerge = "unknown-merge"
    /// Whatever the merge moved is back, or has moved since.
    case nothingToUndo = "nothing-to-undo"
}

/// Judges a merge, or an undo, by the facts recorded before it: those of both accounts.
/// `sequence` is the ledger entry that the merge will have.
package func merge(
    _ merge: AccountMerge, sequence: LedgerSequence, recordedAt: Instant,
    policies: PolicyHistory, facts: FactSet
) -> MergeOutcome {
    Deriver(policies: policies).merge(
        merge, sequence: sequence, recordedAt: recordedAt, facts)
}

extension Deriver {
    /// As the free function `merge(_:sequence:recordedAt:policies:facts:)`.
    package func merge(
        _ merge: AccountMerge, sequence: LedgerSequence, recordedAt: Instant, _ facts: FactSet
    ) -> MergeOutcome {
        var merge = merge
        merge.from = policy.policy.name(merge.from)
        merge.into = policy.policy.name(merge.into)
        guard merge.from != merge.into else { return .impossible(.sameAccount) }
        let plan = MergePlan(
            cause: merge, sequence: sequence, recordedAt: recordedAt,
            view: FactView(facts, policy: policy))
        return merge.undoes == nil
            ? outcome(of: merge, plan, facts) : outcome(ofUndo: merge, plan)
    }

    private func outcome(
        of merge: AccountMerge, _ plan: MergePlan, _ facts: FactSet
    ) -> MergeOutcome {
        var merged = plan.facts
        merged.credits = carried(by: plan, merged, facts)
        // Later evidence may be of purchases before it.
        if merged.isEmpty, !merge.isUpToNow {
            if let standing = plan.standing.merge(of: merge.from, into: merge.into) {
                return .standing(standing)
            }
            guard plan.hasNames else { return .impossible(.nothingToMerge) }
        }
        guard !plan.isGiverBlocked else { return .impossible(.blocked) }
        return .decided(merged)
    }

    /// An undo that moves nothing is still useful if evidence claims for the other account because
    /// of the merge.
    private func outcome(ofUndo merge: AccountMerge, _ plan: MergePlan) -> MergeOutcome {
        let undone = plan.merges.first { $0.sequence == merge.undoes }
        let isOfThese = undone.map {
            $0.value.from == merge.from && $0.value.into == merge.into
                && $0.value.undoes == nil
        }
        guard isOfThese == true else { return .impossible(.unknownMerge) }
        var merged = plan.facts
        merged.credits = plan.creditsToTakeBack
        let isStanding = merge.undoes.map(plan.standing.contains) ?? false
        let isInEffect =
            isStanding
            && (undone?.value.isUpToNow == true
                || plan.standing.account(standingFor: merge.from) == merge.into)
        guard !merged.isEmpty || isInEffect else { return .impossible(.nothingToUndo) }
        return .decided(merged)
    }
}

extension OwnershipDecision {
    /// Whether it followed from a merge, or from the undo of one.
    package var isOfMerge: Bool { rule == .merged }
}

/// Which account has the units of another: the merges that were not undone (spec 1.6).
package struct EffectiveMerges: Sendable {
    /// The newest of each account that was merged into another.
    private var newest: [AccountID: Recorded<AccountMerge>] = [:]
    /// Of each account those that end with what it had bought by then, the first one first.
    private var limited: [AccountID: [Recorded<AccountMerge>]] = [:]

    /// - Parameter instant: later records are ignored.
    package init(_ all: [Recorded<AccountMerge>], asOf instant: Instant? = nil) {
        let merges = all.filter { $0.isKnown(at: instant) }
        guard !merges.isEmpty else { return }
        let undone = Set(merges.compactMap(\.value.undoes))
        for merge in merges
        where merge.value.undoes == nil && !undone.contains(merge.sequence) {
            if merge.value.isUpToNow {
                limited[merge.value.from, default: []].append(merge)
                continue
            }
            let known = newest[merge.value.from]?.sequence ?? .zero
            if known < merge.sequence { newest[merge.value.from] = merge }
        }
        for account in limited.keys { limited[account]?.sort { $0.sequence < $1.sequence } }
    }

    /// The account for which evidence claims, and that a token names, where this one is given:
    /// itself unless it was merged into another. Two accounts that were merged into one another
    /// in turn are the one into which the last of these merges went.
    ///
    /// - Parameter boughtAt: when the unit in question was bought or ordered; nil for the account
    ///   as of now, which a merge up to an earlier instant does not concern.
    package func account(
        standingFor account: AccountID, boughtAt: Instant? = nil
    ) -> AccountID {
        var path: [Recorded<AccountMerge>] = []
        var current = account
        while let merge = merge(of: current, boughtAt: boughtAt) {
            if let first = path.firstIndex(where: { $0.value.from == current }) {
                let last = path[first...].max { $0.sequence < $1.sequence }
                return last?.value.into ?? current
            }
            path.append(merge)
            current = merge.value.into
        }
        return current
    }

    /// The merge that the account went into first, with the purchases of that time.
    private func merge(
        of account: AccountID, boughtAt: Instant?
    ) -> Recorded<AccountMerge>? {
        let first = boughtAt.flatMap { bought in
            limited[account]?.first { bought < $0.recordedAt }
        }
        return first ?? newest[account]
    }

    /// The account and all that were merged into it, for purchases of that time.
    func accounts(
        standingAs account: AccountID, boughtAt: Instant? = nil
    ) -> Set<AccountID> {
        let merged = Set(newest.keys).union(limited.keys).filter {
            self.account(standingFor: $0, boughtAt: boughtAt) == account
        }
        return merged.union([account])
    }

    /// Whether the merge is in effect, and was not replaced by a later one.
    func contains(_ merge: LedgerSequence) -> Bool {
        newest.values.contains { $0.sequence == merge }
            || limited.values.joined().contains { $0.sequence == merge }
    }

    /// The merge of these two, if it is the one in effect for the first.
    func merge(of from: AccountID, into: AccountID) -> Recorded<AccountMerge>? {
        newest[from].flatMap { $0.value.into == into ? $0 : nil }
    }
}

extension Recorded {
    /// Whether it was recorded by the instant; without one, all is known.
    func isKnown(at instant: Instant?) -> Bool { instant.map { recordedAt <= $0 } ?? true }
}

/// Grants move between accounts under new names: one is ended, and another one granted for the rest
/// of its time.
///
/// The names say where a grant is: `merge-5-1` is the first that the merge in entry 5 put there,
/// and `merge-5-1-undo-9` is that one again, after a later merge of it was undone in entry 9.
extension MergePlan {
    func moveGrants(in merged: inout MergedFacts) {
        for (grant, revocation) in Gifts(to: giver, in: view.facts).all {
            let isOver = grant.value.until.map { $0 <= recordedAt } ?? false
            guard revocation == nil, !isOver, isMoved(grant) else { continue }
            merged.grantRevocations.append(
                GrantRevocation(
                    grant: grant.value.id, account: giver, actor: cause.actor,
                    reason: cause.reason))
            var given = grant.value
            given.id = name(of: grant, number: merged.grants.count + 1)
            given.account = receiver
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
    private func name(of grant: Recorded<Grant>, number: Int) -> GrantID {
        let new = GrantID(unchecked: Self.prefix(of: sequence) + "\(number)")
        guard let undone, let former = former(of: grant, in: undone) else { return new }
        let words = former.text.split(separator: "-")
        guard words.first == "merge", words.count >= 3 else { return new }
        return GrantID(unchecked: words.prefix(3).joined(separator: "-") + "-undo-\(sequence)")
    }

    /// The grant that the undone merge ended for this one: both are in the same order there.
    private func former(
        of grant: Recorded<Grant>, in undone: LedgerSequence
    ) -> GrantID? {
        let prefix = Self.prefix(of: undone)
        let number = grant.value.id.text.dropFirst(prefix.utf8.count).prefix { $0 != "-" }
        let ended = view.facts.grantRevocations
            .filter { $0.value.account == receiver && $0.sequence > undone }
            .sorted { $0.sequence < $1.sequence }
        guard let place = Int(number), ended.indices.contains(place - 1) else { return nil }
        return ended[place - 1].value.grant
    }

    private static func prefix(of merge: LedgerSequence) -> String { "merge-\(merge)-" }
}

/// Holds go from account to account as holds of other places, each known by its first one's.
extension MergePlan {
    func moveHolds(in merged: inout MergedFacts) {
        let ended = Set(view.facts.holdEnds.map(\.value.hold))
        let open = view.facts.creditHolds.filter {
            $0.value.account == giver && recordedAt < $0.value.until
                && $0.recordedAt < $0.value.until && !ended.contains($0.sequence)
        }
        for hold in open.sorted(by: { $0.sequence < $1.sequence }) where isMoved(hold) {
            merged.holdEnds.append(
                HoldEnd(
                    hold: hold.sequence, account: giver, actor: cause.actor,
                    reason: cause.reason))
            var moved = hold.value
            moved.account = receiver
            moved.key = nil
            moved.origin = hold.value.origin ?? hold.sequence
            merged.holds.append(moved)
        }
    }

    /// Of an undo, those that were the receiver's before.
    private func isMoved(_ hold: Recorded<CreditHold>) -> Bool {
        guard let undone else { return true }
        guard let origin = hold.value.origin, undone < hold.sequence else { return false }
        return view.facts.creditHolds.contains {
            ($0.value.origin ?? $0.sequence) == origin && $0.value.account == receiver
                && $0.sequence < undone
        }
    }

    /// An undo takes back the credits that the merge moved, while the account is still separate and
    /// nobody has taken them back.
    var creditsToTakeBack: [CarriedCredit] {
        guard let undone, standing.account(standingFor: giver) == giver,
            !merges.contains(where: { $0.value.undoes == undone }),
            let merge = merges.first(where: { $0.sequence == undone })
        else { return [] }
        return merge.value.credits.map {
            CarriedCredit(
                environment: $0.environment, credit: $0.credit,
                units: $0.units == .min ? .max : -$0.units)
        }
    }
}

extension Deriver {
    /// The remaining balances of the account after everything else has moved: spends and debts.
    /// They are moved too, so that nothing remains.
    func carried(
        by plan: MergePlan, _ merged: MergedFacts, _ facts: FactSet
    ) -> [CarriedCredit] {
        let after = plan.facts(facts, after: merged, policy: policy.policy.digest)
        let balances = deriveAccount(plan.giver, after).balances
        let left = balances.compactMap { key, timeline -> CarriedCredit? in
            let units = Int64(clamping: timeline.balance(at: plan.recordedAt))
            guard units != 0 else { return nil }
            return CarriedCredit(environment: key.environment, credit: key.credit, units: units)
        }
        return left.sorted {
            ($0.environment.rawValue, $0.credit) < ($1.environment.rawValue, $1.credit)
        }
    }
}

extension MergePlan {
    /// The facts as they are once the merge and what follows from it is recorded.
    fileprivate func facts(
        _ before: FactSet, after merged: MergedFacts, policy: Digest256
    ) -> FactSet {
        var (facts, place) = (before, sequence)
        func next<Value>(_ value: Value) -> Recorded<Value> {
            place = LedgerSequence(place.number + 1)
            return Recorded(sequence: place, recordedAt: recordedAt, value: value)
        }
        facts.accountMerges.append(
            Recorded(sequence: sequence, recordedAt: recordedAt, value: cause))
        for decided in merged.decisions {
            facts.decisions.append(next(decided.decision(ruling: sequence, policy: policy)))
        }
        for revocation in merged.grantRevocations {
            facts.grantRevocations.append(next(revocation))
        }
        for end in merged.holdEnds { facts.holdEnds.append(next(end)) }
        return facts
    }
}
