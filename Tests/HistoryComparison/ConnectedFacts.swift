internal import EntitlementModel

extension FactSet {
    /// The fewest facts that an account may be derived from: all that is known of the Apple IDs
    /// of the lineages that it has to do with, and of what shares a receipt with them; and the
    /// same for the first owners of what it owns, since stacks are theirs (spec 1.4).
    func connected(to account: AccountID, by policy: Policy) -> FactSet {
        guard policy.app.accountToken == .isAccountID else { return connected(to: account) }
        // What other spellings recorded is the account's too.
        let few = foldingAccounts().connected(to: account)
        let places = Set(few.decisions.map(\.sequence))
        return few.keepingCaseConflicts(where: places.contains)
    }

    private func keepingCaseConflicts(where isKept: (LedgerSequence) -> Bool) -> FactSet {
        var facts = self
        facts.caseConflicts = caseConflicts.filter(isKept)
        return facts
    }

    private func connected(to account: AccountID) -> FactSet {
        let lineages = connectedLineages(to: account)
        let receipts = Set(
            transactions.filter { lineages.contains($0.value.lineage) }.map(\.value.key))
        var facts = self
        facts.transactions.removeAll { !lineages.contains($0.value.lineage) }
        facts.renewals.removeAll { !lineages.contains($0.value.lineage) }
        facts.claims.removeAll { !receipts.contains($0.value.transaction) }
        facts.decisions.removeAll { !receipts.contains($0.value.key) }
        facts.grants.removeAll { $0.value.account != account }
        // A merge ends grants and holds under the spelling of the account that counted then.
        let grants = Set(facts.grants.map(\.value.id))
        // What takes the place of a gift is known with the purchase.
        facts.grantRevocations.removeAll { revocation in
            revocation.value.account != account && !grants.contains(revocation.value.grant)
                && !(revocation.value.payment.map(receipts.contains) ?? false)
        }
        facts.blocks.removeAll { $0.value.account != account }
        facts.blockRemovals.removeAll { $0.value.account != account }
        facts.creditSpends.removeAll { $0.value.account != account }
        facts.creditHolds.removeAll { $0.value.account != account }
        let holds = Set(facts.creditHolds.map(\.sequence))
        facts.holdEnds.removeAll {
            $0.value.account != account && !holds.contains($0.value.hold)
        }
        facts.spendReversals.removeAll {
            $0.value.account != account && $0.value.spender != account
        }
        return facts
    }

    private func connectedLineages(to account: AccountID) -> Set<LineageKey> {
        var accounts: Set<AccountID> = [account]
        var lineages = self.accounts(mergedInto: account).reduce(into: Set<LineageKey>()) {
            $0.formUnion(lineagesNaming($1))
        }
        while true {
            let (accountsBefore, lineagesBefore) = (accounts.count, lineages.count)
            for decision in decisions {
                let named = Set(decision.value.ownersBefore + decision.value.ownersAfter)
                let lineage = lineage(of: decision.value)
                let claimants = claims.filter { $0.sequence == decision.value.cause }
                    .map(\.value.account)
                guard let lineage, !accounts.isDisjoint(with: named.union(claimants)) else {
                    continue
                }
                lineages.insert(lineage)
                if isOfPurchase(decision.value) {
                    accounts.formUnion(ownersOfPurchases(in: lineage))
                }
            }
            lineages.formUnion(neighbours(of: lineages))
            if accounts.count == accountsBefore, lineages.count == lineagesBefore { break }
        }
        return lineages
    }

    /// The account, and all that were ever merged into it, directly or through one another.
    private func accounts(mergedInto account: AccountID) -> Set<AccountID> {
        var merged: Set<AccountID> = [account]
        while let next = accountMerges.first(where: {
            merged.contains($0.value.into) && !merged.contains($0.value.from)
        }) {
            merged.insert(next.value.from)
        }
        return merged
    }

    /// Whose purchases carry a token of the account.
    private func lineagesNaming(_ account: AccountID) -> Set<LineageKey> {
        var tokens = Set(
            accountTokens.filter { $0.value.account == account }.map(\.value.token))
        if let own = AppAccountToken(account.text) { tokens.insert(own) }
        return Set(
            transactions.filter { $0.value.appAccountToken.map(tokens.contains) ?? false }
                .map(\.value.lineage))
    }

    private func lineage(of decision: OwnershipDecision) -> LineageKey? {
        transactions.first { $0.value.key == decision.key }?.value.lineage
    }

    /// Also what was taken for a lineage before the catalogue had its product.
    private func isOfPurchase(_ decision: OwnershipDecision) -> Bool {
        if case .purchase = decision.unit { return true }
        return !transactions.contains { $0.value.key == decision.key && $0.value.isLasting }
    }

    /// Whoever had one of them at any time, even where nobody had it in between. A purchase may
    /// have had another name then, but not another lineage (spec 1.2).
    private func ownersOfPurchases(in lineage: LineageKey) -> Set<AccountID> {
        let onPurchases = decisions.filter {
            isOfPurchase($0.value) && self.lineage(of: $0.value) == lineage
        }
        return Set(onPurchases.flatMap { $0.value.ownersBefore + $0.value.ownersAfter })
    }

    /// The lineages that share an appTransactionId, a receipt or a transaction with one of these, go
    /// on from one or are what one goes on from.
    private func neighbours(of lineages: Set<LineageKey>) -> Set<LineageKey> {
        let marks =
            transactions.map { ($0.value.lineage, $0.value.marks) }
            + renewals.map { ($0.value.lineage, $0.value.marks) }
        let known = Set(marks.filter { lineages.contains($0.0) }.flatMap(\.1))
        return Set(marks.filter { !known.isDisjoint(with: $0.1) }.map(\.0))
    }
}

extension TransactionSnapshot {
    fileprivate var lineage: LineageKey { LineageKey(environment, originalTransactionID) }
    fileprivate var key: TransactionKey { TransactionKey(environment, transactionID) }
    fileprivate var marks: [String] {
        let lineages = [originalTransactionID, previousOriginalTransactionID].compactMap {
            $0.map { "\(environment) \($0)" }
        }
        return lineages + ["\(environment) transaction \(transactionID)"]
            + [appTransactionID?.text, source.receipt?.hexadecimal].compactMap { $0 }
    }
}

extension RenewalSnapshot {
    fileprivate var lineage: LineageKey { LineageKey(environment, originalTransactionID) }
    fileprivate var marks: [String] {
        [appTransactionID?.text, source.receipt?.hexadecimal].compactMap { $0 }
    }
}

extension OwnershipDecision {
    fileprivate var key: TransactionKey { TransactionKey(unit.environment, transactionID) }
}
