internal import Crypto
internal import EntitlementModel
internal import Synchronization
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
        case .p384(let key): Certificate.PrivateKey(key)
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

/// The RSA keys of a simulator, by name. They do not follow from a seed: to sign under the same
/// root again, keep them.
package final class RSAKeys: Sendable {
    /// The keys of this process, shared by all simulators without keys of their own.
    package static let ofProcess = RSAKeys([:])

    /// Made when first asked for, since making one is slow.
    private let keys: Mutex<[String: _RSA.Signing.PrivateKey]>

    private init(_ keys: [String: _RSA.Signing.PrivateKey]) {
        self.keys = Mutex(keys)
    }

    /// Keys from PEM texts; nil if one of them is not an RSA key.
    package convenience init?(kept pems: [String: String]) {
        guard let keys = try? pems.mapValues({ try _RSA.Signing.PrivateKey(pemRepresentation: $0) })
        else { return nil }
        self.init(keys)
    }

    /// The keys used so far, as PEM.
    package var kept: [String: String] {
        keys.withLock { $0.mapValues(\.pemRepresentation) }
    }

    func key(named name: String) -> _RSA.Signing.PrivateKey {
        keys.withLock { keys in
            if let key = keys[name] { return key }
            let key = Self.make()
            keys[name] = key
            return key
        }
    }

    private static func make() -> _RSA.Signing.PrivateKey {
        do {
            return try _RSA.Signing.PrivateKey(keySize: .bits2048)
        } catch {
            preconditionFailure("an RSA key can be made: \(error)")
        }
    }
}

/// A developer's key from App Store Connect for calls to Apple's servers; it follows from a seed.
struct SimulatedAPIKey: Sendable {
    package let issuerID: String
    package let keyID: String
    package let sharedSecret: String
    /// PKCS#8, as in a `.p8` file.
    let privateKeyPEM: String
    /// Both coordinates, side by side.
    package let publicKey: [UInt8]

    init(seed: UInt64) {
        guard case .p256(let key)? = try? SimulatedKey(.p256, seed: seed, name: "api") else {
            preconditionFailure("a P-256 key follows from every seed")
        }
        privateKeyPEM = key.pemRepresentation + "\n"
        publicKey = Array(key.publicKey.rawRepresentation)
        let hash = { (name: String) in
            Array(SHA256.hash(data: Array("usher-simulator/\(seed)/\(name)".utf8)))
        }
        keyID = hash("key id").prefix(10).map(\.letterOrDigit).joined()
        issuerID = hash("issuer id").version4UUID
        sharedSecret = hash("shared secret").prefix(16).hexadecimal
    }
}
