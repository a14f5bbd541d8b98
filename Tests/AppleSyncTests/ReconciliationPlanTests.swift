internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import Testing

@testable internal import AppleSync

/// A million in `scripts/test`.
private let customers =
    100
    * (ProcessInfo.processInfo.environment["RECONCILED_CUSTOMERS"].flatMap { Int($0) } ?? 200)

@Suite("The plan of a reconciliation", .timeLimit(.minutes(20)))
struct ReconciliationPlanTests {
    private static let now = Instant(milliseconds: 1_772_323_200_000)
    private static let day: Int64 = 86_400_000

    private static func after(_ days: Int64) -> Instant {
        now.advanced(byMilliseconds: days * day)
    }

    private static func lineage(
        _ state: EntitlementState?, from start: Int64 = -20, to end: Int64? = nil,
        signed: Int64 = -10, revoked: Int64? = nil, isSubscription: Bool = true
    ) -> LineageOutline {
        var outline = LineageOutline(key: LineageKey(.production, TransactionID(unchecked: "1")))
        outline.isSubscription = isSubscription
        outline.transactions = 1
        outline.lastSigned = after(signed)
        outline.lastRevocation = revoked.map(after)
        outline.state = state
        outline.stateSpan = Interval(from: after(start), to: end.map(after))
        return outline
    }

    static let risks: [(name: String, outline: LineageOutline, risk: RiskClass)] = [
        ("ends in a day", lineage(.active, to: 1), .expiring),
        ("ends in two days", lineage(.active, to: 2), .expiring),
        ("ends in three days", lineage(.active, to: 3), .steady),
        ("in flight", lineage(.renewing), .expiring),
        ("ended yesterday", lineage(.expired, from: -1), .expiring),
        ("ended last week", lineage(.expired, from: -7), .steady),
        ("in grace", lineage(.grace, to: 5), .retrying),
        ("in retry", lineage(.billingRetry, to: 50), .retrying),
        ("silent", lineage(.active, to: 300, signed: -46), .silent),
        ("not yet silent", lineage(.active, to: 300, signed: -45), .steady),
        ("expired and silent", lineage(.expired, from: -100, signed: -130), .steady),
        ("refunded", lineage(.revoked, revoked: -60), .refunded),
        ("refunded long ago", lineage(.revoked, revoked: -61), .steady),
        ("a refund, and about to expire", lineage(.active, to: 1, revoked: -5), .expiring),
        (
            "no subscription", lineage(nil, signed: -400, isSubscription: false), .steady
        ),
    ]

    @Test("puts each lineage into its class", arguments: risks.map(\.name))
    func classes(name: String) throws {
        let (_, outline, risk) = try #require(Self.risks.first { $0.name == name })
        #expect(outline.risk(at: Self.now) == risk)
    }

    private static func customer(_ outline: LineageOutline) -> CustomerOutline {
        CustomerOutline(
            key: AppleIDKey(unchecked: "otx:production:1"), environment: .production,
            lineages: [outline])
    }

    /// Eight in a hundred about to expire, one in retry, half a one silent, half a one refunded.
    @Test("says what a million Apple IDs cost a day, in their order, sixteen bytes each")
    func million() throws {
        let shares: [(outline: LineageOutline, perThousand: Int)] = [
            (Self.lineage(.active, to: 1), 80), (Self.lineage(.billingRetry, to: 50), 10),
            (Self.lineage(.active, to: 300, signed: -60), 5),
            (Self.lineage(.revoked, revoked: -5), 5), (Self.lineage(.active, to: 20), 900),
        ]
        var planner = ReconciliationPlanner(at: Self.now)
        var order = VisitOrder()
        var number: Int64 = 0
        for _ in 0..<(customers / 1_000) {
            for (outline, count) in shares {
                let customer = Self.customer(outline)
                for _ in 0..<count {
                    number += 1
                    planner.count(customer, note: nil)
                    order.insert(number, [customer], at: Self.now)
                }
            }
        }
        let plan = planner.plan(callsPerSecond: 5)
        let thousands = Int64(customers / 1_000)
        #expect(
            plan.classes.map(\.customers) == [80, 10, 5, 5, 900].map { $0 * thousands })
        // In thousandths: one call in 12 h, in 24 h, and a history in 30 days; two in 7 days;
        // three in 3 days; two in 30 days.
        let perDay: [Int64] = [80 * 2_033, 10 * 1_033, 5 * 285, 5 * 1_000, 900 * 66]
        #expect(
            plan.classes.map(\.callsPerDay)
                == perDay.map { ($0 * thousands + 999) / 1_000 })
        #expect(plan.due == Int64(customers))
        let numbers = order.numbers()
        #expect(numbers.count == customers)
        #expect(Set(numbers).count == customers)
        // The first of the riskiest, and all of them before any other.
        #expect(numbers.first == 1)
        let expiring = numbers.prefix(80 * Int(thousands))
        #expect(expiring.allSatisfy { ($0 - 1) % 1_000 < 80 })
        #expect(VisitOrder.bytesPerVisit == 16)
    }

    @Test("a customer is due again after the interval of its class, and not before")
    func due() {
        for risk in RiskClass.allCases {
            let customer = Self.customer(Self.lineage(.active, to: 20))
            let interval = RiskRules.interval(risk)
            var note = CustomerNote(run: 1, askedAt: Self.now)
            note.askedAt = Self.now.advanced(byMilliseconds: -interval)
            #expect(customer.isDue(risk, note: note, at: Self.now))
            note.askedAt = Self.now.advanced(byMilliseconds: 1 - interval)
            #expect(!customer.isDue(risk, note: note, at: Self.now))
            #expect(customer.isDue(risk, note: nil, at: Self.now))
        }
    }
}
