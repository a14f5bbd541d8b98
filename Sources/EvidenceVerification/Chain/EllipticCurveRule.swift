internal import Crypto
internal import X509

/// Behind a JWS stand ECDSA with SHA-2 and P-256 or P-384 keys. That the leaf's is P-256 is seen
/// where it is used.
struct EllipticCurveRule: ChainRule {
    private static let signatures: Set<Certificate.SignatureAlgorithm> = [
        .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512,
    ]

    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates {
            let key = certificate.certificate.publicKey
            let isAllowedKey =
                P256.Signing.PublicKey(key) != nil || P384.Signing.PublicKey(key) != nil
            // The root's signature on itself says nothing and is not looked at.
            let isAllowedSignature =
                role == .root
                || Self.signatures.contains(certificate.certificate.signatureAlgorithm)
            if !isAllowedKey || !isAllowedSignature {
                return Refusal(.chainAlgorithm, .certificate(role))
            }
        }
        return nil
    }
}
