internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import TestSupport
internal import Testing

/// Every store gives the answers of the one in memory, which goes through all entries for each:
/// over random ledgers in which names meet again and again. `STORE_COMPARISONS` says how many.
@Suite("Any ledger: the same answers", .timeLimit(.minutes(10)))
struct StoreComparisonTests {
    private static let count =
        Int(ProcessInfo.processInfo.environment["STORE_COMPARISONS"] ?? "") ?? 12
    private static let writes = 24

    @Test("to every question, after every few writes, some of which fail")
    func sameAnswers() async throws {
        var (duplicates, answers) = (0, 0)
        for seed in 1...UInt64(Self.count) {
            let folder = try TemporaryFolder()
            let ledgers = try ContractStore.allCases.map { try $0.open(in: folder) }
            var random = RandomEntries(seed: seed)
            var entries: [LedgerEntry] = []
            for number in 1...Self.writes {
                let write = try random.write()
                entries += write.entries
                var outcomes: [String] = []
                for ledger in ledgers { outcomes.append(await write.outcome(in: ledger)) }
                #expect(Set(outcomes).count == 1, "seed \(seed), write \(number): \(outcomes)")
                if outcomes.contains("ledger.duplicate") { duplicates += 1 }
                guard number.isMultiple(of: 8) else { continue }
                let told = try ledgers.map { ledger in
                    try ledger.read { try LedgerAnswers($0, about: entries) }
                }
                for other in told.dropFirst() {
                    let differing = zip(told[0].lines, other.lines).first { $0 != $1 }
                    #expect(differing == nil, "seed \(seed), write \(number)")
                    #expect(told[0] == other, "seed \(seed), write \(number)")
                }
                answers += told[0].lines.count
            }
            for ledger in ledgers {
                #expect(try ledger.verify() == [], "seed \(seed)")
                try ledger.close()
            }
        }
        #expect(duplicates > Self.count && answers > 100 * Self.count)
    }
}

/// A write of few entries, and whether its body throws in the end.
private struct RandomWrite: Sendable {
    let entries: [LedgerEntry]
    let instant: Instant
    let isAbandoned: Bool

    private struct Abandoned: Error {}

    func outcome(in ledger: any Ledger) async -> String {
        do {
            let places = try await ledger.write { transaction in
                let places = try entries.map { try transaction.append($0, at: instant) }
                if isAbandoned { throw Abandoned() }
                return places
            }
            return "\(places)"
        } catch let error as LedgerError {
            return error.code
        } catch {
            return "abandoned"
        }
    }
}

/// Entries about few accounts, purchases and devices.
private struct RandomEntries {
    private var dice: SplitMix64
    private var day: Int64 = 0

    private static let accounts = [
        "alice", "bob", "carol", "00000000-0000-4000-8000-00000000000a",
        "00000000-0000-4000-8000-00000000000A", "00000000-0000-4000-8000-00000000000B",
    ]
    private static let tokens = ["a", "b", "c"].map { "00000000-0000-4000-8000-00000000000" + $0 }

    init(seed: UInt64) {
        dice = SplitMix64(seed: seed)
    }

    mutating func write() throws -> RandomWrite {
        day += Int64(dice.below(3)) - 1
        let entries = try (0...dice.below(4)).map { _ in try entry() }
        return RandomWrite(
            entries: entries, instant: Sample.day(day), isAbandoned: dice.chance(1, in: 8))
    }

    private mutating func entry() throws -> LedgerEntry {
        switch dice.below(32) {
        case 31:
            .orderPromise(
                OrderPromise(
                    transaction: Sample.key(name(8)), order: orderID(),
                    soldAt: dice.chance(1, in: 2) ? Sample.day(1) : nil))
        case 30: try schedule()
        case 26..<30: credit()
        case 20..<22: .order(try order())
        case 22..<25: .orderEvent(orderEvent())
        case 25:
            .repeatedOrder(
                RepeatedOrder(
                    order: orderID(), account: account(), product: product(),
                    key: "k-\(dice.below(9))", actor: "uid:7"))
        case 0..<5: Sample.fact(try snapshot())
        case 5..<7:
            .renewal(
                RenewalFact(
                    snapshot: try Sample.renewal(
                        of: name(5), apple: dice.pick([nil, "A", "B"]), digest: byte(3)),
                    evidence: evidence()))
        case 7..<9: Sample.claim(dice.pick(Self.accounts), name(8))
        case 9..<12: try decision()
        case 12: .ruling(ruling())
        case 13: Sample.block(dice.pick(Self.accounts), id: "b-\(dice.below(40))")
        case 14: .grant(grant())
        case 15: try Sample.registration(dice.pick(Self.accounts), dice.pick(Self.tokens))
        case 16: merge()
        case 17: quarantine()
        case 18: try told()
        default: try evidenceEntry()
        }
    }

    /// Policies that are scheduled, and how that ends: an end more than once is a duplicate.
    private mutating func schedule() throws -> LedgerEntry {
        let file = PolicyActivation.File(path: "policy.yaml", bytes: [byte(4)])
        let place = LedgerSequence(Int64(1 + dice.below(20)))
        return switch dice.below(3) {
        case 0:
            .policySchedule(
                PolicySchedule(
                    digest: try Sample.digest(byte(4)), files: [file], dueDate: Sample.day(3),
                    base: try Sample.digest(byte(4)), actor: "uid:7", reason: "a test"))
        case 1:
            .policyScheduleEnd(PolicyScheduleEnd(schedule: place, outcome: .takenBack))
        default:
            .policyActivation(
                PolicyActivation(
                    digest: try Sample.digest(byte(4)), files: [file], schedule: place))
        }
    }

    /// Whoever has spent what: an index says what was written.
    private mutating func credit() -> LedgerEntry {
        let (account, key) = (account(), "k-\(dice.below(20))")
        let parts = [CreditPart(CreditName(unchecked: "coins"), Int64(1 + dice.below(9)))]
        switch dice.below(5) {
        case 0:
            return .creditSpend(
                CreditSpend(account: account, parts: parts, key: key, actor: "uid:7"))
        case 1:
            return .creditHold(
                CreditHold(
                    account: account, parts: parts, until: Sample.day(40),
                    key: dice.chance(1, in: 2) ? key : nil, actor: "uid:7"))
        case 2: return .holdEnd(HoldEnd(hold: evidence(), account: account, actor: "uid:7"))
        case 3:
            return .spendReversal(
                SpendReversal(
                    spend: evidence(), account: account, spender: self.account(), parts: parts,
                    key: key, actor: "uid:7"))
        default:
            return .creditThaw(
                CreditThaw(
                    account: account, environment: .production, credit: parts[0].credit,
                    transaction: Sample.key(name(8)), refundedAt: Sample.day(1),
                    actor: "uid:7", reason: "a test"))
        }
    }

    private mutating func orderID() -> OrderID {
        OrderID(unchecked: "00000000-0000-4000-8000-00000000010\(dice.below(6))")
    }

    private mutating func product() -> ProductID {
        ProductID(unchecked: dice.pick(["gold", "coins"]))
    }

    private mutating func order() throws -> Order {
        Order(
            id: orderID(), account: account(), product: product(),
            policy: try Sample.digest(byte(2)),
            key: dice.chance(1, in: 3) ? "k-\(dice.below(9))" : nil, actor: "uid:7")
    }

    /// Whatever happens in whatever state: an index says what was written.
    private mutating func orderEvent() -> OrderEvent {
        OrderEvent(
            order: orderID(), kind: dice.pick(OrderEventKind.allCases),
            state: dice.pick(OrderState.allCases),
            transaction: dice.chance(1, in: 2) ? Sample.key(name(8)) : nil,
            differences: dice.chance(1, in: 2) ? [.price] : [],
            account: dice.chance(1, in: 6) ? account() : nil,
            actor: dice.pick(["uid:7", OrderEvent.notifier]))
    }

    private mutating func name(_ count: Int) -> String { "\(1 + dice.below(count))" }
    private mutating func byte(_ count: Int) -> UInt8 { UInt8(1 + dice.below(count)) }
    private mutating func account() -> AccountID { AccountID(unchecked: dice.pick(Self.accounts)) }
    private mutating func evidence() -> LedgerSequence { LedgerSequence(Int64(1 + dice.below(9))) }

    private mutating func snapshot() throws -> TransactionSnapshot {
        try Sample.transaction(
            name(7), of: name(4), apple: dice.pick([nil, nil, "A", "B"]),
            receipt: dice.pick([nil, nil, 1, 2]), in: dice.pick([.production, .sandbox]),
            digest: byte(3), token: dice.pick([nil, nil] + Self.tokens))
    }

    private mutating func unit() -> OwnedUnit {
        dice.chance(1, in: 2)
            ? .lineage(Sample.lineage(name(6))) : .purchase(Sample.key(name(8)))
    }

    private mutating func decision() throws -> LedgerEntry {
        let (unit, before, after) = (unit(), dice.pick(Self.accounts), dice.pick(Self.accounts))
        return try Sample.decision(
            unit, before: dice.chance(1, in: 2) ? [before] : [],
            after: dice.chance(1, in: 5) ? [] : [after])
    }

    private mutating func ruling() -> Ruling {
        Ruling(
            verb: dice.pick(Ruling.Verb.allCases), unit: unit(),
            account: dice.chance(1, in: 2) ? account() : nil, actor: "uid:7", reason: "a test")
    }

    private mutating func grant() -> Grant {
        Grant(
            id: GrantID(unchecked: "g-\(dice.below(9))"), account: account(),
            environment: .production, gift: .credit(CreditName(unchecked: "coins"), units: 1),
            from: Sample.start,
            until: nil, actor: "uid:7", reason: "a test")
    }

    private mutating func merge() -> LedgerEntry {
        let from = dice.below(Self.accounts.count)
        let into = (from + 1 + dice.below(Self.accounts.count - 1)) % Self.accounts.count
        return .accountMerge(
            AccountMerge(
                from: AccountID(unchecked: Self.accounts[from]),
                into: AccountID(unchecked: Self.accounts[into]), actor: "uid:7",
                reason: "a test"))
    }

    private mutating func quarantine() -> LedgerEntry {
        .quarantine(
            Quarantine(
                evidence: evidence(), code: "a-test",
                transaction: dice.chance(1, in: 2) ? Sample.key(name(8)) : nil,
                account: dice.chance(1, in: 2) ? account() : nil))
    }

    /// What Apple tells of no purchase.
    private mutating func told() throws -> LedgerEntry {
        if dice.chance(1, in: 2) { return Sample.notification(name(9)) }
        let snapshot = AppTransactionSnapshot(
            environment: .production, bundleID: BundleID(unchecked: "com.example.reader"),
            appTransactionID: dice.chance(1, in: 2) ? AppTransactionID(unchecked: "A") : nil,
            signedDate: Sample.start,
            source: try Sample.source(byte(3)))
        return .appTransaction(
            AppTransactionFact(
                snapshot: snapshot, account: dice.chance(1, in: 2) ? account() : nil,
                evidence: evidence()))
    }

    private mutating func evidenceEntry() throws -> LedgerEntry {
        switch dice.below(3) {
        case 0:
            let bytes = [byte(4)]
            return Sample.evidence(bytes, digest: EntryHash.digest(of: bytes))
        case 1:
            return .policyActivation(
                PolicyActivation(
                    digest: try Sample.digest(byte(4)),
                    files: [.init(path: "policy.yaml", bytes: [byte(4)])]))
        default:
            return .refusal(EvidenceRefusal(digest: try Sample.digest(byte(4)), code: "a-test"))
        }
    }
}
