internal import EntitlementModel

/// What people have said of a unit, as far as it binds later claims (spec 1.6).
extension Specification {
    /// The accounts that a release took it from, and that no person gave it to since; by what was
    /// known at the instant.
    func released(_ unit: OwnedUnit, asOf instant: Instant? = nil) -> Set<AccountID> {
        let ruled = ruledChanges(of: unit).filter { ruling in
            instant.map { ruling.change.recordedAt <= $0 } ?? true
        }
        let accounts = Set(ruled.flatMap(\.change.value.ownersBefore))
        return accounts.filter { account in
            let last = ruled.last {
                $0.change.value.ownersAfter.contains(account)
                    || $0.verb == .release && $0.change.value.ownersBefore.contains(account)
            }
            guard let last else { return false }
            return !last.change.value.ownersAfter.contains(account)
        }
    }

    /// Whether the newest transfer, release or undo on the unit is an undo that took it from the
    /// account, or from one that stands for it now, and no claim of that one was approved since.
    func isTakenByUndo(_ unit: OwnedUnit, from account: AccountID) -> Bool {
        let ruled = ruledChanges(of: unit)
        let verbs: [Ruling.Verb] = [.transfer, .release, .undo]
        guard let place = ruled.lastIndex(where: { verbs.contains($0.verb) }),
            ruled[place].verb == .undo
        else { return false }
        let change = ruled[place].change.value
        let given = ruled[place...].flatMap(\.change.value.ownersAfter)
        return accountsStanding(as: account).contains {
            change.ownersBefore.contains($0) && !given.contains($0)
        }
    }

    private func ruledChanges(
        of unit: OwnedUnit
    ) -> [(verb: Ruling.Verb, change: Recorded<OwnershipDecision>)] {
        changes(of: unit).compactMap { change in
            let ruling = facts.rulings.first { $0.sequence == change.value.cause }
            return ruling.map { ($0.value.verb, change) }
        }
    }

    /// Denies it, and records that unless it was said to the account before at this moment, with
    /// the same owners.
    func deny(
        _ refusal: ClaimDenial, _ claim: Claim, on unit: OwnedUnit,
        in judgement: inout SpecifiedJudgement
    ) {
        judgement.outcome = .denied(refusal)
        let names = [
            "a person took it from the account", "account-scoped purchases do not move",
            "what the device lists takes nothing from another account", "the account is closed",
        ]
        let since = changes(of: unit).last?.sequence ?? LedgerSequence(0)
        judgement.isRecorded = !facts.decisions.contains { earlier in
            earlier.sequence > since && earlier.value.outcome == .denied(refusal)
                && names.contains(earlier.value.rule.name)
                && self.unit(decidedBy: earlier.value) == unit
                && facts.claims.contains {
                    $0.sequence == earlier.value.cause && $0.value.account == claim.account
                        && $0.value.moment == claim.moment
                }
        }
    }

    /// Whether the rule lets the claimant own it beside the others: a listed purchase is not asked
    /// of any other verb.
    func isShared(
        by rule: ClaimRule?, _ purchase: Purchase, _ claim: Claim, recordedAt: Instant
    ) -> Bool {
        guard let rule, case .share(let maximum) = rule.verb else { return false }
        return lastOwners(of: purchase.unit).count < maximum
            && !released(purchase.unit).contains(claim.account)
            && broken(rule.limits, unit: purchase.unit, recordedAt: recordedAt) == nil
    }

    /// What an owner has presented on the day on which a customer bought it stays for that day.
    func isKeptForTheDay(_ purchase: Purchase, _ claim: Claim, recordedAt: Instant) -> Bool {
        guard claim.moment == .restore else { return false }
        let owners = lastOwners(of: purchase.unit)
        return facts.claims.contains { presented in
            guard let bought = self.purchase(named: presented.value.transaction),
                bought.unit == purchase.unit, isCustomerMade(bought),
                recordedAt.milliseconds(since: bought.start) < 86_400_000,
                owners.contains(account(standingFor: presented.value.account))
            else { return false }
            return facts.decisions.contains {
                $0.value.cause == presented.sequence && $0.value.outcome == .accepted
            }
        }
    }
}
