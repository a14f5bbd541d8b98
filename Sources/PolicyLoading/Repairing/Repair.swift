internal import EntitlementModel

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
