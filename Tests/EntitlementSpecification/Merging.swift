package import EntitlementModel

/// Accounts that were merged into others (spec 1.6).
extension Specification {
    /// The account that evidence for this one claims for, and that a token means which names it:
    /// along the newest merges that nobody undid. Where they lead back, the newest of those that
    /// go round decides.
    package func account(standingFor account: AccountID) -> AccountID {
        var seen: [AccountID] = []
        var reached = name(account)
        while let merge = standingMerge(of: reached) {
            if let first = seen.firstIndex(of: reached) {
                let round = seen[first...].compactMap { standingMerge(of: $0) }
                return round.max { $0.sequence < $1.sequence }?.value.into ?? reached
            }
            seen.append(reached)
            reached = merge.value.into
        }
        return reached
    }

    /// The account and those that were merged into it.
    func accountsStanding(as account: AccountID) -> Set<AccountID> {
        let merged = facts.accountMerges.map(\.value.from).filter {
            self.account(standingFor: $0) == account
        }
        return Set(merged + [account])
    }

    /// The newest merge of an account into another that stands.
    package func standingMerge(of account: AccountID) -> Recorded<AccountMerge>? {
        facts.accountMerges.filter { merge in
            merge.value.from == account && merge.value.undoes == nil
                && !facts.accountMerges.contains { $0.value.undoes == merge.sequence }
        }.max { $0.sequence < $1.sequence }
    }
}
