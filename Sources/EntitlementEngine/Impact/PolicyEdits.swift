package import EntitlementAnswers
internal import EntitlementModel
package import PolicyLoading

extension PolicyHistory {
    /// How many earlier policies are looked through.
    private static var looked: Int { 8 }

    /// What the second policy writes otherwise than the first one; what it writes as a policy before
    /// the first one did undoes what was changed since: a folder made from an older copy does that
    /// (spec 2.6).
    ///
    /// - Parameter between: policies that are to be in force before the first one.
    func edits(
        from base: Policy, to new: Policy, between: [Policy] = []
    ) -> [PolicyEditAnswer] {
        let edits = policyEdits(from: base, to: new)
        if edits.isEmpty { return [] }
        let earlier = activations.suffix(Self.looked).map(\.policy) + between
        let differing = earlier.filter { $0.digest != base.digest }.map { policy in
            Set(policyEdits(from: policy, to: new).map(Place.init))
        }
        return edits.map { edit in
            var answer = PolicyEditAnswer(edit)
            let isUndoing = differing.contains { !$0.contains(Place(edit)) }
            answer.isUndoing = isUndoing ? true : nil
            return answer
        }
    }
}

/// What an edit is about.
private struct Place: Hashable {
    let section: String
    let name: String?

    init(_ edit: PolicyEdit) {
        (section, name) = (edit.section, edit.name)
    }
}

extension PolicyEditAnswer {
    package init(_ edit: PolicyEdit) {
        let change: Change =
            switch edit.change {
            case .added: .added
            case .removed: .removed
            case .changed: .changed
            case .reordered: .reordered
            }
        self.init(
            section: edit.section, change: change, name: edit.name, keys: edit.keys,
            before: edit.before, after: edit.after)
    }
}
