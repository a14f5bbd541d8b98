package import EntitlementModel
package import StrictJSON

/// The fields of a renewal info as Apple signs them (spec 4.4).
package struct SimulatedRenewal: Sendable {
    package var environment = StoreEnvironment.production
    package var originalTransactionID: String
    package var productID: String
    package var autoRenewProductID: String
    package var autoRenewStatus = true
    package var expirationIntent: ExpirationIntent?
    package var isInBillingRetryPeriod: Bool?
    package var gracePeriodExpiresDate: Instant?
    package var renewalDate: Instant?
    package var renewalPrice: Price?
    package var appTransactionID: String?
    package var appAccountToken: String?
    /// When the newest run of periods began that has no gap of more than 60 days.
    package var recentSubscriptionStartDate: Instant?
    package var signedDate: Instant
    /// Set last: replaces what stands under the name, adds what is new.
    package var otherFields: [JSONMember] = []

    package init(
        originalTransactionID: String, productID: String, renewalDate: Instant?,
        signedDate: Instant
    ) {
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        autoRenewProductID = productID
        self.renewalDate = renewalDate
        self.signedDate = signedDate
    }

    package var payload: JSONValue {
        var payload: JSONValue = [
            "originalTransactionId": .string(originalTransactionID),
            "autoRenewProductId": .string(autoRenewProductID),
            "productId": .string(productID),
            "autoRenewStatus": .integer(autoRenewStatus ? 1 : 0),
        ]
        payload["expirationIntent"] = expirationIntent.map { .integer($0.signedNumber) }
        payload["isInBillingRetryPeriod"] = isInBillingRetryPeriod.map(JSONValue.bool)
        payload["gracePeriodExpiresDate"] = gracePeriodExpiresDate.map(JSONValue.date)
        payload["renewalDate"] = renewalDate.map(JSONValue.date)
        payload["renewalPrice"] = renewalPrice.map { .integer($0.milliunits) }
        payload["currency"] = renewalPrice?.currency.map(JSONValue.string)
        payload["appTransactionId"] = appTransactionID.map(JSONValue.string)
        payload["appAccountToken"] = appAccountToken.map(JSONValue.string)
        payload["recentSubscriptionStartDate"] = recentSubscriptionStartDate.map(JSONValue.date)
        payload["signedDate"] = .date(signedDate)
        payload["environment"] = .string(environment.signedName)
        for field in otherFields { payload[field.key] = field.value }
        return payload
    }
}
