internal import EntitlementModel

extension HistoryDraw {
    /// One Apple ID with its receipts, in one environment.
    struct Customer {
        let environment: StoreEnvironment
        /// Nil for one that was last seen before Apple had such ids.
        let appTransactionID: AppTransactionID?
        let receipts: [Digest256]
        let isFamilyMember: Bool
    }

    /// `earlier` are those whose receipt may have been mixed up with this one's.
    mutating func customer(_ index: Int, besides earlier: [Customer]) -> Customer {
        let environment: StoreEnvironment =
            dice.chance(1, in: 5) ? .sandbox : .production
        var receipts = [digest(), digest()]
        let others = earlier.filter { $0.environment == environment }
        if !others.isEmpty, dice.chance(1, in: 2) {
            receipts += others.map { dice.pick($0.receipts) }
        }
        return Customer(
            environment: environment,
            appTransactionID: dice.chance(1, in: 2)
                ? AppTransactionID(unchecked: "70\(index)") : nil,
            receipts: receipts, isFamilyMember: dice.chance(1, in: 8))
    }

    /// A transaction with all that a JWS can say of it.
    mutating func transaction(
        of customer: Customer, product: ProductID, kind: ProductKind,
        original: TransactionID? = nil, at start: Instant
    ) -> TransactionSnapshot {
        let id = transactionID(customer.environment)
        var snapshot = TransactionSnapshot(
            environment: customer.environment, bundleID: Shelf.bundle, transactionID: id,
            originalTransactionID: original ?? id, productID: product, purchaseDate: start,
            signedDate: start,
            source: EvidenceSource(form: .jws, trust: .signed, canonicalDigest: digest()))
        // A JWS has no type for the Newsstand's free subscription (spec 1.2).
        snapshot.kind = kind == .free ? nil : .known(kind)
        snapshot.subscriptionGroupID = Shelf.signedGroup(of: product)
        snapshot.ownership = ownership(of: customer)
        snapshot.appTransactionID = dice.chance(4, in: 5) ? customer.appTransactionID : nil
        snapshot.storefront = dice.pick(["USA", "CHN"])
        if dice.chance(1, in: 3) { snapshot.appAccountToken = token() }
        if dice.chance(1, in: 4) {
            snapshot.offer = Offer(
                type: Int64(1 + dice.below(6)),
                discountType: dice.pick(["FREE_TRIAL", "PAY_UP_FRONT"]))
        }
        if dice.chance(1, in: 6) { snapshot.originalPurchaseDate = anyInstant() }
        if dice.chance(1, in: 6) { snapshot.billingPlanType = "MONTHLY" }
        if kind == .autoRenewable, dice.chance(1, in: 6) { commit(&snapshot) }
        if dice.chance(1, in: 3) {
            snapshot.transactionReason = dice.pick([.known(.purchase), .known(.renewal)])
        }
        snapshot.price = Price(milliunits: Int64(1 + dice.below(20)) * 990, currency: "USD")
        return snapshot
    }

    /// A month of a commitment, its numbers and its end not always stated.
    private mutating func commit(_ snapshot: inout TransactionSnapshot) {
        snapshot.billingPlanType = "MONTHLY"
        if dice.chance(2, in: 3) {
            snapshot.commitmentPeriod = Int64(1 + dice.below(3))
            snapshot.commitmentPeriods = dice.pick([3, 3, nil])
        }
        if dice.chance(1, in: 2) { snapshot.commitmentExpiresDate = anyInstant() }
    }

    private mutating func ownership(of customer: Customer) -> Ownership {
        if dice.chance(1, in: 20) { return .unknown("SHARED_BY_A_FRIEND") }
        if dice.chance(1, in: 20) { return .assigned }
        return customer.isFamilyMember ? .familyShared : .purchased
    }

    /// Hands in a transaction as it is at `signedDate`, in some form, perhaps twice.
    mutating func hand(in snapshot: TransactionSnapshot, of customer: Customer, signed: Instant) {
        var handed = snapshot
        handed.signedDate = signed
        handed.source = source(of: customer)
        handed.keepOnlyWhatTheFormCarries()
        if dice.chance(1, in: 30) { split(&handed) }
        if dice.chance(1, in: 40) { spoil(&handed) }
        transactions.append(handed)
        let times = dice.chance(1, in: 10) ? 2 : 1
        for _ in 0..<times {
            record(.transaction(handed), at: dice.chance(1, in: 3) ? anyInstant() : signed)
        }
    }

    /// Another answer of Apple's has the same transaction under another original.
    private mutating func split(_ snapshot: inout TransactionSnapshot) {
        let known = transactions.filter {
            $0.environment == snapshot.environment && $0.productID == snapshot.productID
        }
        snapshot.originalTransactionID =
            known.isEmpty || dice.chance(1, in: 4)
            ? transactionID(snapshot.environment) : dice.pick(known).originalTransactionID
    }

    /// Rightly signed, and impossible or not ours: without effect (spec 1.2).
    private mutating func spoil(_ snapshot: inout TransactionSnapshot) {
        switch dice.below(6) {
        case 0: snapshot.quantity = dice.pick([0, -1, 1_000, 1_001, 10_000_000, 10_000_001])
        case 1: snapshot.signedDate = Instant(milliseconds: 4_133_980_800_000)
        case 2 where snapshot.expiresDate != nil:
            snapshot.expiresDate = snapshot.purchaseDate.advanced(byMilliseconds: -1)
        case 3 where snapshot.expiresDate != nil:
            let years = Period(3, .years).end(from: snapshot.purchaseDate)
            snapshot.expiresDate = years.advanced(byMilliseconds: dice.pick([0, 1]))
        case 4: snapshot.purchaseDate = Instant(milliseconds: 1_199_145_599_999)
        default: snapshot.bundleID = BundleID(unchecked: "com.example.other")
        }
    }

    private mutating func source(of customer: Customer) -> EvidenceSource {
        let form: EvidenceForm =
            dice.chance(2, in: 3) ? .jws : dice.pick([.receipt, .latestReceiptInfo, .inApp])
        let isAnswer = form == .latestReceiptInfo || form == .inApp
        let trust: EvidenceTrust = isAnswer ? dice.pick([.appleAnswer, .imported]) : .signed
        return EvidenceSource(
            form: form, trust: trust, canonicalDigest: digest(),
            receipt: form == .jws ? nil : dice.pick(customer.receipts))
    }

    /// Later answers about one refund may have another date.
    mutating func move(_ revocation: inout Revocation?) {
        guard let date = revocation?.date else { return }
        revocation?.date =
            dice.chance(1, in: 2)
            ? instant(after: date, within: 11) : date.advanced(byMilliseconds: -3_000)
    }

    mutating func revocation(at instant: Instant) -> Revocation {
        var revocation = Revocation(date: instant, reason: Int64(dice.below(2)))
        if dice.chance(1, in: 2) {
            revocation.type =
                dice.chance(1, in: 6)
                ? .unknown("REFUND_PARTLY") : .known(dice.pick(RevocationType.allCases))
        }
        if dice.chance(1, in: 2) { revocation.percentage = Int64(dice.below(101)) * 1_000 }
        return revocation
    }
}

extension TransactionSnapshot {
    /// What a form of evidence leaves out (spec 4.1).
    fileprivate mutating func keepOnlyWhatTheFormCarries() {
        guard source.form != .jws else { return }
        let isConsumable = kind?.known == .consumable
        appTransactionID = nil
        storefront = nil
        price = nil
        billingPlanType = nil
        previousOriginalTransactionID = nil
        transactionReason = nil
        additionalReason = nil
        commitmentPeriod = nil
        commitmentPeriods = nil
        commitmentExpiresDate = nil
        multiSeat = nil
        revocation?.type = nil
        revocation?.percentage = nil
        if source.form != .receipt { kind = nil }
        if source.form != .latestReceiptInfo {
            isUpgraded = false
            ownership = .notStated
            subscriptionGroupID = nil
            appAccountToken = nil
        }
        if source.form == .receipt, isConsumable { revocation = nil }
        if let type = offer?.type, type > 2 { offer = nil }
    }
}
