package import EntitlementModel
internal import StrictJSON

/// What was submitted instead of evidence, guessed by its form, for the advice in the message (spec
/// 4.2). Nothing is accepted because of it.
package enum MistakenInput: EvidenceText, Hashable, Sendable {
    case empty
    /// The word that programs print for a variable without a value.
    case unsetVariable
    /// Digits, or a UUID.
    case id
    case byteOrderMark
    case markup
    case googlePlay
    /// A JWS has fewer than three parts, or its last one is too short for a signature.
    case cutJWS
    case jwsInStandardBase64
    case encryptedJWS
    /// A JWT, but not one that Apple signs for purchases.
    case otherToken
    case noJWS
    /// The container says that it is longer.
    case cutReceipt
    case oldReceipt
    case oldReceiptText
    case receiptRequest
    case receiptAnswer
    case oldNotification
    case decodedPayload
    case applePage
    case list
    /// The evidence is in this member of an object.
    case wrapped(member: String)
    case doubleBase64
    case encodedJSON
    case percentEncoded
    case blanksForPlus
    case base64URL
    case paddingLost
    case escaped
    case quoted
    case dataURL
    case hexadecimal

    package func facts(in language: Language) -> [String] {
        guard case .wrapped(let member) = self else { return [] }
        return [member]
    }

    package var english: String {
        switch self {
        case .empty: "it is empty"
        case .unsetVariable:
            "it is the word for a variable without a value; submit what the store gave"
        case .id:
            "this is an id, not evidence; submit the JWS or the receipt, or, to have Apple asked "
                + "about a transaction, its id with \"verify\": \"remote\""
        case .byteOrderMark: "it begins with a byte order mark; write it as UTF-8 without one"
        case .markup: "this is HTML, XML or a property list, not what the store gave"
        case .googlePlay: "this is of Google Play; only evidence of the App Store is accepted"
        case .cutJWS: "the JWS is cut short: submit all three parts, to the last character"
        case .jwsInStandardBase64:
            "a JWS is base64url without padding; submit it as the store gave it"
        case .encryptedJWS: "this is an encrypted token, not a JWS of the App Store"
        case .otherToken:
            "this is a token of another kind: it carries no certificates of Apple's App Store"
        case .noJWS:
            "a JWS begins with 'eyJ' and has three parts between two dots; submit jwsRepresentation"
        case .cutReceipt: "the receipt is cut short: submit all of it, to the last character"
        case .oldReceipt:
            "this is a transaction receipt of iOS 6, which only Apple can verify; submit it with "
                + "\"verify\": \"remote\""
        case .oldReceiptText:
            "this is a transaction receipt of iOS 6; submit it as base64 with \"verify\": "
                + "\"remote\": only Apple can verify it"
        case .receiptRequest:
            "this is a request to verifyReceipt; submit the value of 'receipt-data' alone"
        case .receiptAnswer:
            "this is an answer of verifyReceipt; submit the receipt itself, or have an "
                + "administrator import the answer (usher ingest --imported)"
        case .oldNotification:
            "this is a notification of version 1; choose version 2 in App Store Connect"
        case .decodedPayload: "this is a decoded payload; submit the JWS that it was decoded from"
        case .applePage:
            "this is a page of the App Store Server API; usher ingest takes it apart, or submit "
                + "each JWS in it"
        case .list: "this is a list; submit each item in it"
        case .wrapped: "this is an object around the evidence; submit the value of '{0}' alone"
        case .doubleBase64: "this is base64 of base64; decode it once"
        case .encodedJSON: "this is base64 of JSON, not of a receipt; submit the JWS or the receipt"
        case .percentEncoded: "it is percent-encoded; decode it, or submit it in JSON"
        case .blanksForPlus:
            "'+' has become a blank; percent-encode it in a form, or submit it in JSON"
        case .base64URL: "a receipt is standard base64: write '+' for '-' and '/' for '_'"
        case .paddingLost: "the padding is missing: add '=' until the length is a multiple of four"
        case .escaped: "escapes of JSON are left in it; decode the JSON string"
        case .quoted: "it is in quotation marks; decode the JSON string"
        case .dataURL: "this is a data URL; submit what follows the comma"
        case .hexadecimal: "it is hexadecimal; submit it as base64"
        }
    }
}

extension MistakenInput {
    /// Nil if the form is unknown, or the refusal is sufficient. An object is examined where it is
    /// read, before it is refused.
    init?(_ bytes: [UInt8], refusedFor refusal: Refusal) {
        guard refusal.detail == nil, !refusal.isSigned else { return nil }
        let found: MistakenInput? =
            switch refusal.code {
            case .inputKind: MistakenInput(bytes)
            case .inputEncoding, .jwsMalformed, .receiptMalformed, .jwsSignature, .jwsAlgorithm,
                .jwsChain:
                Self.signedPayload(of: bytes) ?? MistakenInput(bytes)
            default: nil
            }
        guard let found else { return nil }
        self = found
    }

    private init?(_ bytes: [UInt8]) {
        let text = bytes[...].trimmingWhitespace()
        let found =
            Self.binary(bytes[...]) ?? Self.word(text) ?? Self.structured(text)
            ?? Self.disguised(text) ?? Self.jws(text) ?? Self.base64(text)
        guard let found else { return nil }
        self = found
    }

    private static func signedPayload(of bytes: [UInt8]) -> MistakenInput? {
        guard bytes[...].trimmingWhitespace().first == UInt8(ascii: "{"),
            let object = try? JSONDocument(bytes),
            let signed = object.text(of: "signedPayload", in: .root)
        else { return nil }
        return MistakenInput(signed)
    }

    private static func binary(_ bytes: ArraySlice<UInt8>) -> MistakenInput? {
        if [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]].contains(where: bytes.starts(with:)) {
            return .byteOrderMark
        }
        guard let length = derLength(bytes), bytes.contains(where: { $0 >= 0x80 }) else {
            return nil
        }
        return length > bytes.count ? .cutReceipt : nil
    }

    private static func word(_ text: ArraySlice<UInt8>) -> MistakenInput? {
        guard text.count <= 64 else { return nil }
        let word = String(decoding: text, as: UTF8.self)
        let unset = ["null", "(null)", "nil", "undefined", "none", "nan", "[object object]"]
        if word.isEmpty { return .empty }
        if unset.contains(word.lowercased()) { return .unsetVariable }
        let isNumber = text.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber || AppAccountToken(word) != nil ? .id : nil
    }

    /// What begins like a language of its own.
    private static func structured(_ text: ArraySlice<UInt8>) -> MistakenInput? {
        switch text.first {
        case UInt8(ascii: "{"): isOldReceipt(text) ? .oldReceiptText : nil
        case UInt8(ascii: "["): .list
        case UInt8(ascii: "<"): isHexadecimal(text.dropFirst()) ? .hexadecimal : .markup
        case UInt8(ascii: "\""): .quoted
        default:
            text.starts(with: "data:".utf8) ? .dataURL : isHexadecimal(text) ? .hexadecimal : nil
        }
    }

    /// What an object without `signedPayload` is.
    init?(_ object: JSONDocument) {
        guard object.isObject(at: .root), let found = Self.found(in: object) else { return nil }
        self = found
    }

    private static func found(in object: JSONDocument) -> MistakenInput? {
        let has = { (names: [StaticString]) in object.firstStated(of: names, in: .root) != nil }
        if has(["receipt-data"]) { return .receiptRequest }
        if has(["purchaseToken", "packageName"]) || has(["subscription"]) && has(["message"]) {
            return .googlePlay
        }
        if has(["notification_type", "unified_receipt"]) { return .oldNotification }
        if has(["status"]) && has(["receipt", "latest_receipt", "environment"]) {
            return .receiptAnswer
        }
        if ApplePage.isPage(object) { return .applePage }
        let payload: [StaticString] = [
            "notificationType", "transactionId", "originalTransactionId", "receiptType",
        ]
        if has(payload) { return .decodedPayload }
        let wrapping = object.members(of: .root).first { member in
            object.string(at: member.value).map { looksLikeEvidence(Array($0.utf8)[...]) } ?? false
        }
        return wrapping.flatMap { object.string(at: $0.name) }
            .map { .wrapped(member: $0.shown(atMost: 40)) }
    }

    /// Evidence that was encoded once too often, or lost characters on its way.
    private static func disguised(_ text: ArraySlice<UInt8>) -> MistakenInput? {
        if text.contains(UInt8(ascii: "\\")) { return .escaped }
        let percent = UInt8(ascii: "%")
        guard let first = text.firstIndex(of: percent) else { return nil }
        let isEncoded = text[first...].dropFirst().prefix(2).allSatisfy(isHexDigit)
        return isEncoded ? .percentEncoded : nil
    }

    private static func jws(_ text: ArraySlice<UInt8>) -> MistakenInput? {
        // Text of nothing but dots must not cost more than other text.
        let parts = text.split(
            separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard text.starts(with: "eyJ".utf8) else {
            guard parts.count > 1 else { return nil }
            return isOfGooglePlay(parts) ? .googlePlay : .noJWS
        }
        if parts.count == 1, isEncodedObject(text) { return .encodedJSON }
        if text.contains(where: { "+/=".utf8.contains($0) }) { return .jwsInStandardBase64 }
        if parts.count == 5 { return .encryptedJWS }
        if parts.count < 3 || parts.count == 3 && (Base64.url.decode(parts[2])?.count ?? 0) < 64 {
            return .cutJWS
        }
        let header = Base64.url.decode(parts[0]).flatMap { try? JSONDocument($0) }
        return parts.count == 3 && header?.member("x5c", of: .root) == nil ? .otherToken : nil
    }

    /// Every object in base64 begins like a JWS: only a header has an algorithm.
    private static func isEncodedObject(_ text: ArraySlice<UInt8>) -> Bool {
        let bytes = Base64.standard.decode(text) ?? Base64.url.decode(text)
        guard let object = bytes.flatMap({ try? JSONDocument($0) }) else { return false }
        return object.isObject(at: .root) && object.member("alg", of: .root) == nil
    }

    /// An order of lower-case letters, a dot, and a token that says its version.
    private static func isOfGooglePlay(_ parts: [ArraySlice<UInt8>]) -> Bool {
        parts.count == 2 && parts[0].count >= 16
            && parts[0].allSatisfy { (0x61...0x7A).contains($0) }
            && parts[1].starts(with: "AO-".utf8)
    }

    private static func base64(_ text: ArraySlice<UInt8>) -> MistakenInput? {
        let isReceipt = text.starts(with: "M".utf8)
        if isReceipt, text.contains(0x20) { return .blanksForPlus }
        if isReceipt, text.contains(where: { "-_".utf8.contains($0) }) { return .base64URL }
        let digits = text.filter { ![0x0A, 0x0D, UInt8(ascii: "=")].contains($0) }
        if isReceipt {
            guard let start = Base64.standard.decode(digits.prefix(8)[...]),
                let length = derLength(start[...])
            else { return nil }
            if length > digits.count * 3 / 4 { return .cutReceipt }
            return digits.count % 4 != 0 && text.last != UInt8(ascii: "=") ? .paddingLost : nil
        }
        let whole = digits.count / 4 * 4
        guard let decoded = Base64.standard.decode(digits.prefix(whole)[...])
        else { return nil }
        if isOldReceipt(decoded[...]) { return .oldReceipt }
        if decoded.first == UInt8(ascii: "{") { return .encodedJSON }
        return looksLikeEvidence(decoded[...]) ? .doubleBase64 : nil
    }

    /// `{ "signature" = "…"; "purchase-info" = "…"; … }`, as devices wrote it before iOS 7.
    private static func isOldReceipt(_ list: ArraySlice<UInt8>) -> Bool {
        guard list.first == UInt8(ascii: "{"), list.count <= 65_536 else { return false }
        let words = String(decoding: list, as: UTF8.self)
        return words.contains("\"purchase-info\" =") || words.contains("\"signature\" =")
    }

    private static func looksLikeEvidence(_ text: ArraySlice<UInt8>) -> Bool {
        text.count > 100
            && (text.starts(with: "eyJ".utf8) || text.starts(with: "MI".utf8)
                || text.starts(with: "TUl".utf8))
    }

    /// The length of the outermost DER element, its head included.
    private static func derLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        let head = Array(bytes.prefix(6))
        guard head.count > 1, head[0] == 0x30 else { return nil }
        let size = Int(head[1] & 0x7F)
        guard head[1] >= 0x80 else { return 2 + size }
        guard (1...4).contains(size), head.count >= 2 + size else { return nil }
        return 2 + size + head[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A long run of digits, in groups or not, that begins like a container.
    private static func isHexadecimal(_ text: ArraySlice<UInt8>) -> Bool {
        text.count >= 32 && text.starts(with: "308".utf8)
            && text.prefix(256).allSatisfy { isHexDigit($0) || $0 == 0x20 || $0 == 0x3E }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
