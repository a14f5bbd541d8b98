internal import EntitlementModel

/// What was given by hand goes from account to account as grants of other names: one is ended,
/// and another one given for what is left of it.
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
            given.account = taker
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

    /// The grant that the undone merge ended for this one: both stand in the same order there.
    private func former(
        of grant: Recorded<Grant>, in undone: LedgerSequence
    ) -> GrantID? {
        let prefix = Self.prefix(of: undone)
        let number = grant.value.id.text.dropFirst(prefix.utf8.count).prefix { $0 != "-" }
        let ended = view.facts.grantRevocations
            .filter { $0.value.account == taker && $0.sequence > undone }
            .sorted { $0.sequence < $1.sequence }
        guard let place = Int(number), ended.indices.contains(place - 1) else { return nil }
        return ended[place - 1].value.grant
    }

    private static func prefix(of merge: LedgerSequence) -> String { "merge-\(merge)-" }
}
