internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreSimulator
internal import StrictJSON
internal import Testing

@Suite("Plays, signed and handed in", .timeLimit(.minutes(20)))
struct PlayTests {
    @Test("what a play expects is so", arguments: PlayedShop.plays)
    func expectations(name: String) async throws {
        let play = try PlayedShop.play(name)
        let played = try play.perform(seed: 5)
        let shop = try await PlayedShop(trusting: played)
        #expect(!play.expectations.isEmpty && !play.why.isEmpty)
        var rest = played.evidence[...]
        for expectation in play.expectations.sorted(by: { $0.at < $1.at }) {
            while let piece = rest.first, piece.at <= expectation.at {
                rest.removeFirst()
                let report = try await shop.handIn(piece, at: piece.at)
                #expect(report.refusalCode == nil, "\(name): \(piece.file)")
                #expect(report.judged?.quarantined == [], "\(name): \(piece.file)")
            }
            let found = try shop.claim(expectation)
            #expect(found == expectation.claim, "\(name):\(expectation.line)")
        }
    }

    @Test("the order of arrival and repetitions change nothing in the end", arguments: 0..<3)
    func chaos(seed: UInt64) async throws {
        for name in PlayedShop.plays {
            let played = try PlayedShop.play(name).perform(seed: 5)
            let end = try #require(played.evidence.last?.at)
            let chaos = PlayChaos(reorders: seed > 0, repeats: true)
            let notified = played.evidence.filter { $0.account == nil }
            let handed = played.evidence.filter { $0.account != nil }
            var revisions: [[String]] = []
            for evidence in [notified, chaos.apply(to: notified, seed: seed)] {
                let shop = try await PlayedShop(trusting: played)
                for piece in handed + evidence { try await shop.handIn(piece, at: end) }
                revisions.append(try shop.engine.rights(of: played))
            }
            #expect(revisions[0] == revisions[1], "\(name), seed \(seed)")
        }
    }

    @Test("what was derived step by step is what is derived from scratch", arguments: 0..<4)
    func fromScratch(seed: UInt64) async throws {
        for name in PlayedShop.plays {
            let played = try PlayedShop.play(name).perform(seed: 5)
            let end = try #require(played.evidence.last?.at)
            let chaos = PlayChaos(reorders: true, repeats: true, drops: seed > 1)
            let shop = try await PlayedShop(trusting: played)
            var incremental: [String] = []
            for piece in chaos.apply(to: played.evidence, seed: seed) {
                try await shop.handIn(piece, at: end)
                incremental = try shop.engine.rights(of: played)
            }
            let scratch = try await shop.reopened()
            #expect(try scratch.rights(of: played) == incremental, "\(name), seed \(seed)")
            try scratch.close()
        }
    }

    @Test("a play is the same for the same seed, and others for another")
    func seeds() throws {
        let play = try PlayedShop.play("a-year-of-gold.yaml")
        func names(_ seed: UInt64) throws -> [String] {
            try play.perform(seed: seed).evidence.map { "\($0.file) \($0.at)" }
        }
        #expect(try names(1) == names(1))
        let evidence = try play.perform(seed: 1).evidence
        let chaos = PlayChaos(reorders: true, repeats: true, drops: true)
        let first = chaos.apply(to: evidence, seed: 3).map(\.file)
        #expect(first == chaos.apply(to: evidence, seed: 3).map(\.file))
        #expect(first != chaos.apply(to: evidence, seed: 4).map(\.file))
        let kept = Set(first)
        #expect(evidence.allSatisfy { $0.account == nil || kept.contains($0.file) })
        #expect(first.count > kept.count)
        #expect(kept.count < evidence.count)
    }

    private static let mistakes: [(text: String, sentences: [String])] = [
        ("steps: [", ["1: this is not YAML"]),
        ("- a", ["1: 'play' must have keys and values"]),
        (
            "products: {}\nsteps: [a @0]\nsteps2: []",
            [
                "2: the line ends too early", "3: unknown key 'steps2'",
            ]
        ),
        ("steps: [alice buys gold as G @0]", ["1: 'products' is missing"]),
        ("products: {gold: {kind: gift}}\nsteps: []", ["1: 'kind' cannot be 'gift'"]),
        (
            "products: {gold: {kind: auto-renewable}}\nsteps: []",
            [
                "1: 'gold' is auto-renewable and needs a 'group' and a 'period'"
            ]
        ),
        (
            "products: {}\nsteps:\n- alice restores G\n- alice restores G @x",
            [
                "3: the line needs an instant such as @10",
                "4: '@x' is not an instant; write @10, @10.5, @60+1h or @2026-03-01",
            ]
        ),
        (
            "products: {}\nsteps:\n- a restores G @5\n- a restores G @4\n- a restores G @2100-01-01",
            [
                "4: the line is earlier than the one before it",
                "5: a play must lie between 2008-07-10 and 2099-12-31",
            ]
        ),
        ("products: {}\nsteps:\n- alice buys gold as G @0", ["3: unknown product 'gold'"]),
        ("products: {}\nsteps:\n- G renews @0", ["3: unknown purchase 'G'"]),
        ("products: {}\nsteps:\n- G is approved @0", ["3: 'G' is not waiting for approval"]),
        (
            "products: {p: {kind: consumable}}\nsteps:\n- a buys p as G @0\n- G renews @1",
            [
                "4: 'G' is not an auto-renewable subscription"
            ]
        ),
        (
            "products: {p: {kind: consumable}}\nsteps:\n- a buys p as G @0\n- a buys p as G @1",
            [
                "4: another purchase is already called 'G'"
            ]
        ),
        ("products: {}\nsteps:\n- G dances @0", ["3: unexpected 'dances'"]),
        (
            "products: {c: {kind: consumable}}\nsteps: [a buys c @0]",
            ["2: 'as NAME' is missing: a purchase needs a name"]
        ),
        (
            "products: {}\nsteps: 5\nexpect: [a b is @0]",
            [
                "2: 'steps' must be a list of lines", "3: the line ends too early",
            ]
        ),
        (
            "products: {c: {kind: consumable}}\nsteps:\n- a buys c as C order 7 @1",
            ["3: unexpected '7'"]
        ),
        ("products: {}\nsteps: []\nenvironment: moon", ["3: 'environment' cannot be 'moon'"]),
    ]

    @Test("mistakes in a play are told with their line, in both languages", arguments: mistakes)
    func tellsMistakes(text: String, sentences: [String]) throws {
        let error = #expect(throws: PlayMistakes.self) {
            _ = try Play.read(text).perform(seed: 1)
        }
        let mistakes = try #require(error).mistakes
        #expect(mistakes.map { "\($0.line): \($0.reason.text(.english))" } == sentences)
        #expect(mistakes.allSatisfy { !$0.reason.chinese.isEmpty })
    }
}

extension EntitlementEngine {
    /// Everything that the accounts of a play may use and have, on every tenth day.
    fileprivate func rights(of played: PlayedEvidenceSet) throws -> [String] {
        let accounts = Set(played.evidence.compactMap(\.account)).sorted()
        return try accounts.flatMap { account in
            let (packed, _) = try self.account(try #require(AccountID(account)))
            let days = stride(from: Int64(0), through: 300, by: 10)
            return try days.map { day in
                let at = Play.start.advanced(byMilliseconds: day * 86_400_000)
                let answers = try packed.answers(in: .production, at: at, revision: .zero)
                    .map { try ToldAnswer($0).json.text }
                let balances = packed.balances(in: .production, at: at).map(\.balance)
                return "\(account) \(day): \(answers) \(balances)"
            }
        }
    }
}
