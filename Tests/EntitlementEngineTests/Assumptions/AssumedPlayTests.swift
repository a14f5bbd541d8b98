internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyLoading
internal import PolicyTools
internal import Sentences
internal import StoreBox
internal import StrictJSON
internal import Testing

@testable internal import EntitlementEngine

@Suite("Assumptions beside what Apple signs", .timeLimit(.minutes(20)))
struct AssumedPlayTests {
    /// What was before, what happens then, and the same as it is assumed.
    struct Case: Sendable {
        var before: [String] = ["2026-01-01: alice buys gold as S"]
        let event: String
        let assumed: String
    }

    static let cases = [
        Case(event: "2026-02-01: S renews", assumed: "{S} renews"),
        Case(
            before: [
                "2026-01-01: alice buys gold as S with offer 1, free for 7d",
                "2026-01-02: S downgrades to silver",
            ], event: "2026-01-08: S renews", assumed: "renew {S}"),
        Case(
            event: "2026-02-01: renewal of S fails, 16 days of grace",
            assumed: "renewal of {S} fails, 16 days of grace"),
        Case(
            event: "2026-02-01: renewal of S fails, grace until 2026-02-11",
            assumed: "renewal of {S} fails, grace until 2026-02-11"),
        Case(event: "2026-02-01: renewal of S fails", assumed: "fail {S}"),
        Case(
            before: [
                "2026-01-01: alice buys gold as S",
                "2026-02-01: renewal of S fails, 16 days of grace",
            ], event: "2026-02-05: S recovers", assumed: "{S} renews"),
        Case(
            before: ["2026-01-01: alice buys gold as S", "2026-02-01: renewal of S fails"],
            event: "2026-02-05: S recovers", assumed: "{S} renews"),
        Case(
            before: ["2026-01-01: alice buys gold as S on a 12-month commitment"],
            event: "2026-02-01: S renews", assumed: "{S} renews"),
        Case(event: "2026-01-10: S is refunded", assumed: "refund {S}"),
        Case(
            event: "2026-01-10: S is refunded by 40 percent",
            assumed: "{S} is refunded by 40 percent"),
        Case(
            before: ["2026-01-01: alice buys coins as S"],
            event: "2026-01-10: S is refunded by 40 percent",
            assumed: "refund {S} by 40 percent"),
    ]

    private static let head = """
        usher: 1
        story: assumed
        because: "What is assumed is what Apple would sign."
        products:
          gold: {id: gold, kind: auto-renewable, group: "1", period: 1mo}
          silver: {id: silver, kind: auto-renewable, group: "1", period: 1mo}
          coins: {id: coins100, kind: consumable}
        steps:

        """

    @Test("give what it gives, on every day", arguments: cases)
    func play(_ played: Case) async throws {
        let steps = (played.before + [played.event]).map { "  - " + $0 }
        let report = readStory(
            PolicyText(path: "story.yaml", text: Self.head + steps.joined(separator: "\n") + "\n"),
            policy: nil)
        let story = try #require(report.story, "\(report.diagnostics)")
        let at = try #require(story.steps.last?.at)
        let evidence = try story.play(with: nil).perform(seed: 5)
        let shop = try await PlayedShop(trusting: evidence)
        for piece in evidence.evidence where piece.at < at {
            try await shop.handIn(piece, at: piece.at)
        }
        shop.clock.set(at)
        let units = try shop.engine.questions.report(on: "alice", at: at).units
        let unit = try #require(units.first?.unit)
        let id =
            switch unit {
            case .lineage(let key): key.originalTransactionID
            case .purchase(let key): key.transactionID
            }
        let assumptions = try Assumption.read(played.assumed.replacing("{S}", with: id.text))
        let assumed = try days(shop.engine.questions.assuming(assumptions, at: at), after: at)
        let before = try days(shop.engine.questions, after: at)
        for piece in evidence.evidence where piece.at >= at {
            try await shop.handIn(piece, at: at)
        }
        let real = try days(shop.engine.questions, after: at)
        #expect(assumed == real)
        #expect(before != real, "it changes something")
    }

    /// What alice may use, and has, on the days that follow; without the names of purchases.
    private func days(_ questions: LedgerQuestions, after at: Instant) throws -> [String] {
        try (0..<Int64(60)).map { day in
            let then = at.advanced(byMilliseconds: day * 86_400_000 + 3_600_000)
            let report = try questions.report(on: "alice", at: then)
            let rights = try report.rights.map { right in
                var json = try parseJSON(right.json)
                json["source"] = nil
                json["revision"] = nil
                return json.text
            }
            let renewals = report.units.map { String(describing: $0.renewal) }
            let balances = report.balances.map { "\($0.credit) \($0.balance)" }
            return "\(then): \(rights) \(balances) \(renewals)"
        }
    }
}
