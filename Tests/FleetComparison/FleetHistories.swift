#if PostgreSQL
    package import EntitlementDerivation
    package import EntitlementModel
    package import HistoryComparison
    package import LedgerModel
    package import OrderComparison
    package import TestSupport

    /// Random histories in a fleet of two nodes: one writes, and the other one, which follows
    /// meanwhile, must have the same ledger and give the same answers.
    extension FleetStage {
        /// Puts what a history has recorded into the ledger, in commits of one to eight entries.
        package func compare(_ history: History) async -> [Disagreement] {
            let playback = Playback(history)
            do {
                return try await withPair { pair in
                    var pair = pair
                    pair.commit = 1 + Int(history.seed % 8)
                    return try await differences(
                        after: playback.facts, by: Deriver(policies: playback.policies), pair)
                }
            } catch {
                return [Disagreement("the fleet", derived: "\(error)", specified: "answers")]
            }
        }

        /// Plays a script's calls through the engine of the node that leads.
        package func compare(_ script: OrderScript) async -> OrderScriptComparison {
            do {
                try clear()
            } catch {
                return OrderScriptComparison(failing: error)
            }
            return await OrderScriptComparison.of(script, on: [nextNode(), nextNode()])
        }
    }

    /// Two nodes of one fleet.
    package struct FleetPair: Sendable {
        /// The one that leads.
        package var first: any Ledger
        package var second: any Ledger
        /// How many entries one commit has.
        package var commit = 4
    }

    /// Records the facts on the first node, and says what the second one has otherwise.
    package func differences(
        after facts: FactSet, by deriver: Deriver, _ pair: FleetPair
    ) async throws -> [Disagreement] {
        var kept = FactSet()
        var rest = facts.entries[...]
        while !rest.isEmpty {
            let new = try await pair.first.appendOnce(Array(rest.prefix(pair.commit)))
            for entry in new { kept.insert(entry) }
            rest = rest.dropFirst(pair.commit)
        }
        let head = try pair.first.newest
        try await pair.second.waitUntilItHas(head.sequence)
        let there = try pair.second.newest
        guard there == head else {
            return [Disagreement("the last entry", derived: "\(there)", specified: "\(head)")]
        }
        if !facts.isInOrder { kept = try pair.first.read { try FactSet(recordedIn: $0) } }
        let derived = deriver.derive(kept)
        return try pair.second.read { try differences(in: $0, from: derived, by: deriver) }
    }
#endif
