internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import GRDB
internal import LedgerStore
internal import PolicyLoading
internal import StoreSimulator
internal import Testing

@testable internal import EvidenceVerification

private let support = DeedCause(actor: "uid:7", reason: "a test")

@Suite("Auditing a ledger")
struct AuditTests {
    @Test("finds nothing in what an engine wrote of a play", arguments: PlayedShop.plays)
    func plays(name: String) async throws {
        let played = try PlayedShop.play(name).perform(seed: 5)
        let shop = try await PlayedShop(trusting: played)
        let chaos = PlayChaos(reorders: true, repeats: true)
        for piece in chaos.apply(to: played.evidence, seed: 1) {
            try await shop.handIn(piece, at: piece.at)
        }
        try shop.engine.close()
        let audit = try auditLedger(at: shop.ledgerFolder + "/ledger", AuditOptions())
        #expect(audit.problems == [])
        #expect(audit.isComplete && audit.evidence > 0 && audit.decisions > 0)
    }

    @Test("finds nothing in moves, rulings, merges and what came under several policies")
    func deeds() async throws {
        let shop = try await Shop(rules: Self.switchRules)
        try await act(in: shop)
        let audit = try auditLedger(at: shop.ledgerPath, AuditOptions())
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
        let claims = try shop.engine.questions.waitingClaims().map(\.claim.sequence)
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
        guard case .merged(let merged) = report else {
            Issue.record("the merge was refused: \(report)")
            return
        }
        merge.undoes = merged.sequence
        _ = try await shop.engine.merge(merge)
    }

    @Test("finds what an honest service would not have written", arguments: Forgery.all)
    func forgeries(forgery: Forgery) async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        try shop.engine.close()
        let ledger = try Ledger.open(path: shop.ledgerPath, makeSalt: EngineOptions.randomSalt)
        // 1 policy, 2 evidence, 3 transaction, 4 claim, 5 decision.
        for entry in try ledger.read(forgery.entries) {
            _ = try await ledger.write { try $0.append(entry, at: Self.later) }
        }
        try ledger.close()
        let audit = try auditLedger(at: shop.ledgerPath, AuditOptions())
        #expect(audit.problems.map(\.code) == forgery.found)
        #expect(audit.problems.first?.sequence == LedgerSequence(forgery.at))
        let sentences = try #require(audit.problems.first?.sentences)
        #expect(sentences.english != sentences.chinese)
        var quick = AuditOptions()
        quick.isQuick = true
        let chain = try auditLedger(at: shop.ledgerPath, quick)
        #expect(chain.problems == [] && !chain.isComplete)
    }

    @Test(
        "evidence that was under way while the policy changed is judged by the one before, too",
        arguments: [(59, []), (61, ["evidence-refused"])] as [(Int64, [String])])
    func handover(seconds: Int64, found: [String]) async throws {
        let shop = try await Shop()
        try shop.engine.close()
        let stranger = StoreSimulator(seed: 8, now: shop.clock.now())
        let texts = Shop.policy(trusting: stranger)
        let activation = PolicyActivation(
            digest: try #require(loadPolicy(texts).policy?.digest),
            files: texts.map { .init(path: $0.path, bytes: $0.bytes) }.sorted { $0.path < $1.path })
        let bytes = try shop.purchase("unlock", .nonConsumable, id: "2")
        let record = EvidenceRecord(
            kind: .transaction, digest: sha256(bytes), bytes: bytes,
            judgedAt: try shop.signingTime(of: bytes))
        let ledger = try Ledger.open(path: shop.ledgerPath, makeSalt: EngineOptions.randomSalt)
        for (entry, delay) in [(.policyActivation(activation), 0), (.evidence(record), seconds)]
            as [(LedgerEntry, Int64)]
        {
            let instant = Self.later.advanced(byMilliseconds: delay * 1_000)
            _ = try await ledger.write { try $0.append(entry, at: instant) }
        }
        try ledger.close()
        let audit = try auditLedger(at: shop.ledgerPath, AuditOptions())
        #expect(audit.problems.map(\.code) == found)
    }

    @Test("erased entries are counted, and keep decisions from being compared")
    func erased() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        try shop.engine.close()
        let file = try DatabaseQueue(path: shop.ledgerPath)
        try await file.write {
            try $0.execute(sql: "UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 4")
        }
        try file.close()
        let audit = try auditLedger(at: shop.ledgerPath, AuditOptions())
        #expect(audit.problems == [])
        #expect(audit.erased == 1 && audit.decisions == 0 && audit.evidence == 1)
    }

    @Test("progress goes from nothing to all of it, once for the chain and once for the rest")
    func progress() async throws {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        var steps: [Int64] = []
        var options = AuditOptions()
        options.progress = { done, total in
            #expect(total == 10)
            steps.append(done)
        }
        _ = try auditLedger(at: shop.ledgerPath, options)
        #expect(steps == [5, 10])
    }

    static let later = Instant(milliseconds: 1_772_400_000_000)

    /// Entries whose chain holds, after an honest purchase by alice.
    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let found: [String]
        let at: Int64
        let entries: @Sendable (any LedgerReading) throws -> [LedgerEntry]

        static let all: [Forgery] = [
            Forgery("a newer snapshot", "fact-unfounded", at: 6) { ledger in
                guard case .transaction(var fact)? = try ledger.entry(LedgerSequence(3))?.value
                else { return [] }
                fact.snapshot.signedDate = AuditTests.later
                return [.transaction(fact)]
            },
            Forgery("a fact without evidence", "fact-unfounded", at: 6) { ledger in
                guard case .transaction(var fact)? = try ledger.entry(LedgerSequence(3))?.value
                else { return [] }
                fact.snapshot.transactionID = "9"
                fact.evidence = LedgerSequence(1)
                return [.transaction(fact)]
            },
            Forgery("a notification that was none", "fact-unfounded", at: 6) { _ in
                [
                    .notification(
                        NotificationFact(
                            environment: .production, uuid: "u", type: "REFUND", subtype: nil,
                            signedDate: AuditTests.later, evidence: LedgerSequence(2)))
                ]
            },
            Forgery("a renewal that nobody signed", "fact-unfounded", at: 6) { ledger in
                guard case .transaction(let fact)? = try ledger.entry(LedgerSequence(3))?.value
                else { return [] }
                let renewal = RenewalSnapshot(
                    environment: .production, originalTransactionID: "2",
                    signedDate: AuditTests.later, source: fact.snapshot.source)
                return [.renewal(RenewalFact(snapshot: renewal, evidence: fact.evidence))]
            },
            Forgery("a device that was another one", "fact-unfounded", at: 6) { ledger in
                guard case .transaction(let fact)? = try ledger.entry(LedgerSequence(3))?.value
                else { return [] }
                let snapshot = AppTransactionSnapshot(
                    environment: .production, bundleID: fact.snapshot.bundleID,
                    appTransactionID: nil, signedDate: AuditTests.later,
                    source: fact.snapshot.source)
                return [
                    .appTransaction(
                        AppTransactionFact(
                            snapshot: snapshot, account: "bob", evidence: fact.evidence))
                ]
            },
            Forgery("a quarantine of what is plausible", "fact-unfounded", at: 6) { _ in
                [.quarantine(Quarantine(evidence: LedgerSequence(2), code: "implausible.date"))]
            },
            Forgery(
                "a claim on evidence that comes later", "fact-unfounded", "decision-differs",
                at: 6
            ) { _ in
                guard case .claim(var claim) = Self.claim(of: "mallory") else { return [] }
                claim.evidence = LedgerSequence(7)
                return [.claim(claim)]
            },
            Forgery("evidence that nobody signed", "evidence-refused", at: 6) { ledger in
                guard case .evidence(var record)? = try ledger.entry(LedgerSequence(2))?.value
                else { return [] }
                record.bytes[record.bytes.count - 9] ^= 1
                record.digest = sha256(record.bytes)
                return [.evidence(record)]
            },
            Forgery("evidence of another time", "evidence-differs", at: 6) { ledger in
                guard case .evidence(var record)? = try ledger.entry(LedgerSequence(2))?.value
                else { return [] }
                record.judgedAt = .distantPast
                return [.evidence(record)]
            },
            Forgery("evidence of another kind", "evidence-differs", at: 6) { ledger in
                guard case .evidence(var record)? = try ledger.entry(LedgerSequence(2))?.value
                else { return [] }
                record.kind = .renewalInfo
                return [.evidence(record)]
            },
            Forgery("a policy under another name", "policy-differs", at: 6) { ledger in
                guard
                    case .policyActivation(var activation)? =
                        try ledger.entry(LedgerSequence(1))?.value
                else { return [] }
                activation.digest = sha256([])
                return [.policyActivation(activation)]
            },
            Forgery("a policy that is none", "policy-unreadable", at: 6) { _ in
                [.policyActivation(PolicyActivation(digest: sha256([]), files: []))]
            },
            Forgery("an owner that nobody decided on", "decision-differs", at: 6) { ledger in
                [.decision(try Self.moved(to: "mallory", in: ledger))]
            },
            Forgery("a claim that was decided wrongly", "decision-differs", at: 7) { ledger in
                var decision = try Self.moved(to: "mallory", in: ledger)
                decision.cause = LedgerSequence(6)
                return [Self.claim(of: "mallory"), .decision(decision)]
            },
            Forgery("a claim without a decision", "decision-differs", at: 6) { _ in
                [Self.claim(of: "mallory")]
            },
            Forgery("a ruling that could not be", "decision-differs", at: 6) { ledger in
                [
                    .ruling(
                        Ruling(
                            verb: .undo, unit: try Self.moved(to: "bob", in: ledger).unit,
                            actor: "uid:0", reason: "none"))
                ]
            },
        ]

        init(
            _ name: String, _ found: String..., at place: Int64,
            entries: @escaping @Sendable (any LedgerReading) throws -> [LedgerEntry]
        ) {
            testDescription = name
            self.found = found
            at = place
            self.entries = entries
        }

        private static func claim(of account: AccountID) -> LedgerEntry {
            .claim(
                Claim(
                    account: account, transaction: TransactionKey(.production, "2"),
                    moment: .restore, evidence: LedgerSequence(2)))
        }

        private static func moved(
            to account: AccountID, in ledger: any LedgerReading
        ) throws -> OwnershipDecision {
            guard case .decision(var decision)? = try ledger.entry(LedgerSequence(5))?.value
            else { throw Unexpected() }
            decision.ownersBefore = decision.ownersAfter
            decision.ownersAfter = [account]
            return decision
        }

        private struct Unexpected: Error {}
    }
}

extension Shop {
    /// When evidence of this store says that it was signed.
    fileprivate func signingTime(of bytes: [UInt8]) throws -> Instant {
        let verdict = engine.policy.verifier.verify(bytes, at: clock.now())
        guard case .accepted(let evidence) = verdict else { throw NotGenuine() }
        return evidence.judgedAt
    }

    private struct NotGenuine: Error {}
}
