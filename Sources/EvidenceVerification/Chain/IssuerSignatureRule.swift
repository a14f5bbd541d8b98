internal import X509

/// Each certificate was signed by the key of the next.
struct IssuerSignatureRule: ChainRule {
    func violation(of chain: UnverifiedChain) -> Refusal? {
        if !chain.intermediate.isSigned(by: chain.root) {
            return Refusal(.chainSignature, .certificate(.intermediate))
        }
        if !chain.leaf.isSigned(by: chain.intermediate) {
            return Refusal(.chainSignature, .certificate(.leaf))
        }
        return nil
    }
}

extension ChainCertificate {
    fileprivate func isSigned(by issuer: ChainCertificate) -> Bool {
        issuer.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
    }
}
