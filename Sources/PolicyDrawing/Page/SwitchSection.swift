internal import EntitlementModel
internal import PolicyAnalysis
internal import TimelineDrawing

/// Claims on the page: tokens in rows, moments in columns.
extension PolicyPage {
    var switchesBody: Markup {
        let switches = tables.switches
        let groups = switches.groups.enumerated().map { index, group -> Markup in
            let unowned: Markup =
                switches.commonUnowned == nil
                ? table(group.unowned, .unowned, "unowned-\(index)") : ""
            return """
                <h3>\(words.title(of: group))</h3>
                \(table(group.owned, .owned, "owned-\(index)"))\(unowned)
                """
        }
        var notes = switches.commonUnowned.map { table($0, .unowned, "unowned", level: 3) } ?? ""
        if !switches.groups.isEmpty { notes += quiet(.familyNote) }
        if !switches.unmovable.isEmpty {
            let kinds = words.list(switches.unmovable.map { $0.text(words.language) })
            notes += "<p class=\"quiet\">\(words.text(TablePhrase.unmovable, kinds))</p>\n"
        }
        return "\(quiet(.switchesIntro))\(groups)\(notes)"
    }

    private func table(
        _ cells: [SwitchTable.Cell], _ title: TablePhrase, _ id: String, level: Int = 4
    ) -> Markup {
        let columns = SwitchColumns(cells).columns
        let heads: [Markup] = columns.map { column in
            "<th role=\"columnheader\" scope=\"col\">\(words.moments(column.moments))</th>"
        }
        let rows = tokenRows(columns).map { tokens -> Markup in
            let cells = columns.map { column -> Markup in
                let deciders = column.cells.first { $0.token == tokens[0] }?.deciders ?? []
                return """
                    <td role="cell" data-label="\(words.moments(column.moments))">\
                    \(chain(deciders, tables.switches.rules, meansMore: true))</td>
                    """
            }
            return """
                <tr role="row"><th role="rowheader" scope="row">\(words.tokens(tokens))</th>\
                \(cells)</tr>

                """
        }
        return """
            <h\(level) id="\(id)">\(phrase(title))</h\(level)>
            <table class="claims" role="table" aria-labelledby="\(id)">
            <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">\
            \(phrase(.token))</th>\(heads)</tr></thead>
            <tbody role="rowgroup">
            \(rows)</tbody>
            </table>

            """
    }

    /// Tokens of which all columns say the same are one row.
    private func tokenRows(_ columns: [SwitchColumns.Column]) -> [[TokenMatch]] {
        func cells(_ token: TokenMatch) -> [[Decider]] {
            columns.map { column in
                column.cells.first { $0.token == token }?.deciders ?? []
            }
        }
        var rows: [[TokenMatch]] = []
        for token in TokenMatch.allCases {
            if let index = rows.firstIndex(where: { cells($0[0]) == cells(token) }) {
                rows[index].append(token)
            } else {
                rows.append([token])
            }
        }
        return rows
    }
}

/// Dates on the page: a bar for each row, all on one axis.
extension PolicyPage {
    var datesBody: Markup {
        let rows = tables.dates.rows
        guard !rows.isEmpty else { return quiet(.noDates) }
        let axis = TimeAxis(around: tables.dates.instants + [showing.now])
        let intro = words.text(TablePhrase.datesIntro, showing.now.brief)
        let ticks = axis.ticks(room: 34).filter { axis.fraction($0.at) < 0.9 }
        let labels: [Markup] = ticks.map { tick in
            "<span style=\"left:\((axis.fraction(tick.at) * 100).short)%\">\(tick.label)</span>"
        }
        let mark = (axis.fraction(showing.now) * 100).short
        let items = rows.map { row -> Markup in
            let windows = words.clauses(row.windows.map(words.interval))
            let phase = words.text(WordPhrase(row.phase(at: showing.now)))
            let place: Markup =
                row.reference.map { " · <span class=\"code\">\(words.place($0))</span>" } ?? ""
            return """
                <li><b>\(written(words.title(of: row)))</b>\
                \(bars(row.windows, axis, ticks, label: windows))\
                <small>\(phase) · \(prose: windows)\(place)</small></li>

                """
        }
        return """
            <p class="quiet">\(prose: intro)</p>
            <div class="axis" aria-hidden="true">\(labels)\
            <span class="mark" style="left:\(mark)%">▾</span></div>
            <ul class="dates">
            \(items)</ul>

            """
    }

    private func bars(
        _ windows: [Interval], _ axis: TimeAxis, _ ticks: [AxisTick], label: String
    ) -> Markup {
        let bars = windows.compactMap { axis.fractions($0) }.map { span -> Markup in
            let (x, end) = (span.lowerBound * 1_000, span.upperBound * 1_000)
            return """
                <rect class="bar" x="\(x.short)" y="3" width="\(max(end - x, 3).short)" \
                height="10"/>
                """
        }
        let grid: [Markup] = ticks.map {
            "<path class=\"grid\" d=\"M\((axis.fraction($0.at) * 1_000).short) 0v16\"/>"
        }
        let now = (axis.fraction(showing.now) * 1_000).short
        return """
            <svg viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" \
            aria-label="\(label)">\(grid)<path class="base" d="M0 8h1000"/>\
            \(bars)<path class="now" d="M\(now) 0v16"/></svg>
            """
    }
}
