package import EntitlementModel

/// Accounts that were merged into others (spec 1.6).
extension Specification {
    /// The account that evidence for this one claims for, and that a token means which names it:
    /// along the newest merges that nobody undid. Where they lead back, the newest of those that
    /// go round decides.
    ///
    /// - Parameters:
    ///   - bought: when what it is about was bought; nil for what is asked of the account now.
    ///   - instant: what was recorded later is not known then.
    package func account(
        standingFor account: AccountID, boughtAt bought: Instant? = nil,
        asOf instant: Instant? = nil
    ) -> AccountID {
        var seen: [AccountID] = []
        var reached = name(account)
        while let merge = standingMerge(of: reached, boughtAt: bought, asOf: instant) {
            if let first = seen.firstIndex(of: reached) {
                let round = seen[first...].compactMap {
                    standingMerge(of: $0, boughtAt: bought, asOf: instant)
                }
                return round.max { $0.sequence < $1.sequence }?.value.into ?? reached
            }
            seen.append(reached)
            reached = merge.value.into
        }
        return reached
    }

    /// The account and those that were merged into it.
    func accountsStanding(
        as account: AccountID, boughtAt bought: Instant? = nil
    ) -> Set<AccountID> {
        let merged = facts.accountMerges.map(\.value.from).filter {
            self.account(standingFor: $0, boughtAt: bought) == account
        }
        return Set(merged + [account])
    }

    /// The merge of an account into another that stands: of those up to an instant after the
    /// purchase the first, else the newest of the others.
    package func standingMerge(
        of account: AccountID, boughtAt bought: Instant? = nil, asOf instant: Instant? = nil
    ) -> Recorded<AccountMerge>? {
        let known = facts.accountMerges.filter { merge in
            instant.map { merge.recordedAt <= $0 } ?? true
        }
        let standing = known.filter { merge in
            merge.value.from == account && merge.value.undoes == nil
                && !known.contains { $0.value.undoes == merge.sequence }
        }
        let before = standing.filter { merge in
            merge.value.isUpToNow && bought.map { $0 < merge.recordedAt } ?? false
        }
        return before.min { $0.sequence < $1.sequence }
            ?? standing.filter { !$0.value.isUpToNow }.max { $0.sequence < $1.sequence }
    }

    /// When the thing that a purchase is part of was bought: of a line, its first purchase.
    func bought(_ purchase: Purchase) -> Instant {
        guard case .lineage = purchase.unit else { return purchase.start }
        return purchasesOfUnit[purchase.unit]?.map(\.start).min() ?? purchase.start
    }

    /// As for a purchase; nil where the transaction is not known.
    package func bought(_ transaction: TransactionKey) -> Instant? {
        purchase(named: transaction).map { bought($0) }
    }
}
