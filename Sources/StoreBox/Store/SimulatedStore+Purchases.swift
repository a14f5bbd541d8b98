internal import EntitlementModel
internal import StrictJSON

/// What becomes of purchases.
extension SimulatedStore {
    mutating func apply(
        _ name: String, _ action: PurchaseAction
    ) throws(PlayMistake) {
        var purchase = try purchase(name)
        switch action {
        case .isRefunded, .refundIsAskedFor, .refundIsDeclined, .refundIsReversed, .isUnshared:
            refund(&purchase, action)
            if action.changesTransaction {
                changed(purchase.transaction, of: name, purchase.appleID)
            }
        case .isShared(let account, let member):
            try share(&purchase, with: account, as: member)
        case .addsSeats, .losesSeats:
            try changeSeats(&purchase, name, action)
        case .isFinished: purchase.isFinished = true
        default:
            guard purchase.renewal != nil else { throw mistake(.notASubscription(name)) }
            if try !change(&purchase, name, action) { try move(&purchase, name, action) }
        }
        keep(purchase, as: name)
        if purchase.isAutomatic, let followed = action.forMembers {
            for member in purchase.members where purchases[member]?.isFollower == true {
                try apply(member, followed)
            }
        }
    }

    private mutating func refund(_ purchase: inout PlayedPurchase, _ action: PurchaseAction) {
        switch action {
        case .isRefunded(let percent, let isTold):
            purchase.transaction.revocation = Revocation(
                date: at, reason: 0, type: .known(percent == nil ? .full : .prorated),
                percentage: (percent ?? 100) * 1_000)
            if isTold { notify("REFUND", nil, purchase) }
        case .refundIsReversed:
            purchase.transaction.revocation = nil
            notify("REFUND_REVERSED", nil, purchase)
        case .isUnshared:
            purchase.transaction.revocation = Revocation(date: at, type: .known(.family))
            purchase.isFollower = false
            notify("REVOKE", nil, purchase)
        case .refundIsDeclined: notify("REFUND_DECLINED", nil, purchase)
        default: notify("CONSUMPTION_REQUEST", nil, purchase)
        }
    }

    /// A member of the family gets a transaction and a lineage of its own (spec 4.4).
    private mutating func share(
        _ purchase: inout PlayedPurchase, with account: String, as name: String
    ) throws(PlayMistake) {
        try nameIsFree(name)
        var shared = PlayedPurchase(
            account: account, appleID: account, kind: purchase.kind, period: purchase.period,
            transaction: purchase.transaction)
        shared.renewal = purchase.renewal
        shared.isAutomatic = purchase.isAutomatic
        shared.isFollower = purchase.isAutomatic
        purchase.members.append(name)
        shared.transaction.transactionID = names.transactionID()
        shared.transaction.originalTransactionID = shared.transaction.transactionID
        shared.transaction.ownership = "FAMILY_SHARED"
        shared.transaction.appAccountToken = nil
        shared.transaction.appTransactionID = names.appTransactionID(of: account)
        shared.renewal?.originalTransactionID = shared.transaction.transactionID
        shared.renewal?.appTransactionID = shared.transaction.appTransactionID
        present(shared, by: account, .purchase)
        let isSubscription = shared.kind == .autoRenewable
        notify(
            isSubscription ? "SUBSCRIBED" : "ONE_TIME_CHARGE",
            isSubscription ? "INITIAL_BUY" : nil, shared)
        open(shared, as: name)
    }

    /// Actions that change what Apple says of the running period.
    /// - Returns: whether `action` is one of them.
    private mutating func change(
        _ purchase: inout PlayedPurchase, _ name: String, _ action: PurchaseAction
    ) throws(PlayMistake) -> Bool {
        guard var renewal = purchase.renewal else { return false }
        let expires = purchase.transaction.expiresDate ?? at
        let news: (type: String, subtype: String?)
        switch action {
        case .fails(let days):
            fail(&purchase, &renewal, graceDays: days, from: expires)
            news = ("DID_FAIL_TO_RENEW", days == nil ? nil : "GRACE_PERIOD")
        case .failsUntil(let end):
            fail(&purchase, &renewal, graceDays: nil, from: expires)
            renewal.gracePeriodExpiresDate = end
            news = ("DID_FAIL_TO_RENEW", "GRACE_PERIOD")
        case .graceEnds:
            renewal.gracePeriodExpiresDate = nil
            news = ("GRACE_PERIOD_EXPIRED", nil)
        case .cancels, .resumes:
            let renews = action == .resumes
            if purchase.terms.commitment == nil { renewal.autoRenewStatus = renews }
            purchase.terms.commitment?.willRenew = renews
            renewal.set(purchase.terms.renewalFields(of: purchase))
            news = (
                "DID_CHANGE_RENEWAL_STATUS",
                renews ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED"
            )
        case .downgrades(let word):
            renewal.autoRenewProductID = try product(word).id
            news = ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
        case .keepsItsProduct:
            renewal.autoRenewProductID = renewal.productID
            news = ("DID_CHANGE_RENEWAL_PREF", nil)
        case .redeems(let offer):
            renewal.otherFields = [
                JSONMember("offerType", .integer(offer)),
                JSONMember("offerIdentifier", .string("offer-\(offer)")),
            ]
            news = ("OFFER_REDEEMED", nil)
        case .isExtended(let days):
            let end = expires.advanced(byMilliseconds: days * 86_400_000)
            purchase.transaction.expiresDate = end
            renewal.renewalDate = end
            changed(purchase.transaction, of: name, purchase.appleID)
            news = ("RENEWAL_EXTENDED", nil)
        case .priceRises, .priceIsAccepted:
            let isAccepted = action == .priceIsAccepted
            renewal.otherFields = [
                JSONMember("priceIncreaseStatus", .integer(isAccepted ? 1 : 0))
            ]
            news = ("PRICE_INCREASE", isAccepted ? "ACCEPTED" : "PENDING")
        case .expires(let cause):
            purchase.failedAt = nil
            news = ("EXPIRED", renewal.expire(cause))
        case .losesItsCard(let days):
            purchase.terms.failure = PurchaseTerms.ChargeFailure(graceDays: days)
            return true
        case .getsACard:
            purchase.terms.failure = nil
            return renewal.isInBillingRetryPeriod != true
        default: return false
        }
        purchase.renewal = renewal
        notify(news.type, news.subtype, purchase)
        return true
    }

    private func fail(
        _ purchase: inout PlayedPurchase, _ renewal: inout SimulatedRenewal, graceDays: Int64?,
        from expires: Instant
    ) {
        purchase.failedAt = at
        renewal.isInBillingRetryPeriod = true
        renewal.expirationIntent = .billingError
        renewal.gracePeriodExpiresDate = graceDays.map {
            expires.advanced(byMilliseconds: $0 * 86_400_000)
        }
    }

    /// Actions that start another period.
    private mutating func move(
        _ purchase: inout PlayedPurchase, _ name: String, _ action: PurchaseAction
    ) throws(PlayMistake) {
        let expires = purchase.transaction.expiresDate ?? at
        switch action {
        case .renews:
            begin(&purchase, name, try nextProduct(of: purchase), from: expires, .renewal)
            notify("DID_RENEW", nil, purchase)
        case .recovers, .getsACard:
            let isInGrace = purchase.renewal?.gracePeriodExpiresDate.map { $0 > at } ?? false
            let next = try nextProduct(of: purchase)
            begin(&purchase, name, next, from: isInGrace ? expires : at, .renewal)
            notify("DID_RENEW", "BILLING_RECOVERY", purchase)
        case .resubscribes:
            let next = try nextProduct(of: purchase)
            purchase.terms.beginAgain(from: at)
            begin(&purchase, name, next, from: at, .purchase)
            present(purchase, by: purchase.account, .purchase)
            notify("SUBSCRIBED", "RESUBSCRIBE", purchase)
        case .isBoughtAgain(let account, let hasToken):
            let next = try nextProduct(of: purchase)
            purchase.account = account
            purchase.terms.beginAgain(from: at)
            begin(&purchase, name, next, from: at, .purchase)
            purchase.transaction.appAccountToken = hasToken ? names.token(of: account) : nil
            present(purchase, by: account, .purchase)
            notify("SUBSCRIBED", "RESUBSCRIBE", purchase)
        case .upgrades(let word, let isTold):
            let next = try product(word)
            purchase.transaction.isUpgraded = true
            // Seconds off the purchase that replaces it, as in real receipts.
            purchase.transaction.upgradedAt = at.advanced(byMilliseconds: 2_000)
            changed(purchase.transaction, of: name, purchase.appleID)
            present(purchase.transaction, by: purchase.account, .purchase)
            begin(&purchase, name, next, from: at, .purchase)
            guard isTold else { return }
            present(purchase, by: purchase.account, .purchase)
            notify("DID_CHANGE_RENEWAL_PREF", "UPGRADE", purchase)
        default: preconditionFailure("all other actions change the running period")
        }
    }

    /// The product that the subscription renews as.
    private func nextProduct(of purchase: PlayedPurchase) throws(PlayMistake) -> PlayProduct {
        let id = purchase.renewal?.autoRenewProductID ?? purchase.transaction.productID
        guard let product = products.values.first(where: { $0.id == id }) else {
            throw mistake(.unknownProduct(id))
        }
        return product
    }

    private mutating func begin(
        _ purchase: inout PlayedPurchase, _ name: String, _ product: PlayProduct,
        from start: Instant, _ reason: TransactionReason
    ) {
        let product = purchase.terms.commitment == nil ? product : product.billedMonthly
        var next = transaction(of: product, from: start)
        next.originalTransactionID = purchase.transaction.originalTransactionID
        next.originalPurchaseDate = purchase.transaction.originalPurchaseDate
        next.ownership = purchase.transaction.ownership
        next.appAccountToken = purchase.transaction.appAccountToken
        next.appTransactionID = purchase.transaction.appTransactionID
        next.storefront = purchase.transaction.storefront
        next.environment = purchase.transaction.environment
        if let field = purchase.transaction.field(SimulatedTransaction.advancedCommerce) {
            next.setField(SimulatedTransaction.advancedCommerce, field)
        }
        next.reason = reason
        if reason == .renewal {
            let end = purchase.transaction.expiresDate ?? start
            purchase.terms.beginPeriod(from: start, after: end)
        }
        purchase.terms.apply(to: &next)
        purchase.begin(next, product: product, signed: signed)
        changed(next, of: name, purchase.appleID)
    }
}

extension PurchaseAction {
    /// The corresponding event for family members who follow a purchase; nil for none.
    fileprivate var forMembers: PurchaseAction? {
        switch self {
        case .isRefunded: .isUnshared
        case .renews, .fails, .failsUntil, .graceEnds, .recovers, .expires, .resubscribes,
            .upgrades,
            .isExtended, .getsACard, .cancels, .resumes, .downgrades, .keepsItsProduct:
            self
        default: nil
        }
    }

    fileprivate var changesTransaction: Bool {
        switch self {
        case .refundIsAskedFor, .refundIsDeclined: false
        default: true
        }
    }
}

extension SimulatedRenewal {
    /// Sets these among the other fields.
    fileprivate mutating func set(_ fields: [JSONMember]) {
        otherFields.removeAll { old in fields.contains { $0.key == old.key } }
        otherFields += fields
    }

    /// Ends it, for the given reason or the one that follows from its state.
    /// - Returns: the subtype of Apple's notification.
    fileprivate mutating func expire(_ cause: PurchaseAction.EndCause?) -> String {
        let isFailing = isInBillingRetryPeriod == true
        isInBillingRetryPeriod = false
        gracePeriodExpiresDate = nil
        autoRenewStatus = false
        switch cause {
        case .price?:
            expirationIntent = .priceNotAccepted
            return "PRICE_INCREASE"
        case .product?:
            expirationIntent = .productUnavailable
            return "PRODUCT_NOT_FOR_SALE"
        case nil:
            expirationIntent = isFailing ? .billingError : .cancelled
            return isFailing ? "BILLING_RETRY" : "VOLUNTARY"
        }
    }
}

/// Purchases for several people (spec 4.4).
extension SimulatedStore {
    mutating func changeSeats(
        _ purchase: inout PlayedPurchase, _ name: String, _ action: PurchaseAction
    ) throws(PlayMistake) {
        guard let seats = purchase.terms.seats, purchase.renewal != nil else {
            throw mistake(.noSeats(name))
        }
        switch action {
        case .addsSeats(let count):
            purchase.terms.seats = seats + count
            addSeats(&purchase, name, count)
        case .losesSeats(let count):
            guard count <= seats else { throw mistake(.noSeats(name)) }
            purchase.terms.seats = seats - count
            revokeSeats(&purchase, name, count)
        default: preconditionFailure("only two actions are about seats")
        }
    }

    /// A transaction of its own is one period with the first one.
    private mutating func addSeats(
        _ purchase: inout PlayedPurchase, _ name: String, _ count: Int64
    ) {
        var addition = purchase.transaction
        addition.transactionID = names.transactionID()
        addition.webOrderLineItemID = names.transactionID()
        addition.purchaseDate = at
        addition.quantity = count
        addition.reason = .purchase
        addition.setField("additionalTransactionReason", "SEAT_ADDITION")
        addition.setField("multiSeatInfo", purchase.terms.seatInfo(revoked: 0))
        purchase.additions.append(addition)
        changed(addition, of: name, purchase.appleID)
        // The first transaction of the period is signed again, with the reason too.
        purchase.transaction.setField("additionalTransactionReason", "SEAT_ADDITION")
        changed(purchase.transaction, of: name, purchase.appleID)
        present(addition, by: purchase.account, .purchase)
        present(purchase.transaction, by: purchase.account, .purchase)
        notify("SUBSCRIBED", "INITIAL_BUY", purchase, about: addition)
    }

    /// Seats are taken back from the newest transaction of the period that has them.
    private mutating func revokeSeats(
        _ purchase: inout PlayedPurchase, _ name: String, _ count: Int64
    ) {
        var rest = count
        let ids = [purchase.transaction.transactionID] + purchase.additions.map(\.transactionID)
        for id in ids.reversed() where rest > 0 {
            guard var transaction = purchase[id], transaction.revocation == nil,
                transaction.expiresDate == purchase.transaction.expiresDate
            else { continue }
            let revoked = transaction.revokedSeats
            let taken = min(rest, transaction.quantity - revoked)
            rest -= taken
            transaction.setField(
                "multiSeatInfo", purchase.terms.seatInfo(revoked: revoked + taken))
            if revoked + taken == transaction.quantity {
                transaction.revocation = Revocation(
                    date: at, reason: 0, type: .known(.full), percentage: 100_000)
            }
            purchase[id] = transaction
            changed(transaction, of: name, purchase.appleID)
            notify("REFUND", "SEATS", purchase, about: transaction)
        }
    }
}

extension SimulatedTransaction {
    fileprivate var revokedSeats: Int64 {
        otherFields.first { $0.key == "multiSeatInfo" }?.value["revokedSeatQuantity"]?.int64 ?? 0
    }
}
