internal import Crypto
package import EntitlementEngine
internal import FoundationEssentials

/// An In-App Purchase key of App Store Connect with the ids that belong to it: what signs the
/// tokens of the App Store Server API.
package struct AppStoreKey: Sendable {
    /// Why something is not such a key.
    package enum Problem: Error, Hashable, Sendable {
        /// Not a UUID.
        case issuerID
        /// Not one to 64 letters and digits.
        case keyID
        /// The file is not PEM text with a private key.
        case notPEM
        /// It contains a private key of another kind than P-256.
        case notP256
    }

    package let issuerID: String
    package let keyID: String
    private let key: P256.Signing.PrivateKey

    /// - Parameter pem: the `.p8` file as App Store Connect gives it: PKCS #8 in PEM.
    package init(issuerID: String, keyID: String, pem: Secret) throws(Problem) {
        guard UUID(uuidString: issuerID) != nil else { throw .issuerID }
        guard (1...64).contains(keyID.utf8.count), keyID.utf8.allSatisfy(Self.isLetterOrDigit)
        else { throw .keyID }
        guard pem.revealed.contains("-----BEGIN PRIVATE KEY-----") else { throw .notPEM }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem.revealed) else {
            throw .notP256
        }
        self.issuerID = issuerID
        self.keyID = keyID
        self.key = key
    }

    /// The ES256 signature of a JWS: r and s side by side.
    func signature(over bytes: [UInt8]) -> [UInt8] {
        do {
            return Array(try key.signature(for: bytes).rawRepresentation)
        } catch {
            preconditionFailure("a key that was read can sign")
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
}

extension AppStoreKey: CustomStringConvertible, CustomReflectable {
    /// Names the key, and says nothing of what is in it.
    package var description: String { "key \(keyID)" }
    package var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}
