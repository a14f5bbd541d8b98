package import EntitlementModel

/// Under `account_token: is-account-id` an account id that is a UUID is one account whatever its
/// case (spec 1.1): everything is read in lower case.
extension Specification {
    /// The one name of an account.
    package func name(_ account: AccountID) -> AccountID {
        Specification.name(account, policy)
    }

    static func name(_ account: AccountID, _ policy: Policy) -> AccountID {
        guard policy.app.accountToken == .isAccountID, let token = AppAccountToken(account.text)
        else { return account }
        return AccountID(unchecked: token.text)
    }

    static func names(_ accounts: [AccountID], _ policy: Policy) -> [AccountID] {
        Set(accounts.map { name($0, policy) }).sorted()
    }

    /// The facts with every account under its one name.
    static func named(_ recorded: FactSet, _ policy: Policy) -> FactSet {
        guard policy.app.accountToken == .isAccountID else { return recorded }
        var facts = recorded
        facts.claims = recorded.claims.map { fact in
            var claim = fact.value
            claim.account = name(claim.account, policy)
            return fact.with(claim)
        }
        facts.decisions = recorded.decisions.map { fact in
            var decision = fact.value
            decision.ownersBefore = names(decision.ownersBefore, policy)
            decision.ownersAfter = names(decision.ownersAfter, policy)
            return fact.with(decision)
        }
        facts.rulings = recorded.rulings.map { fact in
            var ruling = fact.value
            ruling.account = ruling.account.map { name($0, policy) }
            return fact.with(ruling)
        }
        facts.accountTokens = recorded.accountTokens.map { fact in
            var registration = fact.value
            registration.account = name(registration.account, policy)
            return fact.with(registration)
        }
        facts.accountMerges = recorded.accountMerges.map { fact in
            var merge = fact.value
            (merge.from, merge.into) = (name(merge.from, policy), name(merge.into, policy))
            return fact.with(merge)
        }
        facts.refundConsents = recorded.refundConsents.map { fact in
            var consent = fact.value
            consent.account = name(consent.account, policy)
            return fact.with(consent)
        }
        return namedCredits(namedGifts(facts, policy), policy)
    }

    private static func namedGifts(_ recorded: FactSet, _ policy: Policy) -> FactSet {
        var facts = recorded
        facts.grants = recorded.grants.map { fact in
            var grant = fact.value
            grant.account = name(grant.account, policy)
            return fact.with(grant)
        }
        facts.grantRevocations = recorded.grantRevocations.map { fact in
            var revocation = fact.value
            revocation.account = name(revocation.account, policy)
            return fact.with(revocation)
        }
        facts.blocks = recorded.blocks.map { fact in
            var block = fact.value
            block.account = name(block.account, policy)
            return fact.with(block)
        }
        facts.blockRemovals = recorded.blockRemovals.map { fact in
            var removal = fact.value
            removal.account = name(removal.account, policy)
            return fact.with(removal)
        }
        return facts
    }

    private static func namedCredits(_ recorded: FactSet, _ policy: Policy) -> FactSet {
        var facts = recorded
        facts.creditSpends = recorded.creditSpends.map { fact in
            var spend = fact.value
            spend.account = name(spend.account, policy)
            return fact.with(spend)
        }
        facts.creditHolds = recorded.creditHolds.map { fact in
            var hold = fact.value
            hold.account = name(hold.account, policy)
            return fact.with(hold)
        }
        facts.spendReversals = recorded.spendReversals.map { fact in
            var reversal = fact.value
            reversal.account = name(reversal.account, policy)
            reversal.spender = name(reversal.spender, policy)
            return fact.with(reversal)
        }
        return facts
    }

    /// Decisions on the claim of one spelling of an account on what another spelling owned, until a
    /// person has ruled on the unit: these are findings.
    package func caseConflicts() -> Set<LedgerSequence> {
        guard policy.app.accountToken == .isAccountID else { return [] }
        return Set(
            recorded.decisions.filter { decision in
                recorded.claims.contains { claim in
                    claim.sequence == decision.value.cause
                        && decision.value.ownersBefore.contains {
                            $0 != claim.value.account && name($0) == name(claim.value.account)
                        }
                }
            }.map(\.sequence))
    }
}
