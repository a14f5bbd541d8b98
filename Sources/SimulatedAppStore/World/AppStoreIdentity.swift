internal import Crypto
internal import StoreSimulator

/// What a caller of the simulated App Store must know: the key of the App Store Server API and the
/// shared secret of verifyReceipt. All of it follows from the seed.
package struct AppStoreIdentity: Sendable {
    /// A UUID.
    package let issuerID: String
    /// Ten letters and digits.
    package let keyID: String
    /// The private key as the `.p8` file that App Store Connect gives out.
    package let keyPEM: String
    /// The `password` of verifyReceipt.
    package let sharedSecret: String
    let publicKey: P256.Signing.PublicKey

    init(seed: UInt64) {
        let key = SimulatedAPIKey(seed: seed)
        issuerID = key.issuerID
        keyID = key.keyID
        keyPEM = key.privateKeyPEM
        sharedSecret = key.sharedSecret
        do {
            publicKey = try P256.Signing.PublicKey(rawRepresentation: key.publicKey)
        } catch {
            preconditionFailure("a key that was made can be read: \(error)")
        }
    }
}
