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
    /// Never empty; those of one file by place, none overlapping.
    package var edits: [Edit]
    /// The first line that it changes, as it will be, without the spaces around it; with those
    /// before it where several repairs differ in nothing else.
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

/// What can be done about a diagnostic without asking its author.
package enum RepairOffer: Hashable, Sendable {
    case one(Repair)
    /// Each would do, and they mean different things: only the author knows which.
    case several([Repair])
    case none
}

/// Makes a report of texts, as the check does whose diagnostics are to be repaired.
package typealias RepairCheck = ([PolicyText]) -> PolicyReport

/// What can be done about one diagnostic of a report.
///
/// Every possible repair is tried: one that leaves the diagnostic, or more errors than there were,
/// is not offered; of those that leave the fewest, all that differ in meaning are.
package func repairs(
    for diagnostic: Diagnostic, of report: PolicyReport, in texts: [PolicyText],
    check: @escaping RepairCheck
) -> RepairOffer {
    RepairTrial(texts: texts, report: report, check: check).offer(for: diagnostic)
}

/// A repair that has not been tried.
struct RepairCandidate {
    var edits: [Repair.Edit]

    /// One edit; none where the place is not in the text.
    init?(_ file: String, _ bytes: Range<Int>?, _ replacement: String) {
        guard let bytes else { return nil }
        edits = [Repair.Edit(file: file, bytes: bytes, replacement: replacement)]
    }

    /// Nil for no edits.
    init?(_ edits: [Repair.Edit]) {
        guard !edits.isEmpty else { return nil }
        self.edits = edits
    }
}
