internal import EntitlementModel
internal import StrictJSON

extension TransactionFact: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("evidence", evidence)
        writer.object("snapshot", snapshot)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let evidence = try fields.sequence("evidence")
        self.init(snapshot: try fields.object("snapshot"), evidence: evidence)
    }
}

extension TransactionSnapshot: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("appAccountToken", appAccountToken?.text)
        writer.field("appTransactionId", appTransactionID)
        writer.field("billingPlanType", billingPlanType)
        writer.field("bundleId", bundleID)
        writer.field("commitmentExpiresDate", commitmentExpiresDate)
        writer.field("environment", environment)
        writer.field("expiresDate", expiresDate)
        writer.field("isUpgraded", isUpgraded)
        writer.field("kind", kind)
        writer.optionalObject("offer", offer)
        writer.field("originalPurchaseDate", originalPurchaseDate)
        writer.field("originalTransactionId", originalTransactionID)
        writer.ownership("ownership", ownership)
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
        let bundleID = try fields.identifier("bundleId", as: BundleID.self)
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let originalID = try fields.identifier("originalTransactionId", as: TransactionID.self)
        let productID = try fields.identifier("productId", as: ProductID.self)
        let purchaseDate = try fields.instant("purchaseDate")
        let signedDate = try fields.instant("signedDate")
        let source = try fields.object("source", as: EvidenceSource.self)
        self.init(
            environment: environment, bundleID: bundleID,
            transactionID: try fields.identifier("transactionId"),
            originalTransactionID: originalID, productID: productID, purchaseDate: purchaseDate,
            signedDate: signedDate, source: source)
        appAccountToken = try fields.optionalToken("appAccountToken")
        appTransactionID = try fields.optionalIdentifier("appTransactionId")
        billingPlanType = try fields.optionalText("billingPlanType")
        commitmentExpiresDate = try fields.optionalInstant("commitmentExpiresDate")
        expiresDate = try fields.optionalInstant("expiresDate")
        isUpgraded = try fields.flag("isUpgraded")
        kind = try fields.optionalStated("kind")
        offer = try fields.optionalObject("offer")
        originalPurchaseDate = try fields.optionalInstant("originalPurchaseDate")
        ownership = try fields.ownership("ownership")
        price = try fields.optionalObject("price")
        quantity = try fields.integer("quantity")
        revocation = try fields.optionalObject("revocation")
        storefront = try fields.optionalText("storefront")
        subscriptionGroupID = try fields.optionalIdentifier("subscriptionGroupId")
        transactionReason = try fields.optionalStated("transactionReason")
        webOrderLineItemID = try fields.optionalIdentifier("webOrderLineItemId")
    }
}

extension RenewalFact: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("evidence", evidence)
        writer.object("snapshot", snapshot)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let evidence = try fields.sequence("evidence")
        self.init(snapshot: try fields.object("snapshot"), evidence: evidence)
    }
}

extension RenewalSnapshot: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("appAccountToken", appAccountToken?.text)
        writer.field("appTransactionId", appTransactionID)
        writer.field("autoRenewProductId", autoRenewProductID)
        writer.field("autoRenewStatus", autoRenewStatus)
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
        self.init(
            environment: try fields.word("environment"),
            originalTransactionID: try fields.identifier("originalTransactionId"),
            signedDate: try fields.instant("signedDate"), source: try fields.object("source"))
        appAccountToken = try fields.optionalToken("appAccountToken")
        appTransactionID = try fields.optionalIdentifier("appTransactionId")
        autoRenewProductID = try fields.optionalIdentifier("autoRenewProductId")
        autoRenewStatus = try fields.optionalFlag("autoRenewStatus")
        expirationIntent = try fields.optionalInteger("expirationIntent")
            .map(ExpirationIntent.init(signedNumber:))
        gracePeriodExpiresDate = try fields.optionalInstant("gracePeriodExpiresDate")
        isInBillingRetryPeriod = try fields.optionalFlag("isInBillingRetryPeriod")
        offer = try fields.optionalObject("offer")
        productID = try fields.optionalIdentifier("productId")
        renewalBillingPlanType = try fields.optionalText("renewalBillingPlanType")
        renewalDate = try fields.optionalInstant("renewalDate")
        renewalPrice = try fields.optionalObject("renewalPrice")
    }
}

extension AppTransactionFact: PayloadObject {
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
        self.init(
            environment: try fields.word("environment"),
            bundleID: try fields.identifier("bundleId"),
            appTransactionID: try fields.optionalIdentifier("appTransactionId"),
            signedDate: try fields.instant("signedDate"), source: try fields.object("source"))
    }
}
