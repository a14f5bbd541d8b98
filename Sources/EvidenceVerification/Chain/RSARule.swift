internal import X509
internal import _CryptoExtras

/// Behind a receipt stand RSA keys of 2,048 bits or more. SHA-1 is allowed here and nowhere
/// else: what Apple signed before 2023 has no other hash, and the path ends in a pinned root.
struct RSARule: ChainRule {
    private static let signatures: Set<Certificate.SignatureAlgorithm> = [
        .sha1WithRSAEncryption, .sha256WithRSAEncryption, .sha384WithRSAEncryption,
        .sha512WithRSAEncryption,
    ]

    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates {
            let key = _RSA.Signing.PublicKey(certificate.certificate.publicKey)
            let isAllowedSignature =
                role == .root
                || Self.signatures.contains(certificate.certificate.signatureAlgorithm)
            if (key?.keySizeInBits ?? 0) < 2_048 || !isAllowedSignature {
                return Refusal(.chainAlgorithm, .certificate(role))
            }
        }
        return nil
    }
}
