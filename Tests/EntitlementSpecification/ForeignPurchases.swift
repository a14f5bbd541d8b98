package import EntitlementModel

/// Tokens that name another account than the one that has what was bought (spec 1.6).
extension Specification {
    /// A purchase that its token's account learns of although another account owns the unit.
    package struct ForeignPurchase: Hashable, Sendable {
        package var kind: Finding.Kind
        package var unit: OwnedUnit
        package var accounts: [AccountID]
        package var from: Instant
    }

    private func purchasesInLine(before purchase: Purchase) -> [Purchase] {
        guard case .lineage = purchase.unit else { return [] }
        return purchases.filter {
            $0.lineage == purchase.lineage && $0.unit == purchase.unit && $0.start < purchase.start
        }
    }

    /// Each token that somebody told of, and whom it names as time goes on, until one whom it has
    /// named owns the unit, claims the purchase, or a person rules.
    package func foreignPurchases() -> Set<ForeignPurchase> {
        var found: Set<ForeignPurchase> = []
        for purchase in purchases {
            guard let token = purchase.current.appAccountToken,
                purchase.current.ownership != .familyShared, !isTokenInherited(by: purchase),
                let kind = kindOfForeign(purchase)
            else { continue }
            let tellings = recordings(of: purchase).filter { $0.value.appAccountToken == token }
            guard let told = tellings.first else { continue }
            let instants = Set(
                [told.recordedAt] + facts.accountTokens.map(\.recordedAt)
                    + facts.accountMerges.map(\.recordedAt)
            ).filter { $0 >= told.recordedAt }.sorted()
            var named: [AccountID] = []
            for instant in instants {
                guard let account = accountNamed(by: purchase, asOf: instant),
                    account != named.last
                else { continue }
                named.append(account)
                if owners(of: purchase.unit, asOf: instant).contains(account) { break }
                if isOver(purchase, for: named, told: told, at: instant) { continue }
                let owners = owners(of: purchase.unit, asOf: instant)
                guard !owners.isEmpty, !hasHad(purchase, account, asOf: instant),
                    kind == .tokenOfAnother || !isGivenKnowingly(purchase, asOf: instant)
                else { continue }
                found.insert(
                    ForeignPurchase(
                        kind: kind, unit: purchase.unit,
                        accounts: Set(owners + [account]).sorted(), from: instant))
            }
        }
        return found
    }

    /// A new purchase that the customer has paid for; else another token than the line carried.
    private func kindOfForeign(_ purchase: Purchase) -> Finding.Kind? {
        guard let told = recordings(of: purchase).first else { return nil }
        let isNew = told.recordedAt <= purchase.start.advanced(byMilliseconds: 86_400_000)
        if isNew, isCustomerMade(purchase) { return .paidWithoutRight }
        guard case .lineage = purchase.unit else { return nil }
        let tokens = Set(purchase.snapshots.compactMap(\.appAccountToken))
        let isChange = !purchasesInLine(before: purchase).isEmpty || tokens.count > 1
        return isChange ? .tokenOfAnother : nil
    }

    private func recordings(of purchase: Purchase) -> [Recorded<TransactionSnapshot>] {
        facts.transactions.filter {
            purchase.includes(TransactionKey($0.value.environment, $0.value.transactionID))
                && $0.value.hasEffect(under: policy)
        }.sorted { $0.sequence < $1.sequence }
    }

    private func owners(of unit: OwnedUnit, asOf instant: Instant) -> [AccountID] {
        changes(of: unit).last { $0.recordedAt <= instant }?.value.ownersAfter ?? []
    }

    private func isOver(
        _ purchase: Purchase, for accounts: [AccountID],
        told: Recorded<TransactionSnapshot>, at instant: Instant
    ) -> Bool {
        let isClaimed = facts.claims.contains {
            accounts.contains($0.value.account) && purchase.includes($0.value.transaction)
                && $0.recordedAt <= instant
        }
        let isDecided = changes(of: purchase.unit).contains { change in
            change.sequence > told.sequence && change.recordedAt <= instant
                && (change.value.rule.name == "ruled by hand"
                    || accounts.contains { change.value.ownersAfter.contains($0) })
        }
        return isClaimed || isDecided
    }

    /// Whether the account had it, by what was decided then, when it was bought or later.
    private func hasHad(
        _ purchase: Purchase, _ account: AccountID, asOf instant: Instant
    ) -> Bool {
        let known = changes(of: purchase.unit).filter { $0.recordedAt <= instant }
        return known.indices.dropLast().contains { index in
            known[index].value.ownersAfter.contains(account)
                && known[index + 1].value.from > purchase.start
        }
    }

    /// Whether its owners came to have it after it was bought, when it was known whom the token
    /// names.
    private func isGivenKnowingly(_ purchase: Purchase, asOf instant: Instant) -> Bool {
        guard let last = changes(of: purchase.unit).last(where: { $0.recordedAt <= instant })
        else { return false }
        return last.recordedAt >= purchase.start
            && accountNamed(by: purchase, asOf: last.recordedAt) != nil
    }
}

extension Purchase {
    /// Whether one of its snapshots states the token, the newest or not.
    func hasCarried(_ token: AppAccountToken) -> Bool {
        snapshots.contains { $0.appAccountToken == token }
    }
}
