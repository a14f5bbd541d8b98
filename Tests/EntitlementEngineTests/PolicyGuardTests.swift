internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

/// The guard of spec 2.6: a folder by which somebody may lose something waits.
@Suite("The guard of the policy", .timeLimit(.minutes(20)))
struct PolicyGuardTests {
    private static let unlock = "  unlock: {kind: non-consumable, grants: [forever]}\n"

    /// Without the product that alice has bought.
    private static func narrower(_ bench: ReloadBench) -> String {
        bench.text(leeway: "1h").replacing(unlock, with: "")
            .replacing("forever: {title: For ever},", with: "")
    }

    private static func bench() async throws -> ReloadBench {
        let bench = try await ReloadBench()
        try await bench.shop.present(
            bench.shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        return bench
    }

    private static func accept(_ digest: Digest256) -> String {
        "from: \(digest.hexadecimal)\nbecause: sold no more\naccounts_at_most: 3\n"
    }

    /// As the ledger has it.
    private static func acceptances(
        in ledger: TestLedger
    ) throws -> [PolicyActivation.Acceptance?] {
        try ledger.openForReading().read { try $0.policyActivations() }
            .map(\.value.acceptance)
    }

    @Test("a folder that loses a product waits, says what is lost, and goes on when it is whole")
    func waits() async throws {
        let bench = try await Self.bench()
        let engine = bench.shop.engine
        let before = engine.policy.digest
        try bench.write(Self.narrower(bench))
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        #expect(engine.policy.digest == before)
        let waiting = try #require(engine.waitingPolicy)
        #expect(waiting.replaces == before)
        #expect(waiting.losses.map(\.kind) == [.product])
        #expect(engine.policyProblems.isEmpty)
        #expect(try bench.shop.answer("alice", "forever").decision)
        try bench.write(leeway: "2h")
        #expect(try await bench.look(forMilliseconds: 3_000).count == 1)
        #expect(engine.waitingPolicy == nil)
        #expect(try Self.acceptances(in: bench.shop.ledger) == [nil, nil])
    }

    @Test("nobody sees it in force and still waiting")
    func together() async throws {
        let bench = try await Self.bench()
        let engine = bench.shop.engine
        try bench.write(Self.narrower(bench))
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        #expect(engine.waitingPolicy != nil)
        // What a question sees as soon as the activation is durable, before whoever asked for it
        // goes on.
        let report = try await engine.activate(
            readPolicyFolder(bench.folder),
            consent: .person(actor: "uid:7", reason: "sold no more", accountsAtMost: 1))
        guard case .activated = report else {
            Issue.record("\(report)")
            return
        }
        #expect(engine.waitingPolicy == nil)
    }

    @Test("its own accept.yaml lets it in, if it is for the policy that it replaces")
    func acceptedByFile() async throws {
        let bench = try await Self.bench()
        let engine = bench.shop.engine
        let before = engine.policy.digest
        let other = try #require(Digest256(hexadecimal: String(repeating: "ab", count: 32)))
        try bench.write(bytes: Array(Self.accept(other).utf8), to: "accept.yaml")
        try bench.write(Self.narrower(bench))
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        #expect(engine.waitingPolicy?.acceptedAfter == other)
        try bench.write(bytes: Array(Self.accept(before).utf8), to: "accept.yaml")
        #expect(try await bench.look(forMilliseconds: 3_000).count == 1)
        #expect(try !bench.shop.answer("alice", "forever").decision)
        let acceptance = try Self.acceptances(in: bench.shop.ledger).last ?? nil
        #expect(
            acceptance
                == .init(means: .folder, reason: "sold no more", accountsAtMost: 3))
    }

    @Test("a person lets it in, and the ledger says who and why")
    func acceptedByPerson() async throws {
        let bench = try await Self.bench()
        let engine = bench.shop.engine
        try bench.write(Self.narrower(bench))
        guard case .waiting = try await engine.reloadPolicy(from: bench.folder) else {
            Issue.record("looking again is no acceptance")
            return
        }
        let consent = PolicyConsent.person(actor: "uid:0", reason: "agreed", accountsAtMost: 1)
        let report = try await engine.reloadPolicy(from: bench.folder, consent: consent)
        guard case .activated(_, let notes) = report else {
            Issue.record("not in force: \(report)")
            return
        }
        #expect(notes.losses.map(\.kind) == [.product])
        #expect(engine.waitingPolicy == nil)
        let acceptance = try Self.acceptances(in: bench.shop.ledger).last ?? nil
        #expect(
            acceptance
                == .init(means: .person, actor: "uid:0", reason: "agreed", accountsAtMost: 1))
    }

    @Test("what nobody who has it loses needs no acceptance, but trust and lists do")
    func harmless() async throws {
        let bench = try await ReloadBench()
        let engine = bench.shop.engine
        try bench.write(Self.narrower(bench))
        #expect(try await bench.look(forMilliseconds: 3_000).count == 1)
        #expect(try Self.acceptances(in: bench.shop.ledger) == [nil, nil])
        let less = Self.narrower(bench).replacing(", sandbox: trusted", with: "")
        try bench.write(less)
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        let waiting = try #require(engine.waitingPolicy)
        #expect(waiting.losses.map(\.kind) == [.environment])
        #expect(waiting.losing == 0)
    }

    @Test("more accounts that lose something than were accepted: it waits")
    func tooMany() async throws {
        let bench = try await Self.bench()
        try await bench.shop.present(
            bench.shop.purchase("unlock", .nonConsumable, id: "3"), as: "bob")
        let engine = bench.shop.engine
        let before = engine.policy.digest
        let acceptance = Self.accept(before).replacing("at_most: 3", with: "at_most: 1")
        try bench.write(bytes: Array(acceptance.utf8), to: "accept.yaml")
        try bench.write(Self.narrower(bench))
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        let waiting = try #require(engine.waitingPolicy)
        #expect(waiting.losing == 2)
        let walk = try #require(engine.waitingWalk)
        #expect(walk.policy == waiting.digest && walk.done == walk.total)
        #expect(walk.impact?.losingEver == 2 && walk.impact?.groups.isEmpty == false)
        #expect(waiting.acceptedAtMost == 1)
        let few = PolicyConsent.person(actor: "uid:0", reason: "agreed", accountsAtMost: 1)
        guard case .waiting = try await engine.reloadPolicy(from: bench.folder, consent: few)
        else {
            Issue.record("two are more than one")
            return
        }
        try bench.write(bytes: Array(Self.accept(before).utf8), to: "accept.yaml")
        #expect(try await bench.look(forMilliseconds: 3_000).count == 1)
        #expect(engine.waitingPolicy == nil)
    }

    @Test("a rollback brings back the one before, one more each time; what it took back waits")
    func rollback() async throws {
        let bench = try await Self.bench()
        let engine = bench.shop.engine
        let cause = AdminActionCause(actor: "uid:7", reason: "a mistake")
        let first = engine.policy.digest
        guard case .nothing = try await engine.rollBackPolicy(cause) else {
            Issue.record("there is none before it")
            return
        }
        try bench.write(leeway: "2h")
        #expect(try await bench.look(forMilliseconds: 3_000).count == 1)
        let second = engine.policy.digest
        try bench.write(leeway: "3h")
        #expect(try await bench.look(forMilliseconds: 3_000).count == 1)
        let third = engine.policy.digest
        for expected in [(second, third), (first, second)] {
            guard
                case .done(let digest, let replaced, let losses) =
                    try await engine.rollBackPolicy(cause)
            else {
                Issue.record("there is one before it")
                return
            }
            #expect(digest == expected.0 && replaced == expected.1)
            #expect(losses.map(\.kind) == [.leeway])
            #expect(engine.policy.digest == expected.0)
        }
        guard case .waiting(let waiting) = try await engine.reloadPolicy(from: bench.folder)
        else {
            Issue.record("what was taken back waits")
            return
        }
        #expect(waiting.isRolledBack && waiting.digest == third)
        let last = try Self.acceptances(in: bench.shop.ledger).last ?? nil
        #expect(last == .init(means: .rollback, actor: "uid:7", reason: "a mistake"))
        try await bench.accept()
        #expect(engine.policy.digest == third)
        let audit = try bench.shop.ledger.audit()
        #expect(audit.isComplete && audit.problems.isEmpty, "\(audit.problems)")
    }

    private static func options(_ shop: Shop, _ texts: [PolicyText]) -> EngineOptions {
        EngineOptions(ledger: shop.ledger, policyTexts: texts, clock: shop.clock)
    }

    @Test("at start, too: what waits, and what has errors, leaves the last policy in force")
    func atStart() async throws {
        let bench = try await Self.bench()
        let shop = bench.shop
        let before = shop.engine.policy.digest
        try shop.engine.close()
        let narrower = [
            PolicyText(path: "policy.yaml", text: Self.narrower(bench)),
            PolicyText(path: "root.der", bytes: shop.store.root.der),
        ]
        let waiting = try await EntitlementEngine.open(Self.options(shop, narrower))
        #expect(waiting.policy.digest == before)
        #expect(waiting.waitingPolicy?.losses.map(\.kind) == [.product])
        try waiting.close()
        let broken = try await EntitlementEngine.open(
            Self.options(shop, [PolicyText(path: "policy.yaml", text: "usher: 1\nap: {}\n")]))
        #expect(broken.policy.digest == before)
        #expect(broken.policyProblems.map(\.id).contains("unknown-section"))
        try broken.close()
        var missing = Self.options(shop, [])
        missing.folderErrors = InvalidLocation.diagnostics
        let gone = try await EntitlementEngine.open(missing)
        #expect(gone.policyProblems.map(\.id) == ["folder-missing"])
        try gone.close()
        var warned = Self.options(shop, narrower)
        warned.policyGuard = .warn
        let open = try await EntitlementEngine.open(warned)
        #expect(open.policy.digest == policyDigest(narrower))
        #expect(open.lossesAtStart.map(\.kind) == [.product])
        try open.close()
        let last = try Self.acceptances(in: shop.ledger).last ?? nil
        #expect(last == .init(means: .setting))
    }

    /// New errors never stop a ledger from opening; what is to come into force has them.
    @Test("a policy that today's checks would refuse opens, and means what it meant")
    func oldText() async throws {
        let shop = try await Shop()
        try shop.engine.close()
        var old = Shop.policy(trusting: shop.store)
        old[0] = PolicyText(
            path: old[0].path,
            text: old[0].text + "\naccess:\n  - name: always\n    then: withhold\n"
                + "    when: {first_purchased: [from 2025-01-01, before 2026-01-01]}\n")
        let refused = loadPolicy(old)
        #expect(refused.diagnostics.map(\.id) == [.oppositeBounds])
        let activation = PolicyActivation(
            digest: policyDigest(old), files: old.map { .init(path: $0.path, bytes: $0.bytes) })
        let now = shop.clock.now()
        try await shop.ledger.append([.policyActivation(activation)], at: now)
        let engine = try await EntitlementEngine.open(Self.options(shop, old))
        #expect(engine.policy.digest == policyDigest(old))
        #expect(engine.policyProblems.map(\.id) == ["opposite-bounds"])
        #expect(engine.policy.history.activations.count == 2)
        let alice = EvidenceSubmission(
            payload: try shop.purchase("unlock", .nonConsumable, id: "2"),
            account: "alice")
        _ = try await engine.submit([alice])
        let account: AccountID = "alice"
        let key = RightKey(.production, "forever")
        let (packed, revision) = try engine.account(account)
        let answer = try ToldAnswer(packed.answer(key, at: now, revision: revision))
        #expect(!answer.decision, "the rule still holds always")
        try engine.close()
        let questions = try LedgerQuestions(shop.ledger.openForReading())
        #expect(questions.policyDigest == policyDigest(old))
        let audit = try shop.ledger.audit()
        #expect(audit.isComplete && audit.problems.isEmpty, "\(audit.problems)")
    }
}

private enum InvalidLocation {
    static var diagnostics: [Diagnostic] {
        do throws(PolicyFolderError) {
            _ = try readPolicyFolder("/no/such/folder")
            return []
        } catch {
            return error.diagnostics
        }
    }
}
