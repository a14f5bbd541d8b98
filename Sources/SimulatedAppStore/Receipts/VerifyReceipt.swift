internal import EntitlementModel
internal import StoreSimulator
internal import StrictJSON

/// verifyReceipt: what a receipt contains, and what has become of it since (apple.md, 7).
extension AppStoreWorld {
    /// Statuses that the box gives by itself.
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
