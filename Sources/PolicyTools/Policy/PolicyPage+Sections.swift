internal import EntitlementModel
internal import PolicyAnalysis

/// Rights on the page: an overview whose cells lead to the rules that decide them.
extension PolicyPage {
    var accessBody: Markup {
        let access = tables.access
        guard !access.cells.isEmpty else { return quiet(.noRights) + openBody }
        let deliveries = access.deliveries.map {
            item(access.rules[$0.rule], in: nil, meansMore: false)
        }
        let credits: Markup =
            deliveries.isEmpty
            ? "" : "<p>\(phrase(.deliveries))</p>\n<ol class=\"rules\">\(deliveries)</ol>\n"
        return """
            \(quiet(.accessIntro))\(overview)\(access.kinds.map(cellTable))\(credits)\(rules)\
            \(openBody)
            """
    }

    private var overview: Markup {
        let heads: [Markup] = EntitlementState.allCases.map { state in
            "<th scope=\"col\">\(stateWords(state))</th>"
        }
        let rows = tables.access.kinds.map { kind -> Markup in
            let cells = EntitlementState.allCases.map { state -> Markup in
                let cell = tables.access.cells.first { $0.kind == kind && $0.state == state }
                guard let cell else { return "<td class=\"none\">–</td>" }
                return """
                    <td class="\(cell.verdict.rawValue)"><a href="#\(id(of: kind, state))">\
                    \(verdict(cell.verdict))</a>\(accounts(in: cell))</td>
                    """
            }
            return "<tr><th scope=\"row\">\(kindWords(kind))</th>\(cells)</tr>\n"
        }
        let counted = showing.counts.map { "<p>\(words.counted($0))</p>\n" as Markup }
        return """
            <div class="scroll" role="region" tabindex="0" aria-labelledby="access-title">
            <table class="overview">
            <thead><tr><th scope="col">\(phrase(.kind))</th>\(heads)</tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            </div>
            \(counted ?? "")
            """
    }

    private func accounts(in cell: AccessTable.Cell) -> Markup {
        showing.accounts(in: cell).map { " <span class=\"quiet\">\($0)</span>" } ?? ""
    }

    private func cellTable(_ kind: ProductKind) -> Markup {
        let rows = tables.access.runs(of: kind).map { run -> [Markup] in
            let states: [Markup] = run.map { cell in
                "<div id=\"\(id(of: kind, cell.state))\">\(stateWords(cell.state))</div>"
            }
            return [
                rowHead("\(states)"),
                """
                <td role="cell" class="\(run[0].verdict.rawValue)">\
                \(verdict(run[0].verdict))</td>
                """,
                cell(chain(run[0].deciders, tables.access.rules, meansMore: false)),
            ]
        }
        let label = "kind-\(kind.rawValue)"
        return """
            <h3 id="\(label)">\(kindWords(kind))</h3>
            \(table("cells", labelledBy: label, [.state, .right, .deciding].map(phrase), rows))
            """
    }

    /// Each rule of the policy once, with all of its conditions.
    private var rules: Markup {
        let idle = Set(tables.access.idle)
        let own = tables.access.rules.enumerated().filter { !$1.isBuiltIn }
        guard !own.isEmpty else { return "" }
        let items = own.map { index, rule in
            item(
                rule, in: nil, meansMore: false, id: Self.anchor(rule),
                note: idle.contains(index) ? "<b>\(phrase(.idle))</b>" : nil)
        }
        return list(items, .rules, .rulesIntro)
    }

    private var openBody: Markup {
        guard !tables.open.isEmpty else { return "" }
        let items = tables.open.map { right -> Markup in
            let names = words.list(right.entitlements.map(\.text))
            let windows = words.clauses(right.windows.map(words.interval))
            return """
                <li>\(written(right.reference.name))<br>\(prose: names)<br>\(prose: windows)<br>\
                <small class="code">\(words.place(right.reference))</small></li>
                """
        }
        return list(items, .open, .openIntro)
    }

    private func list(_ items: [Markup], _ title: TablePhrase, _ intro: TablePhrase) -> Markup {
        "<h3>\(phrase(title))</h3>\n\(quiet(intro))\(ruleList(items))"
    }

    private func ruleList(_ items: [Markup]) -> Markup {
        "<ol class=\"rules\">\(items.joined(separator: "\n"))</ol>\n"
    }

    var appBody: Markup {
        quiet(.appIntro) + ruleList(tables.app.map { item($0, in: nil, meansMore: false) })
    }

    var refundsBody: Markup {
        let items = tables.refundAnswers.map { item($0, in: nil, meansMore: true) }
        return quiet(.refundsIntro) + ruleList(items)
    }

    private func id(of kind: ProductKind, _ state: EntitlementState) -> String {
        "\(kind.rawValue)-\(state.rawValue)"
    }

    /// A sign, so that it is seen without colour as well, and the word.
    private func verdict(_ verdict: AccessTable.Verdict) -> Markup {
        let sign =
            switch verdict {
            case .grant: "✓"
            case .withhold: "✗"
            case .depends: "±"
            }
        return "<span aria-hidden=\"true\">\(sign)</span> \(words.verdict(verdict))"
    }

    /// The word of a policy, and below it the language's where they differ.
    private func stateWords(_ state: EntitlementState) -> Markup {
        both(state.rawValue, state.text(words.language))
    }

    private func kindWords(_ kind: ProductKind) -> Markup {
        both(kind.rawValue, kind.text(words.language))
    }

    private func both(_ code: String, _ text: String) -> Markup {
        let isSame = code.replacing("-", with: " ") == text.replacing("-", with: " ")
        return isSame ? "\(code)" : "\(code)<br><small>\(text)</small>"
    }
}

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
        let columns = SwitchColumn.all(cells)
        let heads = columns.map { words.moments($0.moments) }
        // Tokens of which all columns say the same are one row.
        let groups = TokenMatch.allCases.gathered { token, other in
            columns.allSatisfy { $0.deciders(token) == $0.deciders(other) }
        }
        let rows = groups.map { tokens -> [Markup] in
            let cells = zip(columns, heads).map { column, head -> Markup in
                let rules = chain(
                    column.deciders(tokens[0]), tables.switches.rules, meansMore: true)
                return "<td role=\"cell\" data-label=\"\(head)\">\(rules)</td>"
            }
            return [rowHead("\(words.tokens(tokens))")] + cells
        }
        let titles: [Markup] = [phrase(.token)] + heads.map { "\($0)" }
        let shown = table("claims", labelledBy: id, titles, rows)
        return "<h\(level) id=\"\(id)\">\(phrase(title))</h\(level)>\n\(shown)"
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

/// What is sold on the page, and what gives what.
extension PolicyPage {
    var productsBody: Markup {
        "\(quiet(.productsIntro))\(tables.products.shelves.enumerated().map(shelfTable))"
    }

    private func shelfTable(_ index: Int, _ shelf: ProductTable.Shelf) -> Markup {
        let hasLevels = shelf.group != nil
        let hasLengths = shelf.products.contains { words.length($0) != nil }
        let heads =
            [TablePhrase.product] + (hasLevels ? [.level] : []) + (hasLengths ? [.period] : [])
            + [.price, .gives]
        let rows = shelf.products.map { product in
            row(product, hasLevels: hasLevels, hasLengths: hasLengths)
        }
        let list = words.text(TablePhrase.levels, words.list(shelf.levels.map(\.text)))
        let levels: Markup =
            shelf.levels.isEmpty ? "" : "<p class=\"quiet\">\(prose: list)</p>\n"
        let label = "shelf-\(index)"
        return """
            <h3 id="\(label)">\(written(words.title(of: shelf)))</h3>
            \(levels)\(table("products", labelledBy: label, heads.map(phrase), rows))
            """
    }

    private func row(_ product: Product, hasLevels: Bool, hasLengths: Bool) -> [Markup] {
        let title = words.title(product.title, or: product.id.text)
        var name = written(title)
        if title != product.id.text { name += "<br>\(code(product.id.text))" }
        if let retired = product.retiredAt {
            let text = words.text(TablePhrase.retired, retired.brief)
            name += "<br><small class=\"tag\">\(prose: text)</small>"
        }
        var cells = [rowHead(name)]
        if hasLevels {
            cells.append(cell(product.level.map { "\(prose: $0.text)" } ?? phrase(.noLevel)))
        }
        if hasLengths {
            let length = words.length(product) ?? "–"
            cells.append("<td role=\"cell\" class=\"length\">\(length)</td>")
        }
        let prices: [Markup] = words.prices(product).map { "<span class=\"price\">\($0)</span>" }
        cells.append(cell(prices.isEmpty ? "–" : prices.joined(separator: " ")))
        let grants = words.grants(product, tables.products).map(written)
        cells.append(
            cell(
                grants.isEmpty
                    ? phrase(.nothing)
                    : grants.joined(separator: "\(words.text(ConditionPhrase.list))")))
        return cells
    }

    var entitlementsBody: Markup {
        let rights = tables.products.entitlements.map { right in
            let open: [Markup] = right.open.map {
                "\(words.text(TablePhrase.openToAll, $0.reference.name.shown))"
            }
            return givenRow(
                right.title, right.name.text, "", right.products.map { code($0.text) } + open)
        }
        let credits = tables.products.credits.map { credit in
            givenRow(
                credit.definition.title, credit.name.text,
                "<br><small>\(words.refundWords(credit.definition))</small>",
                credit.products.map {
                    "\(code($0.product.text)) × \(words.credit("\($0.units)", $0.terms))"
                })
        }
        let heading: Markup =
            credits.isEmpty ? "" : "<h3 id=\"credits\">\(phrase(.credits))</h3>\n"
        return givenTable(rights, id: "entitlements-title") + heading
            + givenTable(credits, id: "credits")
    }

    private func givenTable(_ rows: [[Markup]], id: String) -> Markup {
        rows.isEmpty
            ? "" : table("given", labelledBy: id, [phrase(.name), phrase(.givenBy)], rows)
    }

    private func givenRow(
        _ title: Title?, _ name: String, _ more: Markup, _ givers: [Markup]
    ) -> [Markup] {
        let shown = words.title(title, or: name)
        let second: Markup = shown == name ? "" : "<br>\(code(name))"
        return [rowHead("\(written(shown))\(second)\(more)"), cell(folded(givers))]
    }

    /// A long list is folded up; the browser unfolds it without a script.
    private func folded(_ items: [Markup]) -> Markup {
        guard !items.isEmpty else { return phrase(.nothing) }
        let entries: [Markup] = items.map { "<li>\($0)</li>" }
        let list: Markup = "<ul class=\"plain\">\(entries)</ul>"
        guard items.count > 12 else { return list }
        let count = words.text(TablePhrase.productCount, "\(items.count)")
        return "<details><summary>\(count)</summary>\(list)</details>"
    }

    var settingsBody: Markup {
        let rows = words.settings(tables.policy).map { row in
            [rowHead("\(row.name)"), cell("\(prose: row.value)")]
        }
        return table(
            "settings", labelledBy: "settings-title", [phrase(.setting), phrase(.value)], rows)
    }
}

/// Tables, which a narrow screen and a screen reader take for tables all the same.
extension PolicyPage {
    private func table(
        _ name: String, labelledBy id: String, _ heads: [Markup], _ rows: [[Markup]]
    ) -> Markup {
        let heads: [Markup] = heads.map { "<th role=\"columnheader\" scope=\"col\">\($0)</th>" }
        let rows: [Markup] = rows.map { "<tr role=\"row\">\($0)</tr>\n" }
        return """
            <table class="\(name)" role="table" aria-labelledby="\(id)">
            <thead role="rowgroup"><tr role="row">\(heads)</tr></thead>
            <tbody role="rowgroup">
            \(rows)</tbody>
            </table>

            """
    }

    private func rowHead(_ markup: Markup) -> Markup {
        "<th role=\"rowheader\" scope=\"row\">\(markup)</th>"
    }

    private func cell(_ markup: Markup) -> Markup { "<td role=\"cell\">\(markup)</td>" }
}
