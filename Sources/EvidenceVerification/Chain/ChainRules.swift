internal import Crypto
internal import EntitlementModel
internal import SwiftASN1
internal import X509
internal import _CryptoExtras

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

/// Root and intermediate are authorities with a sufficient path length; the leaf is not one (RFC
/// 5280, 4.2.1.9).
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

/// The leaf's key is not on the list of keys that leaked.
struct DeniedKeyRule: ChainRule {
    /// SHA-256 of SubjectPublicKeyInfos.
    let denied: Set<Digest256>

    func violation(of chain: UnverifiedChain) -> Refusal? {
        guard !denied.isEmpty, denied.contains(sha256(chain.leaf.publicKeyInfo)) else {
            return nil
        }
        return Refusal(.chainDenied, .certificate(.leaf))
    }
}

/// A JWS is signed with ECDSA, SHA-2 and P-256 or P-384 keys. That the leaf's is P-256 is checked
/// at its use.
struct EllipticCurveRule: ChainRule {
    private static let signatures: Set<Certificate.SignatureAlgorithm> = [
        .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512,
    ]

    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates {
            let key = certificate.certificate.publicKey
            let isAllowedKey =
                P256.Signing.PublicKey(key) != nil || P384.Signing.PublicKey(key) != nil
            // The root's signature on itself proves nothing and is not checked.
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

/// A receipt is signed with RSA keys of 2,048 bits or more. SHA-1 is allowed here only: Apple
/// signed with it before 2023, and the path ends in a pinned root.
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

/// No certificate has an unknown critical extension or any name constraints: Apple's have neither,
/// and an unchecked constraint must not pass.
struct ExtensionsRule: ChainRule {
    private static let understood: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
        MarkerRule.leafMarker, MarkerRule.intermediateMarker,
    ]

    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates {
            let isUnderstood = certificate.certificate.extensions.allSatisfy {
                $0.oid != .X509ExtensionID.nameConstraints
                    && (!$0.critical || Self.understood.contains($0.oid))
            }
            if !isUnderstood { return Refusal(.chainConstraint, .certificate(role)) }
        }
        return nil
    }
}

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

/// If a certificate has a key usage, the leaf's is to sign data and not certificates, and the
/// others' is to sign certificates (RFC 5280, 4.2.1.3).
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

/// Apple issued leaf and intermediate for App Store signing, and says so by an extension in
/// each: the object identifier itself, wherever else its bytes may occur.
struct MarkerRule: ChainRule {
    static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    func violation(of chain: UnverifiedChain) -> Refusal? {
        if chain.leaf.certificate.extensions[oid: Self.leafMarker] == nil {
            return Refusal(.chainMarker, .certificate(.leaf))
        }
        if chain.intermediate.certificate.extensions[oid: Self.intermediateMarker] == nil {
            return Refusal(.chainMarker, .certificate(.intermediate))
        }
        return nil
    }
}

/// Each certificate names the next as its issuer (RFC 5280, 6.1.3).
struct NamesRule: ChainRule {
    func violation(of chain: UnverifiedChain) -> Refusal? {
        if chain.leaf.issuer != chain.intermediate.subject {
            return Refusal(.chainConstraint, .certificate(.leaf))
        }
        if chain.intermediate.issuer != chain.root.subject {
            return Refusal(.chainConstraint, .certificate(.intermediate))
        }
        return nil
    }
}

/// All three certificates are valid at the evidence's own time, ends included (spec 4.0).
struct ValidityRule: ChainRule {
    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates
        where !certificate.isValid(at: chain.time) {
            return Refusal(.chainTime, .certificate(role))
        }
        return nil
    }
}
