internal import EntitlementModel

/// Units that nobody owns, on an Apple ID of which one account owns all else (spec 1.6,
/// `inherit`).
extension ClaimEvaluation {
    /// The policy's rule for a unit that nobody owns: the first `deny` or `inherit` that matches.
    /// Account-scoped kinds have none.
    var ruleOfUnowned: ClaimRule? {
        guard purchase.kind?.known?.isAccountScoped != true else { return nil }
        return view.policy.policy.claimRules.first { rule in
            switch rule.verb {
            case .deny: matches(rule)
            case .inherit: token == TokenMatch.none && matches(rule) && heir != nil
            case .keep, .transfer, .transferIfInactive, .share, .ask: false
            }
        }
    }

    var heir: AccountID? { view.heir(of: unit, book) }

    /// Whether the claimant gets the unit by an `inherit` rule.
    var inherits: Bool {
        ownership.owners.isEmpty && ruleOfUnowned?.verb == .inherit && heir == claim.account
    }
}

extension FactView {
    /// The account that owns all other lineages of the unit's Apple ID that anybody owns, if that
    /// is one account.
    func heir(of unit: OwnedUnit, _ book: OwnershipIndex) -> AccountID? {
        guard case .lineage(let own) = unit else { return nil }
        let others = AppleIDs(self).lineages(withAppleIDOf: own).filter { $0 != own }
        let owners = Set(others.flatMap { book.ownership(of: .lineage($0)).owners })
        return owners.count == 1 ? owners.first : nil
    }
}
