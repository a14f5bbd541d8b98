package import EntitlementModel
internal import StrictJSON

/// What a notification about a refund says of its purchase, read again from evidence that was
/// verified before it was recorded (spec 1.12). Nothing is verified anew.
package struct RefundNotice: Hashable, Sendable {
    package let transaction: TransactionID
    /// Apple's `consumptionRequestReason`.
    package let reason: String?
    package let isAdvancedCommerce: Bool

    /// Nil for what holds no transaction that can be read.
    package init?(reading bytes: [UInt8]) {
        guard let text = Self.jws(in: bytes), let payload = Self.payload(of: text),
            let data = payload["data"],
            let signed = data["signedTransactionInfo"]?.string,
            let purchase = Self.payload(of: Array(signed.utf8)[...]),
            let transaction = purchase["transactionId"]?.string.flatMap({ TransactionID($0) })
        else { return nil }
        self.transaction = transaction
        reason = data["consumptionRequestReason"]?.string
        isAdvancedCommerce = purchase["advancedCommerceInfo"].map { !$0.isNull } ?? false
    }

    private static func jws(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        switch try? EvidenceShape(bytes, limits: VerificationLimits()) {
        case .jws(let text): text
        case .notificationBody(let text): text[...]
        case .receipt, nil: nil
        }
    }

    private static func payload(of text: ArraySlice<UInt8>) -> JSONValue? {
        guard let jws = try? CompactJWS(text), let bytes = Base64.url.decode(jws.payload) else {
            return nil
        }
        return try? parseJSON(bytes)
    }
}
