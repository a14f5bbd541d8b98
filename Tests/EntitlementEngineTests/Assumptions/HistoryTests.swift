internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// Since when an answer is what it is, beside the answers by what was known after every entry.
@Suite("Histories of answers", .timeLimit(.minutes(240)))
struct HistoryTests {
    private static let key = RightKey(.production, "premium")

    @Test("have every change of the answer, and no other")
    func histories() async throws {
        var changes = 0
        for seed in 1...UInt64(RandomLedgerTests.count) {
            let random = try await RandomLedger(seed: seed, on: .memory)
            for _ in 0..<72 { try await random.step() }
            let (questions, now) = (random.engine.questions, random.engine.now())
            for account in RandomLedger.accounts {
                let answers = try Self.answers(questions, account, now)
                let told = try Self.pages(questions, account, now)
                let flips = answers.indices.dropFirst().filter { answers[$0] != answers[$0 - 1] }
                #expect(
                    told.map(\.fact.sequence.number) == flips.reversed().map(Int64.init),
                    "seed \(seed), \(account)")
                for change in told {
                    let place = Int(change.fact.sequence.number)
                    #expect(change.before == answers[place - 1], "seed \(seed), \(place)")
                    #expect(change.after == answers[place], "seed \(seed), \(place)")
                }
                try Self.compareFirstWrong(questions, account, now, answers)
                changes += told.count
            }
            try random.close()
        }
        #expect(changes > 5 * RandomLedgerTests.count)
    }

    /// The answer once so many entries were known.
    private static func answers(
        _ questions: LedgerQuestions, _ account: AccountID, _ now: Instant
    ) throws -> [AnswerBrief] {
        let last = try questions.ledger.read { try $0.head().sequence.number }
        return try (0...last).map { place in
            let past = try questions.asKnown(at: LedgerSequence(place))
            return AnswerBrief(try past.answer(key, of: account, at: now))
        }
    }

    private static func pages(
        _ questions: LedgerQuestions, _ account: AccountID, _ now: Instant
    ) throws -> [AnswerChange] {
        var (changes, place): ([AnswerChange], LedgerSequence?) = ([], nil)
        while true {
            let page = try questions.history(
                of: key, of: account, at: now, before: place, limit: 2)
            changes += page.changes
            guard let next = page.next else { return changes }
            place = next
        }
    }

    private static func compareFirstWrong(
        _ questions: LedgerQuestions, _ account: AccountID, _ now: Instant,
        _ answers: [AnswerBrief]
    ) throws {
        var expectations: [ExpectedAnswer] = [.yes, .no]
        expectations += answers.compactMap(\.until).suffix(2).map(ExpectedAnswer.until)
        for expected in expectations {
            let found = try questions.firstWrong(expected, key, of: account, at: now)
            let isExpected = expected.matches(answers[answers.count - 1])
            #expect(found.isExpected == isExpected)
            let isEver = answers.contains { expected.matches($0) }
            #expect(found.changes.isEmpty == (isExpected || !isEver), "\(account) \(expected)")
            guard let place = found.changes.first.map({ Int($0.fact.sequence.number) }) else {
                continue
            }
            #expect(expected.matches(answers[place - 1]) && !expected.matches(answers[place]))
        }
    }

    /// A thousand where many ledgers are asked for.
    private static let faultCount = RandomLedgerTests.count > 6 ? 1_000 : 100

    @Test("name the entry of each planted fault")
    func faults() async throws {
        let planted = try await PlantedFaults(count: Self.faultCount)
        for fault in planted.faults {
            let found = try planted.shop.engine.questions.firstWrong(
                .yes, Self.key, of: fault.account, at: planted.shop.clock.now())
            let change = try #require(found.changes.first, "\(fault)")
            #expect(found.isExpected == false)
            #expect(fault.entries.contains(change.fact.sequence.number), "\(fault) \(change)")
            #expect(fault.kinds.contains(change.entry), "\(fault) \(change)")
            #expect(change.before.decision && !change.after.decision)
        }
        #expect(Set(planted.faults.map(\.name)).count == 5)
    }

    @Test(
        "find it by at most 20 derivations among 10,000 entries",
        arguments: [1, 17, 300, 5_000, 9_980])
    func derivations(behind count: Int) async throws {
        let shop = try await Shop()
        let now = shop.clock.now()
        let before = 10_000 - count
        _ = try await shop.engine.commit(calledAt: now) { commit throws(LedgerError) in
            for index in 0..<10_000 {
                let isFault = index == before
                let grant = Grant(
                    id: GrantID(unchecked: "g\(index)"), account: "alice",
                    environment: .production, gift: .entitlement(index == 3 ? "premium" : "pass"),
                    from: now, until: nil, actor: "uid:7", reason: "a test")
                let revocation = GrantRevocation(
                    grant: "g3", account: "alice", actor: "uid:7", reason: "a test")
                _ =
                    try isFault
                    ? commit.transaction.append(.grantRevocation(revocation), at: now)
                    : commit.transaction.append(.grant(grant), at: now)
            }
            return ((), [])
        }
        let fault = Int64(1 + before) + 1
        let questions = shop.engine.questions
        try questions.ledger.read { reader in
            var past = try AnswersByEntry(
                Self.key, of: "alice", at: now.advanced(byMilliseconds: 1), nil, questions.policy,
                reader)
            let found = past.firstWrong(.yes)
            let index = try #require(found)
            #expect(past.places[index].number == fault)
            #expect(past.derivations <= 20, "\(past.derivations), \(count) behind")
        }
    }
}

/// Accounts whose subscription was taken from them in five ways, among many entries that change
/// nothing of it.
private struct PlantedFaults {
    struct Fault {
        let name: String
        let account: AccountID
        var entries: ClosedRange<Int64>
        let kinds: [String]
    }

    let shop: Shop
    private(set) var faults: [Fault] = []
    private var dice = SplitMix64(seed: 47)
    private var grants = 0

    private static let kinds: [(name: String, kinds: [String])] = [
        ("a wrong claim", ["decision"]), ("a late refund", ["transaction"]),
        ("a merge", ["decision"]), ("a re-signed transaction", ["transaction"]),
        ("a policy line", ["policyActivation"]),
    ]

    init(count: Int) async throws {
        shop = try await Shop(
            rules: "account_switch: [{name: move, when: {moment: restore}, then: transfer}]",
            policyGuard: .warn)
        let accounts = (0..<count).map { AccountID(unchecked: "a\($0)") }
        for index in accounts.indices { try await buy(index, accounts[index]) }
        for index in accounts.indices {
            try await noise(accounts)
            let kind = Self.kinds[index % 5]
            guard kind.name != "a policy line" else { continue }
            let before = shop.engine.revision.number
            try await plant(kind.name, index, accounts[index])
            try #require(before < shop.engine.revision.number, "\(kind.name)")
            let entries = (before + 1)...shop.engine.revision.number
            faults.append(
                Fault(
                    name: kind.name, account: accounts[index], entries: entries,
                    kinds: kind.kinds))
        }
        let before = shop.engine.revision.number
        let texts = Shop.policy(
            trusting: shop.store,
            rules: "account_switch: [{name: move, when: {moment: restore}, then: transfer}]")
        let text = String(decoding: texts[0].bytes, as: UTF8.self)
        let outcome = try await shop.engine.activate([
            PolicyText(
                path: "policy.yaml",
                text: text.replacing("grants: [premium]}", with: "grants: [weekly]}")
                    .replacing(
                        "kind: free, grants: [weekly]", with: "kind: free, grants: [premium]")),
            texts[1],
        ])
        let isActive = if case .activated = outcome { true } else { false }
        try #require(isActive, "\(outcome)")
        let entries = (before + 1)...shop.engine.revision.number
        for index in accounts.indices where index % 5 == 4 {
            faults.append(
                Fault(
                    name: "a policy line", account: accounts[index], entries: entries,
                    kinds: ["policyActivation"]))
        }
        for _ in 0..<count { try await noise(accounts) }
    }

    private func buy(_ index: Int, _ account: AccountID) async throws {
        try await shop.present(
            shop.purchase("gold", .autoRenewable, id: "\(10_000 + index)", until: "2026-03-20"),
            as: account.text)
    }

    /// Something that concerns one of them, and not the right that is asked about.
    private mutating func noise(_ accounts: [AccountID]) async throws {
        grants += 1
        let index = dice.below(accounts.count)
        let account = accounts[index]
        let cause = AdminActionCause(actor: "uid:7", reason: "a test")
        // A blocked account cannot be merged.
        if index % 5 == 2 || dice.chance(1, in: 2) {
            _ = try await shop.engine.grant(
                GrantRequest(
                    id: GrantID(unchecked: "g\(grants)"), account: account,
                    gift: .entitlement("pass"), cause: cause))
        } else {
            _ = try await shop.engine.block(
                account, scope: BlockScope(entitlements: ["weekly"], credits: []),
                id: BlockID(unchecked: "b\(grants)"), cause)
        }
    }

    private func plant(_ name: String, _ index: Int, _ account: AccountID) async throws {
        func signed(
            _ change: (inout SimulatedTransaction) -> Void
        ) throws -> [UInt8] {
            try shop.purchase(
                "gold", .autoRenewable, id: "\(10_000 + index)", until: "2026-03-20"
            ) {
                $0.signedDate = $0.signedDate.advanced(byMilliseconds: 60_000)
                change(&$0)
            }
        }
        switch name {
        case "a wrong claim":
            try await shop.present(
                signed { _ in }, as: "thief-\(index)", moment: .restore)
        case "a late refund":
            try await shop.present(
                signed { $0.revocation = Revocation(date: $0.purchaseDate) }, as: nil,
                moment: nil)
        case "a merge":
            _ = try await shop.engine.merge(
                AccountMerge(
                    from: account, into: AccountID(unchecked: "into-\(index)"), actor: "uid:7",
                    reason: "a test"))
        default:
            try await shop.present(
                signed { $0.expiresDate = $0.purchaseDate.advanced(byMilliseconds: 86_400_000) },
                as: nil, moment: nil)
        }
    }
}
