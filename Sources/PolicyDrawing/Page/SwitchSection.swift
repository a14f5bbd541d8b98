internal import EntitlementModel
internal import PolicyAnalysis
internal import TimelineDrawing

/// Claims on the page: tokens in rows, moments in columns.
extension PolicyPage {
    var switchesBody: String {
        let switches = tables.switches
        let groups = switches.groups.enumerated().map { index, group in
            "<h3>\(words.title(of: group).asMarkup)</h3>\n"
                + table(group.owned, .owned, "owned-\(index)")
                + (switches.commonUnowned == nil
                    ? table(group.unowned, .unowned, "unowned-\(index)") : "")
        }
        var notes = switches.commonUnowned.map { table($0, .unowned, "unowned", level: 3) } ?? ""
        if !switches.groups.isEmpty { notes += quiet(.familyNote) }
        if !switches.unmovable.isEmpty {
            let kinds = words.list(switches.unmovable.map { $0.text(words.language) })
            notes +=
                "<p class=\"quiet\">"
                + words.text(TablePhrase.unmovable, kinds).asMarkup + "</p>\n"
        }
        return quiet(.switchesIntro) + groups.joined() + notes
    }

    private func table(
        _ cells: [SwitchTable.Cell], _ title: TablePhrase, _ id: String, level: Int = 4
    ) -> String {
        let columns = SwitchColumns(cells).columns
        let heads = columns.map { column in
            "<th role=\"columnheader\" scope=\"col\">\(words.moments(column.moments).asMarkup)</th>"
        }
        let rows = tokenRows(columns).map { tokens -> String in
            let cells = columns.map { column -> String in
                let deciders = column.cells.first { $0.token == tokens[0] }?.deciders ?? []
                let label = words.moments(column.moments).asMarkup
                return "<td role=\"cell\" data-label=\"\(label)\">"
                    + chain(deciders, tables.switches.rules, meansMore: true) + "</td>"
            }
            let head = words.tokens(tokens).asMarkup
            return "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">\(head)</th>"
                + cells.joined() + "</tr>\n"
        }
        return """
            <h\(level) id="\(id)">\(phrase(title))</h\(level)>
            <table class="claims" role="table" aria-labelledby="\(id)">
            <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">\
            \(phrase(.token))</th>\(heads.joined())</tr></thead>
            <tbody role="rowgroup">
            \(rows.joined())</tbody>
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
    var datesBody: String {
        let rows = tables.dates.rows
        guard !rows.isEmpty else { return quiet(.noDates) }
        let axis = TimeAxis(around: tables.dates.instants + [showing.now])
        let intro = words.text(TablePhrase.datesIntro, showing.now.brief).asProse
        let ticks = axis.ticks(room: 34).filter { axis.fraction($0.at) < 0.9 }
        let labels = ticks.map { tick in
            "<span style=\"left:\((axis.fraction(tick.at) * 100).short)%\">\(tick.label)</span>"
        }
        let mark = (axis.fraction(showing.now) * 100).short
        let items = rows.map { row in
            let windows = words.clauses(row.windows.map(words.interval))
            let phase = words.text(WordPhrase(row.phase(at: showing.now))).asMarkup
            let place =
                row.reference.map {
                    " · <span class=\"code\">\(words.place($0).asMarkup)</span>"
                } ?? ""
            return "<li><b>\(written(words.title(of: row)))</b>"
                + bars(row.windows, axis, ticks, label: windows.asMarkup)
                + "<small>\(phase) · \(windows.asProse)\(place)</small></li>\n"
        }
        return """
            <p class="quiet">\(intro)</p>
            <div class="axis" aria-hidden="true">\(labels.joined())\
            <span class="mark" style="left:\(mark)%">▾</span></div>
            <ul class="dates">
            \(items.joined())</ul>

            """
    }

    private func bars(
        _ windows: [Interval], _ axis: TimeAxis, _ ticks: [AxisTick], label: String
    ) -> String {
        let bars = windows.compactMap { axis.fractions($0) }.map { span in
            let (x, end) = (span.lowerBound * 1_000, span.upperBound * 1_000)
            return "<rect class=\"bar\" x=\"\(x.short)\" y=\"3\" width=\"\(max(end - x, 3).short)\""
                + " height=\"10\"/>"
        }
        let grid = ticks.map {
            "<path class=\"grid\" d=\"M\((axis.fraction($0.at) * 1_000).short) 0v16\"/>"
        }
        let now = (axis.fraction(showing.now) * 1_000).short
        return """
            <svg viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" \
            aria-label="\(label)">\(grid.joined())<path class="base" d="M0 8h1000"/>\
            \(bars.joined())<path class="now" d="M\(now) 0v16"/></svg>
            """
    }
}
