internal import Crypto
internal import EntitlementModel

/// ECDSA signatures that follow from key and message alone (RFC 6979), so that a simulator with the
/// same seed writes the same bytes. The points of the curve come from swift-crypto, which has no
/// such signatures itself; what is left is arithmetic modulo the order of the curve.
///
/// The time that it takes depends on the key: it is for keys that follow from a seed only.
package struct DeterministicSigner: Sendable {
    package enum Curve: Sendable {
        case p256
        case p384
    }

    private let curve: Curve
    private let secret: [UInt8]
    private let field: OddModulus

    /// A signer with a key, most significant byte first.
    package init(_ curve: Curve, secret: [UInt8]) {
        self.curve = curve
        self.secret = secret
        field = OddModulus(curve.order)
    }

    /// r and s side by side, over SHA-256 under P-256 and SHA-384 under P-384.
    package func signature(over message: [UInt8]) -> [UInt8] {
        let digest = curve.digest(message)
        var nonces = NonceSequence(curve, secret: secret, digest: field.reduced(digest))
        let hash = field.element(digest)
        while true {
            let nonce = nonces.next()
            guard field.contains(nonce), let point = curve.abscissa(of: nonce) else { continue }
            let r = field.element(point)
            let sum = field.sum(hash, field.product(r, field.element(secret)))
            let s = field.product(field.inverse(field.element(nonce)), sum)
            guard !field.isZero(r), !field.isZero(s) else { continue }
            return field.bytes(r) + field.bytes(s)
        }
    }
}

extension DeterministicSigner.Curve {
    /// Of the group that the base point generates.
    fileprivate var order: [UInt8] {
        switch self {
        case .p256:
            [UInt8](
                hexadecimal: "ffffffff00000000ffffffffffffffff"
                    + "bce6faada7179e84f3b9cac2fc632551")
        case .p384:
            [UInt8](
                hexadecimal: "ffffffffffffffffffffffffffffffffffffffffffffffff"
                    + "c7634d81f4372ddf581a0db248b0a77aecec196accc52973")
        }
    }

    fileprivate func digest(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .p256: Array(SHA256.hash(data: message))
        case .p384: Array(SHA384.hash(data: message))
        }
    }

    fileprivate func authenticate(_ parts: [[UInt8]], key: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: key)
        let message = Array(parts.joined())
        switch self {
        case .p256:
            return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case .p384:
            return Array(HMAC<SHA384>.authenticationCode(for: message, using: key))
        }
    }

    /// The first coordinate of the base point times a number: a public key has no other form.
    fileprivate func abscissa(of number: [UInt8]) -> [UInt8]? {
        let point: [UInt8]?
        switch self {
        case .p256:
            let key = try? P256.Signing.PrivateKey(rawRepresentation: number)
            point = key.map { Array($0.publicKey.rawRepresentation) }
        case .p384:
            let key = try? P384.Signing.PrivateKey(rawRepresentation: number)
            point = key.map { Array($0.publicKey.rawRepresentation) }
        }
        return point.map { Array($0.prefix($0.count / 2)) }
    }
}

/// The candidates for the number that a signature must use once only (RFC 6979, 3.2).
private struct NonceSequence {
    private let curve: DeterministicSigner.Curve
    private var key: [UInt8]
    private var value: [UInt8]
    private var isFirst = true

    init(_ curve: DeterministicSigner.Curve, secret: [UInt8], digest: [UInt8]) {
        self.curve = curve
        key = [UInt8](repeating: 0, count: secret.count)
        value = [UInt8](repeating: 1, count: secret.count)
        for step: UInt8 in [0, 1] {
            key = curve.authenticate([value, [step], secret, digest], key: key)
            value = curve.authenticate([value], key: key)
        }
    }

    mutating func next() -> [UInt8] {
        if !isFirst {
            key = curve.authenticate([value, [0]], key: key)
            value = curve.authenticate([value], key: key)
        }
        isFirst = false
        value = curve.authenticate([value], key: key)
        return value
    }
}

extension [UInt8] {
    fileprivate init(hexadecimal text: String) {
        let digits = Array(text.utf8)
        self = stride(from: 0, to: digits.count, by: 2).map { index in
            let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else {
                preconditionFailure("a constant is written in hexadecimal digits")
            }
            return byte
        }
    }
}
