internal import Crypto
package import EntitlementEngine
internal import EntitlementModel
internal import FoundationEssentials
internal import StrictJSON
internal import Synchronization

/// The tokens by which the App Store Server API knows the caller: each is signed once and used until
/// shortly before it lapses.
final class AuthorizationTokens: Sendable {
    /// From `iat` to `exp`. Apple allows an hour; its own libraries use five minutes.
    static let lifetime: Int64 = 300_000
    /// How far `iat` is in the past, for a clock that is fast.
    static let leeway: Int64 = 30_000
    /// How long before `exp` a token is replaced.
    static let margin: Int64 = 60_000

    private struct Token {
        let secret: Secret
        let issuedAt: Instant
    }

    private let key: AppStoreKey
    private let bundleID: BundleID
    private let current = Mutex<Token?>(nil)

    init(key: AppStoreKey, bundleID: BundleID) {
        self.key = key
        self.bundleID = bundleID
    }

    /// The value of `Authorization` at an instant.
    func authorization(at now: Instant) -> Secret {
        current.withLock { current in
            if let token = current, Self.isUsable(token, at: now) { return token.secret }
            let token = sign(at: now)
            current = token
            return token.secret
        }
    }

    /// Makes the next call sign a token of its own: this one was not accepted.
    func discard() {
        current.withLock { $0 = nil }
    }

    /// False also where the clock was set back behind the beginning of the token.
    private static func isUsable(_ token: Token, at now: Instant) -> Bool {
        let age = now.milliseconds(since: token.issuedAt)
        return (0..<(lifetime - margin)).contains(age)
    }

    private func sign(at now: Instant) -> Token {
        // Apple counts in whole seconds.
        let second = now.advanced(byMilliseconds: -Self.leeway).milliseconds
            .flooredQuotient(by: 1_000)
        let header: JSONValue = ["alg": "ES256", "kid": .string(key.keyID), "typ": "JWT"]
        let claims: JSONValue = [
            "iss": .string(key.issuerID), "iat": .integer(second),
            "exp": .integer(second + Self.lifetime / 1_000), "aud": "appstoreconnect-v1",
            "bid": .string(bundleID.text),
        ]
        let signed = [header, claims].map { Base64.url.encode($0.serialized()) }
            .joined(separator: ".")
        let signature = Base64.url.encode(key.signature(over: Array(signed.utf8)))
        return Token(
            secret: Secret("Bearer " + signed + "." + signature),
            issuedAt: Instant(milliseconds: second * 1_000))
    }
}

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
    /// Names the key without its content.
    package var description: String { "key \(keyID)" }
    package var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}
