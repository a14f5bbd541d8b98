internal import EntitlementModel
internal import PolicyAnalysis

/// The states of a kind in which the same rules decide to the same end.
struct CellRun {
    let states: [EntitlementState]
    let verdict: AccessTable.Verdict
    let deciders: [Decider]
}

extension AccessTable {
    /// By the first of their states.
    func runs(of kind: ProductKind) -> [CellRun] {
        var runs: [CellRun] = []
        for cell in cells(of: kind) {
            let index = runs.firstIndex {
                $0.deciders == cell.deciders && $0.verdict == cell.verdict
            }
            let earlier = index.map { runs[$0].states } ?? []
            let run = CellRun(
                states: earlier + [cell.state], verdict: cell.verdict, deciders: cell.deciders)
            if let index { runs[index] = run } else { runs.append(run) }
        }
        return runs
    }
}

extension SwitchTable {
    /// What is said of purchases that nobody owns, if it is the same for all groups.
    var commonUnowned: [Cell]? {
        let all = Set(groups.map(\.unowned))
        return all.count == 1 ? all.first : nil
    }
}
