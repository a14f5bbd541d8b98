internal import EntitlementModel

/// Three certificates that claim to be a chain, and the instant to judge them at.
struct UnverifiedChain {
    let leaf: ChainCertificate
    let intermediate: ChainCertificate
    let root: ChainCertificate
    let time: Instant

    var certificates: [(role: CertificateRole, certificate: ChainCertificate)] {
        [(.leaf, leaf), (.intermediate, intermediate), (.root, root)]
    }
}

/// One thing that a chain must be.
protocol ChainRule: Sendable {
    /// The refusal that the chain earns; nil if it keeps the rule.
    func violation(of chain: UnverifiedChain) -> Refusal?
}
