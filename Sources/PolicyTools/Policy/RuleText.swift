internal import EntitlementModel
internal import PolicyAnalysis

/// Rights: an overview where it fits, then each cell with its rules.
extension TextTables {
    mutating func writeAccess() {
        let access = tables.access
        writer.add(words.text(access.cells.isEmpty ? TablePhrase.noRights : .accessIntro))
        writeOverview()
        for kind in access.kinds {
            writer.blank()
            writer.add(kind.rawValue, tone: .strong)
            for run in access.runs(of: kind) { write(run) }
        }
        if !access.deliveries.isEmpty {
            writer.blank()
            writer.add(words.text(TablePhrase.deliveries))
            for (index, decider) in access.deliveries.enumerated() {
                write(
                    access.rules[decider.rule], number: index + 1, indent: 2, in: nil,
                    meansMore: false)
            }
        }
        writeIdle()
        writeOpen()
    }

    private mutating func writeIdle() {
        let idle = tables.access.idle.map { tables.access.rules[$0] }
        guard !idle.isEmpty else { return }
        writer.blank()
        for rule in idle {
            let name = "\(words.name(rule.reference)) [\(words.place(rule.reference))]"
            writer.add("\(name): \(words.text(TablePhrase.idle))", hanging: 2, tone: .care)
        }
    }

    /// Kinds in rows, states in columns; nothing where it is wider than the terminal.
    private mutating func writeOverview() {
        let access = tables.access
        let states = EntitlementState.allCases.map(\.rawValue)
        let heads = access.kinds.map(\.rawValue)
        let first = (heads.map(\.columns).max() ?? 0) + 2
        let cells = Dictionary(
            access.cells.map { ([$0.kind.rawValue, $0.state.rawValue], $0) }
        ) { first, _ in first }
        let wording = cells.mapValues { cell in
            [words.verdict(cell.verdict), showing.accounts(in: cell).map { "\($0)" }]
                .compactMap(\.self).joined(separator: " ")
        }
        let longest = wording.values.map(\.columns).max() ?? 0
        let widths = states.map { max($0.columns, longest) + 2 }
        guard !heads.isEmpty, first + widths.reduce(0, +) <= showing.width else { return }
        writer.blank()
        let head = zip(states, widths).map { $0.padded(to: $1) }.joined()
        writer.raw(
            writer.paint(
                (String(repeating: " ", count: first) + head).withoutEndingSpaces, .faint))
        for kind in access.kinds {
            var line = kind.rawValue.padded(to: first)
            for (state, width) in zip(EntitlementState.allCases, widths) {
                let key = [kind.rawValue, state.rawValue]
                let word = wording[key] ?? "–"
                let gap = String(repeating: " ", count: width - word.columns)
                line += writer.paint(word, cells[key]?.verdict.tone) + gap
            }
            writer.raw(line.withoutEndingSpaces)
        }
        if let counts = showing.counts { writer.add(words.counted(counts)) }
    }

    private mutating func write(_ run: [AccessTable.Cell]) {
        let states = run.map(\.state.rawValue).joined(separator: ", ") + ":"
        writer.row(
            states, leadWidth: states.count + 1, indent: 2, words.verdict(run[0].verdict),
            textTone: run[0].verdict.tone)
        write(run[0].deciders, tables.access.rules, indent: 4, meansMore: false)
    }

    private mutating func writeOpen() {
        guard !tables.open.isEmpty else { return }
        writer.heading(words.text(TablePhrase.open))
        writer.add(words.text(TablePhrase.openIntro))
        for (index, right) in tables.open.enumerated() {
            let lead = "\(index + 1)."
            writer.row(
                lead, leadWidth: lead.count + 1, indent: 2,
                "\(right.reference.name.shown) [\(words.place(right.reference))]", hanging: 2)
            writer.add(words.list(right.entitlements.map(\.text)), indent: 7)
            writer.add(words.clauses(right.windows.map(words.interval)), indent: 7)
        }
    }

    mutating func writeApp() {
        writer.add(words.text(TablePhrase.appIntro))
        for (index, rule) in tables.app.enumerated() {
            write(rule, number: index + 1, indent: 2, in: nil, meansMore: false)
        }
    }

    mutating func writeRefunds() {
        writer.add(words.text(TablePhrase.refundsIntro))
        for (index, rule) in tables.refundAnswers.enumerated() {
            write(rule, number: index + 1, indent: 2, in: nil, meansMore: true)
        }
    }
}

extension AccessTable.Verdict {
    var tone: Tone {
        switch self {
        case .grant: .good
        case .withhold: .bad
        case .depends: .care
        }
    }
}

/// Claims, by moment and token.
extension TextTables {
    mutating func writeSwitches() {
        let switches = tables.switches
        writer.add(words.text(TablePhrase.switchesIntro))
        for group in switches.groups {
            writer.blank()
            writer.add(words.title(of: group), tone: .strong)
            write(group.owned, .owned)
            if switches.commonUnowned == nil { write(group.unowned, .unowned) }
        }
        if let unowned = switches.commonUnowned {
            writer.blank()
            write(unowned, .unowned)
        }
        writer.blank()
        if !switches.groups.isEmpty {
            writer.add(words.text(TablePhrase.familyNote), hanging: 2, tone: .faint)
        }
        guard !switches.unmovable.isEmpty else { return }
        let kinds = words.list(switches.unmovable.map { $0.text(words.language) })
        writer.add(words.text(TablePhrase.unmovable, kinds), hanging: 2, tone: .faint)
    }

    private mutating func write(_ cells: [SwitchTable.Cell], _ title: TablePhrase) {
        writer.add(words.text(title), indent: 2, tone: .strong)
        for column in SwitchColumn.all(cells) {
            writer.add(words.moments(column.moments), indent: 4)
            for row in column.cells.gathered(where: { $0.deciders == $1.deciders }) {
                if row.count < TokenMatch.allCases.count {
                    let tokens = words.tokens(row.map(\.token))
                    writer.add(words.text(ConditionField.token, tokens), indent: 6)
                }
                write(row[0].deciders, tables.switches.rules, indent: 8, meansMore: true)
            }
        }
    }
}

/// Dates on a text axis.
extension TextTables {
    mutating func writeDates() {
        let rows = tables.dates.rows
        guard !rows.isEmpty else { return writer.add(words.text(TablePhrase.noDates)) }
        writer.add(words.text(TablePhrase.datesIntro, showing.now.brief))
        let axis = TimeAxis(around: tables.dates.instants + [showing.now])
        let width = min(showing.width - 4, 120)
        writer.blank()
        writer.raw("    " + axis.textTicks(width))
        writer.raw("    " + axis.textNow(width, showing.now))
        for row in rows {
            writer.add(words.title(of: row), indent: 2, hanging: 2)
            writer.raw("    " + axis.textBar(row.windows, width, showing.now))
            let facts = [
                words.text(WordPhrase(row.phase(at: showing.now))),
                words.clauses(row.windows.map(words.interval)), row.reference.map(words.place),
            ]
            writer.add(
                facts.compactMap(\.self).joined(separator: " · "), indent: 4, hanging: 2,
                tone: .faint)
        }
    }
}

extension TimeAxis {
    private func column(_ instant: Instant, _ width: Int) -> Int {
        min(Int(fraction(instant) * Double(width)), width - 1)
    }

    /// Labels that do not touch, each at its instant, as many as have room.
    fileprivate func textTicks(_ width: Int) -> String {
        for part in 2...12 {
            if let line = line(of: ticks(room: 2 * width / part), width) { return line }
        }
        return ""
    }

    /// Nil where two labels would touch; one that begins too late is left out.
    private func line(of ticks: [AxisTick], _ width: Int) -> String? {
        var line = ""
        for tick in ticks {
            let column = column(tick.at, width)
            guard column + tick.label.count <= width else { continue }
            guard column >= line.count + (line.isEmpty ? 0 : 2) else { return nil }
            line += String(repeating: " ", count: column - line.count) + tick.label
        }
        return line
    }

    fileprivate func textNow(_ width: Int, _ now: Instant) -> String {
        String(repeating: " ", count: column(now, width)) + "▼"
    }

    /// `━` where it is, `·` where it is not, `│` now.
    fileprivate func textBar(_ windows: [Interval], _ width: Int, _ now: Instant) -> String {
        var cells = [Character](repeating: "·", count: width)
        for window in windows {
            guard let span = fractions(window) else { continue }
            let first = min(Int(span.lowerBound * Double(width)), width - 1)
            let end = max(first + 1, min(Int(span.upperBound * Double(width)), width))
            for index in first..<end { cells[index] = "━" }
        }
        let column = column(now, width)
        cells[column] = cells[column] == "━" ? "┿" : "│"
        return String(cells)
    }
}

extension TableWords {
    /// What a row of the dates is about.
    func title(of row: DateTable.Row) -> String {
        let meaning = text(WordPhrase(row.meaning))
        let shown = row.isException ? text(WordPhrase.exceptThen, meaning) : meaning
        let products = list(row.products.map(\.text.shown), atMost: 4)
        let entitlements = list(row.entitlements.map(\.text))
        let subject = [row.name.shown, products, entitlements].filter { !$0.isEmpty }
        return "\(list(subject)) – \(shown)"
    }
}
