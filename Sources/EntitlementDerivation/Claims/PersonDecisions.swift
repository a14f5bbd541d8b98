internal import EntitlementModel

/// The effect of persons' rulings on a unit for later claims (spec 1.6).
struct PersonDecisions {
    /// Accounts that a release took it from, until a person assigns it to them again: their tokens
    /// are ignored, and only an explicit claim returns it.
    private(set) var released: Set<AccountID> = []
    /// Accounts that the newest ruling, an undo, took it from.
    private(set) var undone: Set<AccountID> = []

    /// Later rulings are ignored.
    init(_ ownership: UnitOwnership, _ facts: FactSet, asOf instant: Instant? = nil) {
        guard !facts.rulings.isEmpty else { return }
        var verbs: [LedgerSequence: Ruling.Verb] = [:]
        for ruling in facts.rulings { verbs[ruling.sequence] = ruling.value.verb }
        for change in ownership.changes where change.value.rule == .byHand {
            guard change.isKnown(at: instant), let verb = verbs[change.value.cause] else {
                continue
            }
            let before = Set(change.value.ownersBefore)
            let after = Set(change.value.ownersAfter)
            released.subtract(after)
            if verb == .release { released.formUnion(before.subtracting(after)) }
            switch verb {
            case .undo: undone = before.subtracting(after)
            case .transfer, .release: undone = []
            case .approve, .refuse: undone.subtract(after)
            }
        }
    }
}

extension ClaimEvaluation {
    /// Whether a release took the unit from the claimant.
    var isReleased: Bool { personDecisions.released.contains(claim.account) }

    /// Whether an undo took it from the claimant, or from an account that was merged into it.
    var isTakenByUndo: Bool {
        guard !personDecisions.undone.isEmpty else { return false }
        let merges = EffectiveMerges(view.facts.accountMerges)
        return !personDecisions.undone.isDisjoint(with: merges.accounts(standingAs: claim.account))
    }

    /// Whether the account got this denial for the unit at this moment, since the current owners
    /// have it, for one of the reasons that are reported once.
    func isTold(_ refusal: ClaimDenial) -> Bool {
        let since = ownership.changes.last?.sequence ?? .zero
        let reasons: [RuleReference] = [.takenByHand, .accountScoped, .listed, .closedAccount]
        let told = ownerships.decisions(on: unit).filter {
            $0.sequence > since && $0.value.outcome == .denied(refusal)
                && reasons.contains($0.value.rule)
        }
        guard !told.isEmpty else { return false }
        let causes = Set(told.map(\.value.cause))
        return view.facts.claims.contains {
            causes.contains($0.sequence) && $0.value.account == claim.account
                && $0.value.moment == claim.moment
        }
    }

    /// The claims that were accepted, whatever became of it.
    private var accepted: [Claim] {
        let causes = Set(
            view.facts.decisions.filter { $0.value.outcome == .accepted }.map(\.value.cause))
        return view.facts.claims.filter { causes.contains($0.sequence) }.map(\.value)
    }

    /// Whether the claimant became owner of the unit by presenting this purchase.
    var hasOwnedByThisPurchase: Bool {
        let merges = EffectiveMerges(view.facts.accountMerges)
        let accounts = merges.accounts(standingAs: claim.account)
        return accepted.contains {
            accounts.contains($0.account)
                && $0.transaction.environment == claim.transaction.environment
                && purchase.isNamed($0.transaction.transactionID)
        }
    }

    /// Whether the owner has presented, by a claim that was accepted, what a customer bought less
    /// than 24 hours ago: a restore does not take it away.
    var isFresh: Bool {
        guard claim.moment == .restore, let lineage = view.lineage(of: claim.transaction) else {
            return false
        }
        let merges = EffectiveMerges(view.facts.accountMerges)
        let purchases = view.purchases(of: lineage)
        return accepted.contains { presented in
            guard presented.transaction.environment == unit.environment,
                ownership.owners.contains(merges.account(standingFor: presented.account)),
                let (purchase, earlier) = purchases.named(presented.transaction.transactionID)
            else { return false }
            return view.unit(of: purchase, in: lineage.key) == unit
                && purchase.isCustomerMade(after: earlier, view: view)
                && recordedAt.milliseconds(since: purchase.start) < 86_400_000
        }
    }
}

extension FactView {
    /// Whether a person has to decide who gets it, because the back end before Usher may have
    /// delivered it.
    func needsPersonDecision(_ purchase: Purchase) -> Bool {
        guard let first = policy.policy.claimsFrom,
            purchase.kind?.known?.isAccountScoped == true
        else { return false }
        return purchase.start < first
    }
}
