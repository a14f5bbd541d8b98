internal import EntitlementModel

/// Rules on refunds, consents, what Apple asks, and what orders promised. They have dice of their own, so that all else of a
/// seed's history stays as it is.
struct RandomRefunds {
    private var dice: SplitMix64
    private let accounts: [AccountID]
    private let transactions: [TransactionSnapshot]
    private let instants: [Instant]

    init(seed: UInt64, _ draw: HistoryDraw) {
        dice = SplitMix64(seed: seed ^ 0x5EF0_1D5E_F01D)
        accounts = draw.accounts
        transactions = draw.transactions
        instants = draw.instants
    }

    mutating func mixed(into history: History) -> History {
        var history = history
        history.changePolicies { $0.refundRules = rules() }
        if let last = history.events.last?.recordedAt {
            for _ in 0..<dice.below(6) {
                let place = dice.below(history.events.count + 1)
                let instant =
                    place < history.events.count ? history.events[place].recordedAt : last
                let consent = HistoryEvent.refundConsent(
                    dice.pick(accounts), isGiven: dice.chance(3, in: 4))
                history.events.insert(Dated(consent, recordedAt: instant), at: place)
            }
        }
        guard !transactions.isEmpty else { return history }
        for _ in 0..<(1 + dice.below(6)) { history.refundRequests.append(request()) }
        if dice.chance(1, in: 3) {
            for _ in 0...dice.below(4) { insertPromise(into: &history) }
        }
        return history
    }

    /// A payment that came up to some days after its order, recorded at any place of the history.
    /// Nobody can order the app itself.
    private mutating func insertPromise(into history: inout History) {
        let orderable = transactions.filter { $0.productID != .app }
        guard !orderable.isEmpty else { return }
        let bought = dice.pick(orderable)
        let earlier = Int64(dice.below(20 * 86_400_000))
        let promise = OrderPromise(
            transaction: TransactionKey(bought.environment, bought.transactionID),
            order: OrderID(unchecked: "00000000-0000-4000-8000-00000000000a"),
            soldAt: dice.chance(1, in: 5)
                ? nil : bought.purchaseDate.advanced(byMilliseconds: -earlier))
        let place = dice.below(history.events.count + 1)
        let instant =
            place < history.events.count
            ? history.events[place].recordedAt : history.events.last?.recordedAt
        history.events.insert(
            Dated(.promise(promise), recordedAt: instant ?? bought.purchaseDate), at: place)
    }

    private mutating func request() -> RefundRequest {
        let bought = dice.pick(transactions)
        let environment: StoreEnvironment =
            dice.chance(1, in: 30) ? dice.pick([.production, .sandbox]) : bought.environment
        return RefundRequest(
            transaction: TransactionKey(environment, bought.transactionID),
            askedAt: askedAt(bought), isAdvancedCommerce: dice.chance(1, in: 5))
    }

    /// Somewhere in what was bought, at one of its ends, or when something else happened.
    private mutating func askedAt(_ bought: TransactionSnapshot) -> Instant {
        switch dice.below(4) {
        case 0: return dice.pick(instants)
        case 1: return bought.expiresDate ?? dice.pick(instants)
        case 2:
            return dice.pick(instants).advanced(byMilliseconds: Int64(dice.below(86_400_000)))
        default:
            let length = bought.expiresDate.map { $0.milliseconds(since: bought.purchaseDate) }
            let passed = Int64(dice.below(Int(max(length ?? 864_000_000, 1))))
            return bought.purchaseDate.advanced(byMilliseconds: passed)
        }
    }

    private mutating func rules() -> [RefundRule] {
        let count = dice.below(4)
        return (0..<count).map { line in
            var rule = RefundRule(
                reference: RuleReference(
                    name: "refund \(line + 1)", file: "rules.yaml", line: line + 1),
                when: condition(fields: dice.below(3)),
                answer: dice.pick([.grant, .prorate, .prorate, .decline, .nothing]))
            if dice.chance(1, in: 4) { rule.unless = condition(fields: 1) }
            return rule
        }
    }

    /// Conditions over every field that a rule on refunds may use (spec 2.1).
    private mutating func condition(fields: Int) -> Condition {
        var condition = Condition()
        for _ in 0..<fields {
            switch dice.below(10) {
            case 0: condition.kinds = dice.some(of: ProductKind.allCases)
            case 1: condition.products = [NamePattern(dice.pick(["gold", "*s*", "*", "d*y"]))]
            case 2: condition.groups = [dice.pick([Shelf.membership, Shelf.news])]
            case 3: condition.levels = dice.some(of: Shelf.levels)
            case 4: condition.environments = [dice.pick([.production, .sandbox])]
            case 5: condition.ownerships = dice.some(of: OwnershipWord.allCases)
            case 6: condition.accounts = [NamePattern(dice.pick(["alice", "b*", "0*", "*C"]))]
            case 7: condition.storefronts = dice.some(of: ["USA", "CHN"])
            case 8: condition.purchased = [bound()]
            default: condition.at = [bound()]
            }
        }
        return condition
    }

    private mutating func bound() -> DateBound {
        let instant = dice.pick(instants)
        return dice.chance(1, in: 2) ? .before(instant) : .from(instant)
    }
}
