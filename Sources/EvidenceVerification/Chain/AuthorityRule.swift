internal import X509

/// Root and intermediate are authorities with room for what is below them; the leaf is none
/// (RFC 5280, 4.2.1.9).
struct AuthorityRule: ChainRule {
    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates {
            let below = role == .root ? 1 : 0
            let isAuthority = certificate.isAuthority(withRoomFor: below)
            if isAuthority != (role != .leaf) {
                return Refusal(.chainConstraint, .certificate(role))
            }
        }
        return nil
    }
}

extension ChainCertificate {
    /// Unreadable constraints make a leaf an authority of no use and an authority none, so that
    /// both are refused.
    fileprivate func isAuthority(withRoomFor below: Int) -> Bool {
        guard let constraints = try? certificate.extensions.basicConstraints else { return false }
        switch constraints {
        case .isCertificateAuthority(let maximum): return maximum.map { $0 >= below } ?? true
        case .notCertificateAuthority: return false
        }
    }
}
