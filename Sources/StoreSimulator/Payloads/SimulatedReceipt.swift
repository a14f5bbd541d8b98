package import EntitlementModel

/// An app receipt: what it says of itself and the purchases in it (spec 4.5).
package struct SimulatedReceipt: Sendable {
    package var bundleID: String
    /// Attribute 0, in a receipt's own words: `Production`, `ProductionSandbox`.
    package var environmentName: String
    /// Nil writes the empty string that stands for no date.
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

/// One purchase of a receipt. What is nil is written as Apple writes it: an empty string.
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
    /// Type and encoded value: replaces what stands under the type, adds what is new.
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
