internal import EntitlementModel

/// What the developer's server does to purchases (spec 4.3).
extension SimulatedStore {
    /// Sets the account token of a purchase from the running period on.
    package mutating func setAccountToken(_ token: String, of name: String) {
        guard var purchase = purchases[name] else { return }
        purchase.transaction.appAccountToken = token
        purchase.transaction.setField("appAccountToken", nil)
        purchases[name] = purchase
        changed(purchase.transaction, of: name, purchase.appleID)
    }

    /// Why the renewal date of a subscription cannot be extended; nil where it can.
    package func obstacleToExtension(of name: String) -> ExtensionObstacle? {
        guard let purchase = purchases[name], purchase.renewal != nil else { return .ineligible }
        if purchase.transaction.ownership == "FAMILY_SHARED" { return .family }
        let isFree = purchase.transaction.offer?.discountType == "FREE_TRIAL"
        guard purchase.status(at: at) == 1, !isFree else { return .ineligible }
        let year = at.advanced(byMilliseconds: -365 * 86_400_000)
        return purchase.terms.extensions.filter { $0 > year }.count < 2 ? nil : .tooMany
    }

    /// Moves the renewal date of a subscription, and of the family members who follow it.
    package mutating func extend(_ name: String, days: Int64) throws(PlayMistake) {
        try befall(name, .isExtended(days: days))
        purchases[name]?.terms.extensions.append(at)
    }

    /// Tells that a subscription was left out of an extension for all.
    package mutating func notifyFailedExtension(of name: String) {
        guard let purchase = purchases[name] else { return }
        notify("RENEWAL_EXTENSION", "FAILURE", purchase)
    }

    /// Notes that the app or its server has delivered a purchase.
    package mutating func finish(_ name: String) {
        purchases[name]?.isFinished = true
    }

    /// The order id of a transaction, as it stands in the customer's mail.
    package func orderID(of transactionID: String) -> String {
        names.orderID(of: transactionID)
    }
}

/// Why Apple refuses an extension.
package enum ExtensionObstacle: Sendable {
    case ineligible
    case tooMany
    case family
}
