package import EntitlementModel

/// Which order a payment is for (spec 1.8).
package enum OrderMatch: Hashable, Sendable {
    /// No order: a purchase that the app made without one, or that pays none.
    case none
    case pays(OrderID, OrderMatchBasis, [OrderComparison])
    /// The order is paid already: this is another purchase, which gets an order of its own.
    case second(of: OrderID, OrderMatchBasis)
    /// A person has to decide which.
    case tied([OrderComparison])
}

/// An order as a payment meets it.
package struct OrderCandidate: Hashable, Sendable {
    package var history: OrderHistory
    package var state: OrderState
    /// Of the policy under which it was made.
    package var settings: OrderSettings

    package init(_ history: OrderHistory, at instant: Instant, _ settings: OrderSettings) {
        self.history = history
        self.settings = settings
        state = history.state(at: instant, settings)
    }
}

/// Finds the order of a payment. Pure: the same orders and the same payment give the same.
package struct OrderMatching {
    private let payment: OrderPayment
    /// By how far Apple's clock may be before ours.
    private static let skew: Int64 = 300_000
    /// How long an approval by another person may take.
    package static let approval = Period(30, .days)

    package init(_ payment: OrderPayment) {
        self.payment = payment
    }

    /// - Parameters:
    ///   - named: the order that decides, and by what it is named.
    ///   - others: the orders of the account, to compare where none decides.
    package func match(
        named: (candidate: OrderCandidate, basis: OrderMatchBasis)?, others: [OrderCandidate]
    ) -> OrderMatch {
        guard payment.paysOrders else { return .none }
        if let named { return match(named.candidate, named.basis) }
        guard !payment.isRedeemed else { return .none }
        let fitting = others.filter { fits($0) && isInTime($0) }
        if payment.planChangedSince != nil,
            let scheduled = fitting.filter({ $0.state == .scheduled })
                .max(by: { $0.history.order.sequence < $1.history.order.sequence })
        {
            return .pays(scheduled.history.id, .plan, [])
        }
        let open = fitting.filter { $0.state.isOpen || $0.history.isGift }
        let closed = fitting.filter { $0.isClosedUnpaid }
        // An order comes before its payment; if recorded later, the clocks differ.
        let candidates =
            [open.filter(isMadeBefore), closed.filter(isMadeBefore), open, closed]
            .first { !$0.isEmpty } ?? []
        guard let first = candidates.first else { return .none }
        let isLate =
            !first.state.isOpen && !first.history.isGift
            && candidates.contains { $0.settings.latePayment == .review }
        return compare(candidates, isLate: isLate)
    }

    /// The one unpaid order of another account that it may be for.
    package func mayBe(of others: [OrderCandidate]) -> OrderID? {
        guard payment.isAnybodys else { return nil }
        let waiting = others.filter { candidate in
            fits(candidate) && isInTime(candidate)
                && (candidate.state.isOpen || candidate.history.isGift)
                && likeness(of: candidate.history.order.value.appleID) != .different
        }
        let before = waiting.filter(isMadeBefore)
        return (before.isEmpty ? waiting : before)
            .map { comparison(with: $0.history) }
            .min { ($0.distance, $0.order) < ($1.distance, $1.order) }?.order
    }

    /// In whole seconds: receipts have no finer unit.
    private func isMadeBefore(_ candidate: OrderCandidate) -> Bool {
        candidate.history.order.recordedAt.milliseconds(since: payment.purchasedAt) < 1_000
    }

    /// Whether the order can be this payment's where no signed token says so.
    package func canPay(_ candidate: OrderCandidate) -> Bool {
        payment.paysOrders && fits(candidate)
    }

    /// Several orders that a client has reported the payment for.
    package func tie(_ candidates: [OrderCandidate]) -> OrderMatch {
        .tied(candidates.map { comparison(with: $0.history) }.sorted { $0.order < $1.order })
    }

    private func match(_ candidate: OrderCandidate, _ basis: OrderMatchBasis) -> OrderMatch {
        let id = candidate.history.id
        if let paying = candidate.history.payment {
            return payment.keys.contains(paying) ? .none : .second(of: id, basis)
        }
        if candidate.isClosedUnpaid, candidate.settings.latePayment == .review {
            return .tied([comparison(with: candidate.history)])
        }
        return .pays(id, basis, [])
    }

    /// Same product, same environment, and not made before the order.
    private func fits(_ candidate: OrderCandidate) -> Bool {
        let order = candidate.history.order
        return order.value.product == payment.product
            && order.value.environment == payment.transaction.environment
            && payment.purchasedAt >= order.recordedAt.advanced(byMilliseconds: -Self.skew)
    }

    /// Within `match_window` of the last change of the order; 30 days if another person has to
    /// approve. For a replacement, purchases before it was given, or before what the order waited
    /// for. A renewal is for an order made in the period before it.
    private func isInTime(_ candidate: OrderCandidate) -> Bool {
        guard let gift = candidate.history.gift else {
            return isInTime(candidate.history, candidate.settings)
        }
        if payment.planChangedSince == nil, payment.purchasedAt <= gift.givenAt { return true }
        let awaited = gift.before.recordedState
        return (awaited == .deferred || awaited == .scheduled)
            && isInTime(gift.before, candidate.settings)
    }

    private func isInTime(_ history: OrderHistory, _ settings: OrderSettings) -> Bool {
        if let since = payment.planChangedSince {
            return history.order.recordedAt >= since.advanced(byMilliseconds: -Self.skew)
                && history.recordedState != .cancelled
        }
        switch history.recordedState {
        case .scheduled: return true
        case .deferred:
            return payment.purchasedAt < Self.approval.end(from: history.changedAt)
        default: return payment.purchasedAt < settings.matchWindow.end(from: history.changedAt)
        }
    }

    /// Same Apple ID, then price, then nearest in time.
    private func compare(_ candidates: [OrderCandidate], isLate: Bool) -> OrderMatch {
        let comparisons = candidates.map { comparison(with: $0.history) }
            .sorted { $0.order < $1.order }
        guard !isLate else { return .tied(comparisons) }
        if comparisons.count == 1 { return .pays(comparisons[0].order, .only, comparisons) }
        var best = comparisons
        for basis in [OrderMatchBasis.appleID, .price, .time] {
            let rank = best.map { $0.rank(by: basis) }.min()
            best = best.filter { $0.rank(by: basis) == rank }
            if best.count == 1 { return .pays(best[0].order, basis, comparisons) }
        }
        return .tied(comparisons)
    }

    private func comparison(with history: OrderHistory) -> OrderComparison {
        let order = history.order
        return OrderComparison(
            order: history.id, appleID: likeness(of: order.value.appleID),
            price: likeness(order.value.price, payment.price),
            distance: abs(payment.purchasedAt.milliseconds(since: order.recordedAt)))
    }

    /// Any key of the Apple ID names it.
    private func likeness(of ordered: AppleIDKey?) -> OrderComparison.Likeness {
        guard let ordered, !payment.appleIDs.isEmpty else { return .unknown }
        return payment.appleIDs.contains(ordered) ? .same : .different
    }

    private func likeness<Value: Equatable>(
        _ ordered: Value?, _ paid: Value?
    ) -> OrderComparison.Likeness {
        guard let ordered, let paid else { return .unknown }
        return ordered == paid ? .same : .different
    }
}

extension OrderCandidate {
    /// Orders that a late payment reopens without being named.
    fileprivate var isClosedUnpaid: Bool {
        let isClosed = state == .cancelled || state == .failed || state == .abandoned
        return history.payment == nil && (isClosed || history.endedWithoutPayment)
    }
}

extension OrderComparison {
    /// The smaller the better.
    fileprivate func rank(by basis: OrderMatchBasis) -> Int64 {
        switch basis {
        case .appleID: appleID.rank
        case .price: price.rank
        case .time, .orderID, .token, .transactionID, .plan, .only, .person: distance
        }
    }
}

extension OrderComparison.Likeness {
    fileprivate var rank: Int64 {
        switch self {
        case .same: 0
        case .unknown: 1
        case .different: 2
        }
    }
}

extension OrderPayment {
    /// Nothing signed says for whom it was made.
    package var isAnybodys: Bool { paysOrders && !isRedeemed && !namesAccount && isFirst }

    /// Its differences from the order.
    package func differences(from order: Order) -> [OrderDifference] {
        var differences: [OrderDifference] = []
        if order.product != product { differences.append(.product) }
        if order.quantity != quantity { differences.append(.quantity) }
        if let price, let ordered = order.price, price != ordered { differences.append(.price) }
        return differences
    }
}
