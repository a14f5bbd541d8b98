internal import EntitlementModel

extension TransactionFact: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let evidence = try visitor.value("evidence", \.evidence)
        return Self(snapshot: try visitor.value("snapshot", \.snapshot), evidence: evidence)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.transaction(snapshot)]
            + (snapshot.lineItemName.map { [.first(.transaction, $0)] } ?? [])
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.unit(.lineage(snapshot.lineage))]
            + (snapshot.revocation == nil ? [] : [.refunds(snapshot.key)])
    }

    var signedEvidence: LedgerSequence? {
        snapshot.source.trust == .signed ? evidence : nil
    }
}

extension TransactionSnapshot: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let additionalReason = try visitor.optional(
            "additionalTransactionReason", \.additionalReason)
        let appAccountToken = try visitor.optional("appAccountToken", \.appAccountToken)
        let appTransactionID = try visitor.optional("appTransactionId", \.appTransactionID)
        let billingPlanType = try visitor.optional("billingPlanType", \.billingPlanType)
        let bundleID = try visitor.value("bundleId", \.bundleID)
        let commitmentExpiresDate = try visitor.optional(
            "commitmentExpiresDate", \.commitmentExpiresDate)
        let commitmentPeriod = try visitor.optional("commitmentPeriod", \.commitmentPeriod)
        let commitmentPeriods = try visitor.optional("commitmentPeriods", \.commitmentPeriods)
        let environment = try visitor.value("environment", \.environment)
        let expiresDate = try visitor.optional("expiresDate", \.expiresDate)
        let isUpgraded = try visitor.value("isUpgraded", \.isUpgraded)
        let kind = try visitor.optional("kind", \.kind)
        let multiSeat = try visitor.optional("multiSeatInfo", \.multiSeat)
        let offer = try visitor.optional("offer", \.offer)
        let firstVersion = try visitor.optional(
            "originalApplicationVersion", \.firstVersion)
        let originalPurchaseDate = try visitor.optional(
            "originalPurchaseDate", \.originalPurchaseDate)
        let originalID = try visitor.value("originalTransactionId", \.originalTransactionID)
        let ownership = try visitor.value("ownership", \.ownership)
        let previousID = try visitor.optional(
            "previousOriginalTransactionId", \.previousOriginalTransactionID)
        let price = try visitor.optional("price", \.price)
        let productID = try visitor.value("productId", \.productID)
        let purchaseDate = try visitor.value("purchaseDate", \.purchaseDate)
        let quantity = try visitor.value("quantity", \.quantity)
        let revocation = try visitor.optional("revocation", \.revocation)
        let signedDate = try visitor.value("signedDate", \.signedDate)
        let source = try visitor.value("source", \.source)
        let storefront = try visitor.optional("storefront", \.storefront)
        let subscriptionGroupID = try visitor.optional("subscriptionGroupId", \.subscriptionGroupID)
        var snapshot = Self(
            environment: environment, bundleID: bundleID,
            transactionID: try visitor.value("transactionId", \.transactionID),
            originalTransactionID: originalID, productID: productID, purchaseDate: purchaseDate,
            signedDate: signedDate, source: source)
        snapshot.transactionReason = try visitor.optional("transactionReason", \.transactionReason)
        snapshot.webOrderLineItemID = try visitor.optional(
            "webOrderLineItemId", \.webOrderLineItemID)
        snapshot.additionalReason = additionalReason
        snapshot.appAccountToken = appAccountToken
        snapshot.appTransactionID = appTransactionID
        snapshot.billingPlanType = billingPlanType
        snapshot.commitmentExpiresDate = commitmentExpiresDate
        snapshot.commitmentPeriod = commitmentPeriod
        snapshot.commitmentPeriods = commitmentPeriods
        snapshot.expiresDate = expiresDate
        snapshot.isUpgraded = isUpgraded
        snapshot.kind = kind
        snapshot.multiSeat = multiSeat
        snapshot.offer = offer
        snapshot.firstVersion = firstVersion
        snapshot.originalPurchaseDate = originalPurchaseDate
        snapshot.ownership = ownership
        snapshot.previousOriginalTransactionID = previousID
        snapshot.price = price
        snapshot.quantity = quantity
        snapshot.revocation = revocation
        snapshot.storefront = storefront
        snapshot.subscriptionGroupID = subscriptionGroupID
        return snapshot
    }
}

extension RenewalFact: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let evidence = try visitor.value("evidence", \.evidence)
        return Self(snapshot: try visitor.value("snapshot", \.snapshot), evidence: evidence)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] { [.renewal(snapshot)] }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.unit(.lineage(snapshot.lineage))]
    }

    var signedEvidence: LedgerSequence? {
        snapshot.source.trust == .signed ? evidence : nil
    }
}

extension RenewalSnapshot: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let appAccountToken = try visitor.optional("appAccountToken", \.appAccountToken)
        let appTransactionID = try visitor.optional("appTransactionId", \.appTransactionID)
        let autoRenewProductID = try visitor.optional("autoRenewProductId", \.autoRenewProductID)
        let autoRenewStatus = try visitor.optional("autoRenewStatus", \.autoRenewStatus)
        let commitment = try visitor.optional("commitment", \.commitment)
        let environment = try visitor.value("environment", \.environment)
        let expirationIntent = try visitor.optional("expirationIntent") {
            $0.expirationIntent?.signedNumber
        }
        let gracePeriodExpiresDate = try visitor.optional(
            "gracePeriodExpiresDate", \.gracePeriodExpiresDate)
        let isInBillingRetryPeriod = try visitor.optional(
            "isInBillingRetryPeriod", \.isInBillingRetryPeriod)
        let offer = try visitor.optional("offer", \.offer)
        let originalID = try visitor.value("originalTransactionId", \.originalTransactionID)
        let productID = try visitor.optional("productId", \.productID)
        let renewalBillingPlanType = try visitor.optional(
            "renewalBillingPlanType", \.renewalBillingPlanType)
        let renewalDate = try visitor.optional("renewalDate", \.renewalDate)
        let renewalPrice = try visitor.optional("renewalPrice", \.renewalPrice)
        let signedDate = try visitor.value("signedDate", \.signedDate)
        var snapshot = Self(
            environment: environment, originalTransactionID: originalID, signedDate: signedDate,
            source: try visitor.value("source", \.source))
        snapshot.appAccountToken = appAccountToken
        snapshot.appTransactionID = appTransactionID
        snapshot.autoRenewProductID = autoRenewProductID
        snapshot.autoRenewStatus = autoRenewStatus
        snapshot.commitment = commitment
        snapshot.expirationIntent = expirationIntent.map(ExpirationIntent.init(signedNumber:))
        snapshot.gracePeriodExpiresDate = gracePeriodExpiresDate
        snapshot.isInBillingRetryPeriod = isInBillingRetryPeriod
        snapshot.offer = offer
        snapshot.productID = productID
        snapshot.renewalBillingPlanType = renewalBillingPlanType
        snapshot.renewalDate = renewalDate
        snapshot.renewalPrice = renewalPrice
        return snapshot
    }
}

extension AppTransactionFact: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.optional("account", \.account)
        let evidence = try visitor.value("evidence", \.evidence)
        return Self(
            snapshot: try visitor.value("snapshot", \.snapshot), account: account,
            evidence: evidence)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        let name = EntryKey.unique(
            .appTransaction, snapshot.uniqueName(presentedBy: account))
        guard let account else { return [name] }
        guard let id = snapshot.appTransactionID else { return [name, .account(account)] }
        let presented = AppTransactionKey(environment: snapshot.environment, id: id).name
        return [
            name, .account(account),
            .first(.appTransaction, presented + Array(account.text.utf8)),
        ]
    }

    var signedEvidence: LedgerSequence? { evidence }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}

extension AppTransactionSnapshot: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let appTransactionID = try visitor.optional("appTransactionId", \.appTransactionID)
        let bundleID = try visitor.value("bundleId", \.bundleID)
        return Self(
            environment: try visitor.value("environment", \.environment), bundleID: bundleID,
            appTransactionID: appTransactionID,
            signedDate: try visitor.value("signedDate", \.signedDate),
            source: try visitor.value("source", \.source))
    }
}

extension EvidenceSource: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let canonicalDigest = try visitor.value("canonicalDigest", \.canonicalDigest)
        let form = try visitor.value("form", \.form)
        let receipt = try visitor.optional("receipt", \.receipt)
        return Self(
            form: form, trust: try visitor.value("trust", \.trust),
            canonicalDigest: canonicalDigest,
            receipt: receipt)
    }
}

extension Revocation: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let date = try visitor.value("date", \.date)
        let percentage = try visitor.optional("percentage", \.percentage)
        let reason = try visitor.optional("reason", \.reason)
        return Self(
            date: date, reason: reason, type: try visitor.optional("type", \.type),
            percentage: percentage)
    }
}

extension MultiSeatInfo: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let invitationManagement = try visitor.optional(
            "invitationManagement", \.invitationManagement)
        return Self(
            invitationManagement: invitationManagement,
            revokedQuantity: try visitor.optional("revokedSeatQuantity", \.revokedQuantity))
    }
}

extension RenewalCommitment: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let autoRenewProductID = try visitor.optional("autoRenewProductId", \.autoRenewProductID)
        let autoRenewStatus = try visitor.optional("autoRenewStatus", \.autoRenewStatus)
        let renewalBillingPlanType = try visitor.optional(
            "renewalBillingPlanType", \.renewalBillingPlanType)
        let renewalDate = try visitor.optional("renewalDate", \.renewalDate)
        return Self(
            autoRenewStatus: autoRenewStatus, autoRenewProductID: autoRenewProductID,
            renewalBillingPlanType: renewalBillingPlanType, renewalDate: renewalDate,
            renewalPrice: try visitor.optional("renewalPrice", \.renewalPrice))
    }
}

extension Offer: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let discountType = try visitor.optional("discountType", \.discountType)
        let identifier = try visitor.optional("identifier", \.identifier)
        let period = try visitor.optional("period", \.period)
        return Self(
            type: try visitor.value("type", \.type), identifier: identifier,
            discountType: discountType, period: period)
    }
}

extension Price: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let currency = try visitor.optional("currency", \.currency)
        return Self(milliunits: try visitor.value("milliunits", \.milliunits), currency: currency)
    }
}
