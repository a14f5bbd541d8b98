internal import EntitlementModel

/// Tries repairs on the texts of a report.
struct RepairTrial {
    let texts: [PolicyText]
    let report: PolicyReport
    let check: RepairCheck

    /// How bad a folder is: what cannot be read at all weighs more than any number of errors,
    /// since it hides them.
    private struct Damage: Comparable {
        var unread: Int
        var errors: Int
        var warnings: Int

        static func < (left: Damage, right: Damage) -> Bool {
            (left.unread, left.errors, left.warnings)
                < (right.unread, right.errors, right.warnings)
        }
    }

    /// A repair that mends what it is for.
    private struct Survivor {
        var repair: Repair
        var damage: Damage
        var meaning: [String]
    }

    func offer(for diagnostic: Diagnostic) -> RepairOffer {
        guard let text = texts.first(where: { $0.path == diagnostic.place.file }),
            let lines = LineTable(text)
        else { return .none }
        let candidates = repairCandidates(for: diagnostic, in: lines, texts)
        let survivors = candidates.compactMap { survivor($0, diagnostic) }
        guard let best = survivors.map(\.damage).min() else { return .none }
        var distinct: [Survivor] = []
        for survivor in survivors where survivor.damage == best {
            if !distinct.contains(where: { $0.meaning == survivor.meaning }) {
                distinct.append(survivor)
            }
        }
        guard distinct.count > 1 else { return .one(distinct[0].repair) }
        return .several(differing(distinct.map(\.repair)))
    }

    /// With their indentations where the lines do not differ in anything else.
    private func differing(_ repairs: [Repair]) -> [Repair] {
        guard Set(repairs.map(\.line)).count < repairs.count else { return repairs }
        return repairs.map { repair in
            var shown = repair
            shown.line = String(changedLine(repair, repair.applied(to: texts)))
            return shown
        }
    }

    private func survivor(
        _ candidate: RepairCandidate, _ diagnostic: Diagnostic
    ) -> Survivor? {
        var repair = Repair(diagnostic: diagnostic, edits: candidate.edits, line: "")
        let mended = repair.applied(to: texts)
        guard mended != texts else { return nil }
        let after = check(mended)
        let isOver = weight(of: diagnostic, in: after) < weight(of: diagnostic, in: report)
        guard isOver || hasMoved(diagnostic, after) else { return nil }
        let isWarning = diagnostic.severity == .warning
        let (before, now) = (
            damage(texts, report, isWarning: isWarning),
            damage(mended, after, isWarning: isWarning)
        )
        guard now.unread < before.unread || now <= before else { return nil }
        if diagnostic.id.isRepairedByGuess,
            hasNewError(after, near: repair, mended)
        {
            return nil
        }
        repair.line = String(changedLine(repair, mended).drop { $0 == " " })
        let edited = Set(repair.edits.map(\.file))
        return Survivor(
            repair: repair, damage: now,
            meaning: mended.filter { edited.contains($0.path) }.map(meaning))
    }

    /// How often the same is said of a file.
    private func weight(of diagnostic: Diagnostic, in report: PolicyReport) -> Int {
        report.diagnostics.reduce(0) { count, other in
            let isSame =
                other.id == diagnostic.id && other.place.file == diagnostic.place.file
                && other.facts == diagnostic.facts
            return isSame ? count + 1 + other.repetitions : count
        }
    }

    /// Whether the same is said only of later lines: a parser stops at the first mistake.
    private func hasMoved(_ diagnostic: Diagnostic, _ after: PolicyReport) -> Bool {
        guard diagnostic.id.stopsReading else { return false }
        let lines = after.diagnostics.compactMap { other in
            other.id == diagnostic.id && other.place.file == diagnostic.place.file
                ? other.place.line : nil
        }
        return lines.allSatisfy { $0 > diagnostic.place.line }
    }

    private func damage(
        _ texts: [PolicyText], _ report: PolicyReport, isWarning: Bool
    ) -> Damage {
        let unread = texts.count { text in
            guard text.isYAML else { return false }
            var problems = ProblemList()
            return readYAML(text, into: &problems) == nil
        }
        return Damage(
            unread: unread, errors: report.diagnostics.count(of: .error),
            warnings: isWarning ? report.diagnostics.count(of: .warning) : 0)
    }

    /// Whether something near a line that was changed is wrong that was not before.
    private func hasNewError(
        _ after: PolicyReport, near repair: Repair, _ mended: [PolicyText]
    ) -> Bool {
        for text in mended {
            let edits = repair.edits.filter { $0.file == text.path }
            guard let first = edits.map(\.bytes.lowerBound).min(),
                let last = edits.map(\.bytes.lowerBound).max(), let lines = LineTable(text)
            else { continue }
            let end = min(last, text.bytes.count)
            let near =
                (lines.number(ofLineAt: first) - 3)...(lines.number(ofLineAt: end) + 6)
            let isNew = after.diagnostics.contains { found in
                found.severity == .error && found.place.file == text.path
                    && near.contains(found.place.line)
                    && !report.diagnostics.contains {
                        $0.id == found.id && $0.place == found.place
                    }
            }
            if isNew { return true }
        }
        return false
    }

    private func changedLine(_ repair: Repair, _ mended: [PolicyText]) -> Substring {
        guard let edit = repair.edits.first,
            let text = mended.first(where: { $0.path == edit.file }),
            let lines = LineTable(text)
        else { return "" }
        return lines.line(lines.number(ofLineAt: edit.bytes.lowerBound))?.content ?? ""
    }

    /// What a file says, whatever it looks like; its text where it cannot be read.
    private func meaning(_ text: PolicyText) -> String {
        var problems = ProblemList()
        return readYAML(text, into: &problems)?.outline ?? text.text
    }
}

extension YAMLNode {
    /// The same for two trees if and only if they say the same.
    fileprivate var outline: String {
        switch content {
        case .text(let text, .plain): "p\(text.utf8.count):\(text)"
        case .text(let text, .quoted): "q\(text.utf8.count):\(text)"
        case .list(let nodes): "[" + nodes.map(\.outline).joined(separator: ",") + "]"
        case .map(let entries):
            "{"
                + entries.map { "\($0.key.utf8.count):\($0.key)=\($0.value.outline)" }
                .joined(separator: ",") + "}"
        case .rejected: "!"
        }
    }
}

extension DiagnosticID {
    /// Whether a file that has it is read no further.
    var stopsReading: Bool {
        switch self {
        case .byteOrderMark, .controlCharacter, .invisibleCharacter, .ideographicSpace, .tab,
            .yamlSyntax, .badIndentation, .unclosedQuote, .unclosedBracket, .colonInText,
            .missingColon, .reservedCharacter, .fullWidthPunctuation, .severalDocuments, .alias,
            .anchor, .tag:
            true
        default: false
        }
    }

    /// Whether its repairs guess at the structure, so that what is still wrong near refutes them.
    fileprivate var isRepairedByGuess: Bool {
        switch self {
        case .badIndentation, .unclosedQuote, .unclosedBracket, .colonInText, .missingColon,
            .missingSpace, .reservedCharacter, .alias, .anchor, .tag, .wrongType, .notIndented:
            true
        default: false
        }
    }
}
