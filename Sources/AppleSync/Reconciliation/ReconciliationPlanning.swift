package import EntitlementAnswers
package import EntitlementEngine
package import EntitlementModel
package import LedgerModel

/// Counts what it costs to keep customers reconciled: a pure sum over their outlines.
struct ReconciliationPlanner {
    private struct Sum {
        var customers: Int64 = 0
        var lineages: Int64 = 0
        /// In thousandths.
        var callsPerDay: Int64 = 0
        var due: Int64 = 0
        var callsDue: Int64 = 0
    }

    let at: Instant
    private var sums: [RiskClass: Sum] = [:]

    init(at instant: Instant) {
        at = instant
    }

    mutating func count(_ customer: CustomerOutline, note: CustomerNote?) {
        let risk = customer.risk(at: at)
        var sum = sums[risk] ?? Sum()
        sum.customers += 1
        sum.lineages += Int64(customer.lineages.count)
        sum.callsPerDay += Self.callsPerDay(customer, risk)
        if customer.isDue(risk, note: note, at: at) {
            sum.due += 1
            sum.callsDue += customer.calls(risk, note: note, at: at)
        }
        sums[risk] = sum
    }

    /// In thousandths: calls of a visit by visits a day, and the histories in between.
    private static func callsPerDay(_ customer: CustomerOutline, _ risk: RiskClass) -> Int64 {
        let statuses: Int64 = customer.hasSubscriptions ? 1 : 0
        let asksHistory = !customer.hasSubscriptions || RiskRules.alwaysAsksHistory(risk)
        let refunds: Int64 = RiskRules.asksRefunds(risk) ? 1 : 0
        let calls = statuses + (asksHistory ? 1 : 0) + refunds
        let histories = asksHistory ? 0 : 1_000 * RiskRules.day / RiskRules.history
        return calls * 24_000 / RiskRules.hoursBetweenVisits(risk) + histories
    }

    func plan(callsPerSecond: Int64) -> ReconciliationPlan {
        ReconciliationPlan(
            at: at, callsPerSecond: callsPerSecond,
            classes: RiskClass.allCases.map { risk in
                let sum = sums[risk] ?? Sum()
                return ReconciliationPlan.Class(
                    risk: risk, customers: sum.customers, lineages: sum.lineages,
                    hoursBetweenVisits: RiskRules.hoursBetweenVisits(risk),
                    callsPerDay: (sum.callsPerDay + 999) / 1_000, due: sum.due,
                    callsDue: sum.callsDue)
            })
    }
}

/// Customers to visit in the order of their risk, sixteen bytes each: a million of them take
/// sixteen megabytes, and none of their facts.
struct VisitOrder {
    private struct Visit {
        /// Of the lineages that may be one Apple ID.
        let number: Int64
        /// Within a class, what is due first: when the state of the customer ends.
        let boundary: Instant
    }

    /// What each of them takes in memory.
    static var bytesPerVisit: Int { MemoryLayout<Visit>.size }

    private var visits: [RiskClass: [Visit]] = [:]
    private(set) var count = 0

    mutating func insert(_ number: Int64, _ customers: [CustomerOutline], at instant: Instant) {
        let order = RiskClass.allCases
        let risks = customers.map { $0.risk(at: instant) }
        guard let risk = order.first(where: risks.contains) else { return }
        let ends = customers.flatMap(\.lineages).compactMap { $0.stateSpan?.end }
        visits[risk, default: []].append(
            Visit(number: number, boundary: ends.min() ?? .distantPast))
        count += 1
    }

    /// The numbers, the riskiest first.
    consuming func numbers() -> [Int64] {
        var numbers: [Int64] = []
        numbers.reserveCapacity(count)
        for risk in RiskClass.allCases {
            let sorted = (visits.removeValue(forKey: risk) ?? []).sorted {
                ($0.boundary, $0.number) < ($1.boundary, $1.number)
            }
            numbers += sorted.map(\.number)
        }
        return numbers
    }
}

extension LedgerQuestions {
    /// What it costs to keep all customers of the ledger reconciled. Reads the whole ledger, a
    /// page at a time; blocks.
    ///
    /// - Parameter notes: what is kept of earlier visits; without it all are due.
    package func reconciliationPlan(
        callsPerSecond: Int64, at instant: Instant, notes: (any ReconciliationStore)? = nil
    ) throws(EngineError) -> ReconciliationPlan {
        var planner = ReconciliationPlanner(at: instant)
        let notes = notes.map { CustomerNotes(store: $0) }
        try visitCustomers(at: instant) { number, customers throws(EngineError) in
            for customer in customers {
                let note = try notes?.note(of: number, for: customer.key)
                planner.count(customer, note: note)
            }
            return true
        }
        return planner.plan(callsPerSecond: callsPerSecond)
    }

    /// Visits all that may be one Apple ID, by number, until the body returns false.
    func visitCustomers(
        at instant: Instant,
        _ body: (Int64, [CustomerOutline]) throws(EngineError) -> Bool
    ) throws(EngineError) {
        var last: Int64 = 0
        while true {
            let page = try ledger.reading { reader throws(LedgerError) in
                let reading = CustomerReading(policy: policy, reader: reader)
                var page: [(number: Int64, customers: [CustomerOutline])] = []
                for cluster in try reader.clusters(after: last, limit: CustomerReading.page) {
                    let facts = try reading.facts(of: cluster.lineage)
                    page.append((cluster.number, reading.customers(in: facts, at: instant)))
                }
                return page
            }
            guard let end = page.last?.number else { return }
            for (number, customers) in page {
                guard try body(number, customers) else { return }
            }
            last = end
        }
    }
}
