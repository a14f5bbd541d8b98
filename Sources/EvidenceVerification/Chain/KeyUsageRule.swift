internal import X509

/// Where a certificate says what its key is for, the leaf's is to sign data and not
/// certificates, and the others' is to sign certificates (RFC 5280, 4.2.1.3).
///
/// The certificate library reads this extension and does not police it.
struct KeyUsageRule: ChainRule {
    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates where !certificate.permits(role) {
            return Refusal(.chainConstraint, .certificate(role))
        }
        return nil
    }
}

extension ChainCertificate {
    fileprivate func permits(_ role: CertificateRole) -> Bool {
        do {
            guard let usage = try certificate.extensions.keyUsage else { return true }
            return role == .leaf
                ? usage.digitalSignature && !usage.keyCertSign : usage.keyCertSign
        } catch {
            return false
        }
    }
}
