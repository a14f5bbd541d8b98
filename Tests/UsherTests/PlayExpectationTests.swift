internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

/// What a service records when it gets it: claims, the feed, orders, refund requests and findings of
/// the whole ledger.
@Suite("What simulate play asks a running service", .timeLimit(.minutes(20)))
struct PlayExpectationTests {
    private let folder: TemporaryFolder
    private let service: RunningService
    private let file: String
    /// Made by a back end before the story.
    private let order: String

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path + "/recorded.yaml"
        try folder.write(Self.story(order: Self.someOrder), to: "recorded.yaml")
        let written = try Program.run([
            "simulate", "play", file, "--out", folder.path + "/played", "--lang", "en",
        ])
        try #require(written.status == 0, "\(written.errors)")
        service = try RunningService(
            folder: folder.path, policies: try PlayCommandTests.policies(in: folder))
        let made = try service.operations.post(
            "/v1/orders", json: Array(#"{"account":"dora","product":"for-ever"}"#.utf8),
            idempotencyKey: "dora-1")
        order = try #require(parseJSON(made.body)["order"]?.string, "\(made.status)")
    }

    private static let someOrder = "0b9f35ea-6d3c-4d0c-9d0c-5f0f8a2f6a11"

    private static func story(order: String) -> String {
        """
        usher: 1
        story: What is recorded
        ids: recorded
        products:
          gold: {id: gold, kind: auto-renewable, group: "1", period: 1mo}
          forever: {id: for-ever, kind: non-consumable}
          print: {id: print, kind: non-consumable}
        steps:
          - 2026-01-01: zoe buys gold with Apple ID Z as G
          - 2026-01-02: expect claim of zoe on G is accepted
          - 2026-01-03: bob restores G
          - 2026-01-03: expect claim of bob on G is kept
          - 2026-01-04: expect zoe gains premium in the feed
          - 2026-01-05: emil buys forever with Apple ID E as F
          - 2026-01-05: expect emil gains lifetime in the feed
          - 2026-01-05: expect bob lacks lifetime
          - 2026-01-05: expect no change of carol in the feed
          - 2026-01-06: refund of F is asked for
          - 2026-01-06: expect refund request 1 is open
          - 2026-01-08: expect refund request 1 is lapsed, obstacle rule-says-nothing
          - 2026-01-09: gina buys print with Apple ID I as P
          - 2026-01-09: expect finding unmapped-product
          - 2026-01-09: expect no finding order-mismatch
          - 2026-01-10: dora buys forever with Apple ID D as D for order \(order)
          - 2026-01-10: expect order \(order) is delivered, found by token
          - 2026-01-11: fred buys forever with Apple ID H as H without presenting it
          - 2026-01-12: expect H is lost as unclaimed-payment
          - 2026-01-13: zoe orders forever as O
          - 2026-01-13: expect order O is created
          - 2026-01-13: expect Apple is told nothing
          - 2026-03-05: expect zoe loses premium in the feed
          - 2026-03-06: hugo buys forever with Apple ID U as U
          - 2026-03-06: bob restores U
          - 2026-03-06: expect claim of bob on U is kept

        """
    }

    private func play(_ text: String, _ arguments: String...) throws -> Program.Output {
        try folder.write(text, to: "recorded.yaml")
        return try Program.run(
            [
                "simulate", "play", file, "--socket", service.sockets + "/usher.sock", "--lang",
                "en",
            ] + arguments)
    }

    @Test("claims, the feed, orders, refund requests and findings are checked; the rest is named")
    func recorded() throws {
        let sent = try play(Self.story(order: order))
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(sent.output.hasSuffix("\n6 not checked, 1 not played\n"), "\(sent.output)")
        #expect(
            sent.errors == """
                \(file): not played, not in the App Store: lines 28
                \(file): not checked, needs 'usher policy test': lines 29, 30
                \(file): not checked, something has changed since, and the service uses its own \
                clock: lines 13, 19, 27, 31

                """)
        #expect(service.stop() == 0)
    }

    @Test("a wrong expectation fails, each with what the service says")
    func wrong() throws {
        let right = Self.story(order: order)
        #expect(try play(right).status == 0)
        let mistakes = [
            ("claim of zoe on G is accepted", "claim of zoe on G is kept", "is accepted"),
            ("claim of bob on U is kept", "claim of bob on U is accepted", "is kept"),
            ("emil gains lifetime in", "emil loses lifetime in", "no change of emil in the feed"),
            (
                "bob lacks lifetime", "bob gains lifetime in the feed",
                "no change of bob in the feed"
            ),
            (
                "bob lacks lifetime", "bob loses lifetime in the feed",
                "no change of bob in the feed"
            ),
            ("no change of carol", "no change of emil", "lifetime in the feed"),
            ("1 is lapsed", "1 is decided", "refund request 1 is lapsed"),
            ("1 is lapsed", "2 is lapsed", "refund request 2 is none"),
            ("obstacle rule-says-nothing", "obstacle environment", "obstacle rule-says-nothing"),
            ("finding unmapped-product", "no finding unmapped-product", "unmapped-product"),
            ("is delivered, found by", "is created, found by", "is delivered"),
            ("found by token", "found by price", "found by token"),
        ]
        for (expected, wrong, found) in mistakes {
            let failed = try play(right.replacing(expected, with: wrong))
            #expect(failed.status == 1, "\(wrong): \(failed.errors)")
            let said = failed.errors.split(separator: "\n").filter { $0.contains("error: ") }
            #expect(said.count == 1 && said[0].contains(wrong), "\(wrong): \(failed.errors)")
            #expect(
                said.first?.split(separator: ", got ").last?.contains(found) == true,
                "\(wrong): \(failed.errors)")
        }
        #expect(service.stop() == 0)
    }

    @Test("an order that the service does not know is none, and a step not played explains others")
    func unknownOrder() throws {
        let ruled = Self.story(order: order)
            .replacing("order \(order) is delivered, found by token", with: "G belongs to zoe")
            .replacing(
                "zoe orders forever as O", with: "support refuses the claim of bob on G"
            )
            .replacing("order O is created", with: "claim of bob on G is denied")
        let sent = try play(ruled)
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(sent.errors.contains("needs 'usher policy test': lines 29, 30"))
        let unknown = Self.story(order: order)
            .replacing("expect order \(order)", with: "expect order \(Self.someOrder)")
        let failed = try play(unknown)
        #expect(failed.status == 1)
        #expect(failed.errors.contains("got order \(Self.someOrder) is none"), "\(failed.errors)")
        // Nothing happens later that could have ended it.
        let end = try #require(Self.story(order: order).range(of: "  - 2026-01-02: expect"))
        let beginning = String(Self.story(order: order)[..<end.lowerBound])
        let missing = try play(beginning + "  - 2026-01-02: expect finding order-mismatch\n")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("got no finding order-mismatch"), "\(missing.errors)")
        #expect(service.stop() == 0)
    }
}
