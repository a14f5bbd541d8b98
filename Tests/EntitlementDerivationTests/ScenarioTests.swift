internal import EntitlementDerivation
internal import EntitlementModel
internal import HistoryComparison
internal import Testing

/// Every file of `fixtures/scenarios` is played, and what comes of it compared with the
/// specification.
@Suite(.timeLimit(.minutes(20)))
struct ScenarioTests {
    @Test(arguments: ScenarioFile.all)
    func scenario(_ path: String) throws {
        let file = try ScenarioFile(path: path)
        #expect(!file.why.isEmpty)
        #expect(!file.expectations.isEmpty || file.facts.contains { $0.contains("->") })
        var world = try ScenarioWorld(policies: try file.loadPolicies())
        for line in file.facts { try world.play(line) }
        let outlook = ScenarioOutlook(world: world, derived: world.deriver.derive(world.facts))
        for line in file.expectations {
            let failure = try outlook.failure(of: line)
            #expect(failure == nil, "\(path): '\(line)' but found '\(failure ?? "")'")
        }
        try checkInvariants(of: world, outlook.derived, path)
        let comparison = Comparison(policies: world.history, facts: world.facts)
        #expect(comparison.disagreements.map(\.text) == [], "\(path)")
    }

    /// Order and repetition change nothing, and what is derived alone is what is derived with
    /// everything else (spec 1.11).
    private func checkInvariants(
        of world: ScenarioWorld, _ derived: DerivedTimelines, _ path: String
    ) throws {
        var shuffled = world.facts
        shuffled.transactions = world.facts.transactions.reversed() + world.facts.transactions
        shuffled.renewals = world.facts.renewals.reversed() + world.facts.renewals
        shuffled.decisions.reverse()
        shuffled.claims.reverse()
        shuffled.grants.reverse()
        let again = world.deriver.derive(shuffled)
        #expect(again.accounts == derived.accounts, "\(path): order or repetition matters")
        #expect(again.appleIDs == derived.appleIDs, "\(path): order or repetition matters")
        #expect(again.findings == derived.findings, "\(path): order or repetition matters")
        for (account, timeline) in derived.accounts {
            let alone = world.deriver.deriveAccount(account, shuffled)
            #expect(alone == timeline, "\(path): \(account) alone is something else")
        }
        for (lineage, key) in derived.appleIDOfLineage {
            let alone = world.deriver.deriveAppleID(holding: lineage, shuffled)
            #expect(alone == derived.appleIDs[key], "\(path): \(key) alone is something else")
        }
    }

    /// The suite would pass with an empty folder.
    @Test func thereAreManyScenarios() {
        #expect(ScenarioFile.all.count >= 100)
    }
}
