internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import PolicyTools
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("Plays, signed and handed in", .timeLimit(.minutes(20)))
struct PlayTests {
    @Test("what a play expects is so", arguments: PlayedShop.plays)
    func expectations(name: String) async throws {
        let story = try PlayedShop.story(name)
        #expect(story.because != nil)
        let texts = try PlayedShop.policy(trusting: story.play(with: nil).perform(seed: 5))
        let policy = try #require(loadNewPolicy(texts).policy)
        let options = StoryOptions(
            texts: texts, policy: policy,
            makeLedger: { StoryLedger(TestLedger(in: try TemporaryFolder())) })
        let result = await playStory(story, options)
        #expect(result.hasPassed, "\(result.failures) \(String(describing: result.problem))")
        #expect(result.expectations > 5)
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
