package import EntitlementModel

/// Which account has what another one had: the merges that nobody has undone (spec 1.6).
package struct EffectiveMerges: Sendable {
    /// The newest of each account that was merged into another.
    private var newest: [AccountID: Recorded<AccountMerge>] = [:]

    package init(_ merges: [Recorded<AccountMerge>]) {
        guard !merges.isEmpty else { return }
        let undone = Set(merges.compactMap(\.value.undoes))
        for merge in merges
        where merge.value.undoes == nil && !undone.contains(merge.sequence) {
            let known = newest[merge.value.from]?.sequence ?? .zero
            if known < merge.sequence { newest[merge.value.from] = merge }
        }
    }

    /// The account for which evidence claims, and that a token names, where this one is given:
    /// itself unless it was merged into another. Two accounts that were merged into one another
    /// in turn are the one into which the last of these merges went.
    package func account(standingFor account: AccountID) -> AccountID {
        var path: [Recorded<AccountMerge>] = []
        var current = account
        while let merge = newest[current] {
            if let first = path.firstIndex(where: { $0.value.from == current }) {
                let last = path[first...].max { $0.sequence < $1.sequence }
                return last?.value.into ?? current
            }
            path.append(merge)
            current = merge.value.into
        }
        return current
    }

    /// The account itself and all that it stands for.
    func accounts(standingAs account: AccountID) -> Set<AccountID> {
        let merged = newest.keys.filter { self.account(standingFor: $0) == account }
        return Set(merged).union([account])
    }

    /// The merge of these two, if that is where the first one stands.
    func merge(of from: AccountID, into: AccountID) -> Recorded<AccountMerge>? {
        newest[from].flatMap { $0.value.into == into ? $0 : nil }
    }
}
