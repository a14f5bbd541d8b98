internal import EntitlementModel
internal import StrictJSON

/// A part of a verifyReceipt answer, as its snapshots name it.
struct AnswerPart {
    let environment: StoreEnvironment
    let bundleID: BundleID
    let form: EvidenceForm
    let trust: EvidenceTrust
    /// What makes all that is in one answer that of one Apple ID (spec 1.3).
    let answer: Digest256
    /// The instant that it speaks of; nil where every element speaks of its own.
    let statedAt: Instant?
    /// Nothing in it speaks of a later instant.
    let limit: Instant

    func source(_ digest: Digest256) -> EvidenceSource {
        EvidenceSource(form: form, trust: trust, canonicalDigest: digest, receipt: answer)
    }
}

extension AnswerReader {
    /// One element of `in_app` or `latest_receipt_info`, or the one purchase of the form of iOS 6.
    func transaction(in part: AnswerPart) throws(PayloadFault) -> TransactionSnapshot {
        let transactionID: TransactionID = try requiredID("transaction_id")
        guard let purchased = try date("purchase_date", "purchase_date_ms") else {
            throw PayloadFault(.payloadMissing, "purchase_date")
        }
        let cancelled = try date("cancellation_date", "cancellation_date_ms")
        var snapshot = TransactionSnapshot(
            environment: part.environment, bundleID: part.bundleID, transactionID: transactionID,
            originalTransactionID: try id("original_transaction_id") ?? transactionID,
            productID: try requiredID("product_id"), purchaseDate: purchased,
            signedDate: min(part.limit, part.statedAt ?? max(purchased, cancelled ?? purchased)),
            source: part.source(digest))
        snapshot.quantity = try integer("quantity") ?? 1
        snapshot.originalPurchaseDate = try date(
            "original_purchase_date", "original_purchase_date_ms")
        snapshot.expiresDate = try date(
            "expires_date", "expires_date_ms", formatted: "expires_date_formatted")
        if try text("web_order_line_item_id") != "0" {
            snapshot.webOrderLineItemID = try id("web_order_line_item_id")
        }
        if let cancelled {
            snapshot.revocation = Revocation(
                date: cancelled, reason: try integer("cancellation_reason"))
        }
        snapshot.offer = try offer()
        guard part.form == .latestReceiptInfo else { return snapshot }
        snapshot.isUpgraded = try flag("is_upgraded") ?? false
        snapshot.subscriptionGroupID = try id("subscription_group_identifier")
        snapshot.ownership = try ownership()
        // The app has set it, not Apple: text that is not a UUID counts as none.
        snapshot.appAccountToken = try text("app_account_token").flatMap { AppAccountToken($0) }
        return snapshot
    }

    private func ownership() throws(PayloadFault) -> Ownership {
        switch try text("in_app_ownership_type") {
        case nil: .notStated
        case "PURCHASED": .purchased
        case "FAMILY_SHARED": .familyShared
        case let other?: .unknown(other)
        }
    }

    /// Trials and introductory prices as flags, promotional offers and offer codes by their names.
    private func offer() throws(PayloadFault) -> Offer? {
        if let identifier = try text("promotional_offer_id") {
            return Offer(type: 2, identifier: identifier)
        }
        if let name = try text("offer_code_ref_name") { return Offer(type: 3, identifier: name) }
        if try flag("is_trial_period") == true { return Offer(type: 1, discountType: "FREE_TRIAL") }
        return try flag("is_in_intro_offer_period") == true ? Offer(type: 1) : nil
    }

    /// One element of `pending_renewal_info`, or what the form of iOS 6 says next to its purchase.
    ///
    /// - Parameter lineage: of the purchase, where the element does not say it.
    func renewal(
        of lineage: TransactionID?, in part: AnswerPart, at answeredAt: Instant
    ) throws(PayloadFault) -> RenewalSnapshot {
        guard let lineage = try id("original_transaction_id") ?? lineage else {
            throw PayloadFault(.payloadMissing, "original_transaction_id")
        }
        var snapshot = RenewalSnapshot(
            environment: part.environment, originalTransactionID: lineage, signedDate: answeredAt,
            source: part.source(digest))
        snapshot.productID = try id("product_id")
        snapshot.autoRenewProductID = try id("auto_renew_product_id")
        snapshot.autoRenewStatus = try flag("auto_renew_status")
        snapshot.expirationIntent = try integer("expiration_intent")
            .map(ExpirationIntent.init(signedNumber:))
        snapshot.isInBillingRetryPeriod = try flag("is_in_billing_retry_period")
        snapshot.gracePeriodExpiresDate = try date(
            "grace_period_expires_date", "grace_period_expires_date_ms")
        snapshot.offer = try offer()
        return snapshot
    }
}
