internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Policies that come into force at an instant (spec 2.6).
@Suite("Scheduled policies", .timeLimit(.minutes(20)))
struct ScheduleTests {
    @Test("it comes into force when it is due, not before, durable and named by the schedule")
    func applied() async throws {
        let shop = try await Shop()
        let place = try await shop.schedule(leeway: "2h", at: "2026-03-02")
        #expect(shop.engine.policySchedules.pending.map(\.place) == [place])
        try shop.clock.set("2026-03-01T23:59:59.999Z")
        #expect(try await shop.applyDue() == nil)
        try shop.clock.set("2026-03-02")
        #expect(try await shop.applyDue() == "applied")
        #expect(shop.engine.policy.digest == shop.digest(leeway: "2h"))
        #expect(try await shop.applyDue() == nil, "once")
        let last = try #require(try shop.activations().last)
        #expect(last.schedule == place && last.acceptance == nil && last.heldBack == nil)
        #expect(shop.engine.policySchedules.pending.isEmpty)
        #expect(shop.engine.policySchedules.ended.map(\.ending) == [.applied])
        try shop.audit()
    }

    @Test(
        "what cannot be scheduled is denied, and nothing is recorded",
        arguments: [
            ("2h", "2026-02-28", ScheduleDenial.past), ("2h", "2026-03-01", .past),
            ("2h", "2031-03-02", .tooFar), ("1h", "2026-03-02", .unchanged),
            ("2h", "2026-04-01", .instantTaken), ("3h", "2026-04-02", .unchanged),
        ])
    func denied(leeway: String, due: String, denial: ScheduleDenial) async throws {
        let shop = try await Shop()
        _ = try await shop.schedule(leeway: "3h", at: "2026-04-01")
        let revision = shop.engine.revision
        guard case .denied(denial) = try await shop.request(leeway: leeway, at: due) else {
            Issue.record("not denied")
            return
        }
        #expect(shop.engine.revision == revision)
        #expect(try shop.entryCount() == revision.number)
    }

    @Test("no more than there may be")
    func tooMany() async throws {
        let shop = try await Shop()
        for day in 0..<ScheduleLimits.pending {
            let due = shop.clock.now().advanced(byMilliseconds: Int64(day + 1) * 86_400_000)
            _ = try await shop.schedule(
                leeway: day.isMultiple(of: 2) ? "2h" : "3h", at: due.rfc3339)
        }
        guard case .denied(.tooMany) = try await shop.request(leeway: "2h", at: "2027-01-01")
        else {
            Issue.record("not denied")
            return
        }
    }

    @Test("one with errors is rejected with all of them")
    func rejected() async throws {
        let shop = try await Shop()
        let report = try await shop.engine.schedulePolicy(
            ScheduleRequest(
                texts: [PolicyText(path: "policy.yaml", text: "usher: 1\nap: {}\nb: {}\n")],
                due: try #require(Instant(rfc3339: "2026-04-01")), cause: shop.cause))
        guard case .rejected(let diagnostics) = report else {
            Issue.record("not rejected: \(report)")
            return
        }
        #expect(diagnostics.filter { $0.id == .unknownSection }.count == 2)
    }

    @Test("by which somebody loses something long after it is due is not scheduled either")
    func losesLater() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "9", until: "2027-02-20"), as: "alice")
        let rule = "access: [{name: later, when: {at: from 2026-05-20}, then: withhold}]"
        let texts = shop.files(shop.text(leeway: "1h") + "\n" + rule)
        guard
            case .loses(let waiting) = try await shop.request(
                texts, at: "2026-03-02", acceptLoss: 0)
        else {
            Issue.record("scheduled")
            return
        }
        #expect(waiting.losing == 1)
    }

    @Test("one that was made from an older copy says what it undoes")
    func undoes() async throws {
        let shop = try await Shop()
        let newer =
            shop.text(leeway: "1h")
            .replacing(
                "pass: {kind: non-renewing, duration: 30d",
                with: "pass: {kind: non-renewing, duration: 60d")
            + "\nopen: [{name: fair, entitlements: [weekly], at: from 2026-06-01 until 2026-06-02}]"
        guard
            case .scheduled(_, _, _, let made) = try await shop.request(
                shop.files(newer), at: "2026-03-02", acceptLoss: 0),
            case .scheduled(_, _, _, let undone) = try await shop.request(
                shop.files(shop.text(leeway: "2h")), at: "2026-03-03", acceptLoss: 0)
        else {
            Issue.record("not scheduled")
            return
        }
        #expect(made.map(\.isUndoing) == [nil, nil])
        #expect(
            undone.map {
                "\($0.section) \($0.change.rawValue) \($0.name ?? "") \($0.isUndoing == true)"
            }
                == [
                    "leeway changed  false", "products changed pass true", "open removed fair true",
                ])
        let listed = try shop.engine.policyScheduleReport().scheduled
        #expect(listed.map { $0.edits?.count } == [2, 3])
    }

    @Test("by which somebody loses something is not scheduled unless as much is accepted")
    func loses() async throws {
        let shop = try await Shop.withAlice()
        for accepted in [nil, 0] as [Int64?] {
            let report = try await shop.request(
                shop.narrower, at: "2026-04-01", acceptLoss: accepted)
            guard case .loses(let waiting) = report else {
                Issue.record("scheduled: \(report)")
                return
            }
            #expect(waiting.losing == 1 && waiting.acceptedAtMost == accepted)
            #expect(waiting.losses.map(\.kind) == [.product])
        }
        let report = try await shop.request(shop.narrower, at: "2026-04-01", acceptLoss: 1)
        guard case .scheduled(let scheduled, let losses, losing: 1, _) = report else {
            Issue.record("not scheduled: \(report)")
            return
        }
        #expect(losses.count == 1 && scheduled.base == shop.engine.policy.digest)
        #expect(try shop.answer("alice", "forever").decision)
        try shop.clock.set("2026-04-01")
        #expect(try await shop.applyDue() == "applied")
        #expect(try !shop.answer("alice", "forever").decision)
        let acceptance = try #require(try shop.activations().last?.acceptance)
        #expect(
            acceptance
                == .init(
                    means: .person, actor: "uid:7", reason: "a test", accountsAtMost: 1))
        try shop.audit()
    }

    /// Gold ends before it is due, and nobody knows that alice renews.
    @Test("who loses something today counts, although what they have ends before it is due")
    func today() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        let text = shop.text(leeway: "1h").replacing("grants: [premium]", with: "grants: [pass]")
        let report = try await shop.request(shop.files(text), at: "2026-06-01")
        guard case .loses(let waiting) = report else {
            Issue.record("scheduled: \(report)")
            return
        }
        #expect(waiting.losing == 1)
    }

    @Test("when it is due, more lose something than were accepted: refused for good")
    func tooManyWhenDue() async throws {
        let shop = try await Shop.withAlice()
        guard
            case .scheduled = try await shop.request(
                shop.narrower, at: "2026-04-01", acceptLoss: 1)
        else {
            Issue.record("not scheduled")
            return
        }
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "3"), as: "bob")
        let before = shop.engine.policy.digest
        try shop.clock.set("2026-04-01")
        #expect(try await shop.applyDue() == "too-many-losing")
        #expect(shop.engine.policy.digest == before)
        #expect(try await shop.applyDue() == nil)
        let end = try #require(shop.engine.policySchedules.ended.last)
        guard case .ended(let ending) = end.ending else {
            Issue.record("applied")
            return
        }
        #expect(ending.losing == 2 && ending.base == before && ending.outcome == .refused)
        try shop.audit()
    }

    @Test("an accepted loss counts only against the policy that it was compared with")
    func otherBase() async throws {
        let shop = try await Shop.withAlice()
        guard
            case .scheduled = try await shop.request(
                shop.narrower, at: "2026-04-01", acceptLoss: 9)
        else {
            Issue.record("not scheduled")
            return
        }
        _ = try await shop.engine.activate(shop.files(shop.text(leeway: "2h")))
        try shop.clock.set("2026-04-01")
        #expect(try await shop.applyDue() == "other-base")
        #expect(try shop.answer("alice", "forever").decision)
        try shop.audit()
    }

    @Test("compared with the one that is scheduled before it")
    func chain() async throws {
        let shop = try await Shop.withAlice()
        _ = try await shop.schedule(leeway: "2h", at: "2026-04-01")
        let narrower = shop.files(
            shop.narrower[0].text.replacing("leeway: 1h", with: "leeway: 2h"))
        guard
            case .scheduled(let scheduled, _, _, _) = try await shop.request(
                narrower, at: "2026-05-01", acceptLoss: 1)
        else {
            Issue.record("not scheduled")
            return
        }
        #expect(scheduled.base == shop.digest(leeway: "2h"))
        try shop.clock.set("2026-06-01")
        #expect(try await shop.applyDue() == "applied", "both are due: the first one first")
        #expect(shop.engine.policy.digest == shop.digest(leeway: "2h"))
        #expect(try await shop.applyDue() == "applied")
        #expect(shop.engine.policy.digest == policyDigest(narrower))
        try shop.audit()
    }

    @Test("what is in force already when it is due ends without an activation")
    func alreadyInForce() async throws {
        let shop = try await Shop()
        _ = try await shop.schedule(leeway: "2h", at: "2026-04-01")
        _ = try await shop.engine.activate(shop.files(shop.text(leeway: "2h")))
        try shop.clock.set("2026-04-01")
        #expect(try await shop.applyDue() == "already-in-force")
        #expect(try shop.activations().count == 2)
        try shop.audit()
    }

    @Test("what was in force and taken back since is refused")
    func rolledBack() async throws {
        let shop = try await Shop()
        _ = try await shop.schedule(leeway: "2h", at: "2026-04-01")
        _ = try await shop.engine.activate(shop.files(shop.text(leeway: "2h")))
        _ = try await shop.engine.rollBackPolicy(shop.cause)
        try shop.clock.set("2026-04-01")
        #expect(try await shop.applyDue() == "rolled-back")
        // Scheduled again by somebody who knows.
        _ = try await shop.schedule(leeway: "2h", at: "2026-04-02")
        try shop.clock.set("2026-04-02")
        #expect(try await shop.applyDue() == "applied")
        guard case .done(let digest, _, _) = try await shop.engine.rollBackPolicy(shop.cause)
        else {
            Issue.record("there is one before it")
            return
        }
        #expect(digest == shop.digest(leeway: "1h"))
        #expect(try shop.activations().last?.schedule == nil)
        try shop.audit()
    }

    @Test("taken back, it never comes into force; unknown ones and ended ones are told apart")
    func takenBack() async throws {
        let shop = try await Shop()
        let place = try await shop.schedule(leeway: "2h", at: "2026-04-01")
        let other = try await shop.schedule(leeway: "3h", at: "2026-04-02")
        guard case .success(let taken) = try await shop.engine.takeBackSchedule(place, shop.cause)
        else {
            Issue.record("not taken back")
            return
        }
        #expect(taken.place == place)
        #expect(shop.engine.policySchedules.pending.map(\.place) == [other])
        for (place, denial) in [(place, ScheduleDenial.ended), (LedgerSequence(1), .unknown)] {
            let report = try await shop.engine.takeBackSchedule(place, shop.cause)
            #expect(report == .failure(denial))
        }
        // Its instant is free again.
        _ = try await shop.schedule(leeway: "4h", at: "2026-04-01")
        try shop.audit()
    }
}
