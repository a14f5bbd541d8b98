internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import MemoryLedger
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// What was known at an entry is what a ledger tells that ends there.
/// `RANDOM_LEDGERS` says how many ledgers.
@Suite("What was known", .timeLimit(.minutes(240)))
struct PastTests {
    private static let cuts = 8

    @Test(
        "every report as of an entry is that of a ledger that ends there, byte by byte",
        arguments: TestLedger.Store.allCases)
    func ledgers(in store: TestLedger.Store) async throws {
        var answers = 0
        for seed in 1...UInt64(max(1, RandomLedgerTests.count / 6)) {
            let random = try await RandomLedger(seed: seed &+ 300, on: store)
            for _ in 0..<72 { try await random.step() }
            answers += try await compare(
                random.engine.questions, RandomLedger.owners.sorted(), seed)
            try random.close()
        }
        #expect(answers > 2_000)
    }

    @Test("so is every balance", arguments: TestLedger.Store.allCases)
    func credits(in store: TestLedger.Store) async throws {
        for seed in 1...UInt64(max(1, RandomLedgerTests.count / 6)) {
            let random = try await RandomSpending(seed: seed &+ 300, keeping: [0], on: store)
            for _ in 0..<80 { _ = try await random.step() }
            _ = try await compare(
                random.shops[0].engine.questions, ["alice", "bob"], seed, at: 4)
            try random.close()
        }
    }

    /// - Returns: how many answers were compared.
    private func compare(
        _ questions: LedgerQuestions, _ accounts: [AccountID], _ seed: UInt64, at cuts: Int = cuts
    ) async throws -> Int {
        let entries = try questions.ledger.read { try $0.entries(after: .zero, limit: 100_000) }
        let last = try #require(entries.last).sequence.number
        let keys = try Set(
            accounts.flatMap { account in
                try questions.report(on: account, at: .distantPast).units.compactMap(\.appleID)
            }
        ).sorted().prefix(3)
        var dice = SplitMix64(seed: seed)
        let places = Set((0..<cuts).map { _ in Int64(1 + dice.below(Int(last))) }).union([1, last])
        let growing = GrowingLedger(entries, in: MemoryLedger())
        var compared = 0
        for place in places.sorted().map({ LedgerSequence($0) }) {
            let then = try await growing.questions(through: place)
            let now = try questions.asKnown(at: place)
            #expect(now.policyDigest == then.policyDigest)
            for days in [0, 20] as [Int64] {
                let instant = entries[Int(place.number) - 1].recordedAt
                    .advanced(byMilliseconds: days * 86_400_000)
                let told = try PastAnswers(then, of: accounts, through: Array(keys), at: instant)
                let again = try PastAnswers(now, of: accounts, through: Array(keys), at: instant)
                compared += told.lines.count
                for (told, again) in zip(told.lines, again.lines) where told != again {
                    Issue.record("seed \(seed), entry \(place)\n\(told)\n\(again)")
                    return compared
                }
                #expect(told.lines.count == again.lines.count)
            }
        }
        try growing.close()
        return compared
    }
}
