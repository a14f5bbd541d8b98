/// What can be repaired in a folder, and what is left to its author.
package struct RepairPlan: Sendable {
    /// As they were read.
    package var before: [PolicyText]
    /// As they would be.
    package var after: [PolicyText]
    /// In the order in which they are made.
    package var repairs: [Repair]
    /// The files whose line ends change, after the repairs.
    package var lineEnds: [LineEndRepair] = []
    /// Of the repaired texts.
    package var report: PolicyReport
    /// What is still wrong, each with the repairs of which only its author can choose one.
    package var left: [Diagnostic]

    /// The paths of the files that would change.
    package var changedFiles: [String] {
        zip(before, after).compactMap { $0 == $1 ? nil : $0.path }
    }
}

/// How many repairs are made at one go; a folder with more is a folder of another format.
private let mostRepairs = 500

/// Repairs what has exactly one possible repair, again and again until nothing is left that has
/// one: a byte order mark hides what else is wrong. Then all line ends become LF.
///
/// - Parameter check: the report of texts; asked several times for every repair.
package func planRepairs(_ texts: [PolicyText], check: @escaping RepairCheck) -> RepairPlan {
    var plan = RepairPlan(
        before: texts, after: texts, repairs: [], report: check(texts), left: [])
    var known: Set<[PolicyText]> = [texts]
    while plan.repairs.count < mostRepairs {
        guard let repair = nextRepair(plan, check) else { break }
        let repaired = repair.applied(to: plan.after)
        // Two repairs that undo each other repair nothing.
        guard known.insert(repaired).inserted else { break }
        plan.after = repaired
        plan.report = check(repaired)
        plan.repairs.append(repair)
    }
    plan.repairLineEnds(check)
    plan.left = plan.report.diagnostics.map { diagnostic in
        var left = diagnostic
        let offer = repairs(for: diagnostic, of: plan.report, in: plan.after, check: check)
        if case .several(let choices) = offer { left.choices = choices.map(\.line) }
        return left
    }
    return plan
}

private func nextRepair(_ plan: RepairPlan, _ check: @escaping RepairCheck) -> Repair? {
    for diagnostic in plan.report.diagnostics where diagnostic.severity != .note {
        let offer = repairs(for: diagnostic, of: plan.report, in: plan.after, check: check)
        if case .one(let repair) = offer { return repair }
    }
    return nil
}
