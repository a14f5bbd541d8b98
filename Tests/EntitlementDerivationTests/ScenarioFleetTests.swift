#if PostgreSQL
    internal import EntitlementDerivation
    internal import EntitlementModel
    internal import FleetComparison
    internal import LedgerModel
    internal import TestSupport
    internal import Testing

    /// Every file of `fixtures/scenarios`, with its facts in the ledger of a fleet: one node writes
    /// them, and what must follow is looked for on the other one.
    @Suite("Scenarios on a fleet", .timeLimit(.minutes(20)))
    struct ScenarioFleetTests {
        @Test("what must follow from a scenario follows on another node")
        func scenarios() async throws {
            let stage = try FleetStage(in: try DatabaseServer.quick.get())
            var expectations = 0
            for path in ScenarioFile.all {
                let file = try ScenarioFile(path: path)
                var world = try ScenarioWorld(policies: try file.loadPolicies())
                for line in file.facts { try world.play(line) }
                let deriver = world.deriver
                world.facts = try await stage.withPair { [world] pair in
                    let found = try await differences(after: world.facts, by: deriver, pair)
                    #expect(found == [], "\(path)")
                    return try pair.second.read { try FactSet(recordedIn: $0) }
                }
                let outlook = ScenarioOutlook(world: world, derived: deriver.derive(world.facts))
                for line in file.expectations {
                    let failure = try outlook.failure(of: line)
                    #expect(failure == nil, "\(path): '\(line)' but found '\(failure ?? "")'")
                    expectations += 1
                }
            }
            #expect(expectations > 500)
        }
    }

    extension FactSet {
        fileprivate init(recordedIn ledger: any LedgerReading) throws {
            self.init()
            for entry in try ledger.entries(after: .zero, limit: 10_000) { insert(entry) }
        }
    }
#endif
