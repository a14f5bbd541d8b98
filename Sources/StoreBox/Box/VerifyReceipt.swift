internal import Crypto
internal import EntitlementModel
internal import StrictJSON

/// verifyReceipt: the content of a receipt, and its current state (apple.md, 7).
extension AppStoreWorld {
    /// Statuses that the box returns without a failure rule.
    private enum Status: Int64 {
        case valid = 0
        case notPost = 21_000
        case malformed = 21_002
        case notAuthenticated = 21_003
        case wrongSecret = 21_004
        case expired = 21_006
        case isSandbox = 21_007
        case isProduction = 21_008
        case noAccount = 21_010
    }

    func verifyReceipt(_ request: AppStoreRequest, _ side: StoreSide) -> AppStoreResponse {
        guard request.method == "POST", let body = try? parseJSON(request.body),
            body.members != nil
        else { return answer(.notPost) }
        guard let text = body["receipt-data"]?.string,
            let bytes = Base64.standard.decode(Array(text.utf8)[...]), !bytes.isEmpty
        else { return answer(.malformed) }
        guard let issued = receipts[bytes] else {
            let isContainer = bytes[0] == 0x30 || bytes[0] == UInt8(ascii: "{")
            return answer(isContainer ? .notAuthenticated : .malformed)
        }
        guard issued.environment == side.environment else {
            return answer(issued.environment == .sandbox ? .isSandbox : .isProduction)
        }
        guard !side.store.deletedAppleIDs.contains(issued.appleID) else {
            return answer(.noAccount)
        }
        let purchases = (side.store.purchasesOfAppleID[issued.appleID] ?? [])
            .compactMap { side.store.purchases[$0] }
        let password = body["password"]?.string
        let needsPassword = purchases.contains { $0.kind == .autoRenewable }
        guard password == identity.sharedSecret || (password == nil && !needsPassword) else {
            return answer(.wrongSecret)
        }
        switch issued.form {
        case .app(let entries):
            return describe(
                issued, entries, purchases, side,
                excludesOld: body["exclude-old-transactions"]?.bool ?? false)
        case .transaction(let id): return describe(id, purchases, side)
        }
    }

    private func answer(_ status: Status) -> AppStoreResponse {
        AppStoreResponse(json: ["status": .integer(status.rawValue)])
    }

    private func describe(
        _ issued: IssuedReceipts.Issued, _ entries: [SimulatedTransaction],
        _ purchases: [PlayedPurchase], _ side: StoreSide, excludesOld: Bool
    ) -> AppStoreResponse {
        let isProduction = side.environment == .production
        let number = JSONValue.integer(side.store.appAppleID ?? 0)
        var receipt: JSONValue = [
            "receipt_type": .string(isProduction ? "Production" : "ProductionSandbox"),
            "adam_id": number, "app_item_id": number,
            "bundle_id": .string(side.store.bundleID), "application_version": "1",
            "download_id": 0, "version_external_identifier": 0,
        ]
        receipt.setDates("receipt_creation_date", issued.createdAt)
        receipt.setDates("request_date", now)
        receipt.setDates("original_purchase_date", settings.start)
        receipt["original_application_version"] = "1.0"
        receipt["in_app"] = .array(entries.map { $0.receiptObject(isLatest: false) })
        var answer: JSONValue = [
            "status": 0, "environment": .string(side.environment.signedName), "receipt": receipt,
        ]
        let subscriptions = purchases.filter { $0.renewal != nil }
        guard !subscriptions.isEmpty else { return AppStoreResponse(json: answer) }
        let latest = excludesOld ? subscriptions.map(\.transaction) : Self.latest(purchases)
        answer["latest_receipt_info"] = .array(
            latest.sorted { $0.purchaseDate > $1.purchaseDate }
                .map { $0.receiptObject(isLatest: true) })
        answer["latest_receipt"] = .string(issueReceipt(of: issued.appleID, side))
        answer["pending_renewal_info"] = .array(
            subscriptions.compactMap { $0.pendingRenewal(at: now) })
        return AppStoreResponse(json: answer)
    }

    /// Everything but finished consumables.
    private static func latest(_ purchases: [PlayedPurchase]) -> [SimulatedTransaction] {
        purchases.filter { $0.kind != .consumable || !$0.isFinished }.flatMap(\.transactions)
    }

    /// The form of iOS 6: one transaction in, one out.
    private func describe(
        _ id: String, _ purchases: [PlayedPurchase], _ side: StoreSide
    ) -> AppStoreResponse {
        guard let purchase = purchases.first(where: { $0[id] != nil }),
            let transaction = purchase[id]
        else { return answer(.notAuthenticated) }
        var answer: JSONValue = [
            "status": 0, "receipt": transaction.oldReceiptObject(of: side.store),
        ]
        guard let renewal = purchase.renewal else { return AppStoreResponse(json: answer) }
        let isExpired = ![1, 4].contains(purchase.status(at: now))
        let latest = purchase.transaction.oldReceiptObject(of: side.store)
        answer["auto_renew_status"] = .integer(renewal.autoRenewStatus ? 1 : 0)
        answer["auto_renew_product_id"] = .string(renewal.autoRenewProductID)
        if isExpired {
            answer["status"] = .integer(Status.expired.rawValue)
            answer["latest_expired_receipt_info"] = latest
            answer["is_in_billing_retry_period"] =
                renewal.isInBillingRetryPeriod == true ? "1" : "0"
            answer["expiration_intent"] = renewal.expirationIntent.map {
                .string("\($0.signedNumber)")
            }
        } else {
            answer["latest_receipt_info"] = latest
            answer["latest_receipt"] = issueTransactionReceipt(
                of: purchase.transaction.transactionID, side
            ).map(JSONValue.string)
        }
        return AppStoreResponse(json: answer)
    }
}

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
    /// An element of `pending_renewal_info`; nil once no renewal is expected.
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

/// The receipts that this box has signed: verifyReceipt accepts no others.
struct IssuedReceipts {
    struct Issued {
        enum Form {
            /// The receipt of a whole app, with what it contains.
            case app([SimulatedTransaction])
            /// Of one transaction, as iOS 6 had it.
            case transaction(String)
        }

        let environment: StoreEnvironment
        let appleID: String
        let createdAt: Instant
        let form: Form
    }

    private var issued: [Digest256: Issued] = [:]
    private var signer: ReceiptSimulator?

    /// Who signs receipts; made when first asked for, because RSA keys take their time.
    mutating func simulator(_ settings: SimulatedAppStoreSettings) -> ReceiptSimulator {
        if let signer { return signer }
        let made = settings.receiptSigner()
        signer = made
        return made
    }

    mutating func keep(_ receipt: Issued, as bytes: [UInt8]) {
        issued[Digest256(hash: SHA256.hash(data: bytes))] = receipt
    }

    subscript(bytes: [UInt8]) -> Issued? {
        issued[Digest256(hash: SHA256.hash(data: bytes))]
    }
}

extension AppStoreWorld {
    /// The app receipt on a device of an Apple ID, base64.
    func issueReceipt(of appleID: String, _ side: StoreSide) -> String {
        let createdAt = signingInstant(side)
        let receipt = side.store.receipt(of: appleID, createdAt: createdAt)
        let bytes = receipts.simulator(settings).sign(receipt)
        receipts.keep(
            IssuedReceipts.Issued(
                environment: side.environment, appleID: appleID, createdAt: createdAt,
                form: .app(side.store.receiptTransactions(of: appleID))), as: bytes)
        return Base64.standard.encode(bytes)
    }

    /// The receipt of one transaction in the form of iOS 6, base64; nil where it is unknown.
    func issueTransactionReceipt(of id: String, _ side: StoreSide) -> String? {
        guard let (_, purchase, transaction) = try? side.transaction(id) else { return nil }
        let info = """
            {
            \t"original-transaction-id" = "\(transaction.originalTransactionID)";
            \t"transaction-id" = "\(id)";
            \t"product-id" = "\(transaction.productID)";
            \t"bid" = "\(transaction.bundleID)";
            \t"purchase-date-ms" = "\(transaction.purchaseDate.milliseconds)";
            }
            """
        let text = """
            {
            \t"signature" = "\(Base64.standard.encode(Array(id.utf8)))";
            \t"purchase-info" = "\(Base64.standard.encode(Array(info.utf8)))";
            \t"environment" = "\(side.environment.signedName)";
            \t"pod" = "100";
            \t"signing-status" = "0";
            }
            """
        let bytes = Array(text.utf8)
        receipts.keep(
            IssuedReceipts.Issued(
                environment: side.environment, appleID: purchase.appleID,
                createdAt: signingInstant(side), form: .transaction(id)), as: bytes)
        return Base64.standard.encode(bytes)
    }
}
