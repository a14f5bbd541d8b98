internal import EntitlementModel
internal import PolicyAnalysis
internal import TimelineDrawing

/// Claims, by moment and token.
extension TextTables {
    mutating func writeSwitches() {
        let switches = tables.switches
        edit { [words] in
            $0.heading(words.text(TablePhrase.switches))
            $0.add(words.text(TablePhrase.switchesIntro))
        }
        for group in switches.groups {
            edit { [words] in
                $0.blank()
                $0.add(words.title(of: group), tone: .strong)
            }
            write(group.owned, .owned)
            if switches.commonUnowned == nil { write(group.unowned, .unowned) }
        }
        if let unowned = switches.commonUnowned {
            edit { $0.blank() }
            write(unowned, .unowned)
        }
        edit { [words] writer in
            writer.blank()
            if !switches.groups.isEmpty {
                writer.add(words.text(TablePhrase.familyNote), hanging: 2, tone: .faint)
            }
            guard !switches.unmovable.isEmpty else { return }
            let kinds = words.list(switches.unmovable.map { $0.text(words.language) })
            writer.add(words.text(TablePhrase.unmovable, kinds), hanging: 2, tone: .faint)
        }
    }

    private mutating func write(_ cells: [SwitchTable.Cell], _ title: TablePhrase) {
        edit { [words] in $0.add(words.text(title), indent: 2, tone: .strong) }
        for column in SwitchColumns(cells).columns {
            edit { [words] in $0.add(words.moments(column.moments), indent: 4) }
            for row in SwitchColumns.rows(column) {
                edit { [words] in
                    let token = words.text(ConditionPhrase.token, words.tokens(row.tokens))
                    let isEvery = row.tokens.count == TokenMatch.allCases.count
                    if !isEvery { $0.add(token, indent: 6) }
                }
                for (index, decider) in row.deciders.enumerated() {
                    write(
                        tables.switches.rules[decider.rule], number: index + 1, indent: 8,
                        in: decider, meansMore: true)
                }
            }
        }
    }
}

/// Dates on a text axis.
extension TextTables {
    mutating func writeDates() {
        edit { [tables, words, showing] writer in
            writer.heading(words.text(TablePhrase.dates))
            let rows = tables.dates.rows
            guard !rows.isEmpty else {
                return writer.add(words.text(TablePhrase.noDates))
            }
            writer.add(words.text(TablePhrase.datesIntro, showing.now.brief))
            let axis = TimeAxis(around: tables.dates.instants + [showing.now])
            let width = min(showing.width - 4, 120)
            writer.blank()
            writer.raw("    " + axis.textTicks(width))
            writer.raw("    " + axis.textNow(width, showing.now))
            for row in rows {
                writer.add(words.title(of: row), indent: 2, hanging: 2)
                writer.raw("    " + axis.textBar(row.windows, width, showing.now))
                writer.add(
                    [
                        words.text(WordPhrase(row.phase(at: showing.now))),
                        words.clauses(row.windows.map(words.interval)),
                        row.reference.map(words.place),
                    ].compactMap(\.self).joined(separator: " · "), indent: 4, hanging: 2,
                    tone: .faint)
            }
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
