internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import LedgerStore
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// An answer is made again from its question, its revision and its instant.
/// `RANDOM_LEDGERS` says how many ledgers.
@Suite("Answers made again", .timeLimit(.minutes(240)))
struct ReplayTests {
    @Test(
        "after a restart, merges, other policies and in a backup, to the byte",
        arguments: TestLedger.Store.allCases)
    func replay(in store: TestLedger.Store) async throws {
        let count = UInt64(max(1, RandomLedgerTests.count / 6))
        var answers = 0
        for seed in 1...count {
            let random = try await RandomLedger(seed: seed &+ 500, on: store)
            // Others ask all the time, also between a commit and its publication.
            let asking = AskingThread(random.engine)
            var told: Set<ToldOnce> = []
            for _ in 0..<60 {
                try await random.step()
                for account in RandomLedger.accounts {
                    told.formUnion(try ToldOnce.all(of: account, random.engine))
                }
            }
            told.formUnion(asking.stop())
            let folder = try TemporaryFolder()
            if store == .file {
                try #require(random.engine.copyableLedger).backUp(to: folder.path + "/copy")
            }
            try random.close()
            var ledgers = [try random.ledger.openForReading()]
            if store == .file {
                ledgers.append(try SQLiteLedger.openToVerify(path: folder.path + "/copy"))
            }
            for ledger in ledgers {
                let questions = try LedgerQuestions(ledger)
                for answer in told {
                    let again = try answer.again(questions)
                    #expect(again == answer.bytes, "seed \(seed), \(answer.revision)")
                }
                answers += told.count
                try ledger.close()
            }
        }
        #expect(answers > 1_000)
    }

    @Test("what is durable and not published yet is in no answer")
    func unpublished() async throws {
        let shop = try await Shop()
        let before = shop.engine.revision
        let grant = Grant(
            id: "g", account: "alice", environment: .production, gift: .entitlement("premium"),
            from: shop.clock.now(), until: nil, actor: "uid:0", reason: "a test")
        // As the writer leaves it for a moment.
        _ = try await shop.engine.ledger.write {
            try $0.append(.grant(grant), at: shop.clock.now())
        }
        for _ in 0..<2 {
            let (packed, revision) = try shop.engine.account("alice")
            #expect(revision == before)
            #expect(!packed.answer(Self.premium, at: shop.clock.now(), revision: revision).decision)
        }
        let all = try shop.engine.accounts(["alice", "bob"])
        #expect(all.revision == before)
        shop.engine.publish(touched: ["alice"], head: LedgerSequence(before.number + 1))
        let (packed, revision) = try shop.engine.account("alice")
        #expect(revision.number == before.number + 1)
        #expect(packed.answer(Self.premium, at: shop.clock.now(), revision: revision).decision)
    }

    static let premium = RightKey(.production, "premium")
}

/// An answer, and what it takes to make it again.
private struct ToldOnce: Hashable {
    let account: AccountID
    let key: RightKey
    let at: Instant
    let revision: LedgerSequence
    let bytes: [UInt8]

    static func all(
        of account: AccountID, _ engine: EntitlementEngine
    ) throws -> [ToldOnce] {
        let (packed, revision) = try engine.account(account)
        let at = engine.now()
        return packed.answers(in: .production, at: at, revision: revision).map { answer in
            ToldOnce(
                account: account, key: answer.key, at: at, revision: revision,
                bytes: written(answer))
        }
    }

    func again(_ questions: LedgerQuestions) throws -> [UInt8] {
        let (packed, revision) = try questions.asKnown(at: revision).account(account)
        return Self.written(packed.answer(key, at: at, revision: revision))
    }

    private static func written(_ answer: PackedRightAnswer) -> [UInt8] {
        var writer = AnswerWriter()
        writer.append(answer)
        return writer.bytes
    }
}

/// Asks about all accounts until it is stopped.
private final class AskingThread: Sendable {
    private static let most = 4_000
    private let told = Mutex<Set<ToldOnce>>([])
    private let isOver = Atomic(false)
    private let group = DispatchGroup()

    init(_ engine: EntitlementEngine) {
        group.enter()
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                for account in RandomLedger.accounts {
                    guard let answers = try? ToldOnce.all(of: account, engine) else { continue }
                    told.withLock { told in
                        if told.count < Self.most { told.formUnion(answers) }
                    }
                }
            }
            group.leave()
        }
    }

    func stop() -> Set<ToldOnce> {
        isOver.store(true, ordering: .relaxed)
        group.wait()
        return told.withLock(\.self)
    }
}
