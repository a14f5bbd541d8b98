internal import EntitlementModel
internal import StoreSimulator
internal import StrictJSON

/// How verifyReceipt writes transactions: strings for everything.
extension SimulatedTransaction {
    /// An element of `latest_receipt_info`, or of `in_app`, which says less.
    func receiptObject(isLatest: Bool) -> JSONValue {
        var object: JSONValue = [
            "quantity": .string("\(quantity)"), "product_id": .string(productID),
            "transaction_id": .string(transactionID),
            "original_transaction_id": .string(originalTransactionID),
        ]
        object.setDates("purchase_date", purchaseDate)
        object.setDates("original_purchase_date", originalPurchaseDate)
        if let expiresDate { object.setDates("expires_date", expiresDate) }
        object["web_order_line_item_id"] = webOrderLineItemID.map(JSONValue.string)
        if kind == .autoRenewable {
            let isTrial = offer?.discountType == "FREE_TRIAL"
            object["is_trial_period"] = isTrial ? "true" : "false"
            object["is_in_intro_offer_period"] = offer?.type == 1 && !isTrial ? "true" : "false"
        } else {
            object["is_trial_period"] = "false"
        }
        if offer?.type == 2 {
            object["promotional_offer_id"] = offer?.identifier.map { .string($0) }
        }
        if let date = revocation?.date ?? upgradedAt {
            object.setDates("cancellation_date", date)
            object["cancellation_reason"] = .string("\(revocation?.reason ?? 0)")
        }
        object["in_app_ownership_type"] = .string(ownership)
        guard isLatest else { return object }
        if offer?.type == 3 {
            object["offer_code_ref_name"] = offer?.identifier.map { .string($0) }
        }
        object["subscription_group_identifier"] = subscriptionGroupID.map(JSONValue.string)
        if isUpgraded { object["is_upgraded"] = "true" }
        object["app_account_token"] = appAccountToken.map(JSONValue.string)
        return object
    }

    /// The single object of the form of iOS 6: `expires_date` is in milliseconds.
    func oldReceiptObject(of store: SimulatedStore) -> JSONValue {
        var object = receiptObject(isLatest: true)
        object["bid"] = .string(bundleID)
        object["bvrs"] = "1"
        object["item_id"] = .string("\(store.appAppleID ?? 0)")
        object["unique_identifier"] = "0000000000000000000000000000000000000000"
        object["unique_vendor_identifier"] = .string(store.names.uuid("vendor \(bundleID)"))
        guard let expiresDate else { return object }
        object["expires_date_ms"] = nil
        object["expires_date_pst"] = nil
        object["expires_date"] = .string("\(expiresDate.milliseconds)")
        object["expires_date_formatted"] = .string(expiresDate.receiptText)
        object["expires_date_formatted_pst"] = .string(expiresDate.pacificReceiptText)
        return object
    }
}

extension PlayedPurchase {
    /// An element of `pending_renewal_info`; nil once nobody expects a renewal any more.
    func pendingRenewal(at now: Instant) -> JSONValue? {
        guard let renewal else { return nil }
        let hasLeftGrace = renewal.gracePeriodExpiresDate != nil && !renewal.autoRenewStatus
        guard !hasLeftGrace else { return nil }
        var object: JSONValue = [
            "product_id": .string(renewal.productID),
            "original_transaction_id": .string(renewal.originalTransactionID),
            "auto_renew_product_id": .string(renewal.autoRenewProductID),
            "auto_renew_status": renewal.autoRenewStatus ? "1" : "0",
        ]
        if let intent = renewal.expirationIntent {
            object["expiration_intent"] = .string("\(intent.signedNumber)")
            object["is_in_billing_retry_period"] =
                renewal.isInBillingRetryPeriod == true ? "1" : "0"
        }
        if let grace = renewal.gracePeriodExpiresDate {
            object.setDates("grace_period_expires_date", grace)
        }
        if let consent = renewal.otherFields.first(where: { $0.key == "priceIncreaseStatus" }) {
            object["price_consent_status"] = .string("\(consent.value.int64 ?? 0)")
        }
        return object
    }
}

extension JSONValue {
    /// The three spellings of a date: by name, in milliseconds, and in California.
    mutating func setDates(_ name: String, _ instant: Instant) {
        self[name] = .string(instant.receiptText)
        self[name + "_ms"] = .string("\(instant.milliseconds)")
        self[name + "_pst"] = .string(instant.pacificReceiptText)
    }
}

extension Instant {
    /// `2026-01-31 09:00:00 Etc/GMT`.
    var receiptText: String { wallClockText + " Etc/GMT" }

    /// `2026-01-31 01:00:00 America/Los_Angeles`.
    var pacificReceiptText: String {
        let hours: Int64 = isPacificSummerTime ? -7 : -8
        return advanced(byMilliseconds: hours * 3_600_000).wallClockText
            + " America/Los_Angeles"
    }

    private var wallClockText: String {
        let text = rfc3339
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    }

    /// From the second Sunday in March to the first in November, at two in the morning there.
    private var isPacificSummerTime: Bool {
        let year = CivilDate(daysSinceEpoch: milliseconds.flooredQuotient(by: 86_400_000)).year
        let begins = Self.sunday(2, month: 3, year).advanced(byMilliseconds: 10 * 3_600_000)
        let ends = Self.sunday(1, month: 11, year).advanced(byMilliseconds: 9 * 3_600_000)
        return begins <= self && self < ends
    }

    /// Midnight UTC of the n-th Sunday of a month.
    private static func sunday(_ number: Int64, month: Int64, _ year: Int64) -> Instant {
        let first = CivilDate(year: year, month: month, day: 1).daysSinceEpoch
        // Day 0, the first of January 1970, was a Thursday.
        let weekday = (first + 4) - (first + 4).flooredQuotient(by: 7) * 7
        let day = first + (7 - weekday) % 7 + (number - 1) * 7
        return Instant(milliseconds: day * 86_400_000)
    }
}
