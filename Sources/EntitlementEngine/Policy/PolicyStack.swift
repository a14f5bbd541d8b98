internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading

/// Why a folder waits whatever it gives: what it has was in force, and something else took its
/// place without anybody changing the folder (spec 2.6).
package enum HeldBackPolicy: Hashable, Sendable {
    /// A person brought back the policy before it.
    case rolledBack
    /// A scheduled policy came into force after it.
    case superseded
}

/// The policies that have been in force, as a rollback sees them: it takes the last one away.
struct PolicyStack {
    private var standing: [PolicyActivation] = []
    /// Taken away since a folder or a person last brought one into force, and by which entry.
    private var takenBack: [Digest256: LedgerSequence] = [:]

    init(_ activations: [Recorded<PolicyActivation>]) {
        for entry in activations {
            let activation = entry.value
            if activation.isRenewal(of: standing.last) { continue }
            if activation.acceptance?.means == .rollback {
                if let last = standing.popLast() { takenBack[last.digest] = entry.sequence }
            } else {
                standing.append(activation)
                // A scheduled policy leaves the folder as it is.
                if activation.schedule == nil { takenBack = [:] }
            }
        }
    }

    /// What a rollback puts into force.
    var previous: PolicyActivation? { standing.dropLast().last }

    /// Why a folder with this content does not come into force by itself; nil where the guard
    /// decides.
    ///
    /// - Parameter inFleet: whether every node has a folder of its own: one that was in force
    ///   before is the folder of a node that nobody has deployed to, and comes back by a person
    ///   only.
    func heldBack(_ digest: Digest256, inFleet: Bool) -> HeldBackPolicy? {
        if digest == standing.last?.digest { return nil }
        if takenBack[digest] != nil { return .rolledBack }
        if inFleet, standing.contains(where: { $0.digest == digest }) { return .superseded }
        return superseded.contains(digest) ? .superseded : nil
    }

    /// Where it was taken back, if that still stands.
    func rollback(of digest: Digest256) -> LedgerSequence? { takenBack[digest] }

    /// What the folder may still hold: no folder has brought anything into force since.
    private var superseded: Set<Digest256> {
        var digests: Set<Digest256> = []
        for index in standing.indices.reversed() where index > 0 {
            guard standing[index].schedule != nil else { break }
            digests.insert(standing[index - 1].digest)
            if let held = standing[index].heldBack { digests.insert(held) }
        }
        return digests
    }
}

extension LedgerReading {
    func policyStack() throws(LedgerError) -> PolicyStack {
        PolicyStack(try policyActivations())
    }
}

extension PolicyActivation {
    /// Whether it is the same policy once more, because the program's own rules are new.
    func isRenewal(of last: PolicyActivation?) -> Bool {
        guard let last else { return false }
        return digest == last.digest && schedule == nil && acceptance == nil
    }

    var texts: [PolicyText] { files.map { PolicyText(path: $0.path, bytes: $0.bytes) } }
}
