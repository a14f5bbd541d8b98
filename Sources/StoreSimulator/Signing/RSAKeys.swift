internal import Synchronization
internal import _CryptoExtras

/// The RSA keys of a simulator, each under a name. They follow from no seed: what is to sign under
/// the same root again keeps them.
package final class RSAKeys: Sendable {
    /// Those of this process: all simulators that are given no others share them.
    package static let ofProcess = RSAKeys([:])

    /// Made when first asked for, since making one is slow.
    private let keys: Mutex<[String: _RSA.Signing.PrivateKey]>

    private init(_ keys: [String: _RSA.Signing.PrivateKey]) {
        self.keys = Mutex(keys)
    }

    /// Those that were kept as PEM; nil where one of them is no such key.
    package convenience init?(kept pems: [String: String]) {
        guard let keys = try? pems.mapValues({ try _RSA.Signing.PrivateKey(pemRepresentation: $0) })
        else { return nil }
        self.init(keys)
    }

    /// Those that were asked for, as PEM.
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
