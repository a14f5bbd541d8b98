internal import EntitlementModel

extension HistoryDraw {
    /// A lineage of an auto-renewable product: renewals, upgrades, failures, refunds.
    mutating func subscribe(_ customer: Customer) {
        var product = dice.pick(["gold", "silver", "daily"])
        var start = dice.chance(1, in: 3) ? anyInstant() : instant(dice.below(40))
        var original: TransactionID?
        var previous: TransactionSnapshot?
        let predecessor = predecessor(of: customer)
        for _ in 0..<(1 + dice.below(4)) {
            var period = transaction(
                of: customer, product: ProductID(unchecked: product), kind: .autoRenewable,
                original: original, at: start)
            original = period.originalTransactionID
            // Apple goes on signing the token of the first purchase until somebody sets another.
            if let previous, dice.chance(2, in: 3) {
                period.appAccountToken = previous.appAccountToken
            } else if dice.chance(1, in: 2) {
                period.appAccountToken = token()
            }
            if dice.chance(2, in: 3) { period.previousOriginalTransactionID = predecessor }
            let length = Int64(dice.pick([30, 30, 7, 10, 1])) * grid
            let end = start.advanced(byMilliseconds: length)
            period.expiresDate = end
            if dice.chance(1, in: 2) {
                period.webOrderLineItemID = WebOrderLineItemID(
                    unchecked: "5\(period.transactionID.text)")
            }
            tell(of: period, customer: customer)
            if dice.chance(1, in: 5) { addSeats(to: period, customer: customer) }
            if let previous { upgradeOrLeave(previous, for: period, customer: customer) }
            for _ in 0..<dice.below(3) { renewal(of: period, end: end, customer: customer) }
            previous = period
            switch dice.below(5) {
            case 0:
                start = instant(after: start, within: 20)
                product = dice.pick(["gold", "silver"])
            case 1: start = instant(after: end, within: 40)
            default: start = end
            }
        }
        // An upgrade whose successor has not been seen.
        guard var last = previous, dice.chance(1, in: 8) else { return }
        last.isUpgraded = true
        hand(in: last, of: customer, signed: instant(after: last.purchaseDate, within: 20))
    }

    /// The lineage that a new one goes on from, once in a while: mostly a subscription that was
    /// drawn before, sometimes one that nobody has heard of.
    private mutating func predecessor(of customer: Customer) -> TransactionID? {
        guard dice.chance(1, in: 3) else { return nil }
        let known = transactions.filter { $0.environment == customer.environment }
        if known.isEmpty || dice.chance(1, in: 10) { return TransactionID(unchecked: "4711") }
        return dice.pick(known).originalTransactionID
    }

    /// Snapshots of one period: signed on time, again later, refunded, the refund reversed.
    private mutating func tell(of period: TransactionSnapshot, customer: Customer) {
        let early = dice.pick([0, 0, 1_000, grid / 2])
        let signed = period.purchaseDate.advanced(byMilliseconds: -early)
        hand(in: period, of: customer, signed: signed)
        if dice.chance(1, in: 5) { twin(of: period, customer: customer) }
        guard dice.chance(1, in: 3) else { return }
        var later = period
        if dice.chance(1, in: 2) {
            // One in three falls after the end: in grace, in retry, or in nothing.
            let isLate = dice.chance(1, in: 3)
            let moment = instant(
                after: (isLate ? period.expiresDate : nil) ?? period.purchaseDate,
                within: isLate ? 20 : 40)
            later.revocation = revocation(at: moment)
            hand(in: later, of: customer, signed: moment)
            for _ in 0..<dice.pick([0, 0, 1, 2]) {
                if dice.chance(1, in: 2) { move(&later.revocation) }
                hand(in: later, of: customer, signed: instant(after: moment, within: 10))
            }
            guard dice.chance(1, in: 3) else { return }
            later.revocation = nil
        }
        if dice.chance(1, in: 4) { later.appAccountToken = token() }
        hand(in: later, of: customer, signed: instant(after: period.purchaseDate, within: 60))
    }

    /// More seats of a running period, some of them given back (spec 1.4). The first transaction
    /// is signed again with the reason, or alone has it.
    private mutating func addSeats(to period: TransactionSnapshot, customer: Customer) {
        if dice.chance(1, in: 2) {
            var again = period
            again.additionalReason = .known(.seatAddition)
            again.quantity = Int64(1 + dice.below(9))
            takeSeats(from: &again)
            let moment = instant(after: period.purchaseDate, within: 30)
            if dice.chance(1, in: 3) { again.revocation = revocation(at: moment) }
            hand(in: again, of: customer, signed: moment)
        }
        for _ in 0..<(1 + dice.below(2)) {
            let bought = instant(after: period.purchaseDate, within: 30)
            var seats = transaction(
                of: customer, product: period.productID, kind: .autoRenewable,
                original: period.originalTransactionID, at: bought)
            seats.additionalReason =
                dice.pick([
                    .known(.seatAddition), .known(.seatAddition), .unknown("SEAT_GIFT"), nil,
                ])
            takeSeats(from: &seats)
            seats.isUpgraded = dice.chance(1, in: 10)
            seats.expiresDate =
                dice.chance(3, in: 4)
                ? period.expiresDate : bought.advanced(byMilliseconds: 10 * grid)
            seats.quantity = Int64(1 + dice.below(5_000))
            if dice.chance(1, in: 2) { seats.webOrderLineItemID = period.webOrderLineItemID }
            hand(in: seats, of: customer, signed: bought)
            if dice.chance(1, in: 5) { twin(of: seats, customer: customer) }
            guard dice.chance(1, in: 2) else { continue }
            let moment = instant(after: bought, within: 40)
            seats.revocation = revocation(at: moment)
            hand(in: seats, of: customer, signed: moment)
        }
    }

    private mutating func takeSeats(from seats: inout TransactionSnapshot) {
        guard dice.chance(1, in: 3) else { return }
        seats.multiSeat = MultiSeatInfo(
            revokedQuantity: dice.pick([nil, 0, 1, seats.quantity, seats.quantity + 1]))
    }

    /// The same purchase restored on another device: another transactionId, the same period.
    private mutating func twin(of period: TransactionSnapshot, customer: Customer) {
        var twin = period
        twin.transactionID = transactionID(period.environment)
        if period.webOrderLineItemID != nil, dice.chance(1, in: 2) {
            twin.purchaseDate = period.purchaseDate.advanced(byMilliseconds: 1_000)
        }
        if dice.chance(1, in: 4) {
            twin.revocation = revocation(at: instant(after: period.purchaseDate, within: 30))
        }
        hand(in: twin, of: customer, signed: instant(after: twin.purchaseDate, within: 20))
    }

    /// What Apple says of a period that the next one cut short.
    private mutating func upgradeOrLeave(
        _ previous: TransactionSnapshot, for next: TransactionSnapshot, customer: Customer
    ) {
        guard let expires = previous.expiresDate,
            next.purchaseDate < expires || dice.chance(1, in: 20),
            dice.chance(2, in: 3)
        else { return }
        var upgraded = previous
        upgraded.isUpgraded = dice.chance(2, in: 3)
        if !upgraded.isUpgraded || dice.chance(1, in: 2) {
            let apart: [Int64] = [0, 0, 2_000, -2_000, 60_000, 60_001, -60_000, -60_001]
            upgraded.revocation = Revocation(
                date: next.purchaseDate.advanced(byMilliseconds: dice.pick(apart)))
        }
        hand(in: upgraded, of: customer, signed: instant(after: next.purchaseDate, within: 5))
    }

    /// A renewal info near the end of a period, with whatever went well or wrong.
    private mutating func renewal(
        of period: TransactionSnapshot, end: Instant, customer: Customer
    ) {
        let signed =
            switch dice.below(4) {
            case 0: period.purchaseDate
            case 1: end.advanced(byMilliseconds: dice.pick([-grid / 2, -1, 0, 1]))
            case 2: instant(after: end, within: 20)
            default: anyInstant()
            }
        var info = RenewalSnapshot(
            environment: period.environment,
            originalTransactionID: period.originalTransactionID, signedDate: signed,
            source: EvidenceSource(form: .jws, trust: .signed, canonicalDigest: digest()))
        info.productID = period.productID
        info.autoRenewProductID =
            dice.chance(2, in: 3)
            ? period.productID : ProductID(unchecked: dice.pick(["gold", "silver", "daily"]))
        info.autoRenewStatus = dice.pick([true, true, false, nil])
        if dice.chance(1, in: 2) {
            info.renewalDate =
                dice.chance(2, in: 3) ? end : instant(after: end, within: 20)
        }
        if dice.chance(1, in: 3) {
            info.isInBillingRetryPeriod = true
            if dice.chance(1, in: 2) {
                info.gracePeriodExpiresDate = instant(after: end, within: 20)
            }
        }
        if dice.chance(1, in: 4) {
            info.expirationIntent = ExpirationIntent(signedNumber: Int64(1 + dice.below(6)))
        }
        if dice.chance(1, in: 2) { info.appTransactionID = customer.appTransactionID }
        if dice.chance(period.billingPlanType == nil ? 1 : 4, in: 6) {
            info.commitment = RenewalCommitment(
                autoRenewStatus: dice.pick([true, false, false, nil]),
                renewalDate: dice.pick([nil, end, period.commitmentExpiresDate, anyInstant()]))
        }
        if dice.chance(1, in: 8) {
            info.commitment = nil
            info.source.form = .latestReceiptInfo
            info.source.trust = dice.pick([.appleAnswer, .imported])
            info.source.receipt = dice.pick(customer.receipts)
            info.renewalDate = nil
            info.appTransactionID = nil
        }
        record(.renewal(info), at: dice.chance(1, in: 3) ? anyInstant() : signed)
    }
}
