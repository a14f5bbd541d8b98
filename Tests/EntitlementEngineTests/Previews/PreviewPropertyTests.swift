internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementAnswers
@testable internal import EntitlementEngine

/// A preview says what the action then does, and leaves nothing behind (spec 3.1).
/// `RANDOM_PREVIEWS` says over how many ledgers, `RANDOM_PREVIEWS_FROM` with which the first begins.
@Suite("Previews over random ledgers", .timeLimit(.minutes(240)))
struct PreviewPropertyTests {
    private static let count =
        Int(ProcessInfo.processInfo.environment["RANDOM_PREVIEWS"] ?? "") ?? 3
    private static let first =
        Int(ProcessInfo.processInfo.environment["RANDOM_PREVIEWS_FROM"] ?? "") ?? 7_001
    private static let steps = 60

    @Test("say what the action does", arguments: TestLedger.Store.allCases)
    func foretell(on store: TestLedger.Store) async throws {
        var seen = PreviewCheck.Seen()
        for seed in Self.first..<Self.first + Self.count {
            let random = try await RandomLedger(seed: UInt64(seed), on: store)
            let check = PreviewCheck(random)
            random.around = { try await check.compare($0) }
            for _ in 0..<Self.steps {
                try await random.step()
                try await check.undoPending()
                try await check.another()
                try await check.undoPending()
            }
            seen.formUnion(check.seen)
            try random.close()
        }
        print(
            "previews: \(seen.previews) compared, \(seen.changes) changes, \(seen.undone) undone, "
                + "\(seen.rejected) rejected or without effect")
        #expect(seen.previews > Self.count * 20)
        #expect(seen.undone > 0)
        var kinds: Set<EffectChange.Kind> = [.right, .balance, .finding, .order, .owners]
        if Self.count >= 50 { kinds = Set(EffectChange.Kind.allCases) }
        #expect(seen.kinds.isSuperset(of: kinds), "\(store)")
    }
}

/// Previews an action, does it, and compares.
private final class PreviewCheck {
    struct Seen {
        var (previews, changes, undone, rejected) = (0, 0, 0, 0)
        var kinds: Set<EffectChange.Kind> = []

        mutating func formUnion(_ other: Seen) {
            previews += other.previews
            changes += other.changes
            undone += other.undone
            rejected += other.rejected
            kinds.formUnion(other.kinds)
        }
    }

    private let random: RandomLedger
    private var dice: SplitMix64
    private(set) var seen = Seen()
    /// Takes back what was done last.
    private var pending: (() async throws -> Void)?

    init(_ random: RandomLedger) {
        self.random = random
        dice = SplitMix64(seed: random.seed ^ 0x9EE)
    }

    private var engine: EntitlementEngine { random.engine }

    func compare(_ action: RandomLedger.Action) async throws {
        try await settle()
        let before = try Moment(engine)
        let rehearsal = Rehearsal()
        try await action(.preview(rehearsal))
        try expectUntouched(since: before)
        try await action(.act)
        let topic = "seed \(random.seed) after entry \(before.head.sequence)"
        guard let written = rehearsal.effect else {
            // It was rejected before the writer was asked.
            return #expect(try Moment(engine).head == before.head, "\(topic)")
        }
        #expect(written.revision == before.head.sequence, "\(topic)")
        try await settle()
        let after = try Moment(engine)
        expectSame(written.value, before, after, topic)
        #expect(
            try Written<EffectAnswer>.read(parseJSON(written.json)).json == written.json, "\(topic)"
        )
        seen.previews += 1
        seen.changes += written.value.changes.count
        seen.kinds.formUnion(written.value.changes.map(\.kind))
        if before.head == after.head { seen.rejected += 1 }
        guard let undo = written.value.undo, dice.chance(1, in: 3) else { return }
        // After whatever else belongs to this step.
        pending = { [self] in try await self.undo(undo, to: before, topic) }
    }

    /// Everything published.
    private func settle() async throws {
        while try await engine.advanceFeed(at: engine.now()) {}
    }

    private func expectUntouched(since before: Moment) throws {
        let now = try Moment(engine)
        let topic = "seed \(random.seed): a preview after entry \(before.head.sequence)"
        #expect(now.head == before.head, "\(topic)")
        #expect(now.told == before.told, "\(topic)")
        #expect(now.place == before.place, "\(topic)")
        #expect(now.revision == before.revision, "\(topic)")
        #expect(now.kept == before.kept, "\(topic)")
        #expect(now.claims == before.claims, "\(topic)")
    }

    private func expectSame(
        _ effect: EffectAnswer, _ before: Moment, _ after: Moment, _ topic: String
    ) {
        #expect(
            effect.told.map(\.change) == after.told.dropFirst(before.told.count).map(\.change),
            "\(topic): told")
        let expected = before.differences(to: after, at: effect.at)
        var found: [String: [String]] = [:]
        var claims: [String: [String?]] = [:]
        for change in effect.changes {
            switch change.kind {
            case .claim:
                claims[change.subject] = [change.before?.state, change.after?.state]
            case .owners: #expect(change.before?.owners != change.after?.owners, "\(topic)")
            case .right, .balance, .lapse, .finding, .order:
                let topic = change.kind.rawValue
                let owner = DerivedAnswers.Values.owner(change.account, topic, change.subject)
                let name = DerivedAnswers.Values.name(
                    owner, topic, change.environment, change.subject)
                var lines = change.later.map { Moment.line($0.at, $0.before, $0.after) }
                if change.before != change.after {
                    lines.insert(Moment.line(effect.at, change.before, change.after), at: 0)
                }
                found[name] = lines
            case .record: #expect(change.after?.state != nil, "\(topic)")
            }
            #expect(
                change.sentences(in: .english, at: effect.at).allSatisfy { !$0.contains("{") },
                "\(topic)")
        }
        for name in Set(expected.keys).union(found.keys) {
            #expect(expected[name] == found[name], "\(topic): \(name)")
        }
        var decided: [String: [String?]] = [:]
        for (claim, outcome) in after.claims where before.claims[claim] != outcome {
            decided["\(claim)"] = [before.claims[claim]?.rawValue, outcome.rawValue]
        }
        #expect(claims == decided, "\(topic): claims")
        let loses = expected.values.joined().contains { $0.hasSuffix("less") }
        let disowned = effect.changes.contains { $0.kind == .owners && $0.takesAway }
        #expect(effect.takesAway == (loses || disowned), "\(topic): takes away")
    }
}

/// More that a person may do.
extension PreviewCheck {
    private static let cause = AdminActionCause(actor: "uid:7", reason: "a test")

    func undoPending() async throws {
        let undo = pending
        pending = nil
        try await undo?()
    }

    func another() async throws {
        let account = dice.pick(RandomLedger.accounts)
        switch dice.below(8) {
        case 0:
            let grant = GrantID(unchecked: "g\(1 + dice.below(6))")
            try await random.act { _ = try await self.engine.revokeGrant(grant, $0) }
        case 1:
            let isGiven = dice.chance(1, in: 2)
            try await random.act { cause in
                let consent = RefundConsent(
                    account: account, isGiven: isGiven, actor: cause.actor, reason: cause.reason)
                _ = try await self.engine.record(consent, meant: cause.intent)
            }
        case 2:
            try await random.act { cause in
                _ = try await self.engine.thaw(
                    ThawRequest(
                        account: account, environment: .production, credit: "coins", cause: cause))
            }
        case 3:
            let key = "spend-\(dice.below(1_000_000))"
            let units = Int64(1 + dice.below(40))
            let until =
                dice.chance(1, in: 2) ? nil : engine.now().advanced(byMilliseconds: 86_400_000)
            try await random.act { cause in
                _ = try await self.engine.spend(
                    SpendRequest(
                        account: account, parts: [CreditPart("coins", units)], until: until,
                        key: key,
                        cause: CreditCause(
                            actor: cause.actor, reason: cause.reason, intent: cause.intent)))
            }
        case 4:
            let payments = try engine.ledger.read { try $0.entries(after: .zero, limit: 100_000) }
                .compactMap { entry -> TransactionKey? in
                    guard case .transaction(let fact) = entry.value else { return nil }
                    return fact.snapshot.key
                }
            guard !payments.isEmpty else { return }
            let payment = dice.pick(payments)
            try await random.act { _ = try await self.engine.give(payment, to: account, $0) }
        default: break
        }
    }

    /// What the effect calls the way back leads there.
    private func undo(
        _ command: [String], to before: Moment, _ topic: String
    ) async throws {
        var words = command.dropFirst()[...]
        func next() throws -> String {
            let word = words.popFirst()
            return try #require(word)
        }
        func entry() throws -> LedgerSequence {
            let word = try next()
            return LedgerSequence(try #require(Int64(word)))
        }
        var isDone = true
        switch try next() {
        case "revoke":
            let report = try await engine.revokeGrant(
                GrantID(unchecked: next()), Self.cause)
            if case .rejected = report { isDone = false }
        case "unblock":
            let report = try await engine.liftBlock(BlockID(unchecked: try next()), Self.cause)
            if case .rejected = report { isDone = false }
        case "reopen":
            let report = try await engine.reopen(AccountID(unchecked: next()), Self.cause)
            if case .rejected = report { isDone = false }
        case "unmerge":
            let report = try await engine.undoMerge(try entry(), Self.cause)
            if case .rejected = report { isDone = false }
        case "orders":
            #expect(try next() == "undo")
            let report = try await engine.rule(
                on: OrderID(unchecked: try next()), .undo, Self.cause)
            if case .rejected = report { isDone = false }
        case "claims":
            #expect(try next() == "undo")
            var request = RulingRequest(verb: .undo, claim: try entry(), cause: Self.cause)
            #expect(try next() == "--decision")
            request.decision = try entry()
            if case .rejected = try await engine.rule(request) { isDone = false }
        case "refunds", "credits": return
        default: isDone = false
        }
        #expect(isDone, "\(topic): \(command)")
        seen.undone += 1
        let (now, then) = (try Moment(engine), engine.now())
        // An account that is unblocked gets what waited for it besides.
        guard now.claims.count == before.claims.count else { return }
        let found = now.answers.values(at: then)
        for (name, value) in before.answers.values(at: then) {
            let isThere =
                switch (value, found[name]) {
                // What it had in between may be why it has nothing now.
                case (.right(let old), .right(let new)?):
                    old.decision == new.decision && (!old.decision || old == new)
                case (.right(let old), nil): !old.decision
                case (.balance, let new): new == value
                default: true
                }
            #expect(isThere, "\(topic): \(command) \(name)")
        }
    }
}

/// All that can be asked at one point of a ledger.
private struct Moment {
    let head: LedgerHead
    let told: [PublishedChange]
    let place: FeedPlace
    let revision: LedgerSequence
    /// How many accounts are in memory to spend.
    let kept: Int
    let claims: [LedgerSequence: ClaimStanding]
    let answers: DerivedAnswers

    init(_ engine: EntitlementEngine) throws {
        let entries = try engine.ledger.read { try $0.entries(after: .zero, limit: 100_000) }
        (head, told, place) = try engine.ledger.read { reader in
            (
                try reader.head(),
                try reader.changes(after: 0, matching: ChangeFilter(), limit: 100_000).changes,
                try reader.feedPlace()
            )
        }
        revision = engine.revision
        kept = engine.creditCache.count
        answers = DerivedAnswers(entries, engine.policy.history)
        var facts = FactSet()
        for entry in entries { facts.insert(entry) }
        claims = Dictionary(
            uniqueKeysWithValues: facts.claimRecords.map {
                ($0.claim.sequence, $0.answer.outcome)
            })
    }

    /// By what it is about, where something is different: from each instant on, in order.
    func differences(to other: Moment, at now: Instant) -> [String: [String]] {
        let marks =
            [now]
            + Set(answers.boundaries(after: now) + other.answers.boundaries(after: now)).sorted()
        var last: (DerivedAnswers.Values, DerivedAnswers.Values)?
        var found: [String: [String]] = [:]
        for mark in marks {
            let (old, new) = (answers.values(at: mark), other.answers.values(at: mark))
            for name in Set(old.keys).union(new.keys).union(last?.0.keys ?? [:].keys)
                .union(last?.1.keys ?? [:].keys)
            {
                let (left, right) = (old[name], new[name])
                guard left != right else { continue }
                if let last, last.0[name] == left, last.1[name] == right { continue }
                found[name, default: []].append(
                    Self.line(mark, Self.shown(left, name), Self.shown(right, name)))
            }
            last = (old, new)
        }
        return found
    }

    private static func shown(_ value: FeedValue?, _ name: String) -> ChangeValue? {
        if let value { return ChangeValue(value) }
        if name.contains(" right ") { return ChangeValue(.right(.nothing)) }
        return name.contains(" balance ") ? ChangeValue(.balance(0)) : nil
    }

    static func line(_ mark: Instant, _ old: ChangeValue?, _ new: ChangeValue?) -> String {
        let isLess =
            (old?.decision ?? false) && !(new?.decision ?? false)
            || old?.until == nil && (old?.balance ?? 0) > (new?.balance ?? 0)
                && (old?.state == nil)
        let values = [old, new].map { $0.map { String(decoding: $0.json, as: UTF8.self) } ?? "-" }
        return "\(mark.rfc3339) \(values[0]) -> \(values[1])" + (isLess ? " less" : "")
    }
}
