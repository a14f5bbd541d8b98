internal import EntitlementModel

extension OrderScript {
    /// The script of a seed.
    package static func random(seed: UInt64) -> OrderScript {
        var draw = OrderDraw(seed: seed)
        let first = draw.policy()
        for _ in 0..<(8 + draw.dice.below(22)) { draw.step() }
        return OrderScript(seed: seed, firstPolicy: first, steps: draw.stepsWithdrawingProducts())
    }
}

/// The dice of one script, and what has been drawn so far.
struct OrderDraw {
    var dice: SplitMix64
    private(set) var steps: [Dated<OrderStep>] = []
    private(set) var now: Instant
    /// Each number stands for what is asked for under it.
    private var orders: [ScriptedOrder] = []
    private var sales: [ScriptedSale] = []
    private var numbers: Set<Int> = []
    private let accounts: [AccountID]
    /// Most scripts are about one product: then payments and orders meet.
    private let products: [String]
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        dice = SplitMix64(seed: seed)
        now = Instant(rfc3339: "2026-03-01") ?? Instant(milliseconds: 0)
        let all = [
            AccountID(unchecked: "alice"), AccountID(unchecked: "bob"),
            AccountID(unchecked: "00000000-0000-4000-8000-00000000000c"),
            AccountID(unchecked: "00000000-0000-4000-8000-00000000000C"),
        ]
        accounts = dice.chance(1, in: 4) ? all : Array(all.prefix(dice.pick([1, 2, 2])))
        products = dice.pick([
            ["coins"], ["coins"], ["unlock"], ["gold"], ["pass", "coins"], ["gold", "silver"],
            ["gold", "silver"], ["coins", "gold", "unlock", "pass"],
        ])
    }

    /// Some later policies lack a product. With dice of their own, so that all else of a seed's
    /// script stays as it is.
    func stepsWithdrawingProducts() -> [Dated<OrderStep>] {
        var dice = SplitMix64(seed: seed ^ 0x0D1C_E0F5)
        return steps.map { step in
            guard case .policy(var policy) = step.value, dice.chance(1, in: 2) else { return step }
            policy.withdrawn = ProductID(unchecked: dice.pick(products))
            return Dated(.policy(policy), recordedAt: step.recordedAt)
        }
    }

    mutating func policy() -> ScriptedPolicy {
        ScriptedPolicy(
            payWithin: dice.pick([
                Period(30, .minutes), Period(30, .minutes), Period(10, .minutes),
                Period(1, .days),
            ]),
            matchWindow: dice.pick([
                Period(24, .hours), Period(24, .hours), Period(1, .hours), Period(3, .days),
            ]),
            latePayment: dice.chance(1, in: 4) ? .review : .deliver,
            accountToken: dice.chance(1, in: 5) ? .isAccountID : .fromOrder,
            movesOnRestore: dice.chance(1, in: 3), countsSandbox: dice.chance(1, in: 3))
    }

    /// Some time later, something happens.
    mutating func step() {
        let minutes = dice.pick([0, 0, 0, 1, 1, 5, 10, 29, 30, 60, 1_440])
        now = now.advanced(byMilliseconds: Int64(minutes) * 60_000)
        if dice.chance(1, in: 40) {
            now = now.advanced(byMilliseconds: dice.pick([3, 29, 31]) * 86_400_000)
        }
        if dice.chance(1, in: 20) { now = now.advanced(byMilliseconds: dice.pick([1, 999])) }
        switch dice.below(44) {
        case 0..<10: order()
        case 10..<13: buy(for: nil)
        case 13..<24: submit()
        case 24..<30: report()
        case 30..<34: rule()
        case 34..<36: changeSale()
        case 36: moveByHand()
        case 37: merge()
        case 38 where dice.chance(1, in: 2): record(.policy(policy()))
        case 40..<44: inform()
        default: submit()
        }
    }

    private mutating func record(_ step: OrderStep) {
        steps.append(Dated(step, recordedAt: now))
    }
}

// Orders, and what is said of them.
extension OrderDraw {
    private mutating func order() {
        var order = ScriptedOrder(
            account: dice.pick(accounts),
            environment: dice.chance(1, in: 20) ? .sandbox : .production,
            product: ProductID(unchecked: dice.pick(products)), quantity: 1)
        if dice.chance(1, in: 6) { order.quantity = dice.pick([2, 3, 1_000, 1_001, 0]) }
        order.appleID = appleID()
        if dice.chance(1, in: 2) { order.price = price() }
        if dice.chance(1, in: 5) { order.key = "k\(dice.below(2))" }
        if dice.chance(1, in: 40) { order.product = ProductID(unchecked: "nothing") }
        if !orders.isEmpty, dice.chance(1, in: 8) { order = dice.pick(orders) }
        record(.make(orders.count, order))
        orders.append(order)
        if dice.chance(2, in: 3) { buy(for: orders.count - 1) }
        // Two orders in one instant are as near to a payment.
        if dice.chance(1, in: 8) {
            record(.make(orders.count, order))
            orders.append(order)
        }
    }

    private mutating func appleID() -> AppleIDKey? {
        switch dice.below(4) {
        case 0: nil
        case 1 where !sales.isEmpty:
            AppleIDKey(unchecked: "otx:production:\(dice.pick(sales).originalTransactionID)")
        default: AppleIDKey(unchecked: "atx:production:\(dice.pick(["701", "702"]))")
        }
    }

    private mutating func price() -> Price {
        Price(milliunits: dice.pick([990, 1_990]), currency: "USD")
    }

    private mutating func reference() -> OrderReference {
        if orders.isEmpty || dice.chance(1, in: 30) { return .nobodys }
        let newest = dice.chance(1, in: 2)
        let number = newest ? orders.count - 1 : dice.below(orders.count)
        return dice.chance(1, in: 8) ? .second(of: number) : .made(number)
    }

    private mutating func transactionID() -> TransactionID? {
        if sales.isEmpty { return nil }
        return dice.chance(1, in: 2)
            ? sales[sales.count - 1].transactionID : dice.pick(sales).transactionID
    }

    private mutating func report() {
        let kind = dice.pick(
            OrderEventKind.reports + [.paying, .paying, .cancelled, .failed, .finished, .finished])
        let named = dice.chance(1, in: 3) ? transactionID() : nil
        let code = kind == .failed && dice.chance(1, in: 2) ? "E\(dice.below(2))" : nil
        let step = OrderStep.report(reference(), kind, named, storeCode: code)
        record(step)
        if dice.chance(1, in: 6) { record(step) }
    }

    private mutating func rule() {
        let order = reference()
        switch dice.below(7) {
        case 0, 1: record(.settle(order, transactionID()))
        case 2: record(.settle(order, nil))
        case 3: record(.refuse(order))
        case 4: record(.reassign(order, dice.pick(accounts)))
        case 5: record(.undo(order))
        default:
            record(dice.chance(1, in: 2) ? .refuse(order) : .settle(order, nil))
            record(.undo(order))
        }
    }

    private mutating func moveByHand() {
        guard !sales.isEmpty else { return }
        let account = dice.chance(1, in: 4) ? nil : dice.pick(accounts)
        record(.transfer(dice.pick(sales).key, account))
    }

    private mutating func merge() {
        let (from, into) = (dice.pick(accounts), dice.pick(accounts))
        record(
            dice.chance(1, in: 4)
                ? .mergeUndo(from: from, into: into) : .merge(from: from, into: into))
    }
}

// What Apple sells and signs, and who hands it in.
extension OrderDraw {
    /// With a number: what that order is for, more or less.
    private mutating func buy(for number: Int?) {
        let order = number.map { orders[$0] }
        let product = order.map(\.product.text) ?? dice.pick(products)
        let known = dice.chance(1, in: 10) ? dice.pick(["coins", "gold"]) : product
        let kinds: [String: ProductKind] = [
            "coins": .consumable, "gold": .autoRenewable, "silver": .autoRenewable,
            "unlock": .nonConsumable, "pass": .nonRenewing,
        ]
        guard let kind = kinds[known] else { return }
        let minutes = dice.pick([0, 0, 0, 0, -1, -5, -6, -60, -1_500])
        let start = now.advanced(byMilliseconds: Int64(minutes) * 60_000 - dice.pick([0, 0, 1]))
        var sale = ScriptedSale(
            ProductID(unchecked: known), kind, transactionID: newTransactionID(),
            purchaseDate: start,
            expiresDate: kind == .autoRenewable
                ? start.advanced(byMilliseconds: 86_400_000 * dice.pick([1, 30])) : nil)
        sale.token = token(for: number)
        sale.environment =
            dice.chance(1, in: 20) ? .sandbox : order?.environment ?? .production
        sale.appTransactionID =
            dice.chance(2, in: 3) ? AppTransactionID(unchecked: dice.pick(["701", "702"])) : nil
        if dice.chance(1, in: 2) { sale.price = order?.price ?? price() }
        if kind == .consumable { sale.quantity = dice.pick([1, 1, 2]) }
        sale.isFamilyShared = kind != .consumable && dice.chance(1, in: 20)
        sale.isOfferCode = dice.chance(1, in: 15)
        sales.append(sale)
        guard dice.chance(1, in: 2) else { return }
        hand(in: [sale], by: order?.account ?? dice.pick(accounts))
    }

    private mutating func token(for number: Int?) -> ScriptedSale.Token {
        switch dice.below(10) {
        case 0: .order(reference())
        case 1: .other("00000000-0000-4000-8000-00000000000\(dice.pick(["c", "d"]))")
        case 2..<7: number.map { .order(.made($0)) } ?? .none
        default: .none
        }
    }

    private mutating func newTransactionID() -> TransactionID {
        while true {
            let number = 1 + dice.below(dice.pick([9, 99, 999]))
            if numbers.insert(number).inserted { return TransactionID(unchecked: "\(number)") }
        }
    }

    private mutating func submit() {
        guard !sales.isEmpty else { return }
        let sale = dice.chance(1, in: 2) ? sales[sales.count - 1] : dice.pick(sales)
        var account: AccountID? = dice.chance(1, in: 4) ? nil : dice.pick(accounts)
        if case .order(.made(let number)) = sale.token, dice.chance(1, in: 2) {
            account = orders[number].account
        }
        var handed = [sale]
        if dice.chance(1, in: 8) {
            // A receipt says seconds, and nothing of refunds.
            let others = sales.filter {
                $0.environment == sale.environment && $0.refundedAt == nil
                    && $0.purchaseDate.milliseconds % 1_000 == 0
            }
            handed = Array(others.suffix(4))
        }
        hand(in: handed.isEmpty ? [sale] : handed, by: account)
    }

    private mutating func hand(in handed: [ScriptedSale], by account: AccountID?) {
        var evidence = ScriptedEvidence(
            sales: handed, isReceipt: handed.count > 1, account: account)
        if account != nil {
            if dice.chance(1, in: 4) { evidence.order = reference() }
            evidence.moment = dice.pick([nil, nil, nil, .restore, .purchase])
        }
        record(.submit(evidence))
        if dice.chance(1, in: 8) { record(.submit(evidence)) }
    }

    /// The same sale as Apple signs it later, or a renewal of it.
    private mutating func changeSale() {
        guard !sales.isEmpty else { return }
        let place = dice.chance(1, in: 2) ? sales.count - 1 : dice.below(sales.count)
        var sale = sales[place]
        sale.signedDate = max(sale.signedDate.advanced(byMilliseconds: 1_000), now)
        switch dice.below(6) {
        case 0 where sale.kind == .autoRenewable:
            sale.transactionID = newTransactionID()
            sale.purchaseDate = sale.expiresDate ?? now
            sale.expiresDate = sale.purchaseDate.advanced(byMilliseconds: 86_400_000)
            sale.isRenewal = dice.chance(3, in: 4)
            if dice.chance(1, in: 2) { sale.product = plan() }
            // An upgrade is at once.
            if !sale.isRenewal, dice.chance(1, in: 2) { sale.purchaseDate = now }
            sale.refundedAt = nil
            sales.append(sale)
        case 1 where sale.kind == .consumable || sale.kind == .nonRenewing:
            // The same purchase on another device.
            sale.transactionID = newTransactionID()
            sales.append(sale)
        case 2:
            sale.refundedAt = nil
            sales[place] = sale
        default:
            sale.refundedAt = sale.refundedAt == nil ? max(sale.purchaseDate, now) : nil
            sales[place] = sale
        }
        if dice.chance(2, in: 3) {
            hand(in: [sale], by: dice.chance(1, in: 2) ? nil : dice.pick(accounts))
        }
    }
}

// What Apple says of renewals.
extension OrderDraw {
    private mutating func plan() -> ProductID {
        ProductID(unchecked: dice.pick(["gold", "silver"]))
    }

    private mutating func inform() {
        guard let sale = sales.last(where: { $0.kind == .autoRenewable }) else { return submit() }
        if dice.chance(1, in: 2) { return dice.chance(1, in: 3) ? switchOn(sale) : change(sale) }
        tell(sale, dice.chance(1, in: 3) ? sale.product : plan(), isOn: dice.chance(3, in: 4))
    }

    private mutating func tell(_ sale: ScriptedSale, _ next: ProductID, isOn: Bool = true) {
        let signed = dice.chance(1, in: 8) ? sale.purchaseDate : now
        record(
            .inform(ScriptedRenewal(of: sale, as: next, isOn: isOn, signedDate: signed)))
    }

    private mutating func order(_ product: ProductID, after sale: ScriptedSale) {
        now = max(now, sale.purchaseDate.advanced(byMilliseconds: 1_000))
        orders.append(
            ScriptedOrder(
                account: dice.pick(accounts), environment: sale.environment, product: product))
        record(.make(orders.count - 1, orders[orders.count - 1]))
    }

    /// The renewal is off, the customer buys again, and it is on.
    private mutating func switchOn(_ sale: ScriptedSale) {
        let other = dice.chance(1, in: 2) ? sale.product : plan()
        tell(sale, other, isOn: dice.chance(1, in: 4))
        order(sale.product, after: sale)
        now = now.advanced(byMilliseconds: dice.pick([0, 1, 60_000]))
        tell(sale, sale.product)
    }

    /// Another plan is ordered, from the renewal on; it may be taken back, or come.
    private mutating func change(_ sale: ScriptedSale) {
        let next = ProductID(unchecked: sale.product.text == "gold" ? "silver" : "gold")
        order(next, after: sale)
        if dice.chance(3, in: 4) { tell(sale, next) }
        if dice.chance(1, in: 3) {
            var evidence = ScriptedEvidence(
                sales: [sale], isReceipt: false, account: orders[orders.count - 1].account)
            evidence.order = .made(orders.count - 1)
            record(.submit(evidence))
        }
        if dice.chance(1, in: 3) { return tell(sale, sale.product, isOn: dice.chance(2, in: 3)) }
        var renewal = sale
        renewal.transactionID = newTransactionID()
        renewal.purchaseDate = max(now, sale.expiresDate ?? now)
        renewal.expiresDate = renewal.purchaseDate.advanced(byMilliseconds: 86_400_000)
        renewal.product = dice.chance(4, in: 5) ? next : sale.product
        renewal.isRenewal = dice.chance(4, in: 5)
        renewal.refundedAt = nil
        if dice.chance(1, in: 3) { renewal.token = .none }
        now = renewal.purchaseDate
        renewal.signedDate = now
        sales.append(renewal)
        hand(in: [renewal], by: dice.chance(1, in: 2) ? nil : dice.pick(accounts))
        if dice.chance(1, in: 3) { hand(in: [sale], by: nil) }
    }
}
