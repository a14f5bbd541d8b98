internal import EntitlementModel
internal import LedgerModel
internal import TestSupport
internal import Testing

/// What every store keeps of the change feed (spec 1.10).
@Suite("Any ledger: the change feed", .timeLimit(.minutes(20)))
struct FeedContractTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let values: [FeedValue?] = [
        nil, .finding, .balance(-3), .balance(.max), .balance(.min), .order(.noReceipt),
        .right(.init(decision: true)), .right(.init(decision: false, state: .billingRetry)),
        .right(.init(decision: true, state: .grace, until: Sample.day(-900_000))),
        .owners([]), .owners([AccountID(unchecked: "alice"), AccountID(unchecked: "bob")]),
    ]

    private static func change(_ dice: inout SplitMix64, at instant: Instant) -> FeedChange {
        var change = FeedChange(
            kind: dice.pick(FeedChange.Kind.allCases), at: instant, revision: .zero,
            subject: dice.pick(["premium", "coins", "unmapped-product lineage:1 product:x"]))
        change.account = dice.pick([nil, "alice", "bob", "carol"]).map { AccountID(unchecked: $0) }
        change.environment = dice.pick([nil] + StoreEnvironment.allCases)
        change.before = dice.pick(values)
        change.after = dice.pick(values)
        change.cause = (0..<dice.below(3)).map { LedgerSequence(Int64($0) + 7) }
        change.corrected = dice.pick([
            nil, .always, Interval(from: Sample.day(1), to: Sample.day(2)),
            Interval(from: Sample.day(-400_000), to: nil),
        ])
        return change
    }

    @Test(
        "numbers are gapless, and what was told is read as it was",
        arguments: ContractStore.allCases)
    func numbers(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        var dice = SplitMix64(seed: 18)
        var told: [PublishedChange] = []
        for day in 1...60 as ClosedRange<Int64> {
            let changes = (0..<dice.below(5)).map { _ in
                Self.change(&dice, at: Sample.day(day))
            }
            let numbers = try await ledger.write { transaction in
                try changes.map { try transaction.tell($0) }
            }
            told += zip(numbers, changes).map { PublishedChange(number: $0, change: $1) }
        }
        #expect(told.map(\.number) == Array(1...Int64(told.count)))
        let filters = [
            ChangeFilter(), ChangeFilter(account: AccountID(unchecked: "alice")),
            ChangeFilter(entitlement: EntitlementName(unchecked: "premium")),
            ChangeFilter(account: AccountID(unchecked: "nobody")),
            ChangeFilter(account: AccountID(unchecked: "bob"), kind: .rightLost),
        ]
        for filter in filters {
            let expected = told.filter { filter.includes($0.change) }
            for limit in [1, 3, 1_000] {
                var (found, last): ([PublishedChange], Int64) = ([], 0)
                while last < told.count {
                    let run = try ledger.read {
                        try $0.changes(after: last, matching: filter, limit: limit)
                    }
                    #expect(run.last > last && run.changes.count <= limit)
                    found += run.changes
                    last = run.last
                }
                #expect(found == expected)
                #expect(last == told.count)
            }
        }
        #expect(try ledger.read { try $0.feedHead() } == Int64(told.count))
        try ledger.close()
    }

    @Test("outlooks are found by what is due, and by name", arguments: ContractStore.allCases)
    func outlooks(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let subjects: [FeedSubject] = [
            .account(AccountID(unchecked: "!")), .account(AccountID(unchecked: "alice")),
            .account(AccountID(unchecked: "~")), .order(OrderID(unchecked: "o-1")),
        ]
        let key = FeedOutlook.Key(.right, .production, "premium")
        func outlook(_ days: Int64...) -> FeedOutlook {
            FeedOutlook(
                [
                    FeedOutlook.Item(
                        key: key, present: .right(.init(decision: true)),
                        steps: days.map { FeedOutlook.Step(at: Sample.day($0), value: nil) })
                ], account: AccountID(unchecked: "alice"))
        }
        let outlooks = [outlook(5, 9), outlook(2), outlook(), outlook(3)]
        #expect(try ledger.read { try $0.nextDue() } == nil)
        try await ledger.write { transaction in
            for (subject, outlook) in zip(subjects, outlooks) {
                try transaction.setOutlook(FeedOutlook(), of: subject)
                try transaction.setOutlook(outlook, of: subject)
            }
        }
        let (names, due, first, next) = try ledger.read { reader in
            (
                try reader.outlooks(afterName: FeedSubject.lastOther, limit: 9).map(\.subject),
                try reader.outlooks(dueBy: Sample.day(3), limit: 9),
                try reader.outlooks(dueBy: Sample.day(9), limit: 1).map(\.subject),
                try reader.nextDue()
            )
        }
        #expect(names == Array(subjects.prefix(3)))
        #expect(due.map(\.subject) == [subjects[1], subjects[3]])
        #expect(due.map(\.outlook) == [outlooks[1], outlooks[3]])
        #expect(first == [subjects[1]])
        #expect(next == Sample.day(2))
        #expect(try ledger.read { try $0.outlook(of: subjects[0]) } == outlooks[0])
        #expect(
            try ledger.read { try $0.outlook(of: .account(AccountID(unchecked: "bob"))) } == nil)
        try ledger.close()
    }

    @Test(
        "no entry is recorded before what was told, and what is undone was not told",
        arguments: ContractStore.allCases)
    func reached(in store: ContractStore) async throws {
        struct Undone: Error {}
        let ledger = try store.open(in: folder)
        #expect(try ledger.read { try $0.feedPlace() } == .beginning)
        #expect(try ledger.read { try $0.firstHash() } == nil)
        try await ledger.append(Sample.block("alice", id: "b-1"), at: Sample.day(1))
        let place = FeedPlace(place: LedgerSequence(1), reached: Sample.day(7), scan: "alice")
        await #expect(throws: Undone.self) {
            try await ledger.write { transaction in
                try transaction.setFeedPlace(place)
                _ = try transaction.tell(
                    FeedChange(kind: .rightLost, at: Sample.day(7), revision: .zero, subject: "x"))
                throw Undone()
            }
        }
        try await ledger.append(Sample.block("alice", id: "b-2"), at: Sample.day(2))
        try await ledger.write { try $0.setFeedPlace(place) }
        try await ledger.append(Sample.block("alice", id: "b-3"), at: Sample.day(3))
        try await ledger.append(Sample.block("alice", id: "b-4"), at: Sample.day(9))
        let (found, entries, head) = try ledger.read { reader in
            (
                try reader.feedPlace(), try reader.entries(after: .zero, limit: 9),
                try reader.feedHead()
            )
        }
        #expect(found == place && head == 0)
        #expect(entries.map(\.recordedAt) == [1, 2, 7, 9].map(Sample.day))
        #expect(try ledger.read { try $0.earliestRecording() } == Sample.day(9))
        let first = try ledger.read { try $0.firstHash() }
        #expect(first != nil)
        try ledger.close()
    }
}
