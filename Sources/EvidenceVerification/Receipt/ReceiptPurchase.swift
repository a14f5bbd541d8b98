internal import EntitlementModel
internal import StrictJSON

/// Reads one purchase of a receipt (spec 4.1, 4.5).
struct ReceiptPurchase {
    let attributes: ReceiptAttributes
    let environment: StoreEnvironment
    let bundleID: BundleID
    let createdAt: Instant
    /// SHA-256 of the receipt's payload: what makes its purchases those of one Apple ID.
    let receipt: Digest256

    func snapshot() throws(PayloadFault) -> TransactionSnapshot {
        let transactionID: TransactionID = try id(1_703, "transaction_id")
        var snapshot = TransactionSnapshot(
            environment: environment, bundleID: bundleID, transactionID: transactionID,
            // Xcode leaves it out.
            originalTransactionID: attributes.text(1_705) == nil
                ? transactionID : try id(1_705, "original_transaction_id"),
            productID: try id(1_702, "product_id"),
            purchaseDate: try requiredDate(1_704, "purchase_date"), signedDate: createdAt,
            source: EvidenceSource(
                form: .receipt, trust: .signed,
                canonicalDigest: sha256(attributes.fields.canonical()), receipt: receipt))
        snapshot.quantity = attributes.integer(1_701) ?? 1
        snapshot.kind = kind
        snapshot.originalPurchaseDate = try attributes.date(1_706, named: "original_purchase_date")
        snapshot.expiresDate = try attributes.date(1_708, named: "expires_date")
        snapshot.webOrderLineItemID = webOrderLineItemID
        snapshot.revocation = try attributes.date(1_712, named: "cancellation_date").map {
            Revocation(date: $0, reason: attributes.integer(1_720))
        }
        snapshot.offer = offer
        return snapshot
    }

    private func id<ID: Identifier>(_ type: Int64, _ name: String) throws(PayloadFault) -> ID {
        guard let text = attributes.text(type) else { throw PayloadFault(.payloadMissing, name) }
        guard let id = ID(text) else { throw PayloadFault(.payloadID, name) }
        return id
    }

    private func requiredDate(_ type: Int64, _ name: String) throws(PayloadFault) -> Instant {
        guard let date = try attributes.date(type, named: name) else {
            throw PayloadFault(.payloadMissing, name)
        }
        return date
    }

    private var kind: Stated<ProductKind>? {
        switch attributes.integer(1_707) {
        case nil: nil
        case 0: .known(.nonConsumable)
        case 1: .known(.consumable)
        case 2: .known(.nonRenewing)
        case 3: .known(.autoRenewable)
        case 4: .known(.free)
        case let other?: .unknown("\(other)")
        }
    }

    private var webOrderLineItemID: WebOrderLineItemID? {
        guard let number = attributes.integer(1_711), number != 0 else { return nil }
        return WebOrderLineItemID("\(number)")
    }

    /// A receipt distinguishes a trial, an introductory price and a promotional offer, and no more.
    private var offer: Offer? {
        if let identifier = attributes.text(1_721) { return Offer(type: 2, identifier: identifier) }
        if attributes.integer(1_713) == 1 { return Offer(type: 1, discountType: "FREE_TRIAL") }
        return attributes.integer(1_719) == 1 ? Offer(type: 1) : nil
    }
}

extension ReceiptAttributes {
    /// The purchase under the names that verifyReceipt has for its attributes.
    var fields: JSONValue {
        var members: [JSONMember] = []
        for (type, name) in Self.names {
            if let text = text(type) {
                members.append(JSONMember(name, .string(text)))
            } else if let number = integer(type) {
                members.append(JSONMember(name, .integer(number)))
            }
        }
        return .object(members)
    }

    private static let names: [(Int64, String)] = [
        (1_701, "quantity"), (1_702, "product_id"), (1_703, "transaction_id"),
        (1_704, "purchase_date"), (1_705, "original_transaction_id"),
        (1_706, "original_purchase_date"), (1_707, "product_type"), (1_708, "expires_date"),
        (1_711, "web_order_line_item_id"), (1_712, "cancellation_date"),
        (1_713, "is_trial_period"), (1_719, "is_in_intro_offer_period"),
        (1_720, "cancellation_reason"), (1_721, "promotional_offer_id"),
    ]
}
