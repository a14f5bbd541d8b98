internal import EntitlementModel
internal import Testing

@Suite("Timelines", .timeLimit(.minutes(20)))
struct TimelineTests {
    private static func span(_ start: Int64?, _ end: Int64?, _ isGranted: Bool) -> RightSpan {
        RightSpan(
            interval: Interval(
                uncheckedFrom: start.map { Instant(milliseconds: $0) } ?? .distantPast,
                to: end.map { Instant(milliseconds: $0) }),
            verdict: RightVerdict(
                isGranted: isGranted, state: nil, source: nil, rule: .builtIn("test")))
    }

    private let timeline = RightTimeline(spans: [
        span(nil, 10, false), span(10, 20, true), span(20, 30, true), span(30, nil, false),
    ])

    @Test(
        "the span that holds an instant is found, the start included and the end not",
        arguments: [(-5, 0), (9, 0), (10, 1), (19, 1), (20, 2), (29, 2), (30, 3), (99, 3)])
    func finds(instant: Int64, index: Int) {
        #expect(timeline.index(at: Instant(milliseconds: instant)) == index)
    }

    @Test("the decision changes where the grant ends, not where its reason changes")
    func decisionChanges() {
        let cases: [(Int64, Int64?)] = [(0, 10), (10, 30), (25, 30), (30, nil)]
        for (instant, change) in cases {
            #expect(
                timeline.decisionChange(after: Instant(milliseconds: instant))?.milliseconds
                    == change)
        }
    }

    @Test("intervals are half-open")
    func intervals() throws {
        let interval = try #require(
            Interval(from: Instant(milliseconds: 1), to: Instant(milliseconds: 3)))
        #expect(!interval.contains(Instant(milliseconds: 0)))
        #expect(interval.contains(Instant(milliseconds: 1)))
        #expect(!interval.contains(Instant(milliseconds: 3)))
        #expect(Interval(from: Instant(milliseconds: 3), to: Instant(milliseconds: 3)) == nil)
    }

    @Test("a product is as sold: of the first policy since the purchase that has it")
    func historyKeepsWhatWasSold() throws {
        let digest = try #require(Digest256(repeatElement(0, count: 32)))
        let app = AppSettings(bundleID: BundleID(unchecked: "com.example"))
        let id = ProductID(unchecked: "pass")
        func policy(lasting days: Int64?) -> Policy {
            var policy = Policy(digest: digest, app: app)
            guard let days else { return policy }
            var product = Product(id: id, kind: .nonRenewing)
            product.duration = Period(days, .days)
            policy.products[id] = product
            return policy
        }
        var history = PolicyHistory(
            .init(policy: policy(lasting: nil), activatedAt: Instant(milliseconds: 0)))
        history.activate(policy(lasting: 30), at: Instant(milliseconds: 100))
        history.activate(policy(lasting: 60), at: Instant(milliseconds: 200))
        let sold = [50, 100, 199, 200, 999].map {
            history.product(id, soldAt: Instant(milliseconds: $0))?.duration?.count
        }
        #expect(sold == [30, 30, 30, 60, 60])
    }
}
