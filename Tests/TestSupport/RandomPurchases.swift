internal import EntitlementModel

extension HistoryDraw {
    /// A non-consumable or free lineage: a purchase, restores, revocations, bought again.
    mutating func buyForEver(_ customer: Customer) {
        let (product, kind) = dice.pick([
            ("book", ProductKind.nonConsumable), ("book", .nonConsumable), ("weekly", .free),
        ])
        var original: TransactionID?
        for _ in 0..<(1 + dice.below(3)) {
            var purchase = transaction(
                of: customer, product: ProductID(unchecked: product), kind: kind,
                original: original, at: anyInstant())
            original = purchase.originalTransactionID
            hand(in: purchase, of: customer, signed: purchase.purchaseDate)
            if dice.chance(1, in: 2) {
                let moment = instant(after: purchase.purchaseDate, within: 30)
                purchase.revocation = revocation(at: moment)
                hand(in: purchase, of: customer, signed: moment)
                tellAgain(&purchase, after: moment, customer: customer)
            }
        }
    }

    /// The app itself, as an app transaction or a receipt tells of it, again and again.
    mutating func loadApp(_ customer: Customer) {
        let name = customer.appTransactionID.flatMap { TransactionID(app: $0) }
        guard let id = name ?? TransactionID(download: "\(dice.below(1_000_000_000))")
        else { return }
        let bought = anyInstant()
        for _ in 0..<(1 + dice.below(3)) {
            var purchase = transaction(
                of: customer, product: .app, kind: .nonConsumable, original: id, at: bought)
            purchase.transactionID = id
            purchase.ownership = .notStated
            (purchase.transactionReason, purchase.appAccountToken) = (nil, nil)
            purchase.firstVersion = dice.pick(["1.0", "2", "2.0.1", "3", "10.1", "beta", nil])
            hand(in: purchase, of: customer, signed: instant(after: bought, within: 30))
        }
    }

    /// Of a refund, with the same date or another one.
    private mutating func tellAgain(
        _ purchase: inout TransactionSnapshot, after moment: Instant, customer: Customer
    ) {
        for _ in 0..<dice.pick([0, 0, 1, 2]) {
            if dice.chance(2, in: 3) { move(&purchase.revocation) }
            hand(in: purchase, of: customer, signed: instant(after: moment, within: 10))
        }
    }

    /// Purchases of one non-renewing or consumable product, one after another.
    mutating func buyAgainAndAgain(_ customer: Customer) {
        let (product, kind) = dice.pick([
            ("pass", ProductKind.nonRenewing), ("ticket", .nonRenewing), ("coins", .consumable),
            ("gems", .consumable),
        ])
        for _ in 0..<(1 + dice.below(3)) {
            var purchase = transaction(
                of: customer, product: ProductID(unchecked: product), kind: kind,
                at: anyInstant())
            if kind == .consumable { purchase.quantity = Int64(1 + dice.below(3)) }
            hand(in: purchase, of: customer, signed: purchase.purchaseDate)
            if dice.chance(1, in: 6) {
                var twin = purchase
                twin.transactionID = transactionID(customer.environment)
                hand(
                    in: twin, of: customer, signed: instant(after: purchase.purchaseDate, within: 9)
                )
            }
            guard dice.chance(1, in: 3) else { continue }
            let moment = instant(after: purchase.purchaseDate, within: 30)
            purchase.revocation = revocation(at: moment)
            hand(in: purchase, of: customer, signed: moment)
            tellAgain(&purchase, after: moment, customer: customer)
            guard dice.chance(1, in: 3) else { continue }
            purchase.revocation = nil
            let reversed = instant(after: moment, within: 10)
            hand(in: purchase, of: customer, signed: reversed)
            guard dice.chance(1, in: 3) else { continue }
            purchase.revocation = revocation(at: instant(after: reversed, within: 10))
            hand(in: purchase, of: customer, signed: instant(after: reversed, within: 10))
        }
    }
}
