internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import MemoryLedger
internal import Testing

/// How many customers the large ledgers of these tests have: `scripts/test` has ten thousand.
private let manyCustomers =
    ProcessInfo.processInfo.environment["RECONCILED_CUSTOMERS"].flatMap { Int($0) } ?? 400

@Suite("Reconciliation", .timeLimit(.minutes(20)))
struct ReconciliationTests {
    @Test("finds exactly the drift that there is, also after a kill, and nothing the second time")
    func exactDrift() async throws {
        let world = try await ReconciledShop(customers: manyCustomers, on: .file)
        let head = world.shop.engine.revision
        // Killed in the middle, and again.
        for writes in [manyCustomers / 3, manyCustomers / 4] {
            world.kept.breaks(afterWrites: writes)
            let killed = try await world.run(world.reconciler())
            #expect(killed.answer.state == .stopped)
            #expect(killed.answer.code == "ledger.broken")
            world.kept.mend()
        }
        let resumed = try await world.run(world.reconciler())
        #expect(resumed.answer.state == .finished)
        #expect(resumed.answer.isResumed)
        #expect(resumed.drift.compared == world.expected)
        #expect(Set(resumed.drift.map(\.identity)).count == resumed.drift.count)
        #expect(resumed.answer.tally.visited == Int64(manyCustomers))
        #expect(world.shop.engine.revision > head)
        // What Apple does not know, it still does not know; the rest is there now.
        let written = world.shop.engine.revision
        let second = try await world.run(world.reconciler())
        #expect(!second.answer.isResumed)
        #expect(second.drift.compared == world.expected.filter { $0.cause == .lineageNotFound })
        #expect(second.answer.tally.written == 0)
        #expect(world.shop.engine.revision == written)
    }

    @Test("what it adds has its effect, and makes no claim")
    func effect() async throws {
        let world = try await ReconciledShop(customers: 120)
        let shop = world.shop
        // By their numbers: renewal 0, refund 20, reversal 40, lineage 80, not found 100.
        let before = try [0, 20, 40, 100].map { try shop.answer("user-\($0)", "premium").decision }
        #expect(before == [false, true, false, true])
        let (answer, drift) = try await world.run(world.reconciler())
        #expect(answer.state == .finished)
        let after = try [0, 20, 40, 100].map { try shop.answer("user-\($0)", "premium").decision }
        #expect(after == [true, false, true, true])
        #expect(try !shop.answer("user-80", "forever").decision)
        let rights = drift.filter { $0.entitlement != nil }
        #expect(
            rights.map(\.cause).sorted { $0.rawValue < $1.rawValue } == [
                .extraRight, .missingRight, .missingRight,
            ])
        #expect(Set(rights.flatMap(\.accounts)) == ["user-0", "user-20", "user-40"])
        #expect(answer.customersWithDrift == 6)
        #expect(answer.accountsWithDrift == 6)
    }

    @Test("who is erased is in no difference any more, and in none that is kept")
    func erased() async throws {
        let world = try await ReconciledShop(customers: 45)
        let reconciler = world.reconciler()
        let (answer, drift) = try await world.run(reconciler)
        let others = drift.filter { !$0.accounts.contains("user-0") }
        #expect(!others.isEmpty && others.count < drift.count)
        let kept = { String(decoding: Array(world.kept.lines().joined()), as: UTF8.self) }
        #expect(kept().contains("\"user-0\""))
        let request = ErasureRequest("user-0", for: ErasureReference(unchecked: "r-1"))
        _ = try await world.shop.engine.erase(
            request, id: "e1", AdminActionCause(actor: "uid:7", reason: "asked"))
        reconciler.forgetErased()
        let page = reconciler.drift(ofRun: answer.run, after: 0, limit: 300)
        #expect(page?.drift == others)
        #expect(!kept().contains("\"user-0\"") && kept().contains("\"user-20\""))
    }

    @Test("one call answers for all lineages of an Apple ID")
    func groups() async throws {
        let world = try await ReconciledShop(customers: 3)
        world.apple.forgetCalls()
        _ = try await world.run(world.reconciler())
        let subjects = world.apple.calls.filter { !$0.hasPrefix("notifications") }
        // Three subscriptions, and a purchase of one of them.
        #expect(subjects.filter { $0.hasPrefix("statuses") }.count == 3)
        #expect(subjects.filter { $0.hasPrefix("history") }.count == 3)
        #expect(!subjects.contains { $0.hasSuffix("1000025") })
    }

    @Test("asks for the history from where it ended, and for those that are due only")
    func goesOn() async throws {
        let world = try await ReconciledShop(customers: 10)
        _ = try await world.run(world.reconciler())
        world.apple.forgetCalls()
        let nothing = try await world.run(world.reconciler()) { $0.isOnlyDue = true }
        #expect(nothing.answer.tally.customers == 0)
        #expect(world.apple.calls.allSatisfy { $0.hasPrefix("notifications") })
        // Each is asked about again after a month, from the end of its history.
        world.shop.clock.set(world.shop.clock.now().advanced(byMilliseconds: 31 * 86_400_000))
        let due = try await world.run(world.reconciler()) { $0.isOnlyDue = true }
        #expect(due.answer.tally.visited == 10)
        let histories = world.apple.calls.filter { $0.hasPrefix("history") }
        #expect(histories.count == 10)
        #expect(histories.allSatisfy { $0.contains(" after ") })
    }

    @Test("asks about one account or Apple ID, and keeps no place for it")
    func scopes() async throws {
        let world = try await ReconciledShop(customers: 60)
        let account = try await world.run(world.reconciler()) { $0.scope = .account("user-20") }
        #expect(Set(account.drift.map(\.cause)) == [.refundUnknown, .extraRight])
        #expect(account.answer.tally.visited == 1)
        let key = try #require(AppleIDKey("atx:production:71000400"))
        let appleID = try await world.run(world.reconciler()) { $0.scope = .appleID(key) }
        #expect(Set(appleID.drift.map(\.cause)) == [.reversalUnknown, .missingRight])
        #expect(world.kept.journal.isEmpty)
        #expect(world.kept.noteCount == 0)
    }

    @Test("visits the riskiest first, and no more than the limit")
    func limit() async throws {
        let world = try await ReconciledShop(customers: 60)
        let (answer, _) = try await world.run(world.reconciler()) { $0.limit = 7 }
        #expect(answer.state == .finished)
        #expect(answer.tally.visited == 7)
        // The one whose period has ended two weeks ago is not about to expire; the refunded one
        // comes before the others.
        let first = try #require(world.apple.calls.first { $0.hasPrefix("statuses") })
        #expect(world.apple.calls.contains { $0.hasPrefix("refunds") }, "\(first)")
    }

    @Test("says what it costs to keep all reconciled, by class of risk")
    func plan() async throws {
        let world = try await ReconciledShop(customers: 60)
        let plan = try world.reconciler().plan(callsPerSecond: 2)
        #expect(plan.classes.map(\.risk) == RiskClass.allCases)
        #expect(plan.classes.map(\.customers) == [0, 0, 0, 1, 59])
        #expect(plan.classes.map(\.hoursBetweenVisits) == [12, 24, 168, 72, 720])
        // Three calls in three days; two calls in thirty, of 59.
        #expect(plan.classes.map(\.callsPerDay) == [0, 0, 0, 1, 4])
        #expect(plan.due == 60)
        // Statuses and a history of each, and the refunds of one.
        #expect(plan.callsDue == 121)
        #expect(plan.secondsDue == 61)
        #expect(plan.callsAllowedPerDay == 172_800)
        _ = try await world.run(world.reconciler())
        let after = try world.reconciler().plan(callsPerSecond: 2)
        #expect(after.due == 0)
        #expect(after.callsDue == 0)
        // Two weeks later all run out but the refunded one.
        try world.shop.clock.set("2026-03-15")
        let later = try world.reconciler().plan(callsPerSecond: 2)
        #expect(later.classes.map(\.customers) == [59, 0, 0, 1, 0])
        #expect(later.classes.map(\.due) == [59, 0, 0, 1, 0])
    }

    @Test("a journal of another ledger is not gone on with")
    func otherLedger() async throws {
        let one = try await ReconciledShop(customers: 20)
        one.kept.breaks(afterWrites: 6)
        _ = try await one.run(one.reconciler())
        one.kept.mend()
        #expect(!one.kept.journal.isEmpty)
        let other = try await ReconciledShop(customers: 21, from: 100)
        let reconciler = Reconciler(
            engine: other.shop.engine, servers: other.apple, store: one.kept,
            context: ClockContext(clock: other.shop.clock), callsPerSecond: 1_000)
        let (answer, drift) = try await other.run(reconciler)
        #expect(!answer.isResumed)
        #expect(drift.compared == other.expected)
    }
}
