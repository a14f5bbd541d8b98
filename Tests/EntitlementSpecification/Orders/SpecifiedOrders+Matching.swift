package import EntitlementModel

/// Which payment is whose (spec 1.8).
extension SpecifiedOrders {
    /// What becomes of the order that was named with evidence.
    package enum Named: Hashable, Sendable {
        case pays(TransactionKey)
        case problem(String)
    }

    /// The payment of an order that is named with evidence: of what the evidence holds, what pays
    /// the order or carries its token, else, of what it can be, the first that was bought after it was
    /// made, or the last before.
    package func payment(
        of id: OrderID, named transactions: [TransactionKey], claimant: AccountID,
        by specification: Specification, at now: Instant
    ) -> Named {
        guard let order = order(id) else { return .problem("order.unknown") }
        guard specification.account(standingFor: order.lastAccount) == claimant else {
            return .problem("order.owner")
        }
        let payments = specification.payments(transactions)
        let sure = payments.first { payment in
            order.isPaid(by: payment) || orderOfToken(payment)?.id == id
        }
        if let sure { return .pays(sure.name) }
        let possible = payments.filter {
            orderOfToken($0) == nil && $0.paysOrders && canBe($0, of: order)
        }.sorted { $0.boughtAt < $1.boughtAt }
        let first = possible.first { $0.boughtAt >= order.madeAt } ?? possible.last
        guard let first else { return .problem("order.payment") }
        return .pays(first.name)
    }

    /// Evidence has come, or a person has ruled on a purchase: each payment is matched unless it is
    /// already, and what it pays is followed.
    ///
    /// - Parameters:
    ///   - claimant: for whom it was handed in.
    ///   - named: the order that was named with it, and which of the purchases can be its payment.
    ///   - isRuled: a person's ruling has moved it.
    package mutating func settle(
        _ transactions: [TransactionKey], claimant: AccountID?,
        named: (order: OrderID, payment: TransactionKey)? = nil, isRuled: Bool = false,
        by specification: Specification, at now: Instant
    ) {
        isFromApple = claimant == nil && !isRuled
        var compared: [SpecifiedPayment] = []
        for payment in specification.payments(transactions) {
            let isNamed = named?.payment == payment.name
            if let order = orderOfToken(payment) {
                settle(payment, at: order, .token, claimant, by: specification, at: now)
            } else if isNamed, let order = named.flatMap({ self.order($0.order) }) {
                settle(payment, at: order, .orderID, claimant, by: specification, at: now)
            } else {
                noteOtherEnvironment(payment, at: now)
                compared.append(payment)
            }
        }
        for payment in compared {
            if follow(payment, claimant, by: specification, at: now) { continue }
            guard payment.paysOrders else {
                visits.insert("order not paid by a renewal or a family's copy")
                continue
            }
            if orders.contains(where: { $0.waits(for: payment) }) { continue }
            match(payment, claimant: claimant, by: specification, at: now)
            let hasOrder = orders.contains { $0.isPaid(by: payment) || $0.waits(for: payment) }
            if let claimant, !hasOrder { tell(payment, of: claimant, by: specification, at: now) }
        }
    }

    /// What it pays already.
    private mutating func follow(
        _ payment: SpecifiedPayment, _ claimant: AccountID?, by specification: Specification,
        at now: Instant
    ) -> Bool {
        guard let paid = orders.first(where: { $0.isPaid(by: payment) }) else { return false }
        if claimant != nil, paid.isFromApple {
            happen(.calledBack, to: paid.id, at: now) { $0.transaction = paid.payment }
        }
        follow(paid.id, payment, by: specification, at: now)
        return true
    }

    private mutating func settle(
        _ payment: SpecifiedPayment, at order: SpecifiedOrder, _ basis: OrderMatchBasis,
        _ claimant: AccountID?, by specification: Specification, at now: Instant
    ) {
        if take(order, payment, basis, claimant, by: specification, at: now) { return }
        if follow(payment, claimant, by: specification, at: now) { return }
        guard payment.paysOrders, !orders.contains(where: { $0.waits(for: payment) }) else {
            return
        }
        pay(order, payment, basis, by: specification, at: now)
    }

    /// The token is that of an order of an environment in which the purchase does not count.
    private mutating func noteOtherEnvironment(_ payment: SpecifiedPayment, at now: Instant) {
        guard payment.paysOrders,
            let order = orders.first(where: { $0.id.text == payment.token?.text }),
            !payment.environments.contains(order.environment), order.payment == nil,
            !order.hasSeen(payment)
        else { return }
        visits.insert("order whose token comes with another environment")
        happen(.seen, to: order.id, at: now, in: order.lastState) { event in
            event.transaction = payment.name
            event.differences = [.environment]
        }
    }

    /// - Parameter isDisplaced: another payment took its place: nobody presents it, and orders on which
    ///   a person has ruled are left out.
    private mutating func match(
        _ payment: SpecifiedPayment, claimant: AccountID?, isDisplaced: Bool = false,
        by specification: Specification, at now: Instant
    ) {
        let account = claimant ?? payment.owners.sorted().first
        let reported = orders.filter { order in
            let owner = specification.account(standingFor: order.lastAccount)
            return (owner == account || payment.owners.contains(owner))
                && order.isReported(for: payment) && canBe(payment, of: order)
                && !(isDisplaced && order.isRuled)
        }
        if reported.count > 1 {
            tie(reported, payment, by: specification, at: now)
            return
        }
        if let order = reported.first {
            let owner = specification.account(standingFor: order.lastAccount)
            presenter = claimant == owner || isDisplaced ? nil : claimant
            pay(order, payment, .transactionID, by: specification, at: now)
            presenter = nil
            return
        }
        // What others own was bought by others; an offer code is redeemed outside the app.
        guard let account, !payment.isRedeemed,
            payment.owners.isEmpty || payment.owners.contains(account)
        else {
            visits.insert("payment without an order")
            return
        }
        compare(payment, account, isDisplaced, by: specification, at: now)
    }

    /// The order whose id the purchase carries, if it counts in the order's environment.
    private func orderOfToken(_ payment: SpecifiedPayment) -> SpecifiedOrder? {
        orders.first {
            $0.id.text == payment.token?.text && payment.environments.contains($0.environment)
        }
    }

    /// In time to be paid without being named: `match_window` from its last change, thirty days where
    /// somebody else has to approve; a renewal in the period before which it was made; what was given
    /// by hand by what was bought before, or by what it waited for.
    func isInTime(_ payment: SpecifiedPayment, for order: SpecifiedOrder) -> Bool {
        if let (givenAt, before) = order.gift {
            if payment.planChangedSince == nil, payment.boughtAt <= givenAt { return true }
            return [.deferred, .scheduled].contains(before.lastState)
                && isInTime(payment, for: before)
        }
        if let since = payment.planChangedSince {
            return since.milliseconds(since: order.madeAt) <= 300_000
                && order.lastState != .cancelled
        }
        if order.lastState == .scheduled { return true }
        let window =
            order.lastState == .deferred ? Period(30, .days) : order.policy.orders.matchWindow
        return payment.boughtAt < window.end(from: order.changedAt)
    }

    /// For the product and the environment, and made at most 5 minutes after the purchase.
    func canBe(_ payment: SpecifiedPayment, of order: SpecifiedOrder) -> Bool {
        order.product == payment.product && order.environment == payment.name.environment
            && order.madeAt.milliseconds(since: payment.boughtAt) <= 300_000
    }

    /// Nothing decides: the account's orders are compared.
    private mutating func compare(
        _ payment: SpecifiedPayment, _ account: AccountID, _ isDisplaced: Bool,
        by specification: Specification, at now: Instant
    ) {
        let fitting = orders.filter { order in
            specification.account(standingFor: order.lastAccount) == account
                && canBe(payment, of: order) && isInTime(payment, for: order)
                && !(isDisplaced && order.isRuled)
        }
        let scheduled = fitting.last { $0.lastState == .scheduled }
        if payment.planChangedSince != nil, let scheduled {
            pay(scheduled, payment, .plan, by: specification, at: now)
            return
        }
        let open = fitting.filter { isOpen($0.state(at: now)) || $0.isGivenOnly }
        let closed = fitting.filter { isClosed($0, at: now) }
        // Made before the payment, by the second; else before by another clock.
        func earlier(_ orders: [SpecifiedOrder]) -> [SpecifiedOrder] {
            orders.filter { $0.madeAt.milliseconds(since: payment.boughtAt) < 1_000 }
        }
        let choices = [earlier(open), earlier(closed), open, closed]
        let compared = choices.first { !$0.isEmpty } ?? []
        if compared.isEmpty {
            visits.insert("payment without an order")
            return
        }
        if !earlier(compared).isEmpty, compared.count < open.count {
            visits.insert("order made after its payment")
        }
        let mustBeReviewed = compared.contains { $0.policy.orders.latePayment == .review }
        if isClosed(compared[0], at: now), mustBeReviewed {
            visits.insert("late payment in review")
            tie(compared, payment, by: specification, at: now)
            return
        }
        let comparisons = Set(compared.map { comparison($0, payment, specification) })
        var best = compared
        var basis = OrderMatchBasis.only
        let ranks: [(OrderMatchBasis, (OrderComparison) -> Int64)] = [
            (.appleID, { rank($0.appleID) }), (.price, { rank($0.price) }), (.time, \.distance),
        ]
        for (step, rank) in ranks where best.count > 1 {
            let ranked = best.map { rank(comparison($0, payment, specification)) }
            let least = ranked.min()
            best = zip(best, ranked).filter { $0.1 == least }.map(\.0)
            basis = step
        }
        if best.count > 1 {
            tie(compared, payment, by: specification, at: now)
        } else {
            pay(best[0], payment, basis, comparisons, by: specification, at: now)
        }
    }

    /// Closed without a payment: a late one reopens it.
    private func isClosed(_ order: SpecifiedOrder, at now: Instant) -> Bool {
        order.payment == nil
            && ([.cancelled, .failed, .abandoned].contains(order.state(at: now))
                || order.endedWithoutPayment)
    }

    func comparison(
        _ order: SpecifiedOrder, _ payment: SpecifiedPayment, _ specification: Specification
    ) -> OrderComparison {
        func likeness<Value: Equatable>(
            _ ordered: Value?, _ paid: Value?
        ) -> OrderComparison.Likeness {
            guard let ordered, let paid else { return .unknown }
            return ordered == paid ? .same : .different
        }
        return OrderComparison(
            order: order.id,
            appleID: likeness(
                order.appleID.map(specification.appleID(named:)), payment.appleID),
            price: likeness(order.price, payment.price),
            distance: abs(payment.boughtAt.milliseconds(since: order.madeAt)))
    }
}

/// What is the same comes before what is not known, and that before what is not the same.
private func rank(_ likeness: OrderComparison.Likeness) -> Int64 {
    switch likeness {
    case .same: 0
    case .unknown: 1
    case .different: 2
    }
}

/// What comes of it.
extension SpecifiedOrders {
    /// Evidence that names an order moves what was matched with less force, and nothing on which a
    /// person has ruled. By word only what is the claimant's own is moved.
    /// - Returns: whether the payment has a new place.
    private mutating func take(
        _ order: SpecifiedOrder, _ payment: SpecifiedPayment, _ basis: OrderMatchBasis,
        _ claimant: AccountID?, by specification: Specification, at now: Instant
    ) -> Bool {
        let paid = orders.first { $0.isPaid(by: payment) }
        let displaced = order.payment
        if paid?.id == order.id || paid == nil && displaced == nil { return false }
        if order.isRuled || !payment.paysOrders { return false }
        if displaced != nil, force(order.basis) >= force(basis) { return false }
        if let paid {
            let isOwn = specification.account(standingFor: paid.lastAccount) == claimant
            if paid.isRuled || force(paid.basis) >= force(basis) { return false }
            if basis != .token, !isOwn { return false }
            visits.insert("payment moved to the order that names it")
            leave(paid, at: now)
        }
        if displaced != nil { leave(order, at: now) }
        if let free = self.order(order.id) {
            pay(free, payment, basis, by: specification, at: now)
        }
        if let displaced, let payment = specification.payment(displaced) {
            visits.insert("payment moved from the order of another")
            match(
                payment, claimant: specification.account(standingFor: order.lastAccount),
                isDisplaced: true, by: specification, at: now)
        }
        return true
    }

    private mutating func leave(_ order: SpecifiedOrder, at now: Instant) {
        happen(.paymentMoved, to: order.id, at: now, in: order.beforePayment.lastState) {
            $0.transaction = order.payment
        }
    }

    /// A signed token, the order named by who presents it, what was reported, what fits best.
    private func force(_ basis: OrderMatchBasis?) -> Int {
        switch basis {
        case .person, nil: 4
        case .token: 3
        case .orderID: 2
        case .transactionID: 1
        case .plan, .only, .appleID, .price, .time: 0
        }
    }

    private mutating func pay(
        _ order: SpecifiedOrder, _ payment: SpecifiedPayment, _ basis: OrderMatchBasis,
        _ compared: Set<OrderComparison> = [], by specification: Specification, at now: Instant
    ) {
        let state = order.state(at: now)
        if order.payment != nil {
            makeSecond(beside: order, payment, basis, by: specification, at: now)
            return
        }
        if compared.isEmpty, basis != .plan, isClosed(order, at: now),
            order.policy.orders.latePayment == .review
        {
            visits.insert("late payment in review")
            tie([order], payment, by: specification, at: now)
            return
        }
        if isClosed(order, at: now) { visits.insert("late payment of a \(state.rawValue) order") }
        if order.isGivenOnly { visits.insert("payment of what was given") }
        if specification.account(standingFor: order.lastAccount) != order.lastAccount {
            visits.insert("order of a merged account paid")
        }
        let (isFromApple, presenter) = (isFromApple, presenter)
        happen(.paid, to: order.id, at: now) { event in
            event.transaction = payment.name
            event.basis = basis
            event.compared = compared
            event.differences = payment.differences(from: order)
            event.isFromApple = isFromApple
            event.presenter = presenter
        }
        follow(order.id, payment, by: specification, at: now)
    }

    /// A person has to say.
    private mutating func tie(
        _ tied: [SpecifiedOrder], _ payment: SpecifiedPayment, by specification: Specification,
        at now: Instant
    ) {
        visits.insert(tied.count > 1 ? "orders tied" : "an order tied alone")
        let compared = Set(tied.map { comparison($0, payment, specification) })
        for order in tied {
            happen(.tied, to: order.id, at: now) { event in
                event.transaction = payment.name
                event.compared = compared
            }
        }
    }

    /// A payment that finds a paid order gets an order of its own, once.
    private mutating func makeSecond(
        beside order: SpecifiedOrder, _ payment: SpecifiedPayment, _ basis: OrderMatchBasis,
        by specification: Specification, at now: Instant
    ) {
        if case .lineage(let line) = payment.unit,
            let paying = order.payment.flatMap(specification.payment), paying.unit == .lineage(line)
        {
            visits.insert("first purchase of a line that came last")
            return
        }
        let second = SecondPayment(order: order.id, payment: payment.name)
        let id = namesOfSeconds[second] ?? OrderID(unchecked: "the second of \(order.id)")
        if self.order(id) != nil { return }
        let isDelivered = payment.kind == .consumable
        visits.insert("second payment " + (isDelivered ? "of a consumable" : "in review"))
        orders.append(
            SpecifiedOrder(
                id: id, account: specification.name(order.lastAccount),
                environment: order.environment, product: payment.product,
                quantity: payment.quantity, appleID: nil, price: nil, key: nil, parent: order.id,
                madeAt: now, policy: specification.policy))
        guard isDelivered else {
            happen(.tied, to: id, at: now) { event in
                event.transaction = payment.name
                event.basis = basis
            }
            return
        }
        let (isFromApple, presenter) = (isFromApple, presenter)
        happen(.paid, to: id, at: now) { event in
            event.transaction = payment.name
            event.basis = basis
            event.isFromApple = isFromApple
            event.presenter = presenter
        }
        follow(id, payment, by: specification, at: now)
    }

    /// A paid order is delivered once its account owns what was bought, refunded while the purchase
    /// is revoked, and where it was when the refund is reversed.
    package mutating func follow(
        _ id: OrderID, _ payment: SpecifiedPayment, by specification: Specification,
        at now: Instant
    ) {
        guard let order = order(id) else { return }
        if order.lastState == .refunded, !payment.isRevoked {
            let refund = order.events.lastIndex { $0.kind == .refunded } ?? 0
            happen(
                .refundReversed, to: id, at: now, in: order.events[refund - 1].state
            ) { $0.transaction = payment.name }
        }
        let account = specification.account(standingFor: order.lastAccount)
        if self.order(id)?.lastState == .paid, payment.owners.contains(account) {
            if order.hasGift { visits.insert("gift that goes when it is delivered") }
            // What the client has finished already needs no second report.
            let isFinished = order.events.contains { $0.kind == .finished }
            happen(.delivered, to: id, at: now, in: isFinished ? .finished : nil) {
                $0.transaction = payment.name
            }
        }
        if payment.isRevoked, let last = self.order(id)?.lastState, last != .refunded {
            if last == .paid { visits.insert("refund before delivery") }
            happen(.refunded, to: id, at: now) { $0.transaction = payment.name }
        }
    }
}
