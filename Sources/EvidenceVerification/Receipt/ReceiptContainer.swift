internal import EntitlementModel
internal import SwiftASN1

/// A PKCS#7 container as Apple makes it: one payload, one signer, no signed attributes
/// (spec 4.5).
struct ReceiptContainer {
    enum Encoding {
        case der
        /// Indefinite lengths and strings in pieces, as Xcode writes them.
        case ber
    }

    let encoding: Encoding
    let payload: [UInt8]
    let certificates: [[UInt8]]
    let signer: ReceiptSigner

    /// BER is read only where local testing can be trusted at all.
    init(_ bytes: [UInt8], allowsBER: Bool) throws(Refusal) {
        switch DERBudget.container.check(bytes[...], allowsBER: allowsBER) {
        case .within: break
        case .malformed: throw Refusal(.receiptMalformed)
        case .exceeded: throw Refusal(.inputTooComplex)
        }
        do {
            if let root = try? DER.parse(bytes) {
                self = try ReceiptContainer(root, encoding: .der)
            } else if allowsBER {
                self = try ReceiptContainer(try BER.parse(bytes), encoding: .ber)
            } else {
                throw Refusal(.receiptMalformed)
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Refusal(.receiptMalformed)
        }
    }

    private static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 2]
    private static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
    /// Apple's have one to three.
    private static let maximumCertificates = 16

    private init(_ root: ASN1Node, encoding: Encoding) throws {
        var outer = try NodeReader(root, .sequence)
        try outer.expect(Self.signedData)
        var wrapper = try NodeReader(outer.next(), .context(0))
        try outer.end()
        var signed = try NodeReader(wrapper.next(), .sequence)
        try wrapper.end()
        try signed.expectVersion1()
        var digests = try NodeReader(signed.next(), .set)
        let digest = try ReceiptSigner.readAlgorithm(digests.next())
        try digests.end()
        payload = try Self.readPayload(signed.next(), encoding)
        certificates = try Self.readCertificates(&signed)
        _ = signed.take(.context(1))
        var signers = try NodeReader(signed.next(), .set)
        try signed.end()
        signer = try ReceiptSigner(signers.next(), digest: digest)
        try signers.end()
        self.encoding = encoding
    }

    private static func readPayload(_ node: ASN1Node, _ encoding: Encoding) throws -> [UInt8] {
        var content = try NodeReader(node, .sequence)
        try content.expect(data)
        var wrapper = try NodeReader(content.next(), .context(0))
        try content.end()
        let octets = try wrapper.next()
        try wrapper.end()
        return encoding == .der
            ? Array(try ASN1OctetString(derEncoded: octets).bytes)
            : Array(try ASN1OctetString(berEncoded: octets).bytes)
    }

    private static func readCertificates(_ signed: inout NodeReader) throws -> [[UInt8]] {
        guard let node = signed.take(.context(0)) else { return [] }
        var reader = try NodeReader(node, .context(0))
        var certificates: [[UInt8]] = []
        while let certificate = reader.nextIfAny() {
            let bytes = certificate.encodedBytes
            guard certificates.count < maximumCertificates,
                DERBudget.certificate.check(bytes) != .exceeded
            else { throw Refusal(.inputTooComplex) }
            certificates.append(Array(bytes))
        }
        return certificates
    }
}

/// Who signed a receipt and how.
struct ReceiptSigner {
    enum Hash {
        case sha1
        case sha256
    }

    /// The encoded issuer name of the signer's certificate.
    let issuer: ArraySlice<UInt8>
    /// The encoded serial number of the signer's certificate.
    let serial: ArraySlice<UInt8>
    let hash: Hash
    let signature: ArraySlice<UInt8>

    /// `announced` is the digest that the container names for all its signers.
    fileprivate init(_ node: ASN1Node, digest announced: ASN1ObjectIdentifier) throws {
        var info = try NodeReader(node, .sequence)
        try info.expectVersion1()
        var identity = try NodeReader(info.next(), .sequence)
        issuer = try identity.next(.sequence).encodedBytes
        serial = try identity.next(.integer).encodedBytes
        try identity.end()
        let digest = try Self.readAlgorithm(info.next())
        guard digest == announced else { throw Refusal(.receiptAlgorithm) }
        // With attributes, they would be signed in the payload's place: a way to forge (THREATS.md
        // C6, C7) that Apple does not use.
        guard info.take(.context(0)) == nil else { throw Refusal(.receiptAttributes) }
        hash = try Self.hash(digest, signedWith: try Self.readAlgorithm(info.next()))
        signature = try ASN1OctetString(berEncoded: info.next()).bytes
        guard info.take(.context(1)) == nil else { throw Refusal(.receiptAttributes) }
        try info.end()
    }

    /// An algorithm without parameters, or with NULL.
    fileprivate static func readAlgorithm(_ node: ASN1Node) throws -> ASN1ObjectIdentifier {
        var algorithm = try NodeReader(node, .sequence)
        let identifier = try ASN1ObjectIdentifier(derEncoded: algorithm.next())
        if let parameters = algorithm.nextIfAny() { _ = try ASN1Null(derEncoded: parameters) }
        try algorithm.end()
        return identifier
    }

    private static let rsa: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]
    private static let algorithms:
        [(digest: ASN1ObjectIdentifier, signature: ASN1ObjectIdentifier, hash: Hash)] = [
            ([1, 3, 14, 3, 2, 26], [1, 2, 840, 113_549, 1, 1, 5], .sha1),
            ([2, 16, 840, 1, 101, 3, 4, 2, 1], [1, 2, 840, 113_549, 1, 1, 11], .sha256),
        ]

    /// The signature's algorithm is plain RSA, or RSA with the very same hash.
    private static func hash(
        _ digest: ASN1ObjectIdentifier, signedWith signature: ASN1ObjectIdentifier
    ) throws -> Hash {
        let algorithm = algorithms.first { $0.digest == digest }
        guard let algorithm, signature == rsa || signature == algorithm.signature else {
            throw Refusal(.receiptAlgorithm)
        }
        return algorithm.hash
    }
}

/// Steps through the children of one node.
private struct NodeReader {
    private var children: [ASN1Node]
    private var index = 0

    init(_ node: ASN1Node, _ identifier: ASN1Identifier) throws {
        guard node.identifier == identifier, case .constructed(let collection) = node.content
        else { throw Refusal(.receiptMalformed) }
        children = Array(collection)
    }

    mutating func nextIfAny() -> ASN1Node? {
        guard index < children.count else { return nil }
        defer { index += 1 }
        return children[index]
    }

    mutating func next() throws -> ASN1Node {
        guard let node = nextIfAny() else { throw Refusal(.receiptMalformed) }
        return node
    }

    mutating func next(_ identifier: ASN1Identifier) throws -> ASN1Node {
        let node = try next()
        guard node.identifier == identifier else { throw Refusal(.receiptMalformed) }
        return node
    }

    /// The next node, if it has this identifier.
    mutating func take(_ identifier: ASN1Identifier) -> ASN1Node? {
        guard index < children.count, children[index].identifier == identifier else {
            return nil
        }
        return nextIfAny()
    }

    mutating func expect(_ identifier: ASN1ObjectIdentifier) throws {
        guard try ASN1ObjectIdentifier(derEncoded: next()) == identifier else {
            throw Refusal(.receiptMalformed)
        }
    }

    mutating func expectVersion1() throws {
        guard try Int(derEncoded: next()) == 1 else { throw Refusal(.receiptMalformed) }
    }

    func end() throws {
        guard index == children.count else { throw Refusal(.receiptMalformed) }
    }
}

extension ASN1Identifier {
    fileprivate static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
