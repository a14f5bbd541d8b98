#if PostgreSQL
    internal import EntitlementDerivation
    internal import EntitlementModel
    internal import FleetComparison
    internal import LedgerModel
    internal import TestSupport
    internal import Testing

    /// Every file of `fixtures/scenarios`, with its facts in the ledger of a fleet: one node writes
    /// them, and what must follow is looked for on the other one. Of those that tell facts in another
    /// order than that of their instants, which no ledger keeps, only the ledger's own facts are.
    @Suite("Scenarios on a fleet", .timeLimit(.minutes(20)))
    struct ScenarioFleetTests {
        @Test("what must follow from a scenario follows on another node")
        func scenarios() async throws {
            let stage = try FleetStage(in: try DatabaseServer.quick.get())
            var (expectations, disordered) = (0, 0)
            for path in ScenarioFile.all {
                let file = try ScenarioFile(path: path)
                var world = try ScenarioWorld(policies: try file.loadPolicies())
                for line in file.facts { try world.play(line) }
                let deriver = world.deriver
                let told = world.facts
                world.facts = try await stage.withPair { pair in
                    let found = try await differences(after: told, by: deriver, pair)
                    #expect(found == [], "\(path)")
                    return try pair.second.read { try FactSet(recordedIn: $0) }
                }
                guard told.isInOrder else {
                    disordered += 1
                    continue
                }
                let outlook = ScenarioOutlook(world: world, derived: deriver.derive(world.facts))
                for line in file.expectations {
                    let failure = try outlook.failure(of: line)
                    #expect(failure == nil, "\(path): '\(line)' but found '\(failure ?? "")'")
                    expectations += 1
                }
            }
            #expect(expectations > ScenarioFile.all.count)
            #expect(disordered < ScenarioFile.all.count / 4)
        }
    }
#endif
