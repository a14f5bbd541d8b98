package import EntitlementModel

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
    plan.lineEnds = plan.after.indices.compactMap { plan.after[$0].makeLineFeeds() }
    if !plan.lineEnds.isEmpty { plan.report = check(plan.after) }
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
            guard report.isMended(diagnostic, after, repaired, mended) else { continue }
            (after, report) = (repaired, mended)
            repairs.append(found[0])
            return true
        }
        return false
    }
}

extension PolicyReport {
    /// Whether a diagnostic is gone, or said of a later line only, and no more is wrong than was; what
    /// could not be read at all hid what else is wrong.
    ///
    /// - Parameters:
    ///   - before: the texts that the report is of.
    ///   - after: the repaired ones.
    ///   - mended: the report of these.
    fileprivate func isMended(
        _ diagnostic: Diagnostic, _ before: [PolicyText], _ after: [PolicyText],
        _ mended: PolicyReport
    ) -> Bool {
        let same = mended.diagnostics.filter { $0.isLike(diagnostic) }
        let old = diagnostics.filter { $0.isLike(diagnostic) }
        guard same.allSatisfy({ $0.place.line > diagnostic.place.line }) || same.count < old.count
        else { return false }
        let (unread, left) = (Self.unread(before), Self.unread(after))
        let isNotWorse = [Severity.error, diagnostic.severity].allSatisfy {
            mended.diagnostics.count(of: $0) <= diagnostics.count(of: $0)
        }
        return left < unread || left == unread && isNotWorse
    }

    /// How many files cannot be read at all.
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

/// A file with line ends of Windows, which are read as all others are: no mistake, and still
/// repaired, so that files do not differ in what nobody sees.
package struct LineEndRepair: Hashable, Sendable {
    /// Relative to the policy folder.
    package var file: String
    /// How many lines end with CR and LF.
    package var changed: Int64
    /// How many line ends there are.
    package var all: Int64
}

extension PolicyText {
    /// Makes LF of CR and LF, and says what that changes; nil where there is nothing to do, and where
    /// a CR that ends no line is left to the author.
    fileprivate mutating func makeLineFeeds() -> LineEndRepair? {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // At the end of a file it ends the last line.
        if lines.last?.last == UInt8(ascii: "\r") { lines.append([]) }
        let changed = lines.dropLast().count { $0.last == UInt8(ascii: "\r") }
        let bare = lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        guard isYAML, changed > 0, !bare.contains(where: { $0.contains(UInt8(ascii: "\r")) })
        else { return nil }
        bytes = Array(bare.joined(separator: [UInt8(ascii: "\n")]))
        return LineEndRepair(file: path, changed: Int64(changed), all: Int64(lines.count - 1))
    }
}

/// A change of a policy's texts that mends what one diagnostic says.
package struct Repair: Hashable, Sendable {
    /// Bytes of one file, and what is to stand in their place.
    package struct Edit: Hashable, Sendable {
        /// Relative to the policy folder.
        package var file: String
        /// Half-open; empty to insert.
        package var bytes: Range<Int>
        package var replacement: String

        package init(file: String, bytes: Range<Int>, replacement: String) {
            self.file = file
            self.bytes = bytes
            self.replacement = replacement
        }
    }

    /// What it is for.
    package var diagnostic: Diagnostic
    /// Never empty; all of one file, by place, none overlapping.
    package var edits: [Edit]
    /// The first line that it changes, as it will be, without the spaces around it.
    package var line: String

    /// The texts with the edits made; everything else stays byte for byte.
    package func applied(to texts: [PolicyText]) -> [PolicyText] {
        texts.map { text in
            let own = edits.filter { $0.file == text.path }
            guard !own.isEmpty else { return text }
            var changed = text
            for edit in own.sorted(by: { $0.bytes.lowerBound > $1.bytes.lowerBound }) {
                changed.bytes.replaceSubrange(edit.bytes, with: Array(edit.replacement.utf8))
            }
            return changed
        }
    }
}

/// What mends a diagnostic of some texts: one repair where it says what to write, several where
/// only the author can choose.
package func repairs(for diagnostic: Diagnostic, in texts: [PolicyText]) -> [Repair] {
    guard let text = texts.first(where: { $0.path == diagnostic.place.file }),
        let edits = DiagnosticEdits(diagnostic, in: text)
    else { return [] }
    return edits.choices.compactMap { edits in
        var repair = Repair(diagnostic: diagnostic, edits: edits, line: "")
        let changed = repair.applied(to: [text])[0]
        guard changed != text, let lines = LineTable(changed) else { return nil }
        let number = lines.number(ofLineAt: edits[0].bytes.lowerBound)
        repair.line = String(lines.line(number)?.content.drop { $0 == " " } ?? "")
        return repair
    }
}

/// How many mistakes are shown with their repair: a person repairs the first ones first.
private let mostDiagnostics = 8

/// The diagnostics of a report, each with its line after the repair, so that the message itself says
/// what to write. Where several repairs are possible, each is shown; one that would not be made is not.
///
/// - Parameter check: as for the repairs.
package func withRepairedLines(
    _ report: PolicyReport, in texts: [PolicyText], language: Language, check: RepairCheck
) -> [Diagnostic] {
    var left = mostDiagnostics
    return report.diagnostics.map { diagnostic in
        guard diagnostic.severity == .error, left > 0 else { return diagnostic }
        left -= 1
        var shown = diagnostic
        let found = repairs(for: diagnostic, in: texts)
        if found.count > 1 { shown.choices = found.map(\.line) }
        if found.count == 1, let note = found[0].note(in: texts, language) {
            let repaired = found[0].applied(to: texts)
            if report.isMended(diagnostic, texts, repaired, check(repaired)) {
                shown.notes.append(note)
            }
        }
        return shown
    }
}

extension Repair {
    /// The first line that it changes, with its number; or the one that it removes.
    fileprivate func note(in texts: [PolicyText], _ language: Language) -> String? {
        guard let text = texts.first(where: { $0.path == edits[0].file }),
            let old = LineTable(text), let new = LineTable(applied(to: [text])[0])
        else { return nil }
        let number = old.number(ofLineAt: edits[0].bytes.lowerBound)
        return new.lines.count < old.lines.count
            ? CheckPhrase.removedLine.text(language, "\(number)")
            : CheckPhrase.repairedLine.text(
                language, "\(number)", new.line(number).map { String($0.text) } ?? "")
    }
}
