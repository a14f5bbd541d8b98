internal import EntitlementModel
internal import StrictJSON

/// What a subscription is sold with besides its product, from period to period.
struct PurchaseTerms: Sendable {
    /// A commitment for 12 months that is billed monthly.
    struct Commitment: Sendable {
        static let periods: Int64 = 12
        /// From 1.
        var number: Int64 = 1
        var expires: Instant
        /// Whether another commitment follows this one.
        var willRenew = true
    }

    /// Set where it is sold to several people.
    var seats: Int64?
    var commitment: Commitment?
    /// The charge for the next period will fail; with so many days of grace, if any.
    var failure: ChargeFailure?
    /// Developer extensions, at most two in 365 days.
    var extensions: [Instant] = []

    struct ChargeFailure: Sendable {
        var graceDays: Int64?
    }

    /// What these terms add to a transaction. The last month of a commitment ends with it.
    func apply(to transaction: inout SimulatedTransaction) {
        if let seats {
            transaction.quantity = seats
            transaction.setField("multiSeatInfo", seatInfo(revoked: 0))
        }
        guard let commitment else { return }
        if commitment.number == Commitment.periods { transaction.expiresDate = commitment.expires }
        transaction.setField("billingPlanType", "MONTHLY")
        var info: JSONValue = [
            "billingPeriodNumber": .integer(commitment.number),
            "totalBillingPeriods": .integer(Commitment.periods),
            "commitmentExpiresDate": .date(commitment.expires),
        ]
        info["commitmentPrice"] = transaction.price.map {
            .integer($0.milliunits * Commitment.periods)
        }
        transaction.setField("commitmentInfo", info)
    }

    func seatInfo(revoked: Int64) -> JSONValue {
        ["invitationManagement": "DEVELOPER", "revokedSeatQuantity": .integer(revoked)]
    }

    /// What these terms add to the renewal info of a purchase.
    func renewalFields(of purchase: PlayedPurchase) -> [JSONMember] {
        guard let commitment, let renewal = purchase.renewal else { return [] }
        var info: JSONValue = [
            "commitmentAutoRenewProductId": .string(renewal.autoRenewProductID),
            "commitmentAutoRenewStatus": .integer(commitment.willRenew ? 1 : 0),
            "commitmentRenewalBillingPlanType": "MONTHLY",
            "commitmentRenewalDate": .date(commitment.expires),
        ]
        info["commitmentRenewalPrice"] = purchase.transaction.price.map {
            .integer($0.milliunits * Commitment.periods)
        }
        return [
            JSONMember("renewalBillingPlanType", "MONTHLY"), JSONMember("commitmentInfo", info),
        ]
    }

    /// Counts the next month; a new commitment begins after the twelfth.
    ///
    /// - Parameter end: of the month before: the commitment ends so much later as the next one
    ///   begins.
    mutating func beginPeriod(from start: Instant, after end: Instant) {
        guard var commitment else { return }
        commitment.number += 1
        commitment.expires = commitment.expires.advanced(
            byMilliseconds: max(0, start.milliseconds(since: end)))
        if commitment.number > Commitment.periods {
            commitment = Commitment(expires: Period(Commitment.periods, .months).end(from: start))
        }
        self.commitment = commitment
    }

    /// The same from the first month of a new commitment.
    mutating func beginAgain(from start: Instant) {
        guard commitment != nil else { return }
        commitment = Commitment(expires: Period(Commitment.periods, .months).end(from: start))
    }
}

extension SimulatedTransaction {
    /// Sets a field that this version has no name for; nil removes it.
    static let advancedCommerce = "advancedCommerceInfo"

    func field(_ name: String) -> JSONValue? { otherFields.first { $0.key == name }?.value }

    mutating func setField(_ name: String, _ value: JSONValue?) {
        otherFields.removeAll { $0.key == name }
        if let value { otherFields.append(JSONMember(name, value)) }
    }
}

extension Period {
    /// As Apple writes lengths (ISO 8601): `P1M`.
    var iso8601: String {
        switch unit {
        case .years: "P\(count)Y"
        case .months: "P\(count)M"
        case .weeks: "P\(count)W"
        case .days: "P\(count)D"
        case .hours: "PT\(count)H"
        case .minutes: "PT\(count)M"
        case .seconds: "PT\(count)S"
        case .milliseconds: "PT0.\(count)S"
        }
    }
}
