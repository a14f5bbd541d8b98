internal import Crypto
internal import EntitlementModel

/// What a developer gets from App Store Connect to call Apple's servers; it follows from a seed.
package struct SimulatedAPIKey: Sendable {
    package let issuerID: String
    package let keyID: String
    package let sharedSecret: String
    /// PKCS#8, as in a `.p8` file.
    package let privateKeyPEM: String
    /// Both coordinates, side by side.
    package let publicKey: [UInt8]

    package init(seed: UInt64) {
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
