internal import EntitlementModel

extension History {
    /// The history of a seed.
    package static func random(seed: UInt64) -> History {
        var draw = HistoryDraw(seed: seed)
        var customers: [HistoryDraw.Customer] = []
        for index in 0..<(1 + draw.dice.below(4)) {
            customers.append(draw.customer(index, besides: customers))
        }
        for _ in 0..<(1 + draw.dice.below(4)) {
            let customer = draw.dice.pick(customers)
            switch draw.dice.below(6) {
            case 0: draw.buyForEver(customer)
            case 1, 2: draw.buyAgainAndAgain(customer)
            default: draw.subscribe(customer)
            }
        }
        for customer in customers where draw.dice.chance(1, in: 3) { draw.loadApp(customer) }
        draw.claims()
        draw.presentations()
        draw.rulings()
        draw.grantsAndBlocks()
        draw.tokens()
        draw.merges()
        let first = PolicyHistory.Activation(
            policy: draw.policy(),
            activatedAt: draw.dice.chance(1, in: 2) ? draw.beginning : draw.anyInstant())
        for _ in 0..<draw.dice.below(3) {
            let policy = draw.policy()
            draw.record(.policy(policy), at: draw.anyInstant())
        }
        // The ledger's time never decreases; what is recorded at one instant has some order.
        let events = draw.dice.shuffled(draw.events)
            .enumerated().sorted {
                ($0.element.recordedAt, $0.offset) < ($1.element.recordedAt, $1.offset)
            }.map { event in
                Dated(
                    event.element.value,
                    recordedAt: max(event.element.recordedAt, first.activatedAt))
            }
        var credits = RandomCredits(seed: seed, accounts: draw.accounts)
        let history = History(
            seed: seed, firstPolicy: first, events: credits.mixed(into: events))
        var refunds = RandomRefunds(seed: seed, draw)
        var terms = RandomCreditTerms(seed: seed)
        var tickets = RandomTickets(seed: seed)
        return tickets.mixed(into: terms.mixed(into: refunds.mixed(into: history)))
    }
}
