internal import EntitlementModel

/// The attributes of a receipt (apple.md, 8.3), or of one purchase in it: values by type, empty
/// ones left out, since an absent date is mostly an empty string.
struct ReceiptAttributes {
    /// As they come; a type may repeat. A purchase has a dozen, so they are looked through.
    private let values: [(type: Int64, value: ArraySlice<UInt8>)]

    /// Reads a SET of (type, version, value). Nil for anything else.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let set = DERItem.only(in: bytes), set.tag == DERItem.Tag.set,
            let attributes = DERItem.items(in: set.content)
        else { return nil }
        var values: [(type: Int64, value: ArraySlice<UInt8>)] = []
        values.reserveCapacity(attributes.count)
        for attribute in attributes {
            guard attribute.tag == DERItem.Tag.sequence,
                let parts = DERItem.items(in: attribute.content), parts.count == 3,
                let type = parts[0].integer, parts[1].integer != nil,
                parts[2].tag == DERItem.Tag.octetString
            else { return nil }
            values.append((type, parts[2].content))
        }
        self.values = values
    }

    func all(_ type: Int64) -> [ArraySlice<UInt8>] {
        values.compactMap { $0.type == type ? $0.value : nil }
    }

    func has(_ type: Int64) -> Bool { values.contains { $0.type == type } }

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

/// What a receipt says of itself, before it is believed.
struct ReceiptPayload {
    let bundleID: String?
    /// Apple's spelling, as a JWS would have it.
    let environmentName: String?
    /// Attribute 12: the instant to judge at.
    let createdAt: Instant?
    /// One for each purchase.
    let purchases: [ReceiptAttributes]

    /// Types that say what the receipt is about must not be said twice.
    private static let unique: [Int64] = [0, 2, 12]

    init(_ bytes: [UInt8]) throws(Refusal) {
        guard let attributes = ReceiptAttributes(bytes[...]) else {
            throw Refusal(.receiptPayload)
        }
        guard Self.unique.allSatisfy({ attributes.all($0).count <= 1 }) else {
            throw Refusal(.receiptMalformed)
        }
        bundleID = attributes.text(2)
        environmentName = attributes.text(0).map(Self.signedName)
        createdAt = attributes.text(12).flatMap { Instant(rfc3339: $0) }
        var purchases: [ReceiptAttributes] = []
        for bytes in attributes.all(17) {
            guard let purchase = ReceiptAttributes(bytes) else { throw Refusal(.receiptPayload) }
            purchases.append(purchase)
        }
        self.purchases = purchases
    }

    /// Receipts have names of their own for environments (apple.md, 11.1).
    private static func signedName(_ name: String) -> String {
        switch name {
        case "ProductionVPP": "Production"
        case "ProductionSandbox", "ProductionVPPSandbox": "Sandbox"
        default: name
        }
    }
}
