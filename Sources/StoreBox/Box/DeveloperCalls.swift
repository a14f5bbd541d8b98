internal import EntitlementModel
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

    /// A prorated refund needs a share for purchases without renewal, and none for subscriptions.
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

/// Extend a Renewal Date, for one and for all subscribers.
extension AppStoreWorld {
    func extend(
        _ id: String, _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        guard (try? transactionID(id)) != nil else { throw .invalidOriginalTransactionID }
        guard let (name, _) = try? side.lineage(id) else { throw .originalTransactionIDNotFound }
        let days = try extensionDays(try call.object())
        side.store.move(to: now)
        switch side.store.obstacleToExtension(of: name) {
        case .ineligible?: throw .subscriptionExtensionIneligible
        case .tooMany?: throw .subscriptionMaxExtension
        case .family?: throw .familySharedExtensionIneligible
        case nil: break
        }
        guard (try? side.store.extend(name, days: days)) != nil,
            let purchase = side.store.purchases[name]
        else { throw .generalInternal }
        file(side)
        var answer: JSONValue = ["originalTransactionId": .string(id)]
        answer["webOrderLineItemId"] = purchase.transaction.webOrderLineItemID
            .map(JSONValue.string)
        answer["success"] = true
        answer["effectiveDate"] = purchase.transaction.expiresDate.map(JSONValue.date)
        return AppStoreResponse(json: answer)
    }

    /// The days that a request asks for, once all of it is valid.
    private func extensionDays(_ body: JSONValue) throws(AppStoreError) -> Int64 {
        guard let days = body["extendByDays"]?.int64, (1...90).contains(days) else {
            throw .invalidExtendByDays
        }
        guard let reason = body["extendReasonCode"]?.int64, (0...3).contains(reason) else {
            throw .invalidExtendReasonCode
        }
        guard let request = body["requestIdentifier"]?.string, !request.isEmpty,
            request.utf8.count <= 128
        else { throw .invalidRequestIdentifier }
        return days
    }

    /// Extend Subscription Renewal Dates for All Active Subscribers: done a minute later.
    func extendAll(_ call: APICall, _ side: StoreSide) throws(AppStoreError) -> AppStoreResponse {
        let body = try call.object()
        let days = try extensionDays(body)
        guard let productID = body["productId"]?.string,
            side.store.products.values.contains(where: {
                $0.id == productID && $0.kind == .autoRenewable
            })
        else { throw .invalidProductID }
        var storefronts: [String] = []
        if let list = body["storefrontCountryCodes"], !list.isNull {
            storefronts = (list.elements ?? []).compactMap(\.string)
            guard !storefronts.isEmpty else { throw .invalidEmptyStorefrontList }
            guard storefronts.allSatisfy(\.isStorefront) else { throw .invalidStorefront }
        }
        let request = body["requestIdentifier"]?.string ?? ""
        if side.massExtensions[request] == nil {
            side.massExtensions[request] = MassExtension(
                productID: productID, days: days, storefronts: storefronts)
            due.add(
                .massExtension(side.environment, request),
                at: now.advanced(byMilliseconds: 60_000))
        }
        return AppStoreResponse(json: ["requestIdentifier": .string(request)])
    }

    /// Extends all subscribers of a product at once, and reports how many.
    func complete(_ request: String, _ side: StoreSide) {
        guard var mass = side.massExtensions[request] else { return }
        side.store.move(to: now)
        let names = side.store.purchases.filter { _, purchase in
            purchase.transaction.productID == mass.productID && purchase.renewal != nil
                && purchase.transaction.ownership == "PURCHASED" && purchase.status(at: now) == 1
                && (mass.storefronts.isEmpty
                    || mass.storefronts.contains(purchase.transaction.storefront ?? ""))
        }.keys.sorted()
        for name in names {
            let isEligible = side.store.obstacleToExtension(of: name) == nil
            if isEligible, (try? side.store.extend(name, days: mass.days)) != nil {
                mass.succeeded += 1
            } else {
                mass.failed += 1
                side.store.notifyFailedExtension(of: name)
            }
        }
        mass.completedAt = now
        side.massExtensions[request] = mass
        var summary = side.store.notification("RENEWAL_EXTENSION", "SUMMARY")
        summary.otherFields = [
            JSONMember("productId", .string(mass.productID)),
            JSONMember("requestIdentifier", .string(request)),
            JSONMember(
                "storefrontCountryCodes", .array(mass.storefronts.map(JSONValue.string))),
            JSONMember("succeededCount", .integer(mass.succeeded)),
            JSONMember("failedCount", .integer(mass.failed)),
        ]
        side.store.notify(summary)
        file(side)
    }

    /// Get Status of Subscription Renewal Date Extensions.
    func massExtension(
        _ productID: String, _ request: String, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        guard let mass = side.massExtensions[request], mass.productID == productID else {
            throw .statusRequestNotFound
        }
        var answer: JSONValue = [
            "requestIdentifier": .string(request), "complete": .bool(mass.completedAt != nil),
        ]
        guard let completedAt = mass.completedAt else { return AppStoreResponse(json: answer) }
        answer["completeDate"] = .date(completedAt)
        answer["succeededCount"] = .integer(mass.succeeded)
        answer["failedCount"] = .integer(mass.failed)
        return AppStoreResponse(json: answer)
    }
}

extension String {
    /// Whether it has the form of a country in ISO 3166-1 alpha-3.
    fileprivate var isStorefront: Bool {
        utf8.count == 3 && utf8.allSatisfy { (65...90).contains($0) }
    }
}
