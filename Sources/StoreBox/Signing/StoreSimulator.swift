package import EntitlementModel
package import StrictJSON

/// Signs what Apple would sign, under a root of its own: same shape, same markers, same kinds
/// of key (spec 4.3).
///
/// The keys follow from the seed. Signatures are random, those of certificates too: a policy with the
/// root as a certificate trusts what the same seed signs in another run, one with its fingerprint
/// does so only if the root itself is kept.
package struct StoreSimulator: Sendable {
    package let root: SimulatedCertificate
    package let intermediate: SimulatedCertificate
    package let leaf: SimulatedCertificate
    private let leafKey: @Sendable ([UInt8]) -> [UInt8]
    /// Apple's header and the point behind it, as every JWS of this store begins.
    private let encodedHeader: [UInt8]

    /// A chain of Apple's shape that is valid around `now`, or one of another shape.
    /// - Parameter root: as an earlier run made it of the same seed and shape; a new one if nil.
    package init(
        seed: UInt64, now: Instant, shape: ChainShape? = nil, root kept: SimulatedCertificate? = nil
    ) {
        let shape = shape ?? .apple(around: now)
        do {
            let stranger = try SimulatedKey(.p384, seed: seed, name: "stranger")
            let root = try CertificateAuthority(
                shape.root, key: SimulatedKey(shape.root.key, seed: seed, name: "root"),
                issuer: nil, stranger: stranger, serial: 1, kept: kept)
            let intermediate = try CertificateAuthority(
                shape.intermediate,
                key: SimulatedKey(shape.intermediate.key, seed: seed, name: "intermediate"),
                issuer: root, stranger: stranger, serial: 2)
            let key = try SimulatedKey(
                shape.leaf.key, seed: seed, name: shape.leaf.keyName ?? "leaf")
            let leaf = try CertificateAuthority(
                shape.leaf, key: key, issuer: intermediate, stranger: stranger, serial: 3)
            self.root = root.certificate
            self.intermediate = intermediate.certificate
            self.leaf = leaf.certificate
            leafKey = { Self.sign($0, with: key) }
            let header = Self.header([leaf, intermediate, root].map(\.certificate))
            encodedHeader = Array((Base64.url.encode(header.serialized()) + ".").utf8)
        } catch {
            preconditionFailure("a chain of this shape cannot be made: \(error)")
        }
    }

    /// A compact JWS over a payload.
    package func sign(_ payload: JSONValue) -> [UInt8] {
        sign(payloadBytes: payload.serialized())
    }

    /// A compact JWS over any bytes and with any header, for what Apple would never sign.
    package func sign(payloadBytes: [UInt8], header: JSONValue? = nil) -> [UInt8] {
        let head =
            header.map { Array((Base64.url.encode($0.serialized()) + ".").utf8) } ?? encodedHeader
        let input = head + Array(Base64.url.encode(payloadBytes).utf8)
        return input + Array(("." + Base64.url.encode(leafKey(input))).utf8)
    }

    /// Apple's header: `ES256` and the chain, leaf first.
    package var header: JSONValue { Self.header([leaf, intermediate, root]) }

    private static func header(_ chain: [SimulatedCertificate]) -> JSONValue {
        let certificates = chain.map { JSONValue.string(Base64.standard.encode($0.der)) }
        return ["alg": "ES256", "x5c": .array(certificates)]
    }

    private static func sign(_ bytes: [UInt8], with key: SimulatedKey) -> [UInt8] {
        do {
            return try key.signature(over: bytes)
        } catch {
            preconditionFailure("a key that was made can sign: \(error)")
        }
    }
}
