internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// What the policy folder still says when a scheduled policy comes into force, and what happens
/// between.
@Suite("Scheduled policies beside a folder", .timeLimit(.minutes(20)))
struct ScheduleFolderTests {
    private static func options(_ shop: Shop, _ texts: [PolicyText]) -> EngineOptions {
        EngineOptions(ledger: shop.ledger, policyTexts: texts, clock: shop.clock)
    }

    private static func due(_ bench: ReloadBench) async throws {
        _ = try await bench.shop.schedule(leeway: "2h", at: "2026-03-02")
        try bench.shop.clock.set("2026-03-02")
    }

    @Test("the folder that it replaces waits, a changed one goes through the guard")
    func superseded() async throws {
        let bench = try await ReloadBench()
        let (shop, engine) = (bench.shop, bench.shop.engine)
        try await Self.due(bench)
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty, "what is due comes first")
        #expect(try await shop.applyDue() == "applied")
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        let waiting = try #require(engine.waitingPolicy)
        #expect(waiting.isSuperseded && waiting.digest == shop.digest(leeway: "1h"))
        #expect(engine.policy.digest == shop.digest(leeway: "2h"))
        try bench.write(leeway: "3h")
        #expect(try await bench.look(forMilliseconds: 3_000) == [shop.digest(leeway: "3h")])
        // The guard lets the longer leeway in; the folder decides again, also for what it had.
        #expect(engine.waitingPolicy == nil)
        try bench.write(leeway: "1h")
        #expect(try await bench.look(forMilliseconds: 3_000) == [shop.digest(leeway: "1h")])
        try shop.audit()
    }

    @Test("the same after a start, and a person lets it in")
    func afterStart() async throws {
        let bench = try await ReloadBench()
        let shop = bench.shop
        try await Self.due(bench)
        #expect(try await shop.applyDue() == "applied")
        try shop.engine.close()
        let texts = shop.files(shop.text(leeway: "1h"))
        let engine = try await EntitlementEngine.open(Self.options(shop, texts))
        #expect(engine.policy.digest == shop.digest(leeway: "2h"))
        #expect(engine.waitingPolicy?.isSuperseded == true)
        let consent = PolicyConsent.person(actor: "uid:0", reason: "no", accountsAtMost: 0)
        guard case .activated = try await engine.reloadPolicy(from: bench.folder, consent: consent)
        else {
            Issue.record("a person decides")
            return
        }
        #expect(engine.policy.digest == shop.digest(leeway: "1h"))
        try engine.close()
    }

    @Test("what was due while nothing ran comes first at the start, late, and once")
    func dueBeforeStart() async throws {
        let bench = try await ReloadBench()
        let shop = bench.shop
        let place = try await shop.schedule(leeway: "2h", at: "2026-03-02")
        try shop.engine.close()
        try shop.clock.set("2026-03-05")
        // The folder was changed meanwhile.
        try bench.write(leeway: "3h")
        let texts = shop.files(shop.text(leeway: "3h"))
        let engine = try await EntitlementEngine.open(Self.options(shop, texts))
        #expect(engine.policy.digest == shop.digest(leeway: "1h"))
        var reloader = PolicyReloader(engine: engine, folder: bench.folder)
        #expect(await reloader.look(at: Instant(milliseconds: 0)) == nil)
        #expect(try await shop.applyDue(engine) == "applied")
        #expect(engine.policy.activatedAt == Instant(rfc3339: "2026-03-05"))
        let ended = try #require(engine.policySchedules.ended.first)
        #expect(ended.scheduled.place == place && ended.at == Instant(rfc3339: "2026-03-05"))
        for turn in 0..<8 {
            _ = await reloader.look(at: Instant(milliseconds: Int64(turn) * 250))
        }
        #expect(engine.policy.digest == shop.digest(leeway: "3h"), "the folder came later")
        #expect(try await shop.applyDue(engine) == nil)
        try engine.close()
        try shop.audit()
    }

    @Test("what waited in the folder before does not follow it by itself")
    func heldBack() async throws {
        let bench = try await ReloadBench()
        let (shop, engine) = (bench.shop, bench.shop.engine)
        let distrusting = shop.text(leeway: "1h").replacing(", sandbox: trusted", with: "")
        try bench.write(distrusting)
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        let held = try #require(engine.waitingPolicy?.digest)
        let less = distrusting.replacing("leeway: 1h", with: "leeway: 30m")
        guard
            case .scheduled = try await shop.request(
                shop.files(less), at: "2026-03-02", acceptLoss: 0)
        else {
            Issue.record("not scheduled")
            return
        }
        try shop.clock.set("2026-03-02")
        #expect(try await shop.applyDue() == "applied")
        #expect(try shop.activations().last?.heldBack == held)
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty, "wider than what is in force")
        #expect(engine.waitingPolicy?.isSuperseded == true)
    }

    @Test("whoever applies, takes back and schedules at once: one of them ends it")
    func atOnce() async throws {
        for _ in 0..<20 {
            let shop = try await Shop()
            let place = try await shop.schedule(leeway: "2h", at: "2026-03-02")
            try shop.clock.set("2026-03-02")
            async let first = shop.engine.applyDueSchedule()
            async let second = shop.engine.applyDueSchedule()
            async let taken = shop.engine.takeBackSchedule(place, shop.cause)
            let reports = try await [first, second]
            let isTaken = if case .success = try await taken { true } else { false }
            let applied = reports.count { if case .applied? = $0 { true } else { false } }
            #expect(applied + (isTaken ? 1 : 0) == 1)
            #expect(shop.engine.policySchedules.ended.count == 1)
            #expect(try shop.activations().count == 1 + applied)
            try shop.audit()
        }
    }

    @Test("two that are scheduled for one instant at once: one of them is")
    func oneInstant() async throws {
        let shop = try await Shop()
        async let first = shop.request(leeway: "2h", at: "2026-03-02")
        async let second = shop.request(leeway: "3h", at: "2026-03-02")
        let reports = try await [first, second]
        let scheduled = reports.count { if case .scheduled = $0 { true } else { false } }
        #expect(scheduled == 1 && shop.engine.policySchedules.pending.count == 1)
        try shop.audit()
    }

    @Test("a commit that fails leaves it to be done again, by this process or the next")
    func failedCommit() async throws {
        let ledger = FailingLedger()
        let shop = try await Shop()
        var options = EngineOptions(
            ledger: ledger, policyTexts: shop.files(shop.text(leeway: "1h")), clock: shop.clock)
        options.policyGuard = .refuse
        let engine = try await EntitlementEngine.open(options)
        let due = try #require(Instant(rfc3339: "2026-03-02"))
        let report = try await engine.schedulePolicy(
            ScheduleRequest(
                texts: shop.files(shop.text(leeway: "2h")), due: due, acceptLoss: 0,
                cause: shop.cause))
        guard case .scheduled = report else {
            Issue.record("not scheduled: \(report)")
            return
        }
        shop.clock.set(due)
        ledger.failsNextWrites(1)
        await #expect(throws: EngineError.self) { try await engine.applyDueSchedule() }
        #expect(engine.policy.digest == shop.digest(leeway: "1h") && engine.hasDueSchedule)
        try engine.close()
        let next = try await EntitlementEngine.open(options)
        #expect(next.policySchedules.pending.count == 1)
        #expect(try await shop.applyDue(next) == "applied")
        #expect(next.policy.digest == shop.digest(leeway: "2h"))
        try next.close()
    }

    @Test("a clock that is set back neither brings it again nor forgets it")
    func clock() async throws {
        let shop = try await Shop()
        _ = try await shop.schedule(leeway: "2h", at: "2026-03-02")
        let later = try await shop.schedule(leeway: "3h", at: "2026-03-04")
        try shop.clock.set("2026-03-03")
        #expect(try await shop.applyDue() == "applied")
        try shop.clock.set("2026-01-01")
        #expect(try await shop.applyDue() == nil)
        #expect(shop.engine.policySchedules.pending.map(\.place) == [later])
        // As of five minutes before the newest entry at most: that is past, whatever the clock is.
        guard case .denied(.past) = try await shop.request(leeway: "4h", at: "2026-03-02T12:00:00Z")
        else {
            Issue.record("scheduled for the past")
            return
        }
        try shop.clock.set("2026-03-04")
        #expect(try await shop.applyDue() == "applied")
        try shop.audit()
    }

    @Test("ends that follow from nothing are found by the audit")
    func forged() async throws {
        let shop = try await Shop()
        try shop.engine.close()
        let end = PolicyScheduleEnd(
            schedule: LedgerSequence(1), outcome: .takenBack, actor: "uid:7", reason: "x")
        var activation = try #require(try shop.activations().first)
        activation.schedule = LedgerSequence(2)
        let schedule = PolicySchedule(
            digest: activation.digest, files: [], dueDate: Instant(milliseconds: 1),
            base: activation.digest, actor: "uid:7", reason: "x")
        try await shop.ledger.append(
            [.policyScheduleEnd(end), .policyActivation(activation), .policySchedule(schedule)],
            at: shop.clock.now())
        let audit = try shop.ledger.audit()
        let found = audit.problems.filter { $0.code == "schedule-unfounded" }
        #expect(found.map { $0.sequence?.number } == [2, 3, 4])
    }
}
