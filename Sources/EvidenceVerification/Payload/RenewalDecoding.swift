internal import EntitlementModel

extension PayloadReader {
    /// The renewal info that a bound payload describes (spec 4.4).
    func renewal(environment: StoreEnvironment) throws(PayloadFault) -> RenewalSnapshot {
        var snapshot = RenewalSnapshot(
            environment: environment,
            originalTransactionID: try requiredID("originalTransactionId"),
            signedDate: try requiredDate("signedDate"), source: source)
        snapshot.productID = try id("productId")
        snapshot.autoRenewProductID = try id("autoRenewProductId")
        snapshot.autoRenewStatus = integer("autoRenewStatus").map { $0 == 1 }
        snapshot.expirationIntent = integer("expirationIntent")
            .map(ExpirationIntent.init(signedNumber:))
        snapshot.isInBillingRetryPeriod = bool("isInBillingRetryPeriod")
        snapshot.gracePeriodExpiresDate = date("gracePeriodExpiresDate")
        snapshot.renewalDate = date("renewalDate")
        snapshot.renewalPrice = price("renewalPrice")
        snapshot.offer = offer
        snapshot.appAccountToken = appAccountToken
        snapshot.appTransactionID = try id("appTransactionId")
        snapshot.renewalBillingPlanType = string("renewalBillingPlanType")
        return snapshot
    }

    /// The app transaction that a bound payload describes.
    func appTransaction(
        environment: StoreEnvironment, bundleID: BundleID
    ) throws(PayloadFault) -> AppTransactionSnapshot {
        AppTransactionSnapshot(
            environment: environment, bundleID: bundleID,
            appTransactionID: try id("appTransactionId"),
            signedDate: try requiredDate("receiptCreationDate"), source: source)
    }

    /// The outermost members of a notification; one without a signing time was judged now, and
    /// that stands in for it.
    func notificationHead(judgedAt: Instant) throws(PayloadFault) -> NotificationHead {
        // `TransactionID` lends its alphabet: Apple's ids have no other.
        let uuid = try requiredID("notificationUUID", as: TransactionID.self)
        let type = try requiredID("notificationType", as: TransactionID.self)
        return NotificationHead(
            uuid: uuid.text.lowercased(), type: type.text, subtype: string("subtype"),
            signedDate: date("signedDate") ?? judgedAt)
    }
}
