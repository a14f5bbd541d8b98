internal import EntitlementModel
internal import EvidenceVerification
internal import PolicyLoading

/// The policies as a ledger puts them into force, entry by entry.
struct PolicyReplay {
    private struct Era {
        let activation: LedgerSequence
        let activatedAt: Instant
        /// Nil where the policy cannot be read.
        let verifier: EvidenceVerifier?
        var isErased = false
    }

    /// Milliseconds for which a submission may be under way while a policy comes into force.
    private static let handover: Int64 = 60_000

    /// Nil where there is none, or where it cannot be read.
    private(set) var current: ActivePolicy?
    private var eras: [Era] = []

    /// The same, with every policy before it; nil once one of them was erased.
    var whole: ActivePolicy? { eras.contains(where: \.isErased) ? nil : current }

    /// One came into force of which nothing is left.
    mutating func lose(at place: LedgerSequence) {
        current = nil
        eras.append(
            Era(activation: place, activatedAt: .distantPast, verifier: nil, isErased: true))
    }

    mutating func activate(_ entry: Recorded<PolicyActivation>) -> AuditProblem? {
        let texts = entry.value.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
        let policy = loadPolicy(texts).policy
        current = policy.map { policy in
            guard var history = current?.history else {
                return ActivePolicy(
                    PolicyHistory(.init(policy: policy, activatedAt: entry.recordedAt)))
            }
            history.activate(policy, at: entry.recordedAt)
            return ActivePolicy(history)
        }
        eras.append(
            Era(
                activation: entry.sequence, activatedAt: entry.recordedAt,
                verifier: current?.verifier))
        guard let policy else { return .policyUnreadable(entry.sequence) }
        return policy.digest == entry.value.digest ? nil : .policyDiffers(entry.sequence)
    }

    /// Those that may have judged what was recorded there, the likeliest first: evidence is
    /// verified before the writer's turn, so the policy may have changed in between. None where
    /// one of them was erased.
    func verifiers(
        at sequence: LedgerSequence, recordedAt: Instant
    ) -> [EvidenceVerifier] {
        guard let index = eras.lastIndex(where: { $0.activation < sequence }) else { return [] }
        let isNew = recordedAt.milliseconds(since: eras[index].activatedAt) <= Self.handover
        let possible = eras[(isNew ? max(index - 1, 0) : index)...index].reversed()
        return possible.contains(where: \.isErased) ? [] : possible.compactMap(\.verifier)
    }
}
