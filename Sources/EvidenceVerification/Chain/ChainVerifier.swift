internal import EntitlementModel
internal import Synchronization
internal import X509

/// Judges the certificates behind evidence: exactly leaf, intermediate and a trusted root.
///
/// There is nothing to search: the path is given, so it is checked rule by rule.
struct ChainVerifier: Sendable {
    private let roots: [TrustedRoot]
    private let rules: [any ChainRule]

    /// `algorithms` is the rule for keys and signatures: they differ between JWS and receipts.
    init(anchors: [TrustAnchor], deniedKeys: Set<Digest256>, algorithms: some ChainRule) {
        roots = anchors.compactMap(TrustedRoot.init)
        rules = [
            NamesRule(), AuthorityRule(), KeyUsageRule(), ExtensionsRule(), MarkerRule(),
            algorithms, ValidityRule(), IssuerSignatureRule(),
            DeniedKeyRule(denied: deniedKeys),
        ]
    }

    /// Whether a single self-signed certificate can be trusted at all.
    var hasLocalRoots: Bool { roots.contains { $0.isLocal } }

    func verify(
        _ certificates: [[UInt8]], for claim: ChainClaim
    ) throws(Refusal) -> VerifiedChain {
        let roots = roots.filter { $0.isGood(for: claim.environment) }
        if certificates.count == 1 {
            return try verify(alone: certificates[0], among: roots, for: claim)
        }
        precondition(certificates.count == 3, "a chain has been counted before it is judged")
        let leaf = try ChainCertificate(der: certificates[0])
        let intermediate = try ChainCertificate(der: certificates[1])
        var firstViolation: Refusal?
        for root in roots {
            let end = try root.end(brought: certificates[2], issuer: intermediate.issuer)
            guard let end else { continue }
            let chain = UnverifiedChain(
                leaf: leaf, intermediate: intermediate, root: end, time: claim.time)
            guard let violation = violation(of: chain) else {
                return VerifiedChain(chain, environments: root.environments)
            }
            // A namesake of the trusted root signed it, and came along: another root, then.
            let isForeign = violation == Self.unsignedByRoot && end.der != certificates[2]
            firstViolation = firstViolation ?? (isForeign ? Refusal(.chainRoot) : violation)
        }
        throw firstViolation ?? Refusal(.chainRoot)
    }

    private static let unsignedByRoot = Refusal(.chainSignature, .certificate(.intermediate))

    private func violation(of chain: UnverifiedChain) -> Refusal? {
        for rule in rules {
            if let violation = rule.violation(of: chain) { return violation }
        }
        return nil
    }

    /// Xcode signs with one self-signed certificate: that very one must be an anchor that is
    /// good for local testing only.
    private func verify(
        alone der: [UInt8], among roots: [TrustedRoot], for claim: ChainClaim
    ) throws(Refusal) -> VerifiedChain {
        guard let root = roots.first(where: { $0.isLocal && $0.isIdentical(to: der) }) else {
            throw Refusal(.chainRoot)
        }
        let certificate = try ChainCertificate(der: der)
        guard certificate.isValid(at: claim.time) else {
            throw Refusal(.chainTime, .certificate(.leaf))
        }
        return VerifiedChain(
            leafKey: certificate.certificate.publicKey, notBefore: certificate.notBefore,
            notAfter: certificate.notAfter,
            environments: root.environments)
    }
}

/// A chain that satisfies every rule: enough to accept another JWS with the same header.
struct VerifiedChain: Sendable {
    let leafKey: Certificate.PublicKey
    /// While all three certificates are valid.
    let notBefore: Instant
    let notAfter: Instant
    /// What its root is good for; nil for all.
    let environments: Set<StoreEnvironment>?

    fileprivate init(
        leafKey: Certificate.PublicKey, notBefore: Instant, notAfter: Instant,
        environments: Set<StoreEnvironment>?
    ) {
        self.leafKey = leafKey
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.environments = environments
    }

    fileprivate init(_ chain: UnverifiedChain, environments: Set<StoreEnvironment>?) {
        leafKey = chain.leaf.certificate.publicKey
        let certificates = chain.certificates.map(\.certificate)
        notBefore = certificates.map(\.notBefore).max() ?? chain.leaf.notBefore
        notAfter = certificates.map(\.notAfter).min() ?? chain.leaf.notAfter
        self.environments = environments
    }

    /// Whether the chain would be found good for this claim too.
    func covers(_ claim: ChainClaim) -> Bool {
        guard notBefore <= claim.time, claim.time <= notAfter else { return false }
        guard let environments else { return true }
        return claim.environment.map(environments.contains) ?? false
    }
}

/// Chains that were verified, by the very bytes that brought them: the header of a JWS, the
/// certificates of a receipt.
///
/// It never widens trust: an entry is made only after a signature held under it, belongs to one
/// verifier with its roots, and is asked again whether it covers the time and the environment.
final class ChainCache: Sendable {
    private struct Entry {
        let key: [ArraySlice<UInt8>]
        let chain: VerifiedChain
    }

    private let capacity: Int
    /// In the order of arrival; the oldest is removed first. There are few, so a linear search is
    /// enough.
    private let entries = Mutex<[Entry]>([])

    init(capacity: Int) {
        self.capacity = capacity
    }

    func chain(for key: [ArraySlice<UInt8>]) -> VerifiedChain? {
        entries.withLock { entries in entries.first { $0.key.hasBytes(of: key) }?.chain }
    }

    func insert(_ chain: VerifiedChain, for key: [ArraySlice<UInt8>]) {
        guard capacity > 0 else { return }
        // Copies: a slice would keep the whole evidence that it is part of.
        let entry = Entry(key: key.map { Array($0)[...] }, chain: chain)
        entries.withLock { entries in
            entries.removeAll { $0.key.hasBytes(of: key) }
            entries.append(entry)
            if entries.count > capacity { entries.removeFirst() }
        }
    }

    /// How many chains are remembered.
    var count: Int { entries.withLock { $0.count } }
}

extension [ArraySlice<UInt8>] {
    fileprivate func hasBytes(of other: Self) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.hasBytes(of: $1) }
    }
}

extension ArraySlice<UInt8> {
    /// Looks at every byte: without a way out in the middle, many are compared at once.
    fileprivate func hasBytes(of other: Self) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBufferPointer { left in
            other.withUnsafeBufferPointer { right in
                left.indices.reduce(0) { $0 | (left[$1] ^ right[$1]) } == 0
            }
        }
    }
}
