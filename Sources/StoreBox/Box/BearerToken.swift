internal import Crypto
internal import EntitlementModel
internal import StrictJSON

/// The required claims of a bearer token of the server API.
struct BearerTokenRules {
    let identity: AppStoreIdentity
    let bundleID: String
    let now: Instant
}

/// The tokens of the last callers: a signature is verified once.
struct BearerTokens {
    /// How far a caller's clock may differ.
    private static let skew: Int64 = 60
    private static let longest: Int64 = 3_600
    private static let most = 64

    private struct Claims {
        var issued: Int64?
        var expires: Int64
    }

    private var verified: [String: Claims] = [:]

    /// Whether the `Authorization` of a request is a token that counts now.
    mutating func accepts(_ header: String?, by rules: BearerTokenRules) -> Bool {
        guard let header, header.hasPrefix("Bearer ") else { return false }
        let token = String(header.dropFirst(7))
        guard let claims = verified[token] ?? Self.claims(of: token, rules) else { return false }
        if verified.count >= Self.most { verified.removeAll() }
        verified[token] = claims
        let now = rules.now.milliseconds / 1_000
        let issued = claims.issued ?? now
        return issued <= now + Self.skew && claims.expires > now - Self.skew
            && claims.expires - issued <= Self.longest + (claims.issued == nil ? Self.skew : 0)
    }

    /// The claims on time of a token with a valid signature.
    private static func claims(of token: String, _ rules: BearerTokenRules) -> Claims? {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = object(parts[0]), let claims = object(parts[1]),
            let bytes = Base64.url.decode(Array(parts[2])[...]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            header["alg"]?.string == "ES256", header["kid"]?.string == rules.identity.keyID,
            claims["iss"]?.string == rules.identity.issuerID, claims.isForAppStore,
            claims["bid"]?.string == rules.bundleID, let expires = claims["exp"]?.int64
        else { return nil }
        let signed = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
        guard rules.identity.publicKey.isValidSignature(signature, for: signed) else { return nil }
        return Claims(issued: claims["iat"]?.int64, expires: expires)
    }

    private static func object(_ part: String.UTF8View.SubSequence) -> JSONValue? {
        Base64.url.decode(Array(part)[...]).flatMap { try? parseJSON($0) }
    }
}

extension JSONValue {
    fileprivate var isForAppStore: Bool {
        self["aud"]?.string == "appstoreconnect-v1"
            || self["aud"]?.elements?.first?.string == "appstoreconnect-v1"
    }
}

extension AppStoreWorld {
    var tokenRules: BearerTokenRules {
        BearerTokenRules(
            identity: identity, bundleID: production.store.bundleID,
            now: settings.callersClock?() ?? now)
    }
}

/// The credentials for the simulated App Store: the key of the App Store Server API and the shared
/// secret of verifyReceipt. All follow from the seed.
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
