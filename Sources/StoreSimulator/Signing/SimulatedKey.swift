internal import Crypto
internal import X509
internal import _CryptoExtras

/// A private key of a simulator. All but RSA keys follow from the seed.
enum SimulatedKey {
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)

    /// The key that a seed has under a name: a hash of both, which is a valid scalar in all but
    /// one of 2^32 cases; those are stepped over.
    init(
        _ type: CertificateShape.KeyType, seed: UInt64, name: String, rsa: RSAKeys = .ofProcess
    ) throws {
        if type == .rsa2048 {
            self = .rsa(rsa.key(named: name))
            return
        }
        for attempt in 0..<8 {
            let text = "usher-simulator/\(seed)/\(name)/\(attempt)"
            let bytes = Array(SHA512.hash(data: Array(text.utf8)))
            if let key = try? SimulatedKey(type, bytes: bytes) {
                self = key
                return
            }
        }
        preconditionFailure("one of eight hashes is a valid scalar")
    }

    private init(_ type: CertificateShape.KeyType, bytes: [UInt8]) throws {
        switch type {
        case .p256:
            self = .p256(try P256.Signing.PrivateKey(rawRepresentation: bytes.prefix(32)))
        case .p384:
            self = .p384(try P384.Signing.PrivateKey(rawRepresentation: bytes.prefix(48)))
        case .p521:
            // The topmost of 521 bits stays clear.
            let scalar = [0, 0] + bytes
            self = .p521(try P521.Signing.PrivateKey(rawRepresentation: scalar))
        case .rsa2048: preconditionFailure("no RSA key follows from a hash")
        case .ed25519:
            self = .ed25519(
                try Curve25519.Signing.PrivateKey(rawRepresentation: bytes.prefix(32)))
        }
    }

    var certificateKey: Certificate.PrivateKey {
        switch self {
        case .p256(let key): Certificate.PrivateKey(key)
        case .p384(let key): Certificate.PrivateKey(CertificateSigningKey(key))
        case .p521(let key): Certificate.PrivateKey(key)
        case .rsa(let key): Certificate.PrivateKey(key)
        case .ed25519(let key): Certificate.PrivateKey(key)
        }
    }

    /// What certificates that this key signs are signed with: SHA-384 under P-384, as Apple has
    /// it.
    var certificateAlgorithm: Certificate.SignatureAlgorithm {
        switch self {
        case .p256: .ecdsaWithSHA256
        case .p384: .ecdsaWithSHA384
        case .p521: .ecdsaWithSHA512
        case .rsa: .sha256WithRSAEncryption
        case .ed25519: .ed25519
        }
    }

    /// What makes the same signature over the same bytes every time; nil where nothing does.
    var deterministicSigner: DeterministicSigner? {
        switch self {
        case .p256(let key): DeterministicSigner(.p256, secret: Array(key.rawRepresentation))
        case .p384(let key): DeterministicSigner(.p384, secret: Array(key.rawRepresentation))
        case .p521, .rsa, .ed25519: nil
        }
    }

    /// A JWS signature: r and s side by side under an elliptic curve.
    func signature(over bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .p256(let key): Array(try key.signature(for: bytes).rawRepresentation)
        case .p384(let key): Array(try key.signature(for: bytes).rawRepresentation)
        case .p521(let key): Array(try key.signature(for: bytes).rawRepresentation)
        case .rsa(let key):
            Array(try key.signature(for: SHA256.hash(data: bytes)).rawRepresentation)
        case .ed25519(let key): Array(try key.signature(for: bytes))
        }
    }
}
