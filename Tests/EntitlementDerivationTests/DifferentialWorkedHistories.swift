internal import EntitlementModel
internal import EntitlementSpecification
internal import Testing

/// A worked history of spec 1.4: what Apple signed, in days from the first purchase, and the states
/// that follow.
struct WorkedHistory: Sendable, CustomTestStringConvertible {
    var name: String
    var transactions: [TransactionSnapshot]
    var renewals: [RenewalSnapshot] = []
    /// `active 0, renewing 60, expired 60.04`: each state with the day it begins on.
    var states: [(EntitlementState, from: Instant)]
    var reason: ExpiryReason?
    var finding: Finding.Kind?

    var testDescription: String { name }

    var facts: FactSet {
        var facts = FactSet()
        for (index, snapshot) in transactions.enumerated() {
            facts.transactions.append(recorded(snapshot, index))
        }
        for (index, snapshot) in renewals.enumerated() {
            facts.renewals.append(recorded(snapshot, transactions.count + index))
        }
        return facts
    }

    private func recorded<Value>(_ value: Value, _ index: Int) -> Recorded<Value> {
        Recorded(
            sequence: LedgerSequence(Int64(index) + 1), recordedAt: day(0), value: value)
    }

    static let lineage = LineageKey(.production, TransactionID(unchecked: "1"))
}

/// The instant `days` after the first purchase.
func day(_ days: Double) -> Instant {
    Instant(milliseconds: 1_767_225_600_000 + Int64(days * 86_400_000))
}

/// An hour after a day: the end of the leeway.
func hourAfter(_ days: Double) -> Instant {
    day(days).advanced(byMilliseconds: 3_600_000)
}

/// `T n [a,b) @s`; s is a where it is left out.
private func transaction(
    _ number: Int, _ bought: Double, _ expires: Double, signed: Double? = nil,
    web: String? = nil, refunded: Double? = nil, isUpgraded: Bool = false, seats: Int64 = 1,
    isAddition: Bool = false
) -> TransactionSnapshot {
    let signed = signed ?? bought
    var snapshot = TransactionSnapshot(
        environment: .production, bundleID: BundleID(unchecked: "com.example.reader"),
        transactionID: TransactionID(unchecked: "\(number)"),
        originalTransactionID: TransactionID(unchecked: "1"),
        productID: ProductID(unchecked: "gold"), purchaseDate: day(bought),
        signedDate: day(signed), source: source(number, signed))
    snapshot.kind = .known(.autoRenewable)
    snapshot.ownership = .purchased
    snapshot.expiresDate = day(expires)
    snapshot.webOrderLineItemID = web.map { WebOrderLineItemID(unchecked: $0) }
    snapshot.revocation = refunded.map { Revocation(date: day($0)) }
    snapshot.isUpgraded = isUpgraded
    snapshot.quantity = seats
    snapshot.additionalReason = isAddition ? .known(.seatAddition) : nil
    return snapshot
}

/// `R @s`.
private func renewal(
    _ signed: Double, renews: Double? = nil, retry: Bool = false, grace: Double? = nil,
    autoRenew: Bool = true, intent: Int64? = nil
) -> RenewalSnapshot {
    var snapshot = RenewalSnapshot(
        environment: .production, originalTransactionID: TransactionID(unchecked: "1"),
        signedDate: day(signed), source: source(100, signed))
    snapshot.renewalDate = renews.map(day)
    snapshot.isInBillingRetryPeriod = retry ? true : nil
    snapshot.gracePeriodExpiresDate = grace.map(day)
    snapshot.autoRenewStatus = autoRenew
    snapshot.expirationIntent = intent.map(ExpirationIntent.init(signedNumber:))
    return snapshot
}

private func source(_ number: Int, _ signed: Double) -> EvidenceSource {
    let bytes = (0..<32).map { UInt8(truncatingIfNeeded: $0 &* number &+ Int(signed * 8)) }
    guard let digest = Digest256(bytes) else { preconditionFailure("32 bytes are a digest") }
    return EvidenceSource(form: .jws, trust: .signed, canonicalDigest: digest)
}

extension WorkedHistory {
    /// The table of spec 1.4, row by row.
    static let all: [WorkedHistory] = renewing + failing + refundedOrReplaced

    private static let renewing = [
        WorkedHistory(
            name: "a renewal signed half a day early",
            transactions: [transaction(1, 0, 30), transaction(2, 30, 60, signed: 29.5)],
            renewals: [renewal(0, renews: 30), renewal(29.5, renews: 60)],
            states: [(.active, day(0)), (.renewing, day(60)), (.expired, hourAfter(60))]),
        WorkedHistory(
            name: "the same, auto-renew off said before the renewal",
            transactions: [transaction(1, 0, 30), transaction(2, 30, 60, signed: 29.5)],
            renewals: [
                renewal(0, renews: 30), renewal(29.4, renews: 60, autoRenew: false),
            ],
            states: [(.active, day(0)), (.expired, day(60))], reason: .cancelled),
        WorkedHistory(
            name: "an extension",
            transactions: [transaction(1, 0, 30), transaction(1, 0, 30, signed: 25)],
            renewals: [renewal(20, renews: 44)],
            states: [(.active, day(0)), (.renewing, day(44)), (.expired, hourAfter(44))]),
        WorkedHistory(
            name: "an extension, then a failure",
            transactions: [transaction(1, 0, 30)],
            renewals: [renewal(20, renews: 44), renewal(44, renews: 44, retry: true)],
            states: [(.active, day(0)), (.billingRetry, day(44)), (.expired, day(104))]),
    ]

    private static let failing = [
        WorkedHistory(
            name: "recovered in grace",
            transactions: [transaction(1, 0, 30), transaction(2, 30, 60, signed: 35)],
            renewals: [renewal(30, retry: true, grace: 46), renewal(35, renews: 60)],
            states: [(.active, day(0)), (.renewing, day(60)), (.expired, hourAfter(60))]),
        WorkedHistory(
            name: "grace, retry, given up",
            transactions: [transaction(1, 0, 30)],
            renewals: [
                renewal(30, retry: true, grace: 46), renewal(46, retry: true),
                renewal(90, intent: 2),
            ],
            states: [
                (.active, day(0)), (.grace, day(30)), (.billingRetry, day(46)),
                (.expired, day(90)),
            ], reason: .billingError),
        WorkedHistory(
            name: "recovered late",
            transactions: [transaction(1, 0, 30), transaction(2, 50, 80)],
            renewals: [renewal(30, retry: true, grace: 46)],
            states: [
                (.active, day(0)), (.grace, day(30)), (.billingRetry, day(46)),
                (.active, day(50)), (.renewing, day(80)), (.expired, hourAfter(80)),
            ]),
        WorkedHistory(
            name: "grace cut short by the customer",
            transactions: [transaction(1, 0, 30)],
            renewals: [
                renewal(30, retry: true, grace: 46), renewal(35, autoRenew: false, intent: 1),
            ],
            states: [(.active, day(0)), (.grace, day(30)), (.expired, day(35))],
            reason: .cancelled),
        WorkedHistory(
            name: "a failure said before the end",
            transactions: [transaction(1, 0, 30)],
            renewals: [renewal(29.5, retry: true)],
            states: [(.active, day(0)), (.billingRetry, day(30)), (.expired, day(90))]),
    ]

    private static let refundedOrReplaced = [
        WorkedHistory(
            name: "an old period refunded",
            transactions: [
                transaction(1, 0, 30, signed: 75, refunded: 75), transaction(2, 60, 90),
            ],
            states: [
                (.active, day(0)), (.renewing, day(30)), (.expired, hourAfter(30)),
                (.active, day(60)), (.renewing, day(90)), (.expired, hourAfter(90)),
            ]),
        WorkedHistory(
            name: "refunded, then bought again",
            transactions: [
                transaction(1, 0, 30, signed: 10, refunded: 10), transaction(2, 12, 42),
            ],
            states: [
                (.active, day(0)), (.revoked, day(10)), (.active, day(12)),
                (.renewing, day(42)), (.expired, hourAfter(42)),
            ]),
        WorkedHistory(
            name: "an upgrade that ends earlier",
            transactions: [transaction(1, 0, 90), transaction(2, 1, 31)],
            states: [(.active, day(0)), (.renewing, day(31)), (.expired, hourAfter(31))]),
        WorkedHistory(
            name: "upgraded, successor unknown",
            transactions: [
                transaction(1, 0, 30, signed: 20, isUpgraded: true),
                transaction(1, 0, 30, signed: 10, isUpgraded: true),
            ],
            states: [(.active, day(0)), (.expired, day(10))], reason: .upgraded,
            finding: .successorMissing),
        WorkedHistory(
            name: "a refund and an older twin without it",
            transactions: [
                transaction(1, 0, 30, signed: 12, web: "7", refunded: 12),
                transaction(9, 0, 30, signed: 5, web: "7"),
            ],
            states: [(.active, day(0)), (.revoked, day(12))]),
        WorkedHistory(
            name: "refunded in grace",
            transactions: [
                transaction(1, 0, 30), transaction(1, 0, 30, signed: 35, refunded: 35),
            ],
            renewals: [renewal(30, retry: true, grace: 46)],
            states: [(.active, day(0)), (.grace, day(30)), (.revoked, day(35))]),
        WorkedHistory(
            name: "refunded long after the end",
            transactions: [transaction(1, 0, 30, signed: 75, refunded: 75)],
            states: [
                (.active, day(0)), (.renewing, day(30)), (.expired, hourAfter(30)),
                (.revoked, day(75)),
            ]),
        WorkedHistory(
            name: "added seats refunded",
            transactions: [
                transaction(1, 0, 30, seats: 5),
                transaction(2, 10, 30, signed: 12, refunded: 12, seats: 4, isAddition: true),
            ],
            states: [(.active, day(0)), (.renewing, day(30)), (.expired, hourAfter(30))]),
    ]
}

/// The specification itself, held to the table that it was written from.
@Test("The specification plays every worked history of 1.4", arguments: WorkedHistory.all)
func specificationPlays(_ history: WorkedHistory) throws {
    let policy = Policy(
        digest: try #require(Digest256([UInt8](repeating: 0, count: 32))),
        app: AppSettings(bundleID: BundleID(unchecked: "com.example.reader")))
    let specification = Specification(
        policies: PolicyHistory(.init(policy: policy, activatedAt: day(0))),
        facts: history.facts)
    let unit = OwnedUnit.lineage(WorkedHistory.lineage)
    let first = try #require(history.states.first)
    #expect(specification.state(of: unit, at: first.from.advanced(byMilliseconds: -1)) == nil)
    for (index, expected) in history.states.enumerated() {
        let isLast = index == history.states.count - 1
        let end = isLast ? day(1_000) : history.states[index + 1].from
        for instant in [expected.from, end.advanced(byMilliseconds: -1)] {
            #expect(specification.state(of: unit, at: instant)?.0 == expected.0)
        }
    }
    if let reason = history.reason {
        #expect(specification.state(of: unit, at: day(1_000))?.1 == reason)
    }
    let findings = specification.standingFindings().map(\.kind)
    #expect(findings.contains(.successorMissing) == (history.finding == .successorMissing))
}
