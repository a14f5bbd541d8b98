internal import EntitlementModel
internal import PolicyAnalysis

/// Rights: an overview where it fits, then each cell with its rules.
extension TextTables {
    mutating func writeAccess() {
        let access = tables.access
        edit { [words] in
            $0.heading(words.text(TablePhrase.access))
            $0.add(words.text(access.cells.isEmpty ? TablePhrase.noRights : .accessIntro))
        }
        writeOverview()
        for kind in access.kinds {
            edit {
                $0.blank()
                $0.add(kind.rawValue, tone: .strong)
            }
            for run in access.runs(of: kind) { write(run) }
        }
        writeDeliveries()
        writeIdle()
        writeOpen()
    }

    private mutating func writeIdle() {
        let idle = tables.access.idle.map { tables.access.rules[$0] }
        guard !idle.isEmpty else { return }
        edit { [words] writer in
            writer.blank()
            for rule in idle {
                let name = "\(words.name(rule.reference)) [\(words.place(rule.reference))]"
                writer.add("\(name): \(words.text(TablePhrase.idle))", hanging: 2, tone: .care)
            }
        }
    }

    /// Kinds in rows, states in columns; nothing where it is wider than the terminal.
    private mutating func writeOverview() {
        let access = tables.access
        let states = EntitlementState.allCases.map(\.rawValue)
        let heads = access.kinds.map(\.rawValue)
        let first = (heads.map(\.columns).max() ?? 0) + 2
        let words = words
        let widths = states.map { state in
            max(
                state.columns,
                AccessTable.Verdict.allCases.map { words.verdict($0).columns }.max() ?? 0) + 2
        }
        guard !heads.isEmpty, first + widths.reduce(0, +) <= showing.width else { return }
        edit { writer in
            writer.blank()
            let head = zip(states, widths).map { $0.padded(to: $1) }.joined()
            writer.raw(
                writer.paint(
                    (String(repeating: " ", count: first) + head).withoutEndingSpaces, .faint))
            for kind in access.kinds {
                var line = kind.rawValue.padded(to: first)
                for (state, width) in zip(EntitlementState.allCases, widths) {
                    let cell = access.cells.first { $0.kind == kind && $0.state == state }
                    let word = cell.map { words.verdict($0.verdict) } ?? "–"
                    let gap = String(repeating: " ", count: width - word.columns)
                    line += writer.paint(word, cell?.verdict.tone) + gap
                }
                writer.raw(line.withoutEndingSpaces)
            }
        }
    }

    private mutating func write(_ run: CellRun) {
        edit { [words] in
            let states = run.states.map(\.rawValue).joined(separator: ", ") + ":"
            $0.row(
                states, leadWidth: states.count + 1, indent: 2, words.verdict(run.verdict),
                textTone: run.verdict.tone)
        }
        for (index, decider) in run.deciders.enumerated() {
            write(
                tables.access.rules[decider.rule], number: index + 1, indent: 4, in: decider,
                meansMore: false)
        }
    }

    private mutating func writeDeliveries() {
        let deliveries = tables.access.deliveries
        guard !deliveries.isEmpty else { return }
        edit { [words] in
            $0.blank()
            $0.add(words.text(TablePhrase.deliveries))
        }
        for (index, decider) in deliveries.enumerated() {
            write(
                tables.access.rules[decider.rule], number: index + 1, indent: 2, in: nil,
                meansMore: false)
        }
    }

    private mutating func writeOpen() {
        guard !tables.open.isEmpty else { return }
        edit { [tables, words] writer in
            writer.heading(words.text(TablePhrase.open))
            writer.add(words.text(TablePhrase.openIntro))
            for (index, right) in tables.open.enumerated() {
                let lead = "\(index + 1)."
                writer.row(
                    lead, leadWidth: lead.count + 1, indent: 2,
                    "\(right.reference.name.shown) [\(words.place(right.reference))]", hanging: 2)
                for line in [
                    words.list(right.entitlements.map(\.text)),
                    words.clauses(right.windows.map(words.interval)),
                ] {
                    writer.add(line, indent: 7)
                }
            }
        }
    }

    mutating func writeRefunds() {
        edit { [words] in
            $0.heading(words.text(TablePhrase.refunds))
            $0.add(words.text(TablePhrase.refundsIntro))
        }
        for (index, rule) in tables.refundAnswers.enumerated() {
            write(rule, number: index + 1, indent: 2, in: nil, meansMore: true)
        }
    }
}

extension AccessTable.Verdict {
    var tone: TextWriter.Tone {
        switch self {
        case .grant: .good
        case .withhold: .bad
        case .depends: .care
        }
    }
}

extension String {
    /// Without the spaces after its last word.
    package var withoutEndingSpaces: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
