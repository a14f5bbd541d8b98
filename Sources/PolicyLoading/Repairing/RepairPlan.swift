internal import EntitlementModel

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

/// Makes a report of texts, as the check does whose diagnostics are to be repaired.
package typealias RepairCheck = ([PolicyText]) -> PolicyReport

/// How many repairs are made at one go; a folder with more is a folder of another format.
private let mostRepairs = 500

/// Makes the repair of each diagnostic that has exactly one, again and again until none is left: a
/// byte order mark hides what else is wrong. Then all line ends become LF.
///
/// - Parameter check: the report of texts; asked once after each repair, which is not made where it
///   leaves the diagnostic, or more mistakes than there were.
package func planRepairs(_ texts: [PolicyText], check: RepairCheck) -> RepairPlan {
    var plan = RepairPlan(
        before: texts, after: texts, repairs: [], report: check(texts), left: [])
    while plan.repairs.count < mostRepairs, plan.repairNext(check) {}
    plan.repairLineEnds(check)
    plan.left = plan.report.diagnostics.map { diagnostic in
        var left = diagnostic
        let choices = repairs(for: diagnostic, in: plan.after)
        if choices.count > 1 { left.choices = choices.map(\.line) }
        return left
    }
    return plan
}

extension RepairPlan {
    /// - Returns: false where no diagnostic has a repair that mends it.
    fileprivate mutating func repairNext(_ check: RepairCheck) -> Bool {
        for diagnostic in report.diagnostics where diagnostic.severity != .note {
            let found = PolicyLoading.repairs(for: diagnostic, in: after)
            guard found.count == 1 else { continue }
            let repaired = found[0].applied(to: after)
            let mended = check(repaired)
            guard isMended(diagnostic, repaired, mended) else { continue }
            (after, report) = (repaired, mended)
            repairs.append(found[0])
            return true
        }
        return false
    }

    /// Whether a diagnostic is gone, or said of a later line only, and no more is wrong than was.
    private func isMended(
        _ diagnostic: Diagnostic, _ texts: [PolicyText], _ mended: PolicyReport
    ) -> Bool {
        let (old, new) = (report.count(like: diagnostic), mended.count(like: diagnostic))
        let later = mended.diagnostics.filter { diagnostic.isLike($0) }
            .allSatisfy { $0.place.line > diagnostic.place.line }
        let (unread, left) = (Self.unread(after), Self.unread(texts))
        guard new < old || later, left <= unread else { return false }
        return left < unread
            || mended.diagnostics.count(of: .error) <= report.diagnostics.count(of: .error)
                && (diagnostic.severity == .error
                    || mended.diagnostics.count(of: .warning)
                        <= report.diagnostics.count(of: .warning))
    }

    /// How many files cannot be read at all, which hides what else is wrong in them.
    private static func unread(_ texts: [PolicyText]) -> Int {
        texts.count { text in
            var problems = ProblemList()
            return text.isYAML && readYAML(text, into: &problems) == nil
        }
    }
}

extension Diagnostic {
    fileprivate func isLike(_ other: Diagnostic) -> Bool {
        id == other.id && place.file == other.place.file && facts == other.facts
    }
}

extension PolicyReport {
    /// How often the same is said of a file.
    fileprivate func count(like diagnostic: Diagnostic) -> Int {
        diagnostics.filter(diagnostic.isLike).reduce(0) { $0 + 1 + $1.repetitions }
    }
}
