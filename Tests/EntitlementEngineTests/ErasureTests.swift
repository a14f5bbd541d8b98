internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import PolicyLoading
internal import StoreBox
internal import Testing

@testable internal import EntitlementEngine

private let reference = ErasureReference(unchecked: "request-1")

extension Shop {
    /// At once.
    fileprivate func erase(
        _ account: String, meant intent: ActionIntent = .act
    ) async throws -> (answer: ErasureAnswer, value: Erasure?) {
        let cause = AdminActionCause(actor: "uid:7", reason: "about the person", intent: intent)
        let report = try await engine.erase(.now(AccountID(unchecked: account)), id: "e1", cause)
        guard case .done(let answer) = report else {
            Issue.record("not erased: \(report)")
            throw CancellationError()
        }
        let entry = try engine.ledger.read { try $0.entry(answer.erasure) }
        guard case .erasure(let erasure)? = entry?.value else { return (answer, nil) }
        return (answer, erasure)
    }

    fileprivate func problems() throws -> [String] {
        try ledger.audit().problems.map(\.code)
    }
}

extension ErasureRequest {
    /// Of an account of which something is known, or nothing.
    fileprivate static func now(_ account: AccountID) -> ErasureRequest {
        var request = ErasureRequest(account, for: ErasureReference(unchecked: "request-1"))
        request.isNew = true
        return request
    }
}

/// An account is erased (docs/PRIVACY.md).
@Suite("Erasing an account", .timeLimit(.minutes(20)))
struct ErasureTests {
    private static let token = "00000000-0000-4000-8000-00000000000a"

    @Test("a preview says what would go, and nothing is gone")
    func preview() async throws {
        let shop = try await Shop(on: .file)
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "ann")
        let rehearsal = Rehearsal()
        _ = try await shop.erase("ann", meant: .preview(rehearsal))
        let scope = try #require(rehearsal.effect?.value.erasure)
        #expect(scope.subscriptions.map(\.product.text) == ["gold"] && scope.wasKnown)
        #expect(rehearsal.effect?.value.takesAway == true)
        #expect(try shop.answer("ann", "premium").decision)
        _ = try await shop.erase("ann")
        #expect(try !shop.answer("ann", "premium").decision)
        let frame = try shop.engine.questions.report(
            on: AccountID(unchecked: "ann"), at: shop.clock.now()
        ).frame
        #expect(frame.erased != nil)
        try shop.engine.close()
        #expect(try shop.problems() == [])
    }

    @Test("nothing is delivered twice because its owner was erased")
    func deliversOnce() async throws {
        let shop = try await Shop(on: .file)
        let coins = try shop.purchase("coins", .consumable, id: "1", at: "2026-02-28")
        try await shop.present(coins, as: "ann")
        #expect(try shop.coins("ann") == 100)
        #expect(try !shop.engine.ledgerCondition().hasErasures)
        _ = try await shop.erase("ann")
        #expect(try shop.engine.ledgerCondition().hasErasures)
        for account in ["ann", "bob"] {
            try await shop.present(coins, as: account)
            #expect(try shop.coins(account) ?? 0 == 0, "\(account)")
        }
        try shop.engine.close()
        #expect(try shop.problems() == [])
    }

    @Test("a line whose owner is erased is whose who presents it, and nobody's by an old token")
    func comesBack() async throws {
        let shop = try await Shop(on: .file)
        func gold(_ id: String, _ date: String) throws -> [UInt8] {
            try shop.purchase(
                "gold", .autoRenewable, id: id, at: date, until: "2026-03-28"
            ) {
                $0.appAccountToken = Self.token
                $0.originalTransactionID = "1"
            }
        }
        guard
            case .done = try await shop.engine.register(
                try #require(AppAccountToken(Self.token)), for: "ann",
                AdminActionCause(actor: "uid:7", reason: "sign-up"))
        else { throw CancellationError() }
        try await shop.present(try gold("1", "2026-02-20"), as: nil)
        #expect(try shop.answer("ann", "premium").decision)
        _ = try await shop.erase("ann")
        try await shop.present(try gold("2", "2026-02-25"), as: nil)
        #expect(try !shop.answer("ann", "premium").decision)
        try await shop.present(try gold("2", "2026-02-25"), as: "anew")
        #expect(try shop.answer("anew", "premium").decision)
        try shop.engine.close()
        #expect(try shop.problems() == [])
    }

    @Test("a merged account goes with the one that it was merged into, and not alone")
    func wholePerson() async throws {
        let shop = try await Shop(on: .file)
        let unlock = try shop.purchase("unlock", .nonConsumable, id: "1")
        try await shop.present(unlock, as: "guest")
        _ = try await shop.engine.merge(
            AccountMerge(from: "guest", into: "ann", actor: "uid:7", reason: "the same person"))
        let cause = AdminActionCause(actor: "uid:7", reason: "asked")
        let alone = try await shop.engine.erase(.now("guest"), id: "e1", cause)
        guard case .rejected(.merged(into: "ann")) = alone else {
            Issue.record("\(alone)")
            return
        }
        let erased = try await shop.erase("ann")
        #expect(erased.value?.names.count == 3)
        let (guest, ann) = try shop.engine.ledger.read { reader in
            (try reader.knows("guest"), try reader.knows("ann"))
        }
        #expect(!guest && !ann)
        try shop.engine.close()
        #expect(try shop.problems() == [])
    }

    @Test(
        "what others had to do with is whose comes back to it, and not whose was refused it",
        arguments: [false, true])
    func comesBackToShared(asks: Bool) async throws {
        let shop = try await Shop(rules: asks ? "on_return: ask" : "", on: .file)
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: "ann")
        try await shop.present(gold, as: "bob", moment: .restore)
        let erased = try await shop.erase("ann")
        #expect(erased.value?.restated.isEmpty == false)
        try shop.clock.set("2026-03-02")
        try await shop.present(gold, as: "bob", moment: .restore)
        #expect(try !shop.answer("bob", "premium").decision)
        let report = try await shop.present(gold, as: "anew", moment: .restore)
        #expect(try shop.answer("anew", "premium").decision != asks)
        if asks {
            #expect(
                try #require(report.judged).transactions.map(\.standing) == [.denied(.waiting)])
        }
        try shop.engine.close()
        #expect(try shop.problems() == [])
    }

    #if PostgreSQL
        @Test("a node that follows forgets what it has in memory of an erased account")
        func follower() async throws {
            let shop = try await Shop(on: .database)
            var options = EngineOptions(
                ledger: shop.ledger.secondNode, policyTexts: [], clock: shop.clock)
            options.privacyKey = PrivacyKey(Shop.keyBytes)
            let second = try await EntitlementEngine.open(options)
            func answer() async throws -> Bool {
                let head = try shop.engine.ledger.read { try $0.head() }.sequence
                while second.revision < head { await Task.yield() }
                let (packed, revision) = try second.account("ann")
                let key = RightKey(.production, EntitlementName("premium"))
                return try ToldAnswer(
                    packed.answer(key, at: shop.clock.now(), revision: revision)
                ).decision
            }
            let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
            try await shop.present(gold, as: "ann")
            #expect(try await answer())
            _ = try await shop.erase("ann")
            #expect(try await !answer())
            try second.close()
            try shop.engine.close()
            #expect(try shop.problems() == [])
        }
    #endif

    @Test("what was known of whom is erased is erased, and all that was known of others is not")
    func past() async throws {
        let shop = try await Shop(on: .file)
        for (id, account) in [("1", "ann"), ("2", "bob")] {
            let gold = try shop.purchase("gold", .autoRenewable, id: id, until: "2026-03-20")
            try await shop.present(gold, as: account)
        }
        let before = shop.engine.revision
        _ = try await shop.erase("ann")
        let now = shop.clock.now()
        let key = RightKey(.production, "premium")
        let past = try shop.engine.questions.asKnown(at: before)
        let errors = [
            { _ = try past.answer(key, of: "ann", at: now) },
            { _ = try past.explain(key, of: "ann", at: now) },
            { _ = try past.view(of: "ann", through: nil) },
        ].map { ask in
            do {
                try ask()
                return "nothing"
            } catch {
                return (error as? EngineError)?.code ?? "another"
            }
        }
        #expect(errors == Array(repeating: "account.erased", count: 3))
        #expect(try past.answer(key, of: "bob", at: now).decision)
        let since = try shop.engine.questions.asKnown(at: shop.engine.revision)
        #expect(try !since.answer(key, of: "ann", at: now).decision)
        let history = try shop.engine.questions.history(of: key, of: "ann", at: now, limit: 9)
        #expect(history.frame.erased == shop.engine.revision)
        try shop.engine.close()
    }

    @Test("a token that was an erased account's makes no account, and bars nobody who comes back")
    func tokenOfErased() async throws {
        let shop = try await Shop(on: .file)
        var texts = Shop.policy(trusting: shop.store)
        let text = String(decoding: texts[0].bytes, as: UTF8.self)
            .replacing("newsstand: true", with: "newsstand: true, account_token: is-account-id")
        texts[0] = PolicyText(path: texts[0].path, text: text)
        _ = try await shop.engine.activate(texts)
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20") {
            $0.appAccountToken = Self.token
        }
        try await shop.present(gold, as: Self.token)
        #expect(try shop.answer(Self.token, "premium").decision)
        _ = try await shop.erase(Self.token)
        try await shop.present(gold, as: nil)
        try await shop.present(gold, as: "anew")
        #expect(try shop.answer("anew", "premium").decision)
        try await shop.present(gold, as: nil)
        let person = AccountID(unchecked: Self.token)
        #expect(try !shop.engine.ledger.read { try $0.knows(person) })
        try shop.engine.close()
        #expect(try shop.problems() == [])
    }

    @Test("an order of an erased account that stays with what others claimed bars nobody")
    func orderOfErased() async throws {
        let shop = try await Shop(on: .file)
        let report = try await shop.engine.makeOrder(
            OrderRequest(account: "ann", product: "gold", actor: "uid:7")
        ).report
        guard case .done(let order) = report else { throw CancellationError() }
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20") {
            $0.appAccountToken = order.id.text
        }
        try await shop.present(gold, as: "ann")
        try await shop.present(gold, as: "bob", moment: .restore)
        let erased = try await shop.erase("ann")
        #expect(erased.value?.restated.isEmpty == false)
        try await shop.present(gold, as: "anew", moment: .restore)
        #expect(try shop.answer("anew", "premium").decision)
        try shop.engine.close()
        #expect(try shop.problems() == [])
    }

    @Test("another key than that of earlier erasures erases nothing, and is told of")
    func otherKey() async throws {
        let shop = try await Shop(on: .file)
        _ = try await shop.erase("ann")
        #expect(shop.engine.knowsErased)
        try shop.engine.close()
        var options = EngineOptions(ledger: shop.ledger, policyTexts: [], clock: shop.clock)
        options.privacyKey = PrivacyKey([UInt8](repeating: 9, count: PrivacyKey.length))
        let engine = try await EntitlementEngine.open(options)
        #expect(!engine.knowsErased)
        let cause = AdminActionCause(actor: "uid:7", reason: "asked")
        for days in [Int64(0), 7] {
            var request = ErasureRequest.now("bob")
            request.holdDays = days
            let report = try await engine.erase(request, id: "h1", cause)
            guard case .rejected(.erasureWithoutKey) = report else {
                Issue.record("\(report)")
                return
            }
        }
        try engine.close()
    }

    @Test("without the key nothing is erased, and an unknown account is recorded")
    func edges() async throws {
        let shop = try await Shop(privacyKey: nil, on: .file)
        let cause = AdminActionCause(actor: "uid:7", reason: "asked")
        let report = try await shop.engine.erase(.now("ann"), id: "e1", cause)
        guard case .rejected(.erasureWithoutKey) = report else {
            Issue.record("\(report)")
            return
        }
        try shop.engine.close()
        let other = try await Shop(on: .file)
        let erased = try await other.erase("nobody")
        #expect(!erased.answer.wasKnown && erased.value?.entries.isEmpty == true)
        try other.engine.close()
        #expect(try other.problems() == [])
    }
}

extension AdminActionReport {
    fileprivate var finished: Done? { if case .done(let done) = self { done } else { nil } }
}

/// Before and after (spec 1.14).
@Suite("Holding and coming back", .timeLimit(.minutes(20)))
struct ErasureHoldTests {
    private let cause = AdminActionCause(actor: "uid:7", reason: "asked")

    private func hold(
        _ shop: Shop, _ account: AccountID, days: Int64, id: BlockID
    ) async throws -> ErasureAnswer {
        var request = ErasureRequest.now(account)
        request.holdDays = days
        let report = try await shop.engine.erase(request, id: id, cause)
        return try #require(report.finished)
    }

    @Test("an account is closed until it is erased, and reopened before that")
    func hold() async throws {
        let shop = try await Shop(on: .file)
        let engine = shop.engine
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "ann")
        let held = try await hold(shop, "ann", days: 7, id: "h1")
        let due = try #require(Instant(rfc3339: "2026-03-08"))
        #expect(held.due == due && held.digest == nil)
        #expect(try await hold(shop, "ann", days: 2, id: "h2").erasure == held.erasure)
        #expect(try !shop.answer("ann", "premium").decision)
        guard case .nothing(next: due) = try await engine.eraseWhatIsDue() else {
            Issue.record("not due")
            return
        }
        #expect(try await engine.reopen("ann", cause).finished?.block.value.id == "h1")
        #expect(try shop.answer("ann", "premium").decision)
        shop.clock.set(due)
        guard case .nothing(next: nil) = try await engine.eraseWhatIsDue() else {
            Issue.record("cancelled")
            return
        }
        #expect(try await hold(shop, "ann", days: 1, id: "h3").due != nil)
        try shop.clock.set("2026-03-09")
        guard case .erased(let certificate) = try await engine.eraseWhatIsDue(),
            certificate.reference == reference,
            case .nothing(next: nil) = try await engine.eraseWhatIsDue()
        else {
            Issue.record("not erased")
            return
        }
        #expect(try !engine.ledger.read { try $0.knows("ann") })
        let unknown = try await hold(shop, "nobody", days: 7, id: "h4")
        #expect(unknown.due == nil && !unknown.wasKnown)
        try engine.close()
        #expect(try shop.ledger.audit().problems.map(\.code) == [])
    }

    @Test("what comes back is given, or waits for a person", arguments: [false, true])
    func comesBack(asks: Bool) async throws {
        let shop = try await Shop(rules: asks ? "on_return: ask" : "", on: .file)
        let engine = shop.engine
        let evidence = [
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"),
            try shop.purchase("pass", .nonRenewing, id: "9", at: "2026-02-28"),
        ]
        for bytes in evidence { try await shop.present(bytes, as: "ann") }
        _ = try await engine.erase(.now("ann"), id: "e1", cause)
        try shop.clock.set("2026-03-02")
        for (bytes, right) in zip(evidence, ["premium", "pass"]) {
            let report = try await shop.present(bytes, as: "anew")
            #expect(try shop.answer("anew", right).decision != asks, "\(right)")
            guard asks else { continue }
            let judged = try #require(report.judged)
            #expect(judged.transactions.map(\.standing) == [.denied(.waiting)])
            let claim = try #require(
                try engine.ledger.read { try $0.entries(after: .zero, limit: 1_000) }.last {
                    if case .claim = $0.value { true } else { false }
                })
            let ruling = try await engine.rule(
                RulingRequest(verb: .approve, claim: claim.sequence, cause: cause))
            // The past was somebody's who was erased.
            #expect(ruling.finished?.decisions.first?.value.from == shop.clock.now())
            #expect(try shop.answer("anew", right).decision, "\(right)")
        }
        try engine.close()
        #expect(try shop.ledger.audit().problems.map(\.code) == [])
    }
}

/// Everybody else is answered as before, whatever has happened. `RANDOM_ERASURES` says over how many
/// ledgers.
@Suite("Erasures in random ledgers", .timeLimit(.minutes(240)))
struct RandomErasureTests {
    private static let count =
        Int(ProcessInfo.processInfo.environment["RANDOM_ERASURES"] ?? "") ?? 4

    @Test(
        "change nothing for anybody else, and leave the ledger sound",
        arguments: TestLedger.Store.allCases.filter { $0 != .memory })
    func erase(in store: TestLedger.Store) async throws {
        var (erased, restated, told) = (0, 0, 0)
        for seed in 1...UInt64(Self.count) {
            let random = try await RandomLedger(seed: seed &+ 40_000, on: store)
            for _ in 0..<60 { try await random.step() }
            for turn in 0..<2 {
                let account = RandomLedger.accounts[(Int(seed) + 2 * turn) % 5]
                let before = try await Self.others(than: account, in: random)
                let report = try await random.engine.erase(
                    .now(account), id: "e1", AdminActionCause(actor: "uid:7", reason: "asked"))
                guard case .done(let certificate) = report else { continue }
                erased += 1
                restated += Int(certificate.restated)
                let after = try await Self.others(than: account, in: random)
                for (other, answers) in before {
                    told += answers.told.count
                    let difference = after[other].map(answers.difference) ?? "nothing"
                    #expect(difference == nil, "seed \(seed): \(account) of \(other)")
                }
                for _ in 0..<10 { try await random.step() }
            }
            // What is left is as if what is gone had never been.
            let replay = try LedgerReplay(of: random)
            #expect(replay.disagreements == [], "seed \(seed)")
            try random.close()
            let audit = try random.ledger.audit()
            #expect(audit.problems == [], "seed \(seed)")
        }
        #expect(erased > 0 && restated > 0 && told > 0)
    }

    private struct Answers: Equatable {
        let rights: [RightKey: RightTimeline]
        let balances: [CreditKey: CreditTimeline]
        let findings: [String]
        /// What the feed has told of it; who owned something may have a pseudonym since.
        let told: [String]

        func difference(to other: Answers) -> String? {
            if rights != other.rights {
                return "rights \(rights.filter { other.rights[$0.key] != $0.value }) now "
                    + "\(other.rights.filter { rights[$0.key] != $0.value })"
            }
            if balances != other.balances { return "balances" }
            if findings != other.findings {
                return "findings \(findings.difference(from: other.findings))"
            }
            return told == other.told ? nil : "told \(told.difference(from: other.told))"
        }
    }

    /// Without whoever is the same person.
    private static func others(
        than account: AccountID, in random: RandomLedger
    ) async throws -> [AccountID: Answers] {
        while try await random.engine.feed.advance(at: random.engine.now()) {}
        let policy = random.engine.policy
        return try random.engine.ledger.read { reader in
            let name = policy.name(account)
            let standing = try reader.account(standingFor: name, policy)
            let told = try reader.changes(after: 0, matching: ChangeFilter(), limit: 100_000)
            var found: [AccountID: Answers] = [:]
            let owners = Set(RandomLedger.owners.map(policy.name))
            // In every spelling.
            let person = try Set(
                owners.filter { try reader.account(standingFor: $0, policy) == standing }
                    .map(\.folded)
            ).union([account.folded])
            for other in owners where !person.contains(other.folded) {
                let facts = try reader.facts(withDenialsFor: other)
                let timeline = policy.deriver.deriveAccount(other, facts)
                found[other] = Answers(
                    rights: timeline.rights, balances: timeline.balances,
                    findings: timeline.findings.map { "\($0.kind) \($0.interval) \($0.units)" }
                        .sorted(),
                    told: told.changes.filter { $0.change.account == other }.map {
                        "\($0.number) \($0.change.kind) \($0.change.subject)"
                            + ($0.change.kind == .ownerChanged ? "" : " \($0.change)")
                    })
            }
            return found
        }
    }
}
