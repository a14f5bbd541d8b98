internal import EntitlementModel
internal import StrictJSON

extension TransactionFact: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("evidence", evidence)
        writer.object("snapshot", snapshot)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let evidence = try fields.sequence("evidence")
        self.init(snapshot: try fields.object("snapshot"), evidence: evidence)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.insert(snapshot, at: sequence)
        guard let name = snapshot.lineItemName else { return }
        try index.reserveFirst(.transaction, name, for: sequence)
    }

    var subjects: EntrySubjects { EntrySubjects(lineages: [snapshot.lineage]) }

    var signedEvidence: LedgerSequence? {
        snapshot.source.trust == .signed ? evidence : nil
    }
}

extension TransactionSnapshot: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("additionalTransactionReason", additionalReason)
        writer.field("appAccountToken", appAccountToken?.text)
        writer.field("appTransactionId", appTransactionID)
        writer.field("billingPlanType", billingPlanType)
        writer.field("bundleId", bundleID)
        writer.field("commitmentExpiresDate", commitmentExpiresDate)
        writer.field("commitmentPeriod", commitmentPeriod)
        writer.field("commitmentPeriods", commitmentPeriods)
        writer.field("environment", environment)
        writer.field("expiresDate", expiresDate)
        writer.field("isUpgraded", isUpgraded)
        writer.field("kind", kind)
        writer.optionalObject("multiSeatInfo", multiSeat)
        writer.optionalObject("offer", offer)
        writer.field("originalPurchaseDate", originalPurchaseDate)
        writer.field("originalTransactionId", originalTransactionID)
        writer.ownership("ownership", ownership)
        writer.field("previousOriginalTransactionId", previousOriginalTransactionID)
        writer.optionalObject("price", price)
        writer.field("productId", productID)
        writer.field("purchaseDate", purchaseDate)
        writer.field("quantity", quantity)
        writer.optionalObject("revocation", revocation)
        writer.field("signedDate", signedDate)
        writer.object("source", source)
        writer.field("storefront", storefront)
        writer.field("subscriptionGroupId", subscriptionGroupID)
        writer.field("transactionId", transactionID)
        writer.field("transactionReason", transactionReason)
        writer.field("webOrderLineItemId", webOrderLineItemID)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let additionalReason = try fields.optionalStated(
            "additionalTransactionReason", as: AdditionalTransactionReason.self)
        let appAccountToken = try fields.optionalToken("appAccountToken")
        let appTransactionID = try fields.optionalIdentifier(
            "appTransactionId", as: AppTransactionID.self)
        let billingPlanType = try fields.optionalText("billingPlanType")
        let bundleID = try fields.identifier("bundleId", as: BundleID.self)
        let commitmentExpiresDate = try fields.optionalInstant("commitmentExpiresDate")
        let commitmentPeriod = try fields.optionalInteger("commitmentPeriod")
        let commitmentPeriods = try fields.optionalInteger("commitmentPeriods")
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let expiresDate = try fields.optionalInstant("expiresDate")
        let isUpgraded = try fields.flag("isUpgraded")
        let kind = try fields.optionalStated("kind", as: ProductKind.self)
        let multiSeat = try fields.optionalObject("multiSeatInfo", as: MultiSeatInfo.self)
        let offer = try fields.optionalObject("offer", as: Offer.self)
        let originalPurchaseDate = try fields.optionalInstant("originalPurchaseDate")
        let originalID = try fields.identifier("originalTransactionId", as: TransactionID.self)
        let ownership = try fields.ownership("ownership")
        let previousID = try fields.optionalIdentifier(
            "previousOriginalTransactionId", as: TransactionID.self)
        let price = try fields.optionalObject("price", as: Price.self)
        let productID = try fields.identifier("productId", as: ProductID.self)
        let purchaseDate = try fields.instant("purchaseDate")
        let quantity = try fields.integer("quantity")
        let revocation = try fields.optionalObject("revocation", as: Revocation.self)
        let signedDate = try fields.instant("signedDate")
        let source = try fields.object("source", as: EvidenceSource.self)
        let storefront = try fields.optionalText("storefront")
        let subscriptionGroupID = try fields.optionalIdentifier(
            "subscriptionGroupId", as: SubscriptionGroupID.self)
        self.init(
            environment: environment, bundleID: bundleID,
            transactionID: try fields.identifier("transactionId"),
            originalTransactionID: originalID, productID: productID, purchaseDate: purchaseDate,
            signedDate: signedDate, source: source)
        transactionReason = try fields.optionalStated("transactionReason")
        webOrderLineItemID = try fields.optionalIdentifier("webOrderLineItemId")
        self.additionalReason = additionalReason
        self.appAccountToken = appAccountToken
        self.appTransactionID = appTransactionID
        self.billingPlanType = billingPlanType
        self.commitmentExpiresDate = commitmentExpiresDate
        self.commitmentPeriod = commitmentPeriod
        self.commitmentPeriods = commitmentPeriods
        self.expiresDate = expiresDate
        self.isUpgraded = isUpgraded
        self.kind = kind
        self.multiSeat = multiSeat
        self.offer = offer
        self.originalPurchaseDate = originalPurchaseDate
        self.ownership = ownership
        previousOriginalTransactionID = previousID
        self.price = price
        self.quantity = quantity
        self.revocation = revocation
        self.storefront = storefront
        self.subscriptionGroupID = subscriptionGroupID
    }
}

extension RenewalFact: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("evidence", evidence)
        writer.object("snapshot", snapshot)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let evidence = try fields.sequence("evidence")
        self.init(snapshot: try fields.object("snapshot"), evidence: evidence)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.insert(snapshot, at: sequence)
    }

    var subjects: EntrySubjects { EntrySubjects(lineages: [snapshot.lineage]) }

    var signedEvidence: LedgerSequence? {
        snapshot.source.trust == .signed ? evidence : nil
    }
}

extension RenewalSnapshot: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("appAccountToken", appAccountToken?.text)
        writer.field("appTransactionId", appTransactionID)
        writer.field("autoRenewProductId", autoRenewProductID)
        writer.field("autoRenewStatus", autoRenewStatus)
        writer.optionalObject("commitment", commitment)
        writer.field("environment", environment)
        writer.field("expirationIntent", expirationIntent?.signedNumber)
        writer.field("gracePeriodExpiresDate", gracePeriodExpiresDate)
        writer.field("isInBillingRetryPeriod", isInBillingRetryPeriod)
        writer.optionalObject("offer", offer)
        writer.field("originalTransactionId", originalTransactionID)
        writer.field("productId", productID)
        writer.field("renewalBillingPlanType", renewalBillingPlanType)
        writer.field("renewalDate", renewalDate)
        writer.optionalObject("renewalPrice", renewalPrice)
        writer.field("signedDate", signedDate)
        writer.object("source", source)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let appAccountToken = try fields.optionalToken("appAccountToken")
        let appTransactionID = try fields.optionalIdentifier(
            "appTransactionId", as: AppTransactionID.self)
        let autoRenewProductID = try fields.optionalIdentifier(
            "autoRenewProductId", as: ProductID.self)
        let autoRenewStatus = try fields.optionalFlag("autoRenewStatus")
        let commitment = try fields.optionalObject("commitment", as: RenewalCommitment.self)
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let expirationIntent = try fields.optionalInteger("expirationIntent")
        let gracePeriodExpiresDate = try fields.optionalInstant("gracePeriodExpiresDate")
        let isInBillingRetryPeriod = try fields.optionalFlag("isInBillingRetryPeriod")
        let offer = try fields.optionalObject("offer", as: Offer.self)
        let originalID = try fields.identifier("originalTransactionId", as: TransactionID.self)
        let productID = try fields.optionalIdentifier("productId", as: ProductID.self)
        let renewalBillingPlanType = try fields.optionalText("renewalBillingPlanType")
        let renewalDate = try fields.optionalInstant("renewalDate")
        let renewalPrice = try fields.optionalObject("renewalPrice", as: Price.self)
        let signedDate = try fields.instant("signedDate")
        self.init(
            environment: environment, originalTransactionID: originalID, signedDate: signedDate,
            source: try fields.object("source"))
        self.appAccountToken = appAccountToken
        self.appTransactionID = appTransactionID
        self.autoRenewProductID = autoRenewProductID
        self.autoRenewStatus = autoRenewStatus
        self.commitment = commitment
        self.expirationIntent = expirationIntent.map(ExpirationIntent.init(signedNumber:))
        self.gracePeriodExpiresDate = gracePeriodExpiresDate
        self.isInBillingRetryPeriod = isInBillingRetryPeriod
        self.offer = offer
        self.productID = productID
        self.renewalBillingPlanType = renewalBillingPlanType
        self.renewalDate = renewalDate
        self.renewalPrice = renewalPrice
    }
}

extension AppTransactionFact: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("evidence", evidence)
        writer.object("snapshot", snapshot)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.optionalIdentifier("account", as: AccountID.self)
        let evidence = try fields.sequence("evidence")
        self.init(
            snapshot: try fields.object("snapshot"), account: account, evidence: evidence)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        let name = snapshot.uniqueName(presentedBy: account)
        try index.reserve(.appTransaction, name, for: sequence)
        guard let account else { return }
        try index.link(sequence, to: account)
        guard let id = snapshot.appTransactionID else { return }
        let presented = AppTransactionKey(environment: snapshot.environment, id: id).name
        try index.reserveFirst(
            .appTransaction, presented + Array(account.text.utf8), for: sequence)
    }

    var signedEvidence: LedgerSequence? { evidence }
}

extension AppTransactionSnapshot: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("appTransactionId", appTransactionID)
        writer.field("bundleId", bundleID)
        writer.field("environment", environment)
        writer.field("signedDate", signedDate)
        writer.object("source", source)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let appTransactionID = try fields.optionalIdentifier(
            "appTransactionId", as: AppTransactionID.self)
        let bundleID = try fields.identifier("bundleId", as: BundleID.self)
        self.init(
            environment: try fields.word("environment"), bundleID: bundleID,
            appTransactionID: appTransactionID, signedDate: try fields.instant("signedDate"),
            source: try fields.object("source"))
    }
}

extension EvidenceSource: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("canonicalDigest", canonicalDigest)
        writer.field("form", form)
        writer.field("receipt", receipt)
        writer.field("trust", trust)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let canonicalDigest = try fields.digest("canonicalDigest")
        let form = try fields.word("form", as: EvidenceForm.self)
        let receipt = try fields.optionalDigest("receipt")
        self.init(
            form: form, trust: try fields.word("trust"), canonicalDigest: canonicalDigest,
            receipt: receipt)
    }
}

extension Revocation: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("date", date)
        writer.field("percentage", percentage)
        writer.field("reason", reason)
        writer.field("type", type)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let date = try fields.instant("date")
        let percentage = try fields.optionalInteger("percentage")
        let reason = try fields.optionalInteger("reason")
        self.init(
            date: date, reason: reason, type: try fields.optionalStated("type"),
            percentage: percentage)
    }
}

extension MultiSeatInfo: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("invitationManagement", invitationManagement)
        writer.field("revokedSeatQuantity", revokedQuantity)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let invitationManagement = try fields.optionalText("invitationManagement")
        self.init(
            invitationManagement: invitationManagement,
            revokedQuantity: try fields.optionalInteger("revokedSeatQuantity"))
    }
}

extension RenewalCommitment: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("autoRenewProductId", autoRenewProductID)
        writer.field("autoRenewStatus", autoRenewStatus)
        writer.field("renewalBillingPlanType", renewalBillingPlanType)
        writer.field("renewalDate", renewalDate)
        writer.optionalObject("renewalPrice", renewalPrice)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let autoRenewProductID = try fields.optionalIdentifier(
            "autoRenewProductId", as: ProductID.self)
        let autoRenewStatus = try fields.optionalFlag("autoRenewStatus")
        let renewalBillingPlanType = try fields.optionalText("renewalBillingPlanType")
        let renewalDate = try fields.optionalInstant("renewalDate")
        self.init(
            autoRenewStatus: autoRenewStatus, autoRenewProductID: autoRenewProductID,
            renewalBillingPlanType: renewalBillingPlanType, renewalDate: renewalDate,
            renewalPrice: try fields.optionalObject("renewalPrice"))
    }
}

extension Offer: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("discountType", discountType)
        writer.field("identifier", identifier)
        writer.field("period", period)
        writer.field("type", type)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let discountType = try fields.optionalText("discountType")
        let identifier = try fields.optionalText("identifier")
        let period = try fields.optionalText("period")
        self.init(
            type: try fields.integer("type"), identifier: identifier,
            discountType: discountType, period: period)
    }
}

extension Price: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("currency", currency)
        writer.field("milliunits", milliunits)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let currency = try fields.optionalText("currency")
        self.init(milliunits: try fields.integer("milliunits"), currency: currency)
    }
}

extension JSONWriter {
    mutating func ownership(_ name: StaticString, _ ownership: Ownership) {
        switch ownership {
        case .unknown(let text): unknown(name, text)
        case .purchased, .familyShared, .assigned, .notStated: field(name, ownership.word)
        }
    }
}
