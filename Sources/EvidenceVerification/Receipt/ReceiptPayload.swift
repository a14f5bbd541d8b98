internal import EntitlementModel

/// The attributes of a receipt (spec 4.5), or of one purchase in it: values by type, empty
/// ones omitted, since an absent date is mostly an empty string.
struct ReceiptAttributes {
    /// In their order; a type may repeat. A purchase has a dozen, so a linear search is enough.
    private let values: [(type: Int64, value: ArraySlice<UInt8>)]

    /// Reads a SET of (type, version, value). Nil for anything else.
    init?(_ bytes: ArraySlice<UInt8>) {
        var values: [(type: Int64, value: ArraySlice<UInt8>)] = []
        let isRead = ReceiptAttribute.read(bytes) { attribute in
            values.append((attribute.type, attribute.value))
            return true
        }
        guard isRead else { return nil }
        self.values = values
    }

    /// Nil if absent, empty or no string.
    func text(_ type: Int64) -> String? {
        guard let text = item(type)?.text, !text.isEmpty else { return nil }
        return text
    }

    func integer(_ type: Int64) -> Int64? { item(type)?.integer }

    /// Nil if absent or empty; a fault if there is a text that is no date.
    func date(_ type: Int64, named name: String) throws(PayloadFault) -> Instant? {
        guard let text = text(type) else { return nil }
        guard let instant = Instant(rfc3339: text) else { throw PayloadFault(.payloadType, name) }
        return instant
    }

    private func item(_ type: Int64) -> DERItem? {
        values.first { $0.type == type }.flatMap { DERItem.only(in: $0.value) }
    }
}

/// One attribute of a receipt or of a purchase.
private struct ReceiptAttribute {
    let type: Int64
    let value: ArraySlice<UInt8>

    /// Hands over each attribute of a SET of them, and keeps none.
    ///
    /// - Parameter take: false where the attribute cannot be.
    /// - Returns: whether it is such a set, and every attribute was taken.
    static func read(
        _ bytes: ArraySlice<UInt8>, _ take: (ReceiptAttribute) -> Bool
    ) -> Bool {
        let span = bytes.span
        var index = 0
        guard let set = DEROffset(in: span, at: &index, before: span.count),
            set.tag == DERItem.Tag.set, set.end == span.count
        else { return false }
        index = set.start
        while index < set.end {
            guard let item = DEROffset(in: span, at: &index, before: set.end),
                item.tag == DERItem.Tag.sequence
            else { return false }
            var part = item.start
            guard let type = DEROffset(in: span, at: &part, before: item.end)?.integer(in: span),
                DEROffset(in: span, at: &part, before: item.end)?.integer(in: span) != nil,
                let value = DEROffset(in: span, at: &part, before: item.end),
                value.tag == DERItem.Tag.octetString, part == item.end,
                take(
                    ReceiptAttribute(
                        type: type,
                        value: bytes[bytes.startIndex + value.start..<bytes.startIndex + value.end])
                )
            else { return false }
        }
        return true
    }
}

/// The statements of a receipt, before it is trusted.
///
/// All of it is examined, and little of it kept: anybody can sign any payload with a certificate of
/// his own. The purchases are read once the receipt is trusted.
struct ReceiptPayload {
    private(set) var bundleID: String?
    /// Apple's spelling, as a JWS would have it.
    private(set) var environmentName: String?
    /// Attribute 12: the instant to judge at.
    private(set) var createdAt: Instant?
    /// Attributes 15, 18 and 19: the download, when the app was bought, and in which version.
    let download: String?
    let boughtAt: Instant?
    let firstVersion: String?
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(Refusal) {
        self.bytes = bytes
        // Types that say what the receipt is about must not be said twice.
        var unique: [Int64: ArraySlice<UInt8>] = [:]
        var others: [Int64: ArraySlice<UInt8>] = [:]
        var isRepeated = false
        let isRead = ReceiptAttribute.read(bytes[...]) { attribute in
            switch attribute.type {
            case 0, 2, 12:
                let before = unique.updateValue(attribute.value, forKey: attribute.type)
                isRepeated = isRepeated || before != nil
                return true
            case 15, 18, 19:
                others[attribute.type] = others[attribute.type] ?? attribute.value
                return true
            case Self.purchase: return ReceiptAttribute.read(attribute.value) { _ in true }
            default: return true
            }
        }
        guard isRead else { throw Refusal(.receiptPayload) }
        guard !isRepeated else { throw Refusal(.receiptMalformed) }
        func item(_ type: Int64) -> DERItem? {
            (unique[type] ?? others[type]).flatMap { DERItem.only(in: $0) }
        }
        func text(_ type: Int64) -> String? {
            let text = item(type)?.text
            return text?.isEmpty == true ? nil : text
        }
        bundleID = text(2)
        environmentName = text(0).map(Self.signedName)
        createdAt = text(12).flatMap { Instant(rfc3339: $0) }
        download = item(15)?.integer.flatMap { $0 > 0 ? "\($0)" : nil }
        boughtAt = text(18).flatMap { Instant(rfc3339: $0) }
        firstVersion = text(19)
    }

    private static let purchase: Int64 = 17
    /// As verifyReceipt calls attributes 0 and 2.
    static let environmentField: StaticString = "receipt_type"
    static let bundleField: StaticString = "bundle_id"

    /// One for each purchase.
    var purchases: [ReceiptAttributes] {
        var purchases: [ReceiptAttributes] = []
        _ = ReceiptAttribute.read(bytes[...]) { attribute in
            guard attribute.type == Self.purchase else { return true }
            guard let purchase = ReceiptAttributes(attribute.value) else { return false }
            purchases.append(purchase)
            return true
        }
        return purchases
    }

    /// Receipts have names of their own for environments (spec 4.5).
    private static func signedName(_ name: String) -> String {
        switch name {
        case "ProductionVPP": "Production"
        case "ProductionSandbox", "ProductionVPPSandbox": "Sandbox"
        default: name
        }
    }
}
