internal import EntitlementModel
internal import PolicyAnalysis
internal import TimelineDrawing

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
        return """
            <h3 id="shelf-\(index)">\(written(words.title(of: shelf)))</h3>
            \(levels)<table class="products" role="table" aria-labelledby="shelf-\(index)">
            <thead role="rowgroup"><tr role="row">\(heads.map(head))</tr></thead>
            <tbody role="rowgroup">
            \(rows)</tbody>
            </table>

            """
    }

    private func head(_ phrase: TablePhrase) -> Markup {
        "<th role=\"columnheader\" scope=\"col\">\(self.phrase(phrase))</th>"
    }

    private func row(_ product: Product, hasLevels: Bool, hasLengths: Bool) -> Markup {
        let title = words.title(product.title, or: product.id.text)
        var name = written(title)
        if title != product.id.text { name += "<br>\(code(product.id.text))" }
        if let retired = product.retiredAt {
            let text = words.text(TablePhrase.retired, retired.brief)
            name += "<br><small class=\"tag\">\(prose: text)</small>"
        }
        var cells: [Markup] = ["<th role=\"rowheader\" scope=\"row\">\(name)</th>"]
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
        return "<tr role=\"row\">\(cells)</tr>\n"
    }

    private func cell(_ markup: Markup) -> Markup { "<td role=\"cell\">\(markup)</td>" }

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
                credit.products.map { "\(code($0.product.text)) × \($0.units)" })
        }
        let heading: Markup =
            credits.isEmpty ? "" : "<h3 id=\"credits\">\(phrase(.credits))</h3>\n"
        return givenTable(rights, id: "entitlements-title") + heading
            + givenTable(credits, id: "credits")
    }

    private func givenTable(_ rows: [Markup], id: String) -> Markup {
        guard !rows.isEmpty else { return "" }
        return """
            <table class="given" role="table" aria-labelledby="\(id)">
            <thead role="rowgroup"><tr role="row">\(head(.name))\(head(.givenBy))</tr></thead>
            <tbody role="rowgroup">
            \(rows)</tbody>
            </table>

            """
    }

    private func givenRow(
        _ title: Title?, _ name: String, _ more: Markup, _ givers: [Markup]
    ) -> Markup {
        let shown = words.title(title, or: name)
        let second: Markup = shown == name ? "" : "<br>\(code(name))"
        return """
            <tr role="row"><th role="rowheader" scope="row">\(written(shown))\(second)\(more)</th>\
            \(cell(folded(givers)))</tr>

            """
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
        let rows = words.settings(tables.settings).map { row -> Markup in
            """
            <tr role="row"><th role="rowheader" scope="row">\(row.name)</th>\
            \(cell("\(prose: row.value)"))</tr>

            """
        }
        let heads = [TablePhrase.setting, .value].map(head)
        return """
            <table class="settings" role="table" aria-labelledby="settings-title">
            <thead role="rowgroup"><tr role="row">\(heads)</tr></thead>
            <tbody role="rowgroup">
            \(rows)</tbody>
            </table>

            """
    }
}
