package import EntitlementModel
package import StrictJSON

/// The fields of an app transaction: what a device says about the Apple ID that got the app.
package struct SimulatedAppTransaction: Sendable {
    package var environment = StoreEnvironment.production
    package var bundleID: String
    package var appAppleID: Int64?
    package var appTransactionID: String?
    package var originalPurchaseDate: Instant
    package var signedDate: Instant
    /// Set last: replaces what stands under the name, adds what is new.
    package var otherFields: [JSONMember] = []

    package init(
        bundleID: String, appAppleID: Int64?, appTransactionID: String?,
        originalPurchaseDate: Instant, signedDate: Instant
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.appTransactionID = appTransactionID
        self.originalPurchaseDate = originalPurchaseDate
        self.signedDate = signedDate
    }

    package var payload: JSONValue {
        var payload: JSONValue = ["receiptType": .string(environment.signedName)]
        payload["appAppleId"] = appAppleID.map(JSONValue.integer)
        payload["bundleId"] = .string(bundleID)
        payload["applicationVersion"] = "1.0"
        payload["originalApplicationVersion"] = "1.0"
        payload["originalPurchaseDate"] = .date(originalPurchaseDate)
        payload["receiptCreationDate"] = .date(signedDate)
        payload["appTransactionId"] = appTransactionID.map(JSONValue.string)
        for field in otherFields { payload[field.key] = field.value }
        return payload
    }
}
