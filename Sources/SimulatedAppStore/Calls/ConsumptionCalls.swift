internal import EntitlementModel
internal import StoreSimulator
internal import StrictJSON

/// Send Consumption Information: what a developer knows about a purchase that is to be refunded.
extension AppStoreWorld {
    /// Version 2, for everything but Advanced Commerce.
    func consumption(
        _ id: String, _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let (_, purchase, _) = try side.transaction(try transactionID(id))
        let body = try call.object()
        guard body["customerConsented"]?.bool == true else { throw .invalidCustomerConsented }
        guard let status = body["deliveryStatus"]?.string, Self.deliveryStatuses.contains(status)
        else { throw .invalidDeliveryStatus }
        guard body["sampleContentProvided"]?.bool != nil else {
            throw .invalidSampleContentProvided
        }
        try checkPreference(body, purchase.kind)
        try keep(body, id, purchase, side)
        return AppStoreResponse(status: 202)
    }

    private static let deliveryStatuses = [
        "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
        "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
    ]

    /// A prorated refund needs a share for what is not renewed, and none for what is.
    private func checkPreference(
        _ body: JSONValue, _ kind: ProductKind
    ) throws(AppStoreError) {
        let share = body["consumptionPercentage"]
        if let share, !share.isNull {
            guard let part = share.int64, (0...100_000).contains(part) else {
                throw .generalBadRequest
            }
        }
        guard let preference = body["refundPreference"], !preference.isNull else { return }
        switch preference.string {
        case "GRANT_FULL"?, "DECLINE"?: return
        case "GRANT_PRORATED"? where kind == .autoRenewable: return
        case "GRANT_PRORATED"?:
            guard let part = share?.int64, part > 0 else { throw .generalBadRequest }
        default: throw .generalBadRequest
        }
    }

    /// Version 1.
    func oldConsumption(
        _ id: String, _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let (_, purchase, _) = try side.transaction(try transactionID(id))
        let body = try call.object()
        guard body["customerConsented"]?.bool == true else { throw .invalidCustomerConsented }
        for (name, range, error) in Self.oldFields {
            guard let value = body[name], !value.isNull else { continue }
            guard let number = value.int64, range.contains(number) else { throw error }
        }
        if let sample = body["sampleContentProvided"], sample.bool == nil {
            throw .invalidSampleContentProvided
        }
        if let token = body["appAccountToken"]?.string, !token.isEmpty,
            AppAccountToken(token) == nil
        {
            throw .invalidAppAccountToken
        }
        try keep(body, id, purchase, side)
        return AppStoreResponse(status: 202)
    }

    private static let oldFields: [(String, ClosedRange<Int64>, AppStoreError)] = [
        ("accountTenure", 0...7, .invalidAccountTenure),
        ("consumptionStatus", 0...3, .invalidConsumptionStatus),
        ("deliveryStatus", 0...5, .invalidDeliveryStatus),
        ("lifetimeDollarsPurchased", 0...7, .invalidLifetimeDollarsPurchased),
        ("lifetimeDollarsRefunded", 0...7, .invalidLifetimeDollarsRefunded),
        ("platform", 0...2, .invalidPlatform),
        ("playTime", 0...7, .invalidPlayTime),
        ("userStatus", 0...4, .invalidUserStatus),
        ("refundPreference", 0...3, .generalBadRequest),
    ]

    private func keep(
        _ body: JSONValue, _ id: String, _ purchase: PlayedPurchase, _ side: StoreSide
    ) throws(AppStoreError) {
        guard purchase.transaction.ownership == "PURCHASED" else {
            throw .familyTransactionNotSupported
        }
        side.consumption[id] = body
    }
}
