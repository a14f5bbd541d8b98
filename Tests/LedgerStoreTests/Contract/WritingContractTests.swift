internal import Dispatch
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization
internal import TestSupport
internal import Testing

/// What every store promises to whoever writes and follows.
@Suite("Any ledger: writing and following", .timeLimit(.minutes(20)))
struct WritingContractTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Refused: Error {}

    @Test("every kind of entry is read as it was written", arguments: ContractStore.allCases)
    func everyEntry(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let samples = try EntrySample.all()
        for (_, entry) in samples { try await ledger.append(entry) }
        let entries = try ledger.read { try $0.entries(after: .zero, limit: 1_000) }
        #expect(entries.map(\.sequence.number) == Array(1...Int64(samples.count)))
        for (sample, entry) in zip(samples, entries) {
            #expect(entry.value == sample.entry, "\(sample.name)")
            #expect(try ledger.read { try $0.entry(entry.sequence) } == entry)
        }
        #expect(try ledger.read { try $0.head().sequence.number } == Int64(samples.count))
        try ledger.close()
    }

    @Test("an empty ledger ends with the genesis", arguments: ContractStore.allCases)
    func emptyHead(in store: ContractStore) throws {
        let ledger = try store.open(in: folder)
        let head = try ledger.read { try $0.head() }
        #expect(head == .beginning)
        #expect(
            head.hash.hexadecimal
                == "741093f65c45b4d76759a808d181cf65079958bb9d4af879beb30e71cd029281")
        try ledger.close()
    }

    @Test(
        "recordedAt never decreases, whatever the clock does", arguments: ContractStore.allCases)
    func recordedAt(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        for day in [3, 1, 5, 4] as [Int64] {
            try await ledger.append(Sample.block("alice", id: "b-\(day)"), at: Sample.day(day))
        }
        let entries = try ledger.read { try $0.entries(after: .zero, limit: 10) }
        #expect(entries.map(\.recordedAt) == [3, 3, 5, 5].map(Sample.day))
        #expect(try ledger.condition().head == ledger.read { try $0.head() })
        #expect(try ledger.condition().head.recordedAt == Sample.day(5))
        try ledger.close()
    }

    @Test("a body that throws undoes only itself", arguments: ContractStore.allCases)
    func failingBody(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(Sample.block("alice", id: "b-1"))
        await #expect(throws: Refused.self) {
            try await ledger.write { transaction in
                _ = try transaction.append(Sample.block("alice", id: "b-2"), at: Sample.start)
                throw Refused()
            }
        }
        let error = await #expect(throws: LedgerError.self) {
            try await ledger.append(
                Sample.block("alice", id: "b-3"), Sample.block("alice", id: "b-1"))
        }
        #expect(error?.kind == .duplicate && error?.code == "ledger.duplicate")
        try await ledger.append(Sample.block("alice", id: "b-4"))
        let entries = try ledger.read { try $0.entries(after: .zero, limit: 10) }
        #expect(entries.map(\.value) == ["b-1", "b-4"].map { Sample.block("alice", id: $0) })
        #expect(entries.map(\.sequence.number) == [1, 2])
        #expect(ledger.acceptsWrites)
        try ledger.close()
    }

    @Test("a body reads what it wrote, and nobody else does", arguments: ContractStore.allCases)
    func readingOwnWrites(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let (inside, outside) = try await ledger.write { transaction in
            _ = try transaction.append(Sample.block("alice", id: "b-1"), at: Sample.start)
            let found = try transaction.facts(forAccount: AccountID(unchecked: "alice")).blocks.map(
                \.sequence.number)
            return (found, try ledger.read { try $0.head().sequence })
        }
        #expect(inside == [1])
        #expect(outside == .zero)
        try ledger.close()
    }

    @Test("a view does not change while somebody writes", arguments: ContractStore.allCases)
    func consistentViews(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(Sample.claim("alice", "1"))
        let isLooking = Mutex(false)
        let hasWritten = DispatchSemaphore(value: 0)
        async let seen: [[LedgerSequence]] = withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                let seen = Result {
                    try ledger.read { view in
                        let before = try view.facts(forAccount: AccountID(unchecked: "alice"))
                            .claims.map(\.sequence)
                        isLooking.withLock { $0 = true }
                        hasWritten.wait()
                        let after = try view.facts(forAccount: AccountID(unchecked: "alice")).claims
                            .map(\.sequence)
                        return [before, after, [try view.head().sequence]]
                    }
                }
                continuation.resume(with: seen)
            }
        }
        try await yieldUntil("somebody looks") { isLooking.withLock(\.self) }
        try await ledger.append(Sample.claim("alice", "2"))
        hasWritten.signal()
        #expect(try await seen == Array(repeating: [LedgerSequence(1)], count: 3))
        #expect(try ledger.read { try $0.head().sequence.number } == 2)
        try ledger.close()
    }

    /// What is told of commits, in its order.
    private final class ToldList: Sendable {
        enum Told {
            case committed(LedgerSequence, head: LedgerHead)
            case followed(LedgerHead)
        }

        private let list = Mutex<[Told]>([])

        var all: [Told] { list.withLock(\.self) }

        func add(_ told: Told) { list.withLock { $0.append(told) } }

        /// Whether the followers know of the entry.
        func hasFollowed(_ sequence: LedgerSequence) -> Bool {
            all.contains { told in
                guard case .followed(let head) = told else { return false }
                return head.sequence >= sequence
            }
        }
    }

    @Test(
        "each commit is published in the order of its writes, then followed, then answered",
        arguments: ContractStore.allCases)
    func telling(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let told = ToldList()
        ledger.follow { told.add(.followed($0)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 {
                group.addTask { try await Self.write(number, to: ledger, told) }
            }
            try await group.waitForAll()
        }
        let head = try ledger.read { try $0.head() }
        #expect(head.sequence.number == 32)
        Self.expectGapless(told.all, upTo: head)
        try ledger.close()
    }

    /// Every fifth is refused.
    private static func write(
        _ number: Int, to ledger: any Ledger, _ told: ToldList
    ) async throws {
        do {
            let sequence = try await ledger.write { transaction in
                let block = Sample.block("alice", id: "b-\(number)")
                let sequence = try transaction.append(block, at: Sample.start)
                if number.isMultiple(of: 5) { throw Refused() }
                return sequence
            } committed: { sequence, head in
                told.add(.committed(sequence, head: head))
            }
            #expect(!number.isMultiple(of: 5))
            #expect(told.hasFollowed(sequence))
            let head = try ledger.read { try $0.head() }
            #expect(head.sequence >= sequence)
        } catch is Refused {
            #expect(number.isMultiple(of: 5))
        }
    }

    /// Every follower hears of a commit right behind its writes, each of which is told once.
    private static func expectGapless(_ told: [ToldList.Told], upTo head: LedgerHead) {
        var committed = LedgerHead.beginning
        var followed = LedgerHead.beginning
        for told in told {
            switch told {
            case .committed(let sequence, let head):
                #expect(sequence.number == committed.sequence.number + 1)
                #expect(head.sequence == sequence)
                committed = head
            case .followed(let head):
                #expect(head == committed && head.sequence > followed.sequence)
                followed = head
            }
        }
        #expect(followed == head)
    }

    @Test("a write that appends nothing is no news", arguments: ContractStore.allCases)
    func emptyWrites(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let heads = Mutex<[LedgerSequence]>([])
        ledger.follow { head in heads.withLock { $0.append(head.sequence) } }
        try await ledger.append(Sample.block("alice", id: "b-1"))
        let published = Mutex<LedgerHead?>(nil)
        try await ledger.write { _ in
            ()
        } committed: { _, head in
            published.withLock { $0 = head }
        }
        try await ledger.append(Sample.block("alice", id: "b-2"))
        #expect(heads.withLock(\.self) == [LedgerSequence(1), LedgerSequence(2)])
        #expect(published.withLock(\.self)?.sequence.number == 1)
        try ledger.close()
    }

    @Test(
        "whoever prepares writing threads sees each before it writes",
        arguments: ContractStore.allCases)
    func preparedThreads(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let isPrepared = Mutex(false)
        ledger.prepareWritingThreads { isPrepared.withLock { $0 = true } }
        #expect(try await ledger.write { _ in isPrepared.withLock(\.self) })
        try ledger.close()
    }
}
