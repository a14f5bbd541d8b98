internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import MemoryLedger
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// Invariant 3 of spec 1.11: the change feed and the answers agree. `RANDOM_FEEDS` says over how
/// many ledgers.
@Suite("The change feed over random ledgers", .timeLimit(.minutes(240)))
struct FeedPropertyTests {
    private static let count =
        Int(ProcessInfo.processInfo.environment["RANDOM_FEEDS"] ?? "") ?? 3
    private static let steps = 60

    @Test(
        "folded up to an instant gives the answers of that instant as they were known then",
        arguments: TestLedger.Store.allCases)
    func agrees(on store: TestLedger.Store) async throws {
        var compared = 0
        var kinds: Set<FeedChange.Kind> = []
        for seed in 1...UInt64(Self.count) {
            let random = try await RandomLedger(seed: seed, on: store)
            var dice = SplitMix64(seed: seed &+ 1_000)
            var keeper = Restartable(random.engine)
            for _ in 0..<Self.steps {
                try await random.step()
                try await keeper.advance(a: &dice, at: random.engine.now())
            }
            while try await keeper.feed.advance(at: random.engine.now()) {}
            let told = try random.engine.ledger.read {
                try $0.changes(after: 0, matching: ChangeFilter(), limit: 100_000).changes
            }
            #expect(told.map(\.number) == Array(1...Int64(told.count)), "seed \(seed)")
            #expect(told.map(\.change.at) == told.map(\.change.at).sorted(), "seed \(seed)")
            kinds.formUnion(told.map(\.change.kind))
            let entries = try random.engine.ledger.read {
                try $0.entries(after: .zero, limit: 100_000)
            }
            let check = FoldCheck(
                told: told.map(\.change), entries: entries, now: random.engine.now())
            let (count, faults) = check.run()
            #expect(faults == [], "seed \(seed)")
            compared += count
            let again = try await Self.replayed(entries, random)
            let other = FoldCheck(told: again, entries: entries, now: random.engine.now())
            #expect(check.folds() == other.folds(), "seed \(seed): told from the beginning")
            #expect(try Self.differing(random) == [], "seed \(seed)")
            try random.close()
        }
        print("feed: \(compared) answers compared, kinds \(kinds.count)")
        #expect(compared > Self.count * 1_000)
        #expect(kinds.isSuperset(of: [.rightGained, .rightLost, .ownerChanged, .orderChanged]))
    }

    /// So few accounts share one view that entries come while a policy is applied.
    @Test(
        "tells what comes while a policy is applied, and the rest of the policy late",
        arguments: TestLedger.Store.allCases)
    func agreesWhileScanning(on store: TestLedger.Store) async throws {
        var late = 0
        for seed in 1...UInt64(Self.count * 3) {
            let random = try await RandomLedger(seed: seed &+ 500, on: store)
            var dice = SplitMix64(seed: seed &+ 2_000)
            var keeper = Restartable(random.engine, portion: 1)
            for _ in 0..<Self.steps {
                try await random.step()
                guard dice.chance(1, in: 3) else { continue }
                try await keeper.advance(a: &dice, at: random.engine.now())
            }
            while try await keeper.feed.advance(at: random.engine.now()) {}
            let (told, entries) = try random.engine.ledger.read {
                (
                    try $0.changes(after: 0, matching: ChangeFilter(), limit: 100_000).changes,
                    try $0.entries(after: .zero, limit: 100_000)
                )
            }
            #expect(told.map(\.number) == Array(1...Int64(told.count)), "seed \(seed)")
            #expect(told.map(\.change.at) == told.map(\.change.at).sorted(), "seed \(seed)")
            let check = FoldCheck(
                told: told.map(\.change), entries: entries, now: random.engine.now())
            late += check.late.count
            #expect(check.run().faults == [], "seed \(seed)")
            let again = try await Self.replayed(entries, random)
            let other = FoldCheck(told: again, entries: entries, now: random.engine.now())
            #expect(check.folds().last == other.folds().last, "seed \(seed): at the end")
            #expect(try Self.differing(random) == [], "seed \(seed)")
            try random.close()
        }
        #expect(late > 0)
    }

    /// The accounts and orders of which something else is kept than follows from the entries.
    private static func differing(_ random: RandomLedger) throws -> [String] {
        try random.engine.ledger.reading { reader throws(LedgerError) in
            var recheck = try OutlookRecheck(reader, random.engine.policy)
            return try recheck.differing(atMost: 5)
        }
    }

    /// The feed of the same entries, told at once and from the beginning.
    private static func replayed(
        _ entries: [Recorded<LedgerEntry>], _ random: RandomLedger
    ) async throws -> [FeedChange] {
        let ledger = MemoryLedger()
        for entry in entries {
            _ = try await ledger.write { try $0.append(entry.value, at: entry.recordedAt) }
        }
        let feed = FeedPublisher(ledger: ledger, active: random.engine.active)
        while try await feed.advance(at: random.engine.now()) {}
        return try ledger.read {
            try $0.changes(after: 0, matching: ChangeFilter(), limit: 100_000).changes
                .map(\.change)
        }
    }
}

/// A feed whose process ends at any moment.
private struct Restartable {
    private let engine: EntitlementEngine
    private let portion: Int
    private(set) var feed: FeedPublisher

    init(_ engine: EntitlementEngine, portion: Int = 256) {
        self.engine = engine
        self.portion = portion
        feed = FeedPublisher(ledger: engine.ledger, active: engine.active, portion: portion)
    }

    private var another: FeedPublisher {
        FeedPublisher(ledger: engine.ledger, active: engine.active, portion: portion)
    }

    /// Some portions, some of which are lost before they are written or are written by two.
    mutating func advance(a dice: inout SplitMix64, at now: Instant) async throws {
        for _ in 0..<dice.below(6) {
            switch dice.below(5) {
            case 0: feed = another
            case 1: _ = try feed.plan(at: now)
            case 2:
                let other = another
                let (first, second) = (try feed.plan(at: now), try other.plan(at: now))
                _ = try await feed.perform(first, at: now)
                _ = try await other.perform(second, at: now)
            default: _ = try await feed.advance(at: now)
            }
        }
    }
}

/// The feed, folded, beside what is derived from the entries that were known.
private struct FoldCheck {
    let told: [FeedChange]
    let entries: [Recorded<LedgerEntry>]
    let now: Instant
    /// From each activation on.
    private let policies: [PolicyHistory]
    /// While what a policy has changed for an account is not told yet.
    let late: [(account: AccountID, interval: Interval)]

    init(told: [FeedChange], entries: [Recorded<LedgerEntry>], now: Instant) {
        self.told = told
        self.entries = entries
        self.now = now
        policies = Self.policies(in: entries)
        var activations: [LedgerSequence: Instant] = [:]
        for entry in entries where entry.value.isPolicyActivation {
            activations[entry.sequence] = entry.recordedAt
        }
        late = told.compactMap { change -> (account: AccountID, interval: Interval)? in
            guard let account = change.account, change.cause.count == 1,
                let since = activations[change.cause[0]], since < change.at
            else { return nil }
            return Interval(from: since, to: change.at).map { (account, $0) }
        }
    }

    /// What is known of everything that was told.
    typealias Fold = DerivedAnswers.Values

    /// Every instant at which something is told or recorded, and a millisecond either side.
    private var instants: [Instant] {
        let marks = Set(told.map(\.at) + entries.map(\.recordedAt))
        return Set(marks.flatMap { mark in [-1, 0, 1].map(mark.advanced(byMilliseconds:)) })
            .filter { $0 <= now }.sorted() + [now]
    }

    func folds() -> [Fold] {
        let instants = instants
        var folds: [Fold] = []
        var (fold, rest): (Fold, ArraySlice<FeedChange>) = ([:], told[...])
        for instant in instants {
            while let change = rest.first, change.at <= instant {
                fold.take(change)
                rest.removeFirst()
            }
            folds.append(fold)
        }
        return folds
    }

    func run() -> (compared: Int, faults: [String]) {
        var (compared, faults): (Int, [String]) = (0, [])
        for (instant, fold) in zip(instants, folds()) {
            let known = entries.prefix { $0.recordedAt <= instant }
            let count = known.count { $0.value.isPolicyActivation }
            guard count > 0 else { continue }
            let policies = policies[count - 1]
            let derived = DerivedAnswers(known, policies).values(at: instant)
            compared += derived.count + 1
            guard derived != fold else { continue }
            let waiting = late.filter { $0.interval.contains(instant) }.map {
                "\($0.account.text) "
            }
            for key in Set(derived.keys).union(fold.keys).sorted()
            where derived[key] != fold[key] && !waiting.contains(where: key.hasPrefix) {
                faults.append(
                    "\(instant.rfc3339) \(key): told \(String(describing: fold[key])), "
                        + "answered \(String(describing: derived[key]))")
            }
            if faults.count > 5 { break }
        }
        return (compared, Array(faults.prefix(5)))
    }

    private static func policies(in entries: [Recorded<LedgerEntry>]) -> [PolicyHistory] {
        var histories: [PolicyHistory] = []
        for entry in entries {
            guard case .policyActivation(let activation) = entry.value,
                let policy = loadPolicy(
                    activation.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
                ).policy
            else { continue }
            var next =
                histories.last
                ?? PolicyHistory(.init(policy: policy, activatedAt: entry.recordedAt))
            if !histories.isEmpty { next.activate(policy, at: entry.recordedAt) }
            histories.append(next)
        }
        return histories
    }
}

extension DerivedAnswers.Values {
    fileprivate mutating func take(_ change: FeedChange) {
        let topic: String
        switch change.kind {
        case .rightGained, .rightLost, .rightMoved, .rightState: topic = "right"
        case .balanceChanged: topic = "balance"
        case .creditLapsing: topic = "lapse"
        case .findingOpened, .findingClosed: topic = "finding"
        case .orderChanged: topic = "order"
        case .ownerChanged, .policyActivated, .erased: return
        }
        set(
            Self.owner(change.account, topic, change.subject), topic, change.environment,
            change.subject,
            change.after)
    }
}
