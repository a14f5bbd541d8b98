internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("Pages of a reconciliation", .timeLimit(.minutes(20)))
struct ReconciliationPageTests {
    /// A million Apple IDs, as `ReconciliationPlanTests` counts them.
    private static let plan = ReconciliationPlan(
        at: Instant(milliseconds: 1_772_323_200_000), callsPerSecond: 5,
        classes: [
            part(.expiring, 80_000, every: 12, perDay: 162_640, due: 80_000),
            part(.retrying, 10_000, every: 24, perDay: 10_330, due: 10_000),
            part(.silent, 5_000, every: 168, perDay: 1_425, due: 714),
            part(.refunded, 5_000, every: 72, perDay: 5_000, due: 1_667),
            part(.steady, 900_000, every: 720, perDay: 59_400, due: 30_000),
        ])

    private static func part(
        _ risk: RiskClass, _ customers: Int64, every hours: Int64, perDay: Int64, due: Int64
    ) -> ReconciliationPlan.Class {
        let calls: Int64 = risk == .refunded ? 3 : risk == .expiring || risk == .retrying ? 1 : 2
        return ReconciliationPlan.Class(
            risk: risk, customers: customers, lineages: customers, hoursBetweenVisits: hours,
            callsPerDay: perDay, due: due, callsDue: due * calls)
    }

    private static let drift = [
        DriftItem(
            .missedNotification, in: .production,
            appleID: AppleIDKey(unchecked: "atx:production:71000600"),
            accounts: [AccountID(unchecked: "user-60")],
            lineage: TransactionID(unchecked: "1000600"),
            transaction: TransactionID(unchecked: "1000601"),
            product: ProductID(unchecked: "gold"),
            notification: "00000000-0000-4000-8000-000001000600"),
        DriftItem(
            .refundUnknown, in: .production,
            appleID: AppleIDKey(unchecked: "atx:production:71000200"),
            accounts: [AccountID(unchecked: "user-20")],
            lineage: TransactionID(unchecked: "1000200"),
            transaction: TransactionID(unchecked: "1000201"),
            product: ProductID(unchecked: "gold")),
        DriftItem(
            .extraRight, in: .production,
            appleID: AppleIDKey(unchecked: "atx:production:71000200"),
            accounts: [AccountID(unchecked: "user-20")],
            lineage: TransactionID(unchecked: "1000200"),
            entitlement: EntitlementName(unchecked: "premium")),
    ]

    private static var answer: ReconciliationAnswer {
        var tally = ReconciliationTally()
        (tally.customers, tally.visited, tally.calls) = (60, 60, 124)
        (tally.notifications, tally.written) = (7, 2)
        return ReconciliationAnswer(
            run: 3, state: .finished, startedAt: Instant(milliseconds: 1_772_323_200_000),
            endedAt: Instant(milliseconds: 1_772_323_225_000), isResumed: true,
            tally: tally,
            drift: [
                DriftCount(cause: .missedNotification, count: 1),
                DriftCount(cause: .refundUnknown, count: 1),
                DriftCount(cause: .extraRight, count: 1),
            ], customersWithDrift: 2, accountsWithDrift: 2)
    }

    private static func page(_ language: Language, _ write: (inout Page) -> Void) -> String {
        var page = Page(language: language, paint: Paint(isOn: false), drawsBranches: false)
        write(&page)
        return page.text
    }

    /// The commands of docs/RECONCILE.md, with what they print.
    private static func printed() -> [(command: String, text: String)] {
        [
            ("usher reconcile --plan", page(.english) { $0.write(plan) }),
            (
                "usher reconcile",
                page(.english) {
                    $0.write(answer)
                    $0.write(drift)
                }
            ),
            ("usher reconcile --plan --lang zh", page(.chinese) { $0.write(plan) }),
        ]
    }

    /// `RECORD_SNAPSHOTS=1` writes them anew; recording fails the run.
    @Test("are those of the documentation")
    func documented() throws {
        let file = Repository.url("docs/RECONCILE.md")
        var text = try String(contentsOf: file, encoding: .utf8)
        for (command, printed) in Self.printed() {
            let head = "```\n$ \(command)\n"
            let start = try #require(text.range(of: head)?.upperBound, "\(command)")
            let end = try #require(text.range(of: "```\n", range: start..<text.endIndex))
            if Snapshot.isRecording {
                text.replaceSubrange(start..<end.lowerBound, with: printed)
            } else {
                #expect(String(text[start..<end.lowerBound]) == printed)
            }
        }
        guard Snapshot.isRecording else { return }
        try Data(text.utf8).write(to: file)
        Issue.record("docs/RECONCILE.md was written anew")
    }

    @Test("say how a run ended, and what it could not compare")
    func ends() {
        var stopped = Self.answer
        (stopped.state, stopped.code) = (.stopped, "app-store.network")
        (stopped.tally.unanswered, stopped.tally.refused) = (4, 5)
        let text = Self.page(.english) { $0.write(stopped) }
        for part in [
            "stopped before its end [app-store.network], resumed", "4 Apple IDs", "5 pieces",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        var clean = Self.answer
        clean.drift = []
        #expect(Self.page(.english) { $0.write(clean) }.hasSuffix("no drift\n"))
        (clean.tally.visited, clean.tally.notifications) = (0, 0)
        #expect(Self.page(.english) { $0.write(clean) }.hasSuffix("nothing was compared\n"))
        #expect(Self.page(.english) { $0.write(omitted: 12) } == "12 more; '--json' prints all\n")
        #expect(Self.page(.english) { $0.write(omitted: 0) } == "")
    }
}
