internal import Crypto
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Matches payments with orders inside one commit (spec 1.8). A decision stays: a known payment
/// changes nothing when it is recorded again.
struct OrderLedger {
    let commit: EngineTransaction
    var ledger: any LedgerWriting { commit.transaction }
    /// Accounts about whom something was written.
    private(set) var touched: Set<AccountID> = []

    init(_ commit: EngineTransaction) {
        self.commit = commit
    }

    /// The source of an event without a person: submitted evidence, or a notification.
    static let evidence = "evidence"
    var actor = Self.evidence
    /// The account that presents what is matched; nil for nobody.
    var claimant: AccountID?

    /// Whose orders a payment is compared with.
    private struct Buyer: Hashable {
        let account: AccountID
        let product: ProductID
    }

    /// Matches each payment with its order, and updates paid ones. Names decide before comparisons.
    ///
    /// - Parameters:
    ///   - claimant: the account that submitted the evidence.
    ///   - named: the payment of the order that was named with it, which is the claimant's.
    ///   - actor: the person whose ruling changed the owners; nil for evidence.
    mutating func settle(
        _ payments: [OrderPayment], claimant: AccountID?,
        named: (order: OrderID, payment: TransactionKey)? = nil, by actor: String? = nil
    ) throws(LedgerError) {
        self.actor = actor ?? (claimant == nil ? OrderEvent.notifier : Self.evidence)
        self.claimant = claimant
        var compared: [OrderPayment] = []
        for payment in payments {
            let isNamed = named?.payment == payment.transaction
            let place = try decisive(payment, named: isNamed ? named?.order : nil)
            if let place {
                try settle(payment, at: place, claimant)
            } else {
                try noteOtherEnvironment(of: payment)
                compared.append(payment)
            }
        }
        var others: [Buyer: [OrderCandidate]] = [:]
        for payment in compared where try compare(payment, claimant, with: &others, of: compared) {
            others = [:]
        }
    }

    /// An order is named, by the signed token or with the evidence.
    private mutating func settle(
        _ payment: OrderPayment, at place: OrderPlace, _ claimant: AccountID?
    ) throws(LedgerError) {
        let known = try histories(ledger.orders(naming: payment.keys))
        let paid = known.first { $0.isPaid(by: payment) }
        if try takePlace(payment, place, from: paid, claimant) { return }
        if let paid { return try follow(claimant == nil ? paid : callBack(paid), payment) }
        guard payment.paysOrders, !known.contains(where: { $0.isTied(by: payment) }) else { return }
        _ = try apply(OrderMatching(payment).match(named: place, others: []), payment)
    }

    /// Only a client's report decides: compares the orders of those who may have made the payment.
    ///
    /// - Returns: whether anything was written.
    private mutating func compare(
        _ payment: OrderPayment, _ claimant: AccountID?,
        with others: inout [Buyer: [OrderCandidate]], of payments: [OrderPayment]
    ) throws(LedgerError) -> Bool {
        let known = try histories(ledger.orders(naming: payment.keys))
        if let paid = known.first(where: { $0.isPaid(by: payment) }) {
            try follow(claimant == nil ? paid : callBack(paid), payment)
            return false
        }
        guard payment.paysOrders, !known.contains(where: { $0.isTied(by: payment) }) else {
            return false
        }
        let account = claimant ?? payment.owners.first
        let reported = try reported(payment, known, by: account)
        // A purchase with another owner was made by another account.
        let isOwn = payment.owners.isEmpty || account.map(payment.owners.contains) ?? false
        var comparable: [OrderCandidate] = []
        if isOwn, let account, reported.isEmpty {
            // Payments that no account hands in may be of several.
            let buyer = Buyer(account: account, product: payment.product)
            if others[buyer] == nil {
                others[buyer] = try commit.orders.candidates(
                    of: account, for: payment.product, paidBy: payments)
            }
            comparable = others[buyer] ?? []
        }
        if try apply(match(payment, reported, comparable), payment) { return true }
        return try tell(payment, of: claimant, known)
    }

    func match(
        _ payment: OrderPayment, _ reported: [OrderCandidate], _ others: [OrderCandidate]
    ) -> OrderMatch {
        let matching = OrderMatching(payment)
        if reported.count > 1 { return matching.tie(reported) }
        return matching.match(
            named: reported.first.map { ($0, .transactionID) }, others: others)
    }

    /// The order that a payment pays.
    func order(paidBy payment: OrderPayment) throws(LedgerError) -> OrderHistory? {
        try histories(ledger.orders(naming: payment.keys)).first { $0.isPaid(by: payment) }
    }

    /// The payment of an order named with evidence: what pays it or carries its token; otherwise,
    /// of the candidates, the first one bought after the order was made, or the last one before.
    func payment(
        of order: OrderHistory, among payments: [OrderPayment]
    ) throws(LedgerError) -> TransactionKey? {
        let candidate = commit.orders.candidate(order)
        var possible: [OrderPayment] = []
        for payment in payments {
            let named = try self.order(named: payment)
            if order.isPaid(by: payment) || named?.id == order.id { return payment.transaction }
            if named == nil, OrderMatching(payment).canPay(candidate) { possible.append(payment) }
        }
        let sorted = possible.sorted { $0.purchasedAt < $1.purchasedAt }
        let best = sorted.first { $0.purchasedAt >= order.order.recordedAt } ?? sorted.last
        return best?.transaction
    }

    /// The order whose token the purchase carries, where the purchase counts for it.
    private func order(named payment: OrderPayment) throws(LedgerError) -> OrderHistory? {
        guard let token = payment.token, let order = try ledger.order(OrderID(token)),
            payment.environments.contains(order.order.value.environment)
        else { return nil }
        return order
    }

    /// The order's very token comes with a purchase of another environment that does not count: a
    /// person sees it, and the order can still be paid.
    private mutating func noteOtherEnvironment(of payment: OrderPayment) throws(LedgerError) {
        guard payment.paysOrders, let token = payment.token,
            let order = try ledger.order(OrderID(token)), order.payment == nil,
            !order.hasSeen(payment)
        else { return }
        try see(payment, of: order, differences: [.environment])
    }

    /// The possible payment of the order is known, or ambiguous.
    mutating func see(
        _ payment: OrderPayment, of order: OrderHistory, differences: [OrderDifference] = [],
        presenter: AccountID? = nil
    ) throws(LedgerError) {
        _ = try append(
            OrderEvent(
                order: order.id, kind: .seen, state: order.recordedState,
                transaction: payment.transaction, differences: differences,
                presenter: presenter, actor: actor), to: order)
    }

    /// The order decided by name: the signed token before the caller's statement.
    private func decisive(
        _ payment: OrderPayment, named: OrderID?
    ) throws(LedgerError) -> OrderPlace? {
        if let order = try order(named: payment) {
            return (commit.orders.candidate(order), .token)
        }
        guard let named, let order = try ledger.order(named) else { return nil }
        return (commit.orders.candidate(order), .orderID)
    }

    /// The orders for which a client has reported the payment, of those who may have made it.
    func reported(
        _ payment: OrderPayment, _ known: [OrderHistory], by account: AccountID?
    ) throws(LedgerError) -> [OrderCandidate] {
        var candidates: [OrderCandidate] = []
        for history in known
        where !history.reportedTransactions.isDisjoint(with: payment.keys) {
            let owner = try commit.orders.owner(of: history)
            guard owner == account || payment.owners.contains(owner) else { continue }
            let candidate = commit.orders.candidate(history)
            if OrderMatching(payment).canPay(candidate) { candidates.append(candidate) }
        }
        return candidates
    }

    func histories(_ ids: [OrderID]) throws(LedgerError) -> [OrderHistory] {
        var histories: [OrderHistory] = []
        for id in ids {
            if let history = try ledger.order(id) { histories.append(history) }
        }
        return histories
    }

    /// - Returns: whether anything was written.
    mutating func apply(
        _ match: OrderMatch, _ payment: OrderPayment
    ) throws(LedgerError) -> Bool {
        switch match {
        case .none: return false
        case .pays(let id, let basis, let comparison):
            guard let history = try ledger.order(id) else { return false }
            try pay(history, by: payment, basis, comparison)
        case .second(let id, let basis):
            guard let history = try ledger.order(id) else { return false }
            try addOrder(beside: history, for: payment, basis)
        case .tied(let comparisons):
            var isTied = false
            for comparison in comparisons {
                guard let history = try ledger.order(comparison.order),
                    let state = commit.orders.candidate(history).state.after(.tied)
                else { continue }
                _ = try append(
                    OrderEvent(
                        order: history.id, kind: .tied, state: state,
                        transaction: payment.transaction, comparison: comparisons,
                        actor: actor), to: history)
                isTied = true
            }
            return isTied
        }
        return true
    }

    mutating func pay(
        _ history: OrderHistory, by payment: OrderPayment, _ basis: OrderMatchBasis,
        _ comparison: [OrderComparison]
    ) throws(LedgerError) {
        guard let state = commit.orders.candidate(history).state.after(.paid) else { return }
        let paid = try append(
            OrderEvent(
                order: history.id, kind: .paid, state: state, transaction: payment.transaction,
                basis: basis, comparison: comparison,
                differences: payment.differences(from: history.order.value),
                presenter: basis == .transactionID ? try presenter(beside: history) : nil,
                actor: actor), to: history)
        try follow(paid, payment)
    }

    /// The account that submitted what another account's client had reported.
    private func presenter(beside order: OrderHistory) throws(LedgerError) -> AccountID? {
        guard let claimant, try commit.standing(for: order.account) != claimant else { return nil }
        return claimant
    }

    /// A second payment under one token: another purchase of a consumable, which is delivered; for
    /// anything else a person decides.
    private mutating func addOrder(
        beside history: OrderHistory, for payment: OrderPayment, _ basis: OrderMatchBasis
    ) throws(LedgerError) {
        let first = history.order.value
        // What pays it is of the same line, and was known first.
        if case .lineage(let key) = payment.unit, let paying = history.payment,
            try ledger.lineage(of: paying) == key
        {
            return
        }
        let id = OrderID.second(of: history.id, payment.transaction)
        // A person has closed it: it stays so.
        guard try ledger.order(id) == nil else { return }
        // After a merge up to an instant the first one's maker is the next guest.
        let isMerged = try commit.mergedInto(history.account) != nil
        let maker = commit.policy.name(history.account)
        let order = Order(
            id: id, account: isMerged ? maker : try commit.orders.owner(of: history),
            environment: first.environment, product: payment.product,
            quantity: payment.quantity, policy: commit.policy.digest, parent: history.id,
            actor: actor)
        let made = OrderHistory(order: try commit.append(order, as: .order(order)))
        if payment.kind == .consumable {
            try pay(made, by: payment, basis, [])
        } else {
            _ = try append(
                OrderEvent(
                    order: order.id, kind: .tied, state: .review,
                    transaction: payment.transaction, basis: basis, actor: actor),
                to: made)
        }
    }

    /// A client has come back with a payment that was known from Apple only.
    private mutating func callBack(_ history: OrderHistory) throws(LedgerError) -> OrderHistory {
        guard history.standing.marks.contains(.isFromApple),
            let state = history.recordedState.after(.calledBack)
        else { return history }
        return try append(
            OrderEvent(
                order: history.id, kind: .calledBack, state: state,
                transaction: history.payment, actor: actor), to: history)
    }

    /// Accounts have come to own something: delivers what they have paid for and have now.
    ///
    /// - Parameter actor: the person who ruled, or merged; nil for evidence.
    mutating func deliver(
        to accounts: Set<AccountID>, by actor: String? = nil
    ) throws(LedgerError) {
        for account in accounts.sorted() {
            try deliver(commit.orders.undelivered(of: account), by: actor)
        }
    }

    /// The same for paid orders.
    mutating func deliver(
        _ orders: [OrderHistory], by actor: String? = nil
    ) throws(LedgerError) {
        if let actor { self.actor = actor }
        for history in orders where history.recordedState == .paid {
            guard let payment = history.payment else { continue }
            let facts = try ledger.facts(forClaimsOn: [payment], by: [])
            for payment in commit.policy.deriver.payments(of: [payment], facts) {
                try follow(history, payment)
            }
        }
    }

    /// The outcome of a paid order's payment: returned, delivered, or refunded.
    mutating func follow(_ history: OrderHistory, _ payment: OrderPayment) throws(LedgerError) {
        var history = history
        func event(_ kind: OrderEventKind, _ state: OrderState) -> OrderEvent {
            OrderEvent(
                order: history.id, kind: kind, state: state, transaction: payment.transaction,
                actor: actor)
        }
        if history.recordedState == .refunded, !payment.isRevoked {
            history = try append(
                event(.refundReversed, history.stateBeforeRefund), to: history)
        }
        let account = try commit.orders.owner(of: history)
        if history.recordedState == .paid, payment.owners.contains(account) {
            // The payment takes the place of what a person gave for it.
            for grant in history.grants { try end(grant, paidBy: payment.transaction) }
            let isFinished = history.events.contains { $0.value.kind == .finished }
            history = try append(
                event(.delivered, isFinished ? .finished : .delivered), to: history)
        }
        guard payment.isRevoked, history.recordedState.isPaid,
            history.recordedState != .refunded
        else { return }
        _ = try append(event(.refunded, .refunded), to: history)
    }

    mutating func append(
        _ event: OrderEvent, to history: OrderHistory
    ) throws(LedgerError) -> OrderHistory {
        let before = history.payment
        var history = history
        history.events.append(try commit.append(event, as: .orderEvent(event)))
        touched.insert(try commit.orders.owner(of: history))
        if history.payment != before { try keepPromise(of: history, after: before) }
        return history
    }

    /// What pays the order now counts as sold when it was made, if it came within the time that its
    /// policy promises; what paid it before does no longer.
    private mutating func keepPromise(
        of history: OrderHistory, after former: TransactionKey?
    ) throws(LedgerError) {
        for (payment, soldAt) in [(former, nil), (history.payment, history.order.recordedAt)] {
            guard let payment,
                let end = history.promisedUntil(commit.orders.candidate(history).settings)
            else { continue }
            let facts = try ledger.facts(forClaimsOn: [payment], by: [])
            for paid in commit.policy.deriver.payments(of: [payment], facts)
            where paid.product == history.order.value.product
                && history.order.recordedAt <= paid.purchasedAt && paid.purchasedAt < end
            {
                let promise = OrderPromise(
                    transaction: paid.transaction, order: history.id, soldAt: soldAt)
                _ = try commit.append(promise, as: .orderPromise(promise))
                touched.formUnion(paid.owners)
            }
        }
    }

    /// Ends a person's grant, wherever merges have moved it.
    ///
    /// - Parameter payment: what takes its place; nil where it is undone.
    mutating func end(
        _ id: GrantID, paidBy payment: TransactionKey?, actor: String? = nil
    ) throws(LedgerError) {
        var place = try ledger.sequence(of: id)
        var given: Instant?
        while let known = place, case .grant(let grant)? = try ledger.entry(known)?.value {
            let since = given ?? grant.from
            given = since
            let ended = try ledger.facts(forAccount: grant.account).grantRevocations.first {
                $0.value.grant == grant.id && $0.sequence > known
            }
            if let ended {
                place = try grantMoved(with: ended)
                continue
            }
            let revocation = GrantRevocation(
                grant: grant.id, account: grant.account, actor: actor ?? self.actor,
                reason: "order",
                effect: payment.map { .paid($0, given: since) } ?? .undone)
            _ = try commit.append(revocation, as: .grantRevocation(revocation))
            touched.insert(grant.account)
            return
        }
    }

    /// The grant that a merge gave for one that it ended. A merge writes the ends, and then as many
    /// grants, in the same order.
    private func grantMoved(
        with revocation: Recorded<GrantRevocation>
    ) throws(LedgerError) -> LedgerSequence? {
        func kind(_ number: Int64) throws(LedgerError) -> EntryKind? {
            let entry = try ledger.entry(LedgerSequence(number))
            guard let entry, entry.recordedAt == revocation.recordedAt else { return nil }
            return entry.value.registered.kind
        }
        var (first, next) = (revocation.sequence.number, revocation.sequence.number + 1)
        while try kind(first - 1) == .grantRevocation { first -= 1 }
        while try kind(next) == .grantRevocation { next += 1 }
        let place = LedgerSequence(next + revocation.sequence.number - first)
        guard case .grant(let grant)? = try ledger.entry(place)?.value,
            grant.id.text.hasPrefix("merge-")
        else { return nil }
        return place
    }
}

/// An order that is named for a payment, and by what.
typealias OrderPlace = (candidate: OrderCandidate, basis: OrderMatchBasis)

extension OrderHistory {
    func isPaid(by other: OrderPayment) -> Bool {
        payment.map(other.keys.contains) ?? false
    }

    /// Whether the order already has this payment as not its own.
    func hasSeen(_ payment: OrderPayment) -> Bool {
        events.contains { event in
            event.value.kind == .seen
                && event.value.transaction.map(payment.keys.contains) ?? false
        }
    }

    /// Whether a person has to decide whether the payment is this order's.
    fileprivate func isTied(by payment: OrderPayment) -> Bool {
        // A payment named by a client may still be another order's.
        recordedState == .review
            && events.contains { event in
                event.value.kind == .tied
                    && event.value.transaction.map(payment.keys.contains) ?? false
            }
    }
}

extension OrderID {
    /// Deterministic for one payment and one order.
    fileprivate static func second(of first: OrderID, _ payment: TransactionKey) -> OrderID {
        let text = "\(first.text) \(payment.environment.rawValue) \(payment.transactionID.text)"
        let digest = Array(SHA256.hash(data: Array(text.utf8)))
        func word(_ start: Int) -> UInt64 {
            digest[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        return OrderID(uuid: (word(0), word(8)), version: 8)
    }
}
