package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// The orders, and payments without one, that a person has to examine; the oldest first.
    /// Blocks.
    package func lostOrders(
        after sequence: LedgerSequence, at instant: Instant, limit: Int
    ) throws(EngineError) -> LostOrderPage {
        try ledger.reading { reader throws(LedgerError) in
            let search = LostOrderSearch(reader: reader, policy: policy, instant: instant)
            var (found, next) = try search.page(after: sequence, limit: limit)
            try search.propose(&found)
            return LostOrderPage(
                at: instant, orders: found, next: next, revision: try reader.head().sequence)
        }
    }
}

extension EntitlementEngine {
    /// The number of these for one reason.
    package struct LostCount: Sendable {
        package var count: Int64 = 0
        /// The age of the oldest.
        package var oldestSeconds: Int64 = 0
    }

    /// The list of lost orders, counted. Nothing is derived for it: a payment that was refunded,
    /// or that the family shares, counts although no page has it. Blocks.
    package func lostCounts(
        at instant: Instant
    ) throws(EngineError) -> [LostOrderReason: LostCount] {
        let policy = policy
        return try ledger.reading { reader throws(LedgerError) in
            var counts: [LostOrderReason: LostCount] = [:]
            for group in try reader.lostGroups() {
                let until = try reader.lastEntry(recordedBy: policy.due(group, by: instant))
                let (count, first) = try reader.lostCount(in: group, upTo: until)
                var sum = counts[group.reason] ?? LostCount()
                sum.count += count
                if let first, let entry = try reader.entry(first) {
                    let age = instant.milliseconds(since: entry.recordedAt) / 1_000
                    sum.oldestSeconds = max(age, sum.oldestSeconds)
                }
                counts[group.reason] = sum
            }
            return counts
        }
    }
}

extension ActivePolicy {
    /// How long a case that may still resolve itself is not listed.
    fileprivate func waitingPeriod(of group: LostGroup) -> Period {
        guard !group.reason.isUrgent else { return Period(0, .milliseconds) }
        return (group.policy.map(orderSettings) ?? history.current.orders).payWithin
    }

    /// Cases that began no later than this are listed at the instant.
    fileprivate func due(_ group: LostGroup, by instant: Instant) -> Instant {
        let waitingPeriod = waitingPeriod(of: group)
        return Period(-waitingPeriod.count, waitingPeriod.unit).end(from: instant)
    }
}

/// Goes through the groups of a ledger in parallel. In each, the oldest case is due first, so a
/// group is left at the first that is not due.
struct LostOrderSearch {
    let reader: any LedgerReading
    let policy: ActivePolicy
    let instant: Instant
    /// Later cases are omitted.
    var end = LedgerSequence(.max)

    /// How many of a group are read at once.
    private static let portion = 64
    /// How many cases that turn out to need no person a page skips, besides those it has.
    private static let mostPassedOver = 1_000

    private struct Run {
        let group: LostGroup
        var found: ArraySlice<(since: LedgerSequence, subject: LostSubject)>
        var isLast: Bool

        /// Of the next one.
        var place: LedgerSequence { found.first?.since ?? LedgerSequence(.max) }
    }

    func page(
        after start: LedgerSequence, limit: Int,
        of isMeant: (LostOrderReason) -> Bool = { _ in true }
    ) throws(LedgerError) -> (found: [LostOrder], next: LedgerSequence?) {
        var runs: [Run] = []
        for group in try reader.lostGroups() where isMeant(group.reason) {
            runs.append(try run(of: group, after: start))
        }
        var (found, last, passedOver): ([LostOrder], LedgerSequence, Int) = ([], start, 0)
        while let index = runs.indices.min(by: { runs[$0].place < runs[$1].place }),
            let (since, subject) = runs[index].found.first
        {
            guard try isDue(since, runs[index].group) else {
                runs[index].found = []
                continue
            }
            guard found.count < limit, passedOver < Self.mostPassedOver else {
                return (found, last)
            }
            last = since
            if let lost = try lost(subject, since, runs[index].group.reason) {
                found.append(lost)
            } else {
                passedOver += 1
            }
            runs[index].found.removeFirst()
            if runs[index].found.isEmpty, !runs[index].isLast {
                runs[index] = try run(of: runs[index].group, after: since)
            }
        }
        return (found, nil)
    }

    private func run(
        of group: LostGroup, after place: LedgerSequence
    ) throws(LedgerError) -> Run {
        let found = try reader.lost(in: group, after: place, limit: Self.portion)
        return Run(group: group, found: found[...], isLast: found.count < Self.portion)
    }

    private func isDue(
        _ since: LedgerSequence, _ group: LostGroup
    ) throws(LedgerError) -> Bool {
        guard since < end else { return false }
        guard let entry = try reader.entry(since) else { return true }
        return instant >= policy.waitingPeriod(of: group).end(from: entry.recordedAt)
    }

    private func lost(
        _ subject: LostSubject, _ since: LedgerSequence, _ reason: LostOrderReason
    ) throws(LedgerError) -> LostOrder? {
        switch subject {
        case .order(let id):
            guard let history = try reader.order(id) else { return nil }
            return try lost(history, since, reason)
        case .lineage(let key): return try lost(key, since)
        case .ticket(let number): return try lostTicket(number)
        }
    }

    private func lost(
        _ history: OrderHistory, _ since: LedgerSequence, _ reason: LostOrderReason
    ) throws(LedgerError) -> LostOrder {
        let order = history.order.value
        let since = history.recordedAt(since)
        let payment = try history.namedTransaction.flatMap(knownPayment)
        let (step, takesFrom) = try advice(on: history, reason, payment)
        // What the order lacks is taken from a known payment.
        let named = history.namedTransaction?.transactionID
        return LostOrder(
            id: order.id, account: history.account,
            appleID: order.appleID ?? payment?.appleID, environment: order.environment,
            product: order.product, state: policy.state(of: history, at: instant),
            reason: reason, since: since, ageSeconds: age(since),
            price: (order.price ?? payment?.price).map(PriceAnswer.init),
            transaction: named, step: step, owners: payment?.owners, takesFrom: takesFrom,
            command: step.command(for: order.id, named))
    }

    /// The advice for an order, by its payment.
    private func advice(
        on history: OrderHistory, _ reason: LostOrderReason, _ payment: OrderPayment?
    ) throws(LedgerError) -> (step: LostOrderStep, takesFrom: [AccountID]?) {
        if history.payment == nil, history.presentedByOther != nil {
            return try settling(history, payment)
        }
        switch reason {
        case .neverPaid, .waitsForApproval: return (.close, nil)
        case .withoutOutcome: return (.askApp, nil)
        case .withoutReceipt:
            return (history.refusals.isEmpty ? .deliver : .refusedEvidence, nil)
        case .withoutEvidence where payment == nil:
            return (history.refusals.isEmpty ? .askApp : .refusedEvidence, nil)
        case .withoutEvidence, .notDelivered, .inReview: return try settling(history, payment)
        case .withoutCallBack, .notFinished:
            return (history.payment == nil ? .closeGift : .finish, nil)
        case .refundedAfterDelivery: return (.acknowledge, nil)
        case .unclaimedPayment: return (.give, nil)
        case .waitsForApple: return (.askApple, nil)
        }
    }

    /// Nothing is moved if its owner is in doubt: another order has it, or a person has given it to
    /// others.
    private func settling(
        _ history: OrderHistory, _ payment: OrderPayment?
    ) throws(LedgerError) -> (step: LostOrderStep, takesFrom: [AccountID]?) {
        guard let payment, payment.paysOrders, !payment.isRevoked else { return (.leave, nil) }
        for id in try reader.orders(naming: payment.keys) where id != history.id {
            let paid = try reader.order(id)?.payment
            if paid.map(payment.keys.contains) ?? false { return (.leave, nil) }
        }
        let account = try reader.account(standingFor: policy.name(history.account), policy)
        if payment.owners.isEmpty || payment.owners.contains(account) { return (.settle, nil) }
        return payment.isRuled ? (.leave, nil) : (.take, payment.owners)
    }

    /// Nil where nothing of it was bought for money that is still there, and where an order that
    /// waits for it is on the list.
    private func lost(
        _ lineage: LineageKey, _ since: LedgerSequence
    ) throws(LedgerError) -> LostOrder? {
        guard let payment = try unclaimedPayment(of: lineage) else { return nil }
        for id in try reader.orders(naming: payment.keys) {
            // Then the order is on the list, and names it.
            switch try reader.order(id)?.standing.lostReason {
            case .notDelivered, .inReview, .withoutEvidence: return nil
            case nil, .neverPaid, .withoutOutcome, .withoutReceipt, .waitsForApproval,
                .withoutCallBack, .notFinished, .refundedAfterDelivery, .unclaimedPayment,
                .waitsForApple:
                continue
            }
        }
        let since = try reader.entry(since)?.recordedAt ?? payment.purchasedAt
        let id = payment.transaction.transactionID
        return LostOrder(
            appleID: payment.appleID, environment: lineage.environment,
            product: payment.product, reason: .unclaimedPayment, since: since,
            ageSeconds: age(since), price: payment.price.map(PriceAnswer.init),
            transaction: id, step: .give,
            command: "usher claims give\(lineage.environment.option) \(id) ACCOUNT --reason '…'")
    }

    /// How many of the newest payments that nobody owns are looked at, and how long before an order
    /// one may have been made: a client may say late what it was going to buy. Milliseconds.
    private static let (mostUnclaimed, earliest) = (256, 86_400_000 as Int64)

    /// Adds to each order without a payment what nobody owns and may be its payment.
    func propose(_ orders: inout [LostOrder]) throws(LedgerError) {
        let waiting = orders.indices.filter { orders[$0].waitsForPayment }
        guard let first = waiting.map({ orders[$0].since }).min() else { return }
        let unclaimed = try payments(since: first)
        for index in waiting {
            let order = orders[index]
            guard let product = order.product else { continue }
            orders[index].possiblePayments = Self.possible(
                unclaimed, for: product, order.environment, since: order.since)
        }
    }

    /// The same for an order without a payment.
    func possiblePayments(for history: OrderHistory) throws(LedgerError) -> [PossiblePayment] {
        let order = history.order
        return Self.possible(
            try payments(since: order.recordedAt), for: order.value.product,
            order.value.environment, since: order.recordedAt)
    }

    private static func possible(
        _ unclaimed: [OrderPayment], for product: ProductID, _ environment: StoreEnvironment,
        since: Instant
    ) -> [PossiblePayment] {
        unclaimed.filter { payment in
            payment.product == product && payment.transaction.environment == environment
                && payment.purchasedAt.milliseconds(since: since) >= -earliest
        }.map {
            PossiblePayment(
                transaction: $0.transaction.transactionID, price: $0.price.map(PriceAnswer.init),
                purchasedAt: $0.purchasedAt)
        }
    }

    /// The payments recorded since about then that nobody owns, and no order names.
    private func payments(since: Instant) throws(LedgerError) -> [OrderPayment] {
        let begin = since.advanced(byMilliseconds: -Self.earliest)
        var found: [OrderPayment] = []
        let lineages = try reader.lost(
            in: .unclaimed, after: reader.lastEntry(recordedBy: begin), limit: Self.mostUnclaimed)
        for case (_, .lineage(let key)) in lineages {
            guard let payment = try unclaimedPayment(of: key), payment.paysOrders,
                payment.token == nil
            else { continue }
            if try reader.orders(naming: payment.keys).isEmpty { found.append(payment) }
        }
        return found
    }

    /// The newest of a lineage that nobody owns.
    private func unclaimedPayment(of lineage: LineageKey) throws(LedgerError) -> OrderPayment? {
        let facts = try reader.facts(forLineage: lineage)
        let bought = facts.transactions.filter {
            $0.value.lineage == lineage && $0.value.ownership != .familyShared
        }
        return policy.deriver.payments(of: bought.map(\.value.key), facts)
            .filter { !$0.isRevoked && $0.owners.isEmpty }
            .max { $0.purchasedAt < $1.purchasedAt }
    }

    private func lostTicket(_ number: LedgerSequence) throws(LedgerError) -> LostOrder? {
        guard let ticket = try reader.ticket(number)?.ticket else { return nil }
        return LostOrder(
            id: ticket.value.order, account: ticket.value.account, appleID: nil,
            environment: ticket.value.environment ?? .production, product: nil,
            reason: .waitsForApple, since: ticket.recordedAt,
            ageSeconds: age(ticket.recordedAt), price: nil, transaction: ticket.value.transaction,
            ticket: number, step: .askApple, command: "usher evidence show \(number)")
    }

    private func knownPayment(_ key: TransactionKey) throws(LedgerError) -> OrderPayment? {
        guard try reader.lineage(of: key) != nil else { return nil }
        return policy.deriver.payments(of: [key], try reader.facts(forTransactions: [key])).first
    }

    private func age(_ since: Instant) -> Int64 {
        max(0, instant.milliseconds(since: since)) / 1_000
    }
}

extension LostOrder {
    /// Whether a payment may be its own that nothing names.
    fileprivate var waitsForPayment: Bool {
        switch reason {
        case .withoutReceipt, .withoutOutcome, .withoutEvidence, .neverPaid:
            id != nil && transaction == nil
        case .waitsForApproval, .notDelivered, .inReview, .withoutCallBack, .notFinished,
            .refundedAfterDelivery, .unclaimedPayment, .waitsForApple:
            false
        }
    }
}

extension OrderHistory {
    /// What pays it, else what another account has presented of it, else what a client or a tie
    /// named last.
    fileprivate var namedTransaction: TransactionKey? {
        payment ?? presentedByOther?.value.transaction
            ?? events.last {
                $0.value.transaction != nil && ($0.value.kind.isReport || $0.value.kind == .tied)
            }?.value.transaction
    }
}

extension LostOrderStep {
    /// To copy into a shell.
    fileprivate func command(for order: OrderID, _ payment: TransactionID?) -> String {
        let reason = " --reason '…'"
        switch self {
        case .close, .askApp, .refusedEvidence, .leave, .finish, .closeGift, .acknowledge:
            return "usher orders refuse \(order)" + reason
        case .settle, .take:
            let option = payment.map { " --transaction=\($0)" } ?? ""
            return "usher orders settle\(option) \(order)" + reason
        case .deliver: return "usher orders settle \(order)" + reason
        case .give, .askApple: return "usher orders show \(order)"
        }
    }
}

extension StoreEnvironment {
    /// As commands take it, which mean production without it.
    fileprivate var option: String { self == .production ? "" : " --environment \(rawValue)" }
}
