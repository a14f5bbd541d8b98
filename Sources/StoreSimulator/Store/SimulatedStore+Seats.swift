internal import EntitlementModel
internal import StrictJSON

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
