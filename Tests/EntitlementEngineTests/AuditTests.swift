internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import GRDB
internal import LedgerModel
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

@testable internal import EvidenceVerification

private let support = AdminActionCause(actor: "uid:7", reason: "a test")

@Suite("Auditing a ledger", .timeLimit(.minutes(20)))
struct AuditTests {
    @Test("finds nothing in what an engine wrote of a play", arguments: PlayedShop.plays)
    func plays(name: String) async throws {
        let played = try PlayedShop.play(name).perform(seed: 5)
        let shop = try await PlayedShop(trusting: played, on: .file)
        let chaos = PlayChaos(reorders: true, repeats: true)
        for piece in chaos.apply(to: played.evidence, seed: 1) {
            try await shop.handIn(piece, at: piece.at)
        }
        try shop.engine.close()
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [])
        #expect(audit.isComplete && audit.evidence > 0 && audit.decisions > 0)
    }

    @Test("finds nothing in moves, rulings, merges and what came under several policies")
    func actions() async throws {
        let shop = try await Shop(rules: Self.switchRules, on: .file)
        try await act(in: shop)
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [])
        // Four of claims, six of rulings, and of the merge and its undo.
        #expect(audit.decisions >= 12)
        #expect(audit.evidence == 4)
        #expect(audit.erased == 0)
        #expect(audit.head.sequence == shop.engine.revision)
    }

    private static let switchRules = """
        account_switch:
          - {name: ask, when: {kind: auto-renewable}, then: ask}
          - {name: follow, when: {kind: non-consumable}, then: transfer,
             limits: {moves: 3 per 30d}}
        """

    private func act(in shop: Shop) async throws {
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        let unlock = try shop.purchase("unlock", .nonConsumable, id: "2")
        for account in ["alice", "bob", "carol"] { try await shop.present(gold, as: account) }
        for account in ["alice", "bob"] { try await shop.present(unlock, as: account) }
        // The clock stands back: what is recorded late is decided as of when it is recorded.
        try shop.clock.set("2026-02-27")
        try await shop.present(unlock, as: "carol")
        let claims = try shop.engine.questions.waitingClaims().claims.map(\.claim)
        let (bobs, carols) = (try #require(claims.first), try #require(claims.last))
        for verb in [Ruling.Verb.approve, .undo, .transfer, .release] {
            _ = try await shop.engine.rule(
                RulingRequest(verb: verb, claim: bobs, cause: support))
        }
        _ = try await shop.engine.rule(
            RulingRequest(verb: .refuse, claim: carols, cause: support))
        _ = try await shop.engine.activate(Shop.policy(trusting: shop.store, leeway: "2h"))
        try await shop.present(
            shop.purchase("coins", .consumable, id: "5") { $0.quantity = 3 }, as: "guest")
        try await shop.present(shop.purchase("pass", .nonRenewing, id: "6"), as: "guest")
        _ = try await shop.engine.grant(
            GrantRequest(
                id: "g", account: "guest", gift: .entitlement("premium"), cause: support))
        var merge = AccountMerge(
            from: "guest", into: "alice", actor: "uid:7", reason: "signed up")
        let report = try await shop.engine.merge(merge)
        guard case .done(let merged) = report else {
            Issue.record("the merge was refused: \(report)")
            return
        }
        merge.undoes = merged.sequence
        _ = try await shop.engine.merge(merge)
    }

    @Test("finds what an honest service would not have written", arguments: AuditForgery.all)
    func forgeries(forgery: AuditForgery) async throws {
        let shop = try await Shop(on: .file)
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        try shop.engine.close()
        try await shop.forge(forgery.entries)
        let audit = try shop.ledger.audit()
        #expect(audit.problems.map(\.code) == forgery.found)
        #expect(audit.problems.first?.sequence == LedgerSequence(forgery.at))
        let problem = try #require(audit.problems.first)
        #expect(problem.text(.english) != problem.text(.chinese))
        var quick = AuditOptions()
        quick.isQuick = true
        let chain = try shop.ledger.audit(quick)
        #expect(chain.problems == [] && !chain.isComplete)
    }

    @Test(
        "compares what the change feed has told, and when something is due, with the entries",
        arguments: [
            ("", []),
            ("UPDATE feed_subject SET due = due + 1 WHERE name = 'alice'", ["outlook-unreadable"]),
            (
                "UPDATE feed_subject SET outlook = x'07' WHERE name = 'alice'",
                ["outlook-unreadable"]
            ),
            (
                """
                UPDATE feed_subject SET (due, outlook) =
                    (SELECT due, outlook FROM feed_subject WHERE name = 'bob') WHERE name = 'alice'
                """, ["outlook-differs"]
            ),
            (
                """
                UPDATE feed_subject SET (due, outlook) =
                    (SELECT due, outlook FROM feed_subject WHERE name = 'bob')
                WHERE name = 'alice' OR name LIKE ' order:%'
                """, ["outlook-differs", "outlook-differs"]
            ),
            ("DELETE FROM feed_subject WHERE name = 'alice'", ["outlook-differs"]),
        ])
    func outlooks(edit: String, found: [String]) async throws {
        let shop = try await Shop(on: .file)
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "bob")
        guard
            case .done = try await shop.engine.makeOrder(
                OrderRequest(account: "carol", product: "gold", actor: "uid:7")
            ).report
        else {
            Issue.record("no order")
            return
        }
        _ = try await shop.told()
        try shop.clock.set("2026-03-20T00:30:00Z")
        _ = try await shop.told()
        try shop.engine.close()
        if !edit.isEmpty { try await shop.edit(edit) }
        let audit = try shop.ledger.audit()
        #expect(audit.problems.map(\.code) == found)
        if edit.isEmpty { #expect(audit.outlooks >= 3) }
    }

    /// What a fact says beside what its evidence says.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout NotificationFact) -> Void
    }

    private static let changes = [
        Change(testDescription: "environment") { $0.environment = .sandbox },
        Change(testDescription: "type") { $0.type = "REFUND" },
        Change(testDescription: "subtype") { $0.subtype = nil },
        Change(testDescription: "uuid") { $0.uuid = "u" },
        Change(testDescription: "signedDate") { $0.signedDate = AuditForgery.later },
    ]

    @Test("every member of a notification is what its evidence says", arguments: changes)
    func notifications(change: Change) async throws {
        let shop = try await Shop(on: .file)
        let notification = SimulatedNotification(
            type: "DID_RENEW", subtype: "BILLING_RECOVERY",
            uuid: "f3b5a1c0-0000-4000-8000-000000000001", bundleID: "com.example.shop",
            appAppleID: 77, signedDate: shop.clock.now())
        let evidence = try shop.verified(shop.store.sign(notification.payload))
        try shop.engine.close()
        var fact = NotificationFact(
            environment: .production, uuid: notification.uuid, type: notification.type,
            subtype: notification.subtype, signedDate: notification.signedDate,
            evidence: LedgerSequence(2))
        change.change(&fact)
        let (record, forged) = (EvidenceRecord(evidence), fact)
        try await shop.forge { _ in [.evidence(record), .notification(forged)] }
        let audit = try shop.ledger.audit()
        #expect(audit.problems.map(\.code) == ["fact-unfounded"])
    }

    @Test("what is quarantined is kept for what is wrong with it")
    func quarantine() async throws {
        let shop = try await Shop(on: .file)
        let purchase = try shop.purchase("unlock", .nonConsumable, id: "2") { $0.quantity = 9_000 }
        try await shop.present(purchase, as: "alice")
        #expect(try shop.ledger.audit().problems == [])
        try shop.engine.close()
        let key = TransactionKey(.production, "2")
        let forged = [("implausible.date", key), ("implausible.quantity", nil)].map { code, key in
            LedgerEntry.quarantine(
                Quarantine(evidence: LedgerSequence(2), code: code, transaction: key))
        }
        try await shop.forge { _ in forged }
        let audit = try shop.ledger.audit()
        #expect(audit.problems.map(\.sequence?.number) == [4, 5])
        #expect(Set(audit.problems.map(\.code)) == ["fact-unfounded"])
    }

    @Test(
        "evidence that was under way while the policy changed is judged by the one before, too",
        arguments: [(59, []), (61, ["evidence-refused"])] as [(Int64, [String])])
    func handover(seconds: Int64, found: [String]) async throws {
        let shop = try await Shop(on: .file)
        try shop.engine.close()
        let stranger = StoreSimulator(seed: 8, now: shop.clock.now())
        let texts = Shop.policy(trusting: stranger)
        let activation = PolicyActivation(
            digest: try #require(loadPolicy(texts).policy?.digest),
            files: texts.map { .init(path: $0.path, bytes: $0.bytes) }.sorted { $0.path < $1.path })
        let bytes = try shop.purchase("unlock", .nonConsumable, id: "2")
        let record = EvidenceRecord(try shop.verified(bytes))
        for (entry, delay) in [(.policyActivation(activation), 0), (.evidence(record), seconds)]
            as [(LedgerEntry, Int64)]
        {
            let instant = AuditForgery.later.advanced(byMilliseconds: delay * 1_000)
            try await shop.ledger.append([entry], at: instant)
        }
        let audit = try shop.ledger.audit()
        #expect(audit.problems.map(\.code) == found)
    }

    /// Policy, and twice evidence, transaction, claim, decision: alice's at 2 to 5, bob's after.
    private func twoPurchases() async throws -> Shop {
        let shop = try await Shop(on: .file)
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "3"), as: "bob")
        try shop.engine.close()
        return shop
    }

    @Test(
        "an erased entry is a problem, and what does not depend on it is still checked",
        arguments: [
            (1, 0, 2, 0), (2, 2, 0, 1), (3, 1, 1, 2), (4, 1, 1, 2), (5, 1, 0, 2), (6, 2, 0, 1),
        ] as [(Int64, Int64, Int64, Int64)])
    func erased(place: Int64, made: Int64, unknown: Int64, evidence: Int64) async throws {
        let shop = try await twoPurchases()
        try await shop.edit(
            "UPDATE entry SET payload = NULL, salt = NULL WHERE seq = \(place)")
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [.ledger(.payloadErased(LedgerSequence(place)))])
        #expect(audit.erased == 1 && audit.isComplete)
        #expect(audit.decisions == made && audit.decisionsUnknown == unknown)
        #expect(audit.evidence == evidence)
    }

    @Test("erased bytes of evidence leave their facts unchecked, and the rest checked")
    func erasedEvidence() async throws {
        let shop = try await twoPurchases()
        try await shop.edit("UPDATE evidence SET bytes = NULL WHERE seq = 2")
        let audit = try shop.ledger.audit()
        #expect(audit.problems == [.ledger(.evidenceErased(LedgerSequence(2)))])
        #expect(audit.decisions == 2 && audit.evidence == 1)
    }

    @Test("a forged decision is found beside an erased entry")
    func forgedBesideErased() async throws {
        let shop = try await twoPurchases()
        try await shop.forge { ledger in
            guard case .decision(var decision)? = try ledger.entry(LedgerSequence(9))?.value
            else { return [] }
            (decision.ownersBefore, decision.ownersAfter) = (["bob"], ["mallory"])
            return [.decision(decision)]
        }
        try await shop.edit("UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 3")
        let audit = try shop.ledger.audit()
        #expect(
            audit.problems == [
                .ledger(.payloadErased(LedgerSequence(3))), .decisionDiffers(LedgerSequence(10)),
            ])
    }

    @Test(
        "decisions by other rules are counted and not made again; those by its own are",
        arguments: [false, true])
    func otherRules(isAll: Bool) async throws {
        let shop = try await Shop(rules: Self.switchRules, on: .file)
        try await act(in: shop)
        let whole = try shop.ledger.audit()
        #expect(whole.decisionsByOtherRules.isEmpty)
        let copy = try await shop.rewritten { entry, hasRuled in
            switch entry {
            case .decision(var decision) where isAll || !hasRuled:
                decision.rules = 1
                return .decision(decision)
            case .accountMerge(var merge) where isAll:
                merge.rules = 1
                return .accountMerge(merge)
            default: return entry
            }
        }
        defer { withExtendedLifetime(copy) {} }
        let audit = try TestLedger(.file, in: copy).audit()
        #expect(audit.problems == [])
        let others = try #require(audit.decisionsByOtherRules[1])
        #expect(audit.decisionsByOtherRules.count == 1)
        #expect(others > 2 && (audit.decisions == 0) == isAll)
        #expect(audit.decisions + others == whole.decisions)
    }

    @Test(
        "a decision that would be made otherwise is a forgery by these rules only",
        arguments: [
            (ClaimRules.version, ["decision-differs"], [:]), (1, [], [1: 1]),
            (ClaimRules.version + 1, [], [ClaimRules.version + 1: 1]),
        ] as [(Int64, [String], [Int64: Int64])])
    func wrongByOtherRules(rules: Int64, found: [String], others: [Int64: Int64]) async throws {
        let shop = try await Shop(on: .file)
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        try shop.engine.close()
        try await shop.forge { ledger in
            guard case .claim(var claim)? = try ledger.entry(LedgerSequence(4))?.value,
                case .decision(var decision)? = try ledger.entry(LedgerSequence(5))?.value
            else { return [] }
            claim.account = "mallory"
            decision.cause = LedgerSequence(6)
            decision.rules = rules
            (decision.ownersBefore, decision.ownersAfter) = (["alice"], ["mallory"])
            return [.claim(claim), .decision(decision)]
        }
        let audit = try shop.ledger.audit()
        #expect(audit.problems.map(\.code) == found)
        #expect(audit.decisions == 1 && audit.decisionsByOtherRules == others)
    }

    @Test("progress goes from nothing to all of it, once for the chain and once for the rest")
    func progress() async throws {
        let shop = try await Shop(on: .file)
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        var steps: [Int64] = []
        var options = AuditOptions()
        options.progress = { done, total in
            #expect(total == 10)
            steps.append(done)
        }
        _ = try shop.ledger.audit(options)
        #expect(steps == [5, 10])
    }
}

extension Shop {
    /// What the engine's policy makes of genuine evidence.
    fileprivate func verified(_ bytes: [UInt8]) throws -> VerifiedEvidence {
        let verdict = engine.policy.verifier.verify(bytes, at: clock.now())
        guard case .accepted(let evidence) = verdict else { throw NotGenuine() }
        return evidence
    }

    private struct NotGenuine: Error {}

    /// Changes the closed ledger's file as somebody with `sqlite3` would.
    fileprivate func edit(_ sql: String) async throws {
        let file = try DatabaseQueue(path: ledger.path)
        try await file.write { try $0.execute(sql: sql) }
        try file.close()
    }

    /// The ledger as another program might have written it. The change is told whether a person
    /// has ruled already.
    func rewritten(
        _ change: (LedgerEntry, Bool) -> LedgerEntry
    ) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let reader = try ledger.openForReading()
        let entries = try reader.read { try $0.entries(after: .zero, limit: 1_000) }
        try reader.close()
        let copy = try TestLedger(.file, in: folder).open()
        var hasRuled = false
        for entry in entries {
            if case .ruling = entry.value { hasRuled = true }
            let changed = change(entry.value, hasRuled)
            _ = try await copy.write { try $0.append(changed, at: entry.recordedAt) }
        }
        try copy.close()
        return folder
    }
}

extension EvidenceRecord {
    fileprivate init(_ evidence: VerifiedEvidence) {
        self.init(
            kind: evidence.kind, digest: evidence.digest, bytes: evidence.bytes,
            judgedAt: evidence.judgedAt)
    }
}
