internal import Dispatch
internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// What was counted before a policy came into force is not derived again: answers, feed and findings
/// are nevertheless what they are where everything is.
@Suite("What a counted policy leaves alone", .timeLimit(.minutes(60)))
struct PolicyDifferenceTests {
    private static let ledgers: UInt64 = 4
    private static let person = PolicyConsent.person(
        actor: "uid:7", reason: "a test", accountsAtMost: .max)

    @Test(
        "answers, changes and findings are those of a new start, whatever comes while it is counted",
        arguments: TestLedger.Store.allCases)
    func agrees(on store: TestLedger.Store) async throws {
        var (kept, differing) = (0, 0)
        for seed in 1...Self.ledgers {
            let random = try await RandomLedger(seed: seed, on: store)
            var dice = SplitMix64(seed: seed &+ 77)
            for _ in 0..<48 { try await random.step() }
            for change in PolicyChange.all {
                for account in RandomLedger.owners { _ = try random.engine.account(account) }
                let feed = FeedPublisher(
                    ledger: random.engine.ledger, active: random.engine.active, portion: 2)
                while try await feed.advance(at: random.engine.now()) {}
                try Self.finishFindings(of: random.engine)
                try await Self.activate(
                    change, on: random, pausingAt: dice.below(4), for: dice.below(4))
                if let difference = random.engine.policy.difference {
                    kept += 1
                    differing += difference.accounts.count
                }
                for _ in 0..<dice.below(3) {
                    _ = try await feed.advance(at: random.engine.now())
                    try await random.step()
                }
                while try await feed.advance(at: random.engine.now()) {}
                let place = "seed \(seed), \(change)"
                try Self.expectAnswers(of: random.engine, place)
                try Self.expectFindings(of: random.engine, place)
                let outlooks = try random.engine.ledger.reading { reader throws(LedgerError) in
                    var recheck = try OutlookRecheck(reader, random.engine.policy)
                    return try recheck.differing(atMost: 5)
                }
                #expect(outlooks == [], "\(place)")
            }
            try random.close()
        }
        #expect(kept > 10 && differing > 10)
        #expect(differing < kept * RandomLedger.owners.count / 2)
    }

    /// - Parameters:
    ///   - portion: at which call of its progress the walk stands still.
    ///   - steps: what happens meanwhile.
    private static func activate(
        _ change: PolicyChange, on random: RandomLedger, pausingAt portion: Int, for steps: Int
    ) async throws {
        let engine = random.engine
        let texts = try change.texts(on: engine)
        let (hasCome, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let calls = Shared(0)
        let activation = Task {
            // Without a walk, or with fewer calls, nothing stands still.
            defer { hasCome.signal() }
            return try await engine.activate(texts, consent: person) {
                calls.change { $0 += 1 }
                if calls.value == portion + 1 {
                    hasCome.signal()
                    mayGoOn.wait()
                }
                return true
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                hasCome.wait()
                continuation.resume()
            }
        }
        for _ in 0..<steps { try await random.step() }
        mayGoOn.signal()
        _ = try await activation.value
    }

    private static func finishFindings(of engine: EntitlementEngine) throws {
        while try engine.findings.advance(engine.ledger, by: engine.policy, at: engine.now()) {}
    }

    private static func expectAnswers(of engine: EntitlementEngine, _ place: String) throws {
        let fresh = ActivePolicy(engine.policy.history)
        for account in RandomLedger.owners {
            let name = fresh.name(account)
            let expected = try engine.reading { reader throws(LedgerError) in
                fresh.packed(of: name, facts: try reader.facts(forAccount: name))
            }
            let (packed, revision) = try engine.account(account)
            for environment in StoreEnvironment.allCases {
                for days in [-400, -30, 0, 3, 20, 400] as [Int64] {
                    let at = engine.now().advanced(byMilliseconds: days * 86_400_000)
                    #expect(
                        texts(of: packed, environment, at, revision)
                            == texts(of: expected, environment, at, revision),
                        "\(place), \(account.text)")
                }
                #expect(
                    packed.balances(in: environment, at: engine.now()).map(\.json)
                        == expected.balances(in: environment, at: engine.now()).map(\.json))
            }
        }
    }

    private static func texts(
        of packed: PackedAccount, _ environment: StoreEnvironment, _ at: Instant,
        _ revision: LedgerSequence
    ) -> [String] {
        packed.answers(in: environment, at: at, revision: revision).map { answer in
            var writer = AnswerWriter(reserving: 512)
            writer.append(answer)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    private static func expectFindings(of engine: EntitlementEngine, _ place: String) throws {
        try finishFindings(of: engine)
        let new = LedgerFindings(privacyKey: nil)
        while try new.advance(engine.ledger, by: engine.policy, at: engine.now()) {}
        let pages = [engine.findings, new].map {
            $0.page(of: nil, after: nil, at: engine.now(), limit: 1_000, by: engine.policy)
        }
        #expect(pages[0].findings == pages[1].findings, "\(place)")
        #expect(pages.map(\.isComplete) == [true, true], "\(place)")
    }
}

/// A change of the policy of a shop, as a product manager makes it.
struct PolicyChange: CustomStringConvertible {
    /// What the file has instead of its own `access` and `account_switch`.
    let rules: String
    var replaced = "\u{0}"
    var by = ""

    var description: String { "\(rules) \(replaced) \(by)" }

    static let all = [
        PolicyChange(rules: "", replaced: "grants: [forever]", by: "grants: [weekly]"),
        PolicyChange(rules: "access: [{name: never, when: {state: expired}, then: grant}]"),
        PolicyChange(
            rules: "access: [{name: late, when: {kind: auto-renewable, at: from 2026-03-20},"
                + " then: withhold}]"),
        PolicyChange(
            rules: "# moved\n\naccess: [{name: late, when: {kind: auto-renewable,"
                + " at: from 2026-03-20}, then: withhold}]"),
        PolicyChange(rules: "access: [{name: alice, when: {account: alice}, then: withhold}]"),
        PolicyChange(
            rules: "access: [{name: anybody, when: {kind: auto-renewable}, then: grant},"
                + " {name: alice, when: {account: alice}, then: withhold}]"),
        PolicyChange(
            rules: "access: [{name: old, when: {product: pass, state_age: at least 3d},"
                + " then: withhold}]"),
        PolicyChange(rules: "", replaced: "leeway: 1h", by: "leeway: 2d"),
        PolicyChange(rules: "", replaced: "units: 100", by: "units: 50"),
        PolicyChange(rules: "", replaced: "duration: 30d", by: "duration: 3d"),
        PolicyChange(
            rules: "account_switch: [{name: ask, when: {kind: auto-renewable}, then: ask}]"),
        PolicyChange(
            rules: "", replaced: "entitlements: {premium: {title: Premium}, ",
            by: "entitlements: {a: {title: A}, premium: {title: Premium}, "),
        PolicyChange(rules: "", replaced: "  weekly: {kind: free, grants: [weekly]}\n"),
    ]

    /// The texts of the policy in force, changed.
    func texts(on engine: EntitlementEngine) throws -> [PolicyText] {
        try #require(try engine.questions.policyInForce()).files.map { file in
            guard let text = file.text, file.path == "policy.yaml" else {
                let bytes = file.base64.flatMap { Base64.standard.decode(Array($0.utf8)[...]) }
                return PolicyText(path: file.path, bytes: bytes ?? [])
            }
            var body = text[...]
            for section in ["\naccess", "\naccount_switch:", "\n# moved"] {
                body =
                    body.split(
                        separator: section, maxSplits: 1, omittingEmptySubsequences: false)[0]
            }
            return PolicyText(
                path: file.path,
                text: String(body).replacing(replaced, with: by) + "\n" + rules + "\n")
        }
    }
}
