internal import EntitlementModel
internal import StrictJSON

/// Reads members of an object in a verifyReceipt answer (spec 4.6): numbers and booleans come as
/// strings, and now and then as what they are; empty is as good as absent.
struct AnswerReader {
    let document: JSONDocument
    let object: JSONOffset

    func text(_ key: StaticString) throws(PayloadFault) -> String? {
        guard let place = document.stated(key, of: object) else { return nil }
        if let text = document.string(at: place) { return text.isEmpty ? nil : text }
        if let number = document.number(at: place) { return number.text }
        if let flag = document.bool(at: place) { return flag ? "true" : "false" }
        throw PayloadFault(.payloadType, "\(key)")
    }

    func integer(_ key: StaticString) throws(PayloadFault) -> Int64? {
        guard let text = try text(key) else { return nil }
        guard let number = Int64(digits: text) else {
            throw PayloadFault(.payloadType, "\(key)", .found(text.shown(atMost: 40)))
        }
        return number
    }

    func flag(_ key: StaticString) throws(PayloadFault) -> Bool? {
        switch try text(key) {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        case let other?:
            throw PayloadFault(.payloadType, "\(key)", .found(other.shown(atMost: 40)))
        }
    }

    /// An instant by its milliseconds; where those are missing, by the text in GMT, which the form of
    /// iOS 6 replaces with milliseconds.
    ///
    /// - Parameter formatted: the member that has the text in the form of iOS 6.
    func date(
        _ key: StaticString, _ milliseconds: StaticString, formatted: StaticString? = nil
    ) throws(PayloadFault) -> Instant? {
        if let number = try integer(milliseconds) { return Instant(milliseconds: number) }
        for name in [key, formatted].compactMap(\.self) {
            guard let text = try text(name) else { continue }
            if let number = Int64(digits: text) { return Instant(milliseconds: number) }
            guard let instant = Instant(gmt: text) else {
                throw PayloadFault(.payloadType, "\(name)", .found(text.shown(atMost: 40)))
            }
            return instant
        }
        return nil
    }

    /// Nil if there is none; a value that is not an ID is a fault.
    func id<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadFault) -> ID? {
        guard let text = try text(key) else { return nil }
        guard let id = ID(text) else {
            throw PayloadFault(.payloadID, "\(key)", .found(text.shown(atMost: 40)))
        }
        return id
    }

    func requiredID<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadFault) -> ID {
        guard let id = try id(key, as: type) else { throw PayloadFault(.payloadMissing, "\(key)") }
        return id
    }

    /// A value that may be single or a list: the form of iOS 6 has an object where the later one
    /// has an array.
    func list(_ key: StaticString) throws(PayloadFault) -> [AnswerReader] {
        guard let place = document.stated(key, of: object) else { return [] }
        if document.isObject(at: place) { return [AnswerReader(document: document, object: place)] }
        guard document.isArray(at: place) else { throw PayloadFault(.payloadType, "\(key)") }
        return document.elements(of: place).map {
            AnswerReader(document: document, object: $0)
        }
    }

    /// SHA-256 of the object's canonical form.
    var digest: Digest256 { sha256(document.value(at: object).canonical()) }
}

extension Int64 {
    /// Digits only: no sign, no exponent, no blank.
    fileprivate init?(digits text: String) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}

extension Instant {
    /// Reads `2024-05-01 12:00:00 Etc/GMT`.
    fileprivate init?(gmt text: String) {
        let suffix = " Etc/GMT"
        guard text.hasSuffix(suffix) else { return nil }
        let parts = text.dropLast(suffix.count).split(
            separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(rfc3339: "\(parts[0])T\(parts[1])Z")
    }
}

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

    /// The app itself as a purchase, as old as the receipt (spec 1.13); nil where nothing says whose
    /// it is.
    func appPurchase(in part: AnswerPart) throws(PayloadFault) -> TransactionSnapshot? {
        TransactionSnapshot(
            appPurchase: try text("download_id").flatMap {
                $0 == "0" ? nil : TransactionID(download: $0)
            }, environment: part.environment, bundleID: part.bundleID,
            version: try text("original_application_version"),
            boughtAt: try date("original_purchase_date", "original_purchase_date_ms"),
            signedDate: min(part.limit, part.statedAt ?? part.limit),
            source: part.source(part.answer))
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
