internal import Crypto
internal import EntitlementModel
internal import StrictJSON

/// The form of submitted bytes, before anything in them is trusted (spec 4.0).
enum EvidenceShape {
    /// A JWS of whatever kind.
    case jws(ArraySlice<UInt8>)
    /// The JWS inside `{"signedPayload": …}`, as Apple posts it.
    case notificationBody([UInt8])
    /// The DER or BER of a PKCS#7 container.
    case receipt([UInt8])

    init(_ bytes: [UInt8], limits: VerificationLimits) throws(Refusal) {
        guard bytes.count <= limits.evidenceBytes else { throw Refusal(.inputTooLarge) }
        if bytes.first == Self.derSequence {
            self = .receipt(bytes)
            return
        }
        let text = bytes[...].trimmingWhitespace()
        if text.first == UInt8(ascii: "{") {
            self = .notificationBody(try Self.signedPayload(of: Array(text)))
        } else if text.starts(with: "eyJ".utf8) || text.contains(UInt8(ascii: ".")) {
            self = .jws(text)
        } else {
            self = .receipt(try Self.decodeReceipt(text))
        }
    }

    private static let derSequence: UInt8 = 0x30

    /// Base64 of something that starts like a PKCS#7 container.
    private static func decodeReceipt(_ text: ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
        guard text.starts(with: "M".utf8) else { throw Refusal(.inputKind) }
        guard let bytes = Base64.standard.decode(text.joiningLines()) else {
            throw Refusal(.inputEncoding)
        }
        guard bytes.first == derSequence else { throw Refusal(.inputKind) }
        return bytes
    }

    private static func signedPayload(of bytes: [UInt8]) throws(Refusal) -> [UInt8] {
        let body = try parse(bytes)
        let has = { (names: [StaticString]) in body.firstStated(of: names, in: .root) != nil }
        if has(["signedPayload"]) {
            guard let text = body.text(of: "signedPayload", in: .root) else {
                throw Refusal(.jwsMalformed)
            }
            return text
        }
        let mistaken = MistakenInput(body).map { VerificationRefusalDetail.mistaken($0) }
        if has(["payload"]), has(["signature", "signatures"]) {
            throw Refusal(.jwsMalformed, mistaken)
        }
        if has(unsignedMembers) { throw Refusal(.evidenceUnsigned, mistaken) }
        let isEmpty = body.isObject(at: .root) && body.members(of: .root).first { _ in true } == nil
        throw Refusal(.inputKind, isEmpty ? .missing("signedPayload") : mistaken)
    }

    /// Members of what Apple says without a signature: verifyReceipt's answers, notifications of
    /// version 1, decoded payloads.
    private static let unsignedMembers: [StaticString] = [
        "status", "receipt", "latest_receipt_info", "notification_type", "notificationType",
        "transactionId", "originalTransactionId", "transaction_id", "in_app", "bundleId",
    ]

    private static func parse(_ bytes: [UInt8]) throws(Refusal) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(bytes)
        } catch {
            switch error.code {
            case .encoding: throw Refusal(.inputEncoding)
            case .duplicateKey: throw Refusal(.inputDuplicateKey)
            case .number: throw Refusal(.inputNumber)
            case .tooLarge:
                let isLong = bytes.count > JSONLimits.standard.bytes
                throw Refusal(isLong ? .inputTooLarge : .inputTooComplex)
            case .malformed: throw Refusal(.inputKind)
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// The text without the ends of its lines, CR LF or LF.
    fileprivate func joiningLines() -> ArraySlice<UInt8> {
        guard contains(0x0A) else { return self }
        var text: [UInt8] = []
        text.reserveCapacity(count)
        for (index, byte) in zip(indices, self) {
            let endsLine = byte == 0x0D && index + 1 < endIndex && self[index + 1] == 0x0A
            if byte != 0x0A && !endsLine { text.append(byte) }
        }
        return text[...]
    }

    /// Without the blanks and line ends that editors and shells put around a text.
    func trimmingWhitespace() -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let start = drop(while: isBlank)
        return start.prefix(start.count - start.reversed().prefix(while: isBlank).count)
    }
}

/// SHA-256 as the model carries it.
func sha256(_ bytes: some Collection<UInt8>) -> Digest256 {
    var function = SHA256()
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
        function.update(bufferPointer: UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil {
        Array(bytes).withUnsafeBytes { function.update(bufferPointer: $0) }
    }
    return Digest256(hash: function.finalize())
}

/// A page of the App Store Server API as it was answered, saved as a file (spec 4.0): a history, a
/// notification history, a transaction, statuses. It is not signed; each piece in it is.
package struct ApplePage: Sendable {
    /// The JWS in it, in its order.
    package let pieces: [[UInt8]]

    /// Nil if it is not such a page, for example evidence itself.
    package init?(_ bytes: [UInt8]) {
        let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard start == UInt8(ascii: "{") || start == UInt8(ascii: "["),
            let page = try? JSONDocument(
                bytes, limits: JSONLimits(bytes: bytes.count, values: Self.mostValues)),
            page.member("signedPayload", of: .root) == nil, Self.isPage(page)
        else { return nil }
        var pieces: [[UInt8]] = []
        Self.read(page, at: .root, isSigned: false, into: &pieces)
        self.pieces = pieces
    }

    /// Of a file of saved pages.
    private static let mostValues = 1_000_000

    /// Whether there is a value under one of Apple's names for signed data, at any depth.
    static func isPage(_ page: JSONDocument, at place: JSONOffset = .root) -> Bool {
        page.elements(of: place).contains { isPage(page, at: $0) }
            || page.members(of: place).contains { name, value in
                isOfSigned(name, of: page) || isPage(page, at: value)
            }
    }

    private static func read(
        _ page: JSONDocument, at place: JSONOffset, isSigned: Bool, into pieces: inout [[UInt8]]
    ) {
        if isSigned, let text = page.string(at: place) { pieces.append(Array(text.utf8)) }
        for element in page.elements(of: place) {
            read(page, at: element, isSigned: isSigned, into: &pieces)
        }
        for (name, value) in page.members(of: place) {
            read(page, at: value, isSigned: isOfSigned(name, of: page), into: &pieces)
        }
    }

    private static func isOfSigned(_ name: JSONOffset, of page: JSONDocument) -> Bool {
        names.contains { page.hasText($0, at: name) }
    }

    private static let names: [StaticString] = [
        "signedTransactions", "signedTransactionInfo", "signedRenewalInfo", "signedPayload",
        "signedAppTransactionInfo", "notificationHistory",
    ]
}
