internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import StoreBox
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine
@testable internal import Sentences

/// What is answered as if something had happened, beside what is answered once it has.
/// `RANDOM_LEDGERS` says how many ledgers.
@Suite("Assumptions", .timeLimit(.minutes(240)))
struct AssumptionTests {
    private static let steps = 60

    @Test(
        "are answered to the byte as what has happened",
        arguments: TestLedger.Store.allCases)
    func ledgers(in store: TestLedger.Store) async throws {
        var (done, faults): ([String: Int], [String: Int]) = ([:], [:])
        var answers = 0
        for seed in 1...UInt64(RandomLedgerTests.count) {
            let random = try await RandomLedger(seed: seed, on: store)
            var dice = SplitMix64(seed: seed ^ 0xA550_0ED5)
            for step in 0..<Self.steps {
                try await random.step()
                let engine = random.engine
                let assumption = try engine.anyAssumption(&dice)
                let now = engine.now().advanced(
                    byMilliseconds: Int64(dice.pick([0, 0, 9])) * 86_400_000)
                let revision = engine.revision
                let assumed = try? TellAll(engine.questions.assuming([assumption], at: now), now)
                #expect(engine.revision == revision, "nothing is written")
                let fault = try await engine.happens(assumption, at: now)
                guard fault == nil else {
                    faults["\(assumption.word) \(fault as AssumptionFault?)", default: 0] += 1
                    #expect(assumed == nil && engine.revision == revision, "\(assumption)")
                    continue
                }
                let real = try TellAll(engine.questions, now)
                let place = "seed \(seed), step \(step): \(assumption)"
                for (one, other) in zip(assumed?.answers ?? [], real.answers) where one != other {
                    Issue.record("\(place): \(one) instead of \(other)")
                    return
                }
                #expect(assumed?.answers.count == real.answers.count, "\(place)")
                answers += real.answers.count
                done[assumption.word, default: 0] += 1
            }
            try random.close()
        }
        #expect(done.keys.sorted() == ["approve", "block", "fail", "grant", "refund", "renew"])
        #expect(
            done.values.min() ?? 0 >= RandomLedgerTests.count / 2,
            "\(done), \(faults), \(answers) answers")
    }

    @Test(
        "cannot be what cannot happen",
        arguments: [
            ("refund 99", AssumptionFault.unknownTransaction),
            ("refund 2", .refunded),
            ("renew 3", .notRenewing),
            ("renew 4", .notRenewing),
            ("fail 3", .notRenewing),
            ("approve 1", .notWaiting),
            ("support approves the claim of bob on 1", .notWaiting),
            ("grant alice nothing", .unknownName),
            ("block alice from nothing", .unknownName),
            ("grant alice premium until 2026-02-01", .impossible),
        ])
    func impossible(_ text: String, _ fault: AssumptionFault) async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        try await shop.present(
            shop.purchase("unlock", .nonConsumable, id: "2") {
                $0.revocation = Revocation(date: $0.purchaseDate)
            }, as: "alice")
        try await shop.present(shop.purchase("coins", .consumable, id: "3"), as: "alice")
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "4", until: "2026-02-27") {
                $0.revocation = Revocation(date: $0.purchaseDate)
            }, as: "bob")
        let revision = shop.engine.revision
        let questions = shop.engine.questions.assuming(
            try Assumption.read("refund 1; " + text), at: shop.clock.now())
        do throws(EngineError) {
            _ = try questions.report(on: "alice", at: shop.clock.now())
            Issue.record("\(text) was answered")
        } catch {
            guard case .assumption(fault, number: 2) = error else {
                Issue.record("\(error) instead of \(fault)")
                return
            }
        }
        #expect(shop.engine.revision == revision)
    }

    @Test("follow one another, and leave nothing behind")
    func several() async throws {
        let shop = try await Shop()
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        func until(_ text: String?) throws -> String? {
            let now = shop.clock.now()
            let assumptions = try text.map { try Assumption.read($0) } ?? []
            let questions = shop.engine.questions.assuming(assumptions, at: now)
            #expect(questions.isAssumed == (text != nil))
            return try questions.answer(
                RightKey(.production, "premium"), of: "alice", at: now
            ).until?.rfc3339
        }
        #expect(try until(nil) == "2026-03-20T01:00:00.000Z")
        #expect(try until("1 renews") == "2026-04-20T01:00:00.000Z")
        #expect(try until("1 续订；1 续订; renew 1") == "2026-06-20T01:00:00.000Z")
        #expect(try until("renew 1; refund 1") == "2026-03-20T00:00:00.000Z")
        #expect(try until(nil) == "2026-03-20T01:00:00.000Z")
    }

    @Test("are at most so many, each a sentence")
    func sentences() throws {
        let most = Array(repeating: "refund 1", count: Assumption.most)
        #expect(try Assumption.read(most.joined(separator: ";")).count == Assumption.most)
        #expect(throws: AssumptionMistake()) {
            try Assumption.read((most + ["refund 1"]).joined(separator: ";"))
        }
        #expect(throws: AssumptionMistake(number: 1)) { try Assumption.read(" ; ") }
        #expect(
            throws: AssumptionMistake(
                number: 2, word: "twice", nearest: "{purchase} is refunded")
        ) { try Assumption.read("refund 1; 1 is refunded twice") }
        for text in [
            "1 is refunded, and nobody tells of it", "refund 1 by 101 percent",
            "renewal of 1 fails, 367 days of grace", "approve alice",
        ] {
            #expect(throws: AssumptionMistake.self, "\(text)") { try Assumption.read(text) }
        }
    }
}

/// All that can be told of the accounts of a random ledger, at two instants, without the revision.
private struct TellAll {
    private(set) var answers: [String] = []

    init(_ questions: LedgerQuestions, _ now: Instant) throws {
        for account in RandomLedger.accounts {
            for instant in [now, now.advanced(byMilliseconds: 20 * 86_400_000)] {
                add(try questions.report(on: account, at: instant).json)
                add(try questions.timeline(of: account, at: instant).json)
                add(try questions.findings(of: account, at: instant).json)
                for name: EntitlementName in ["premium", "forever", "pass"] {
                    let key = RightKey(.production, name)
                    add(try questions.explain(key, of: account, at: instant).json)
                }
                add(
                    try questions.catalogue(
                        for: account, in: .production, on: nil, at: instant
                    ).json)
                add(
                    try questions.preflight(
                        PreflightRequest(account: account, product: "gold"), at: instant
                    ).json)
            }
        }
    }

    private mutating func add(_ json: [UInt8]) {
        let text = String(decoding: json, as: UTF8.self)
        answers.append(
            text.replacing(/"revision":[0-9]+/, with: "").replacing(#","assumed":true"#, with: "")
                .replacing(#""assumed":true,"#, with: ""))
    }
}

extension EntitlementEngine {
    /// It is recorded for real, as it would be assumed.
    fileprivate func happens(
        _ assumption: Assumption, at instant: Instant
    ) async throws -> AssumptionFault? {
        try await commit(calledAt: instant) { commit throws(LedgerError) in
            let recorder = try AssumptionRecorder(commit, at: instant, in: .production)
            return (try recorder.record(assumption), RandomLedger.owners)
        }
    }

    fileprivate func anyAssumption(_ dice: inout SplitMix64) throws -> Assumption {
        let entries = try questions.ledger.read { try $0.entries(after: .zero, limit: 10_000) }
        let ids: [TransactionID] = entries.compactMap { entry in
            guard case .transaction(let fact) = entry.value else { return nil }
            return fact.snapshot.transactionID
        }
        let id = ids.isEmpty ? "1" : dice.pick(ids)
        let waiting = try questions.waitingClaims().claims.map(\.claim)
        let account = dice.pick(RandomLedger.accounts)
        // What is refunded renews no more: it happens seldom.
        switch dice.below(waiting.isEmpty ? 15 : 20) {
        case 0..<5: return .renews(id)
        case 5..<10:
            return .fails(id, dice.pick([nil, .days(6), .until(now())]))
        case 10: return .isRefunded(id, percent: dice.pick([nil, 40]))
        case 11..<13:
            let gift: GrantedGift =
                dice.chance(1, in: 2) ? .entitlement("pass") : .credit("coins", units: 3)
            return .grant(account, gift, until: dice.pick([nil, now()]))
        case 13:
            return .block(account, BlockScope(entitlements: ["pass"], credits: []))
        case 14: return .block(account, .everything)
        default: return .isApproved(.entry(dice.pick(waiting)))
        }
    }
}

extension Assumption {
    fileprivate var word: String {
        switch self {
        case .renews: "renew"
        case .fails: "fail"
        case .isRefunded: "refund"
        case .isApproved: "approve"
        case .grant: "grant"
        case .block: "block"
        }
    }
}
