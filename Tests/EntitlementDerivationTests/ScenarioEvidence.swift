internal import EntitlementModel

/// Lines that tell what Apple signed: `T1 gold [0,30) @5 refunded 12`, `R @30 retry grace 46`.
extension ScenarioWorld {
    mutating func addTransaction(_ words: inout ScenarioWords) throws {
        let id = try words.transaction()
        var name = "gold"
        if let word = words.peek, word != "at", !word.hasPrefix("[") {
            name = try words.next("a product")
        }
        guard let productID = ProductID(name) else { throw words.mistake("'\(name)'") }
        let purchase: (start: Instant, end: Instant?)
        if words.take("at") {
            purchase = (try words.instant("the purchase"), nil)
        } else {
            purchase = try words.interval("the period")
        }
        let product = policies.compactMap { $0.products[productID] }.first
        let isSubscription = product?.kind == .autoRenewable
        if isSubscription, usualLineage == nil { usualLineage = id }
        var snapshot = TransactionSnapshot(
            environment: .production, bundleID: history.current.app.bundleID,
            transactionID: id,
            originalTransactionID: isSubscription ? usualLineage ?? id : id,
            productID: productID, purchaseDate: purchase.start, signedDate: purchase.start,
            source: EvidenceSource(
                form: .jws, trust: .signed, canonicalDigest: try nextDigest()))
        snapshot.kind = product.flatMap { $0.kind == .free ? nil : .known($0.kind) }
        snapshot.ownership = .purchased
        snapshot.expiresDate = purchase.end
        if words.peek?.hasPrefix("@") == true { snapshot.signedDate = try words.at() }
        var recordedAt: Instant?
        while !words.isAtEnd {
            if words.take("recorded") {
                recordedAt = try words.instant("the recording")
            } else {
                try words.readTrait(of: &snapshot)
            }
        }
        let recorded = record(snapshot, at: recordedAt ?? snapshot.signedDate)
        facts.transactions.append(recorded)
        submitSuccessions(of: recorded)
    }

    mutating func addRenewal(_ words: inout ScenarioWords) throws {
        try words.expect("R")
        guard let lineage = usualLineage ?? TransactionID("1") else {
            throw words.mistake("no lineage")
        }
        var info = RenewalSnapshot(
            environment: .production, originalTransactionID: lineage,
            signedDate: try words.at(),
            source: EvidenceSource(
                form: .jws, trust: .signed, canonicalDigest: try nextDigest()))
        info.autoRenewStatus = true
        while !words.isAtEnd { try words.readTrait(of: &info) }
        facts.renewals.append(record(info, at: info.signedDate))
    }
}

extension ScenarioWords {
    fileprivate mutating func readTrait(of snapshot: inout TransactionSnapshot) throws {
        switch try next("a word") {
        case "of": snapshot.originalTransactionID = try transaction()
        case "after": snapshot.previousOriginalTransactionID = try transaction()
        case "upgraded": snapshot.isUpgraded = true
        case "addition": snapshot.additionalReason = .known(.seatAddition)
        case "refunded":
            snapshot.revocation = Revocation(
                date: try instant("the refund"), type: .known(.full), percentage: nil)
        case "prorated": snapshot.revocation?.type = .known(.prorated)
        case "unshared": snapshot.revocation?.type = .known(.family)
        case "percent": snapshot.revocation?.percentage = try number("a percentage") * 1_000
        case "cancelled":
            snapshot.revocation = Revocation(date: try instant("the cancellation"))
        case "web": snapshot.webOrderLineItemID = WebOrderLineItemID(try next("an id"))
        case "token": snapshot.appAccountToken = try ScenarioWorld.token(try next("a name"))
        case "atx": snapshot.appTransactionID = AppTransactionID(try next("an id"))
        case "group": snapshot.subscriptionGroupID = SubscriptionGroupID(try next("a group"))
        case "quantity": snapshot.quantity = try number("a quantity")
        case "taken": snapshot.multiSeat = MultiSeatInfo(revokedQuantity: try number("seats"))
        case "month":
            snapshot.commitmentPeriod = try number("a month")
            snapshot.commitmentPeriods = 12
        case "committed": snapshot.commitmentExpiresDate = try instant("the end")
        case "first": snapshot.originalPurchaseDate = try instant("the first purchase")
        case "reason": try readReason(of: &snapshot)
        case "plan": snapshot.billingPlanType = try next("a plan")
        case "storefront": snapshot.storefront = try next("a storefront")
        case "price": snapshot.price = Price(milliunits: try number("a price"), currency: "USD")
        case "offer": snapshot.offer = try offer()
        case "owned": snapshot.ownership = try ownership()
        case "kind": try readKind(of: &snapshot)
        case "in": snapshot.environment = try named(StoreEnvironment.self, "environment")
        case "bundle":
            guard let bundle = BundleID(try next("a bundle")) else { throw mistake("bundle") }
            snapshot.bundleID = bundle
        case "imported": snapshot.source.trust = .imported
        case "digest": snapshot.source.canonicalDigest = try digest()
        case "receipt": try read(.receipt, of: &snapshot)
        case "answer": try read(.latestReceiptInfo, of: &snapshot)
        case "in-app": try read(.inApp, of: &snapshot)
        case let word: throw mistake("'\(word)' is not understood")
        }
    }

    /// `receipt r1`, `answer r1`, `in-app r1`: the form, and what it can never say
    /// (spec 4.0).
    private mutating func read(
        _ form: EvidenceForm, of snapshot: inout TransactionSnapshot
    ) throws {
        snapshot.source.form = form
        snapshot.source.receipt = try receipt()
        if form != .receipt { snapshot.kind = nil }
        if form != .latestReceiptInfo { snapshot.ownership = .notStated }
    }

    private mutating func receipt() throws -> Digest256 {
        let name = try next("a receipt")
        guard name.hasPrefix("r"), let number = UInt64(name.dropFirst()) else {
            throw mistake("a receipt is written 'r1', not '\(name)'")
        }
        return try ScenarioWorld.digest(1_000_000 + number)
    }

    private mutating func digest() throws -> Digest256 {
        try ScenarioWorld.digest(UInt64(try number("a digest")))
    }

    private mutating func readReason(of snapshot: inout TransactionSnapshot) throws {
        let word = try next("a reason").uppercased()
        snapshot.transactionReason =
            TransactionReason(rawValue: word).map { .known($0) }
            ?? .unknown(word)
    }

    private mutating func readKind(of snapshot: inout TransactionSnapshot) throws {
        let word = try next("a kind")
        if word == "none" {
            snapshot.kind = nil
        } else {
            snapshot.kind = ProductKind(rawValue: word).map { .known($0) } ?? .unknown(word)
        }
    }

    private mutating func ownership() throws -> Ownership {
        switch try next("an ownership") {
        case "purchased": .purchased
        case "family-shared": .familyShared
        case "assigned": .assigned
        case "not-stated": .notStated
        case let word: .unknown(word)
        }
    }

    private mutating func offer() throws -> Offer {
        switch try next("an offer") {
        case "free-trial": Offer(type: 1, discountType: "FREE_TRIAL")
        case "introductory": Offer(type: 1, discountType: "PAY_AS_YOU_GO")
        case "promotional": Offer(type: 2)
        case "offer-code": Offer(type: 3)
        case "win-back": Offer(type: 4)
        case "retention": Offer(type: 5)
        case "other": Offer(type: 99)
        case let word: throw mistake("'\(word)' is no offer")
        }
    }

    fileprivate mutating func readTrait(of info: inout RenewalSnapshot) throws {
        switch try next("a word") {
        case "of": info.originalTransactionID = try transaction()
        case "renews": info.renewalDate = try instant("the renewal")
        case "retry": info.isInBillingRetryPeriod = true
        case "no-retry": info.isInBillingRetryPeriod = false
        case "grace": info.gracePeriodExpiresDate = try instant("the end of grace")
        case "intent":
            info.expirationIntent = ExpirationIntent(signedNumber: try number("an intent"))
        case "auto": info.autoRenewStatus = try autoRenew()
        case "as": info.autoRenewProductID = ProductID(try next("a product"))
        case "commitment":
            info.commitment = RenewalCommitment(
                autoRenewStatus: try autoRenew(), renewalDate: try instant("its end"))
        case "atx": info.appTransactionID = AppTransactionID(try next("an id"))
        case "receipt":
            info.source.form = .latestReceiptInfo
            info.source.receipt = try receipt()
        case "imported": info.source.trust = .imported
        case "digest": info.source.canonicalDigest = try digest()
        case "in": info.environment = try named(StoreEnvironment.self, "environment")
        case let word: throw mistake("'\(word)' is not understood")
        }
    }

    private mutating func autoRenew() throws -> Bool? {
        switch try next("on, off or unknown") {
        case "on": return true
        case "off": return false
        case "unknown": return nil
        case let word: throw mistake("auto-renew is on, off or unknown, not '\(word)'")
        }
    }
}
