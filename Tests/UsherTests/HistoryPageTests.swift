internal import EntitlementAnswers
internal import EntitlementModel
internal import Testing

@testable internal import usher

@Suite("Since when an answer is what it is", .timeLimit(.minutes(2)))
struct HistoryPageTests {
    private static let id = TransactionID(unchecked: "1")

    private static func span(
        _ start: String?, _ end: String?, _ isGranted: Bool, _ state: EntitlementState?,
        _ reason: ExpiryReason? = nil, grant: GrantID? = nil, line: Int = 0
    ) -> RightStretch {
        let purchase = RightSource.purchase(
            product: ProductID(unchecked: "gold"),
            transaction: TransactionKey(.production, Self.id),
            lineage: LineageKey(.production, Self.id))
        let interval = Interval(
            uncheckedFrom: start.flatMap { Instant(rfc3339: $0) } ?? .distantPast,
            to: end.flatMap { Instant(rfc3339: $0) })
        return RightStretch(
            RightSpan(
                interval: interval,
                verdict: RightVerdict(
                    isGranted: isGranted, state: state, expiryReason: reason,
                    source: grant.map { .grant($0) } ?? (state == nil ? nil : purchase),
                    rule: RuleReference(name: "a courtesy week", file: "rules.yaml", line: line))))
    }

    private static func page(
        at instant: String, _ stretches: [RightStretch], _ language: Language = .english
    ) throws -> String {
        let frame = AccountFrame(
            account: AccountID(unchecked: "jun"), at: try #require(Instant(rfc3339: instant)),
            policy: try #require(Digest256(hexadecimal: String(repeating: "0", count: 64))),
            revision: LedgerSequence(9))
        var page = Page(language: language, paint: Paint(isOn: false), drawsBranches: false)
        page.write(
            history: AnswerHistory(
                frame: frame, changes: [], next: LedgerSequence(9), overTime: stretches))
        return page.text
    }

    @Test("is told by periods, each with its reason, and the reason of a past no stays")
    func periods() throws {
        let stretches = [
            Self.span(nil, "2026-04-16", false, nil),
            Self.span("2026-04-16", "2026-05-16", true, .active),
            Self.span("2026-05-16", "2026-06-01", true, .grace),
            Self.span("2026-06-01", "2026-06-08", true, .billingRetry, line: 5),
            Self.span("2026-06-08", "2026-06-30", false, .billingRetry),
            Self.span("2026-06-30", "2026-07-10", false, .expired, .billingError),
            Self.span("2026-07-10", "2026-07-20", true, nil, grant: GrantID(unchecked: "apology")),
            Self.span("2026-07-20", nil, false, .revoked),
        ]
        let words = try Self.page(at: "2026-07-21", stretches)
        #expect(
            words == """
                yes from 2026-04-16T00:00:00Z until 2026-05-16T00:00:00Z: active
                yes from 2026-05-16T00:00:00Z until 2026-06-01T00:00:00Z: grace period
                yes from 2026-06-01T00:00:00Z until 2026-06-08T00:00:00Z: billing retry;
                  rule 'a courtesy week' at rules.yaml:5
                no from 2026-06-08T00:00:00Z until 2026-06-30T00:00:00Z: billing retry
                no from 2026-06-30T00:00:00Z until 2026-07-10T00:00:00Z: expired: payment failed
                yes from 2026-07-10T00:00:00Z until 2026-07-20T00:00:00Z: manual grant: apology
                no from 2026-07-20T00:00:00Z: refunded or taken back by Apple
                older changes: --after 9

                """)
        let early = try Self.page(at: "2026-05-20", stretches)
        #expect(early.contains("yes from 2026-05-16T00:00:00Z until 2026-06-08T00:00:00Z"))
        #expect(!early.contains("no from"))
        #expect(try Self.page(at: "2026-07-21", stretches, .chinese).contains("扣款失败"))
    }
}
