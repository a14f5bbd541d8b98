internal import Crypto
package import EntitlementModel
internal import X509

/// Signs app receipts as Apple does: RSA keys of 2,048 bits, PKCS#7 without signed attributes,
/// leaf, intermediate and root in the bag (spec 4.5).
///
/// RSA keys cannot follow from a seed: all receipt simulators of one process share theirs unless
/// they are given others, and receipts that are to be kept are kept with their root.
package struct ReceiptSimulator: Sendable {
    package let root: SimulatedCertificate
    package let intermediate: SimulatedCertificate
    package let leaf: SimulatedCertificate
    /// The leaf's issuer and serial number, encoded.
    private let identity: [UInt8]
    private let sign: @Sendable ([UInt8], ReceiptHash) -> [UInt8]

    package init(now: Instant, shape: ChainShape? = nil, keys: RSAKeys = .ofProcess) {
        let shape = shape ?? .appleReceipts(around: now)
        do {
            let key = { (shape: CertificateShape, name: String) in
                try SimulatedKey(shape.key, seed: 0, name: name, rsa: keys)
            }
            let stranger = try SimulatedKey(.rsa2048, seed: 0, name: "stranger")
            let root = try CertificateAuthority(
                shape.root, key: key(shape.root, "root"),
                issuer: nil, stranger: stranger, serial: 0x91)
            let intermediate = try CertificateAuthority(
                shape.intermediate,
                key: key(shape.intermediate, "intermediate"),
                issuer: root, stranger: stranger, serial: 0x92)
            let leafKey = try key(shape.leaf, "leaf")
            let leaf = try CertificateAuthority(
                shape.leaf, key: leafKey, issuer: intermediate, stranger: stranger, serial: 0x93)
            self.root = root.certificate
            self.intermediate = intermediate.certificate
            self.leaf = leaf.certificate
            identity = try leaf.issuerAndSerial()
            sign = { bytes, hash in leafKey.receiptSignature(over: bytes, hash) }
        } catch {
            preconditionFailure("a chain of this shape cannot be made: \(error)")
        }
    }

    /// Xcode's way: one self-signed certificate that is leaf and root at once (spec 4.5).
    package init(xcodeAt now: Instant) {
        let shape = CertificateShape(
            commonName: "Usher Simulator StoreKit", key: .rsa2048, isAuthority: nil,
            usage: .signsData, markers: [], valid: ChainShape.apple(around: now).root.valid)
        do {
            let key = try SimulatedKey(.rsa2048, seed: 0, name: "xcode")
            let leaf = try CertificateAuthority(
                shape, key: key, issuer: nil, stranger: key, serial: 1)
            self.leaf = leaf.certificate
            intermediate = leaf.certificate
            root = leaf.certificate
            identity = try leaf.issuerAndSerial()
            sign = { bytes, hash in key.receiptSignature(over: bytes, hash) }
        } catch {
            preconditionFailure("a self-signed certificate can be made: \(error)")
        }
    }

    /// The bytes of a receipt.
    package func sign(
        _ receipt: SimulatedReceipt, as shape: ReceiptShape = ReceiptShape()
    ) -> [UInt8] {
        sign(payload: receipt.payload, as: shape)
    }

    /// The bytes of a container around any payload.
    package func sign(
        payload: [UInt8], as shape: ReceiptShape = ReceiptShape()
    ) -> [UInt8] {
        let signer = DERText.item(0x30, signerInfo(over: payload, as: shape))
        let chain =
            shape.otherCertificates.flatMap { $0 }
            + shape.certificates.flatMap { certificate($0).der }
        let content = shape.isDetached ? [] : shape.wrap(0xA0, shape.octets(payload))
        let signed =
            DERText.integer(1) + DERText.set([shape.announcedDigest])
            + shape.wrap(0x30, ReceiptShape.data + content) + DERText.item(0xA0, chain)
            + DERText.set([[UInt8]](repeating: signer, count: shape.signers) + shape.otherSigners)
        return shape.wrap(
            0x30, ReceiptShape.signedData + shape.wrap(0xA0, shape.wrap(0x30, signed)))
    }

    /// The content of a SignerInfo over a payload.
    package func signerInfo(
        over payload: [UInt8], as shape: ReceiptShape = ReceiptShape()
    ) -> [UInt8] {
        var info = DERText.integer(1) + identity + shape.digest
        if let attributes = shape.signedAttributes { info += DERText.item(0xA0, attributes) }
        // If there are attributes, they are signed, as a SET.
        let signed = shape.signedAttributes.map { DERText.item(0x31, $0) } ?? payload
        info += DERText.sequence(shape.signatureIdentifier, [0x05, 0x00])
        info += DERText.octets(sign(signed, shape.hash))
        if let attributes = shape.unsignedAttributes { info += DERText.item(0xA1, attributes) }
        return info
    }

    private func certificate(_ role: ReceiptShape.Role) -> SimulatedCertificate {
        switch role {
        case .leaf: leaf
        case .intermediate: intermediate
        case .root: root
        }
    }
}

/// The hash of a receipt's signature.
package enum ReceiptHash: Sendable {
    case sha1
    case sha256
    /// Named only: the signature is over SHA-256.
    case md5

    fileprivate var identifier: [UInt8] {
        switch self {
        case .sha1: DERText.item(0x06, [0x2B, 0x0E, 0x03, 0x02, 0x1A])
        case .sha256:
            DERText.item(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
        case .md5: DERText.item(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x05])
        }
    }
}

/// How the container of a receipt is made; what it is by default is Apple's way.
package struct ReceiptShape: Sendable {
    package enum Role: Sendable {
        case leaf
        case intermediate
        case root
    }

    package var hash = ReceiptHash.sha256
    /// The hash that the container names for its signers; nil for the signer's own.
    package var announcedHash: ReceiptHash?
    /// The last arc under 1.2.840.113549.1.1: 1 is plain RSA, 5 with SHA-1, 11 with SHA-256.
    package var signatureArc: UInt8 = 1
    /// Content of signed attributes, which are signed instead of the payload; nil for none.
    package var signedAttributes: [UInt8]?
    package var unsignedAttributes: [UInt8]?
    package var signers = 1
    /// SignerInfos after the genuine ones.
    package var otherSigners: [[UInt8]] = []
    /// Leaves the payload out.
    package var isDetached = false
    /// BER: indefinite lengths, and the payload in a constructed string.
    package var isIndefinite = false
    /// Bytes of one piece of a constructed string.
    package var pieceSize = Int.max
    package var certificates: [Role] = [.leaf, .intermediate, .root]
    /// The DER of certificates before all others.
    package var otherCertificates: [[UInt8]] = []

    package init() {}

    /// As Xcode writes receipts: BER, with one certificate.
    package static var xcode: ReceiptShape {
        var shape = ReceiptShape()
        shape.isIndefinite = true
        shape.certificates = [.leaf]
        return shape
    }

    fileprivate var digest: [UInt8] { DERText.sequence(hash.identifier, [0x05, 0x00]) }

    fileprivate var announcedDigest: [UInt8] {
        DERText.sequence((announcedHash ?? hash).identifier, [0x05, 0x00])
    }

    fileprivate func wrap(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        isIndefinite ? DERText.indefinite(tag, content) : DERText.item(tag, content)
    }

    fileprivate func octets(_ payload: [UInt8]) -> [UInt8] {
        guard isIndefinite else { return DERText.octets(payload) }
        var pieces: [UInt8] = []
        var rest = payload[...]
        while !rest.isEmpty {
            pieces += DERText.octets(Array(rest.prefix(pieceSize)))
            rest = rest.dropFirst(pieceSize)
        }
        return DERText.indefinite(0x24, pieces)
    }

    fileprivate var signatureIdentifier: [UInt8] {
        DERText.item(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, signatureArc])
    }

    fileprivate static let signedData = DERText.item(
        0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
    fileprivate static let data = DERText.item(
        0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
}

extension ChainShape {
    /// Apple's chain behind receipts: RSA throughout.
    package static func appleReceipts(around now: Instant) -> ChainShape {
        var shape = ChainShape.apple(around: now)
        shape.root.commonName = "Usher Simulator Receipt Root CA"
        shape.root.key = .rsa2048
        shape.intermediate.key = .rsa2048
        shape.leaf.key = .rsa2048
        return shape
    }
}

extension SimulatedKey {
    fileprivate func receiptSignature(over bytes: [UInt8], _ hash: ReceiptHash) -> [UInt8] {
        do {
            let algorithm: Certificate.SignatureAlgorithm =
                hash == .sha1 ? .sha1WithRSAEncryption : .sha256WithRSAEncryption
            let signature = try certificateKey.sign(bytes: bytes, signatureAlgorithm: algorithm)
            return Array(signature.rawRepresentation)
        } catch {
            preconditionFailure("a receipt is signed with an RSA key: \(error)")
        }
    }
}

/// An app receipt: what it says of itself and the purchases in it (spec 4.5).
package struct SimulatedReceipt: Sendable {
    package var bundleID: String
    /// Attribute 0, in a receipt's own words: `Production`, `ProductionSandbox`.
    package var environmentName: String
    /// Nil writes the empty string, which means no date.
    package var createdAt: Instant?
    package var purchases: [SimulatedReceiptPurchase]
    /// Type and encoded value, added at the end.
    package var otherAttributes: [(type: Int64, value: [UInt8])] = []

    package init(
        bundleID: String, environmentName: String = "Production", createdAt: Instant?,
        purchases: [SimulatedReceiptPurchase]
    ) {
        self.bundleID = bundleID
        self.environmentName = environmentName
        self.createdAt = createdAt
        self.purchases = purchases
    }

    package var payload: [UInt8] {
        var attributes = [
            attribute(0, DERText.utf8(environmentName)), attribute(1, DERText.integer(0)),
            attribute(2, DERText.utf8(bundleID)), attribute(3, DERText.utf8("1")),
            attribute(4, [UInt8](repeating: 0x5A, count: 16)),
            attribute(5, [UInt8](repeating: 0xA5, count: 20)),
            attribute(12, DERText.ia5(createdAt?.receiptDate ?? "")),
            attribute(19, DERText.utf8("1.0")),
        ]
        attributes += purchases.map { attribute(17, $0.attributes) }
        attributes += otherAttributes.map { attribute($0.type, $0.value) }
        return DERText.set(attributes)
    }
}

/// One purchase of a receipt. Nil is written as Apple does: an empty string.
package struct SimulatedReceiptPurchase: Sendable {
    package var productID: String
    package var transactionID: String
    package var originalTransactionID: String
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant
    package var expiresDate: Instant?
    package var cancellationDate: Instant?
    package var cancellationReason: Int64?
    package var quantity: Int64 = 1
    /// Attribute 1707.
    package var typeNumber: Int64?
    package var webOrderLineItemID: Int64 = 0
    package var isTrial = false
    package var isIntroductory = false
    package var promotionalOfferID: String?
    /// Types and encoded values: replace existing ones, add new ones.
    package var otherAttributes: [(type: Int64, value: [UInt8])] = []

    package init(
        productID: String, transactionID: String, typeNumber: Int64?, purchaseDate: Instant,
        expiresDate: Instant? = nil
    ) {
        self.productID = productID
        self.transactionID = transactionID
        originalTransactionID = transactionID
        self.typeNumber = typeNumber
        self.purchaseDate = purchaseDate
        originalPurchaseDate = purchaseDate
        self.expiresDate = expiresDate
    }

    fileprivate var attributes: [UInt8] {
        var values: [(Int64, [UInt8])] = [
            (1_701, DERText.integer(quantity)), (1_702, DERText.utf8(productID)),
            (1_703, DERText.utf8(transactionID)), (1_704, DERText.ia5(purchaseDate.receiptDate)),
            (1_705, DERText.utf8(originalTransactionID)),
            (1_706, DERText.ia5(originalPurchaseDate.receiptDate)),
            (1_708, DERText.ia5(expiresDate?.receiptDate ?? "")),
            (1_711, DERText.integer(webOrderLineItemID)),
            (1_712, DERText.ia5(cancellationDate?.receiptDate ?? "")),
            (1_713, DERText.integer(isTrial ? 1 : 0)),
            (1_719, DERText.integer(isIntroductory ? 1 : 0)),
        ]
        if let typeNumber { values.append((1_707, DERText.integer(typeNumber))) }
        if let cancellationReason { values.append((1_720, DERText.integer(cancellationReason))) }
        if let promotionalOfferID { values.append((1_721, DERText.utf8(promotionalOfferID))) }
        values.removeAll { value in otherAttributes.contains { $0.type == value.0 } }
        values += otherAttributes.map { ($0.type, $0.value) }
        return DERText.set(values.map { attribute($0.0, $0.1) })
    }
}

/// Type, version, value.
private func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
    DERText.sequence(DERText.integer(type), DERText.integer(1), DERText.octets(value))
}

extension Instant {
    /// Receipts know whole seconds.
    fileprivate var receiptDate: String { rfc3339.prefix(19) + "Z" }
}

/// Writes DER the plain way: a tag, a length, a content.
package enum DERText {
    /// A tag of one byte, the length, the content.
    package static func item(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// BER: no length, and two zeroes behind the last part.
    package static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    /// A SEQUENCE of encoded parts.
    package static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        item(0x30, parts.flatMap { $0 })
    }

    /// A SET in the order given, which DER would sort.
    package static func set(_ parts: [[UInt8]]) -> [UInt8] { item(0x31, parts.flatMap { $0 }) }

    /// An OCTET STRING.
    package static func octets(_ bytes: [UInt8]) -> [UInt8] { item(0x04, bytes) }

    /// A UTF8String.
    package static func utf8(_ text: String) -> [UInt8] { item(0x0C, Array(text.utf8)) }

    /// An IA5String.
    package static func ia5(_ text: String) -> [UInt8] { item(0x16, Array(text.utf8)) }

    /// The shortest two's complement.
    package static func integer(_ value: Int64) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        while bytes.count > 1,
            (bytes[0] == 0 && bytes[1] < 0x80) || (bytes[0] == 0xFF && bytes[1] >= 0x80)
        {
            bytes.removeFirst()
        }
        return item(0x02, bytes)
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        let digits = Array(bytes.drop { $0 == 0 })
        return [0x80 | UInt8(digits.count)] + digits
    }
}
