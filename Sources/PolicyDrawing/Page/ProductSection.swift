internal import EntitlementModel
internal import PolicyAnalysis
internal import TimelineDrawing

/// What is sold on the page, and what gives what.
extension PolicyPage {
    var productsBody: String {
        quiet(.productsIntro) + tables.products.shelves.enumerated().map(shelfTable).joined()
    }

    private func shelfTable(_ index: Int, _ shelf: ProductTable.Shelf) -> String {
        let hasLevels = shelf.group != nil
        let hasLengths = shelf.products.contains { words.length($0) != nil }
        let heads =
            [TablePhrase.product] + (hasLevels ? [.level] : []) + (hasLengths ? [.period] : [])
            + [.price, .gives]
        let rows = shelf.products.map { product in
            row(product, hasLevels: hasLevels, hasLengths: hasLengths)
        }
        let levels =
            shelf.levels.isEmpty
            ? ""
            : "<p class=\"quiet\">"
                + words.text(TablePhrase.levels, words.list(shelf.levels.map(\.text))).asProse
                + "</p>\n"
        return """
            <h3 id="shelf-\(index)">\(written(words.title(of: shelf)))</h3>
            \(levels)<table class="products" role="table" aria-labelledby="shelf-\(index)">
            <thead role="rowgroup"><tr role="row">\(heads.map(head).joined())</tr></thead>
            <tbody role="rowgroup">
            \(rows.joined())</tbody>
            </table>

            """
    }

    private func head(_ phrase: TablePhrase) -> String {
        "<th role=\"columnheader\" scope=\"col\">\(self.phrase(phrase))</th>"
    }

    private func row(_ product: Product, hasLevels: Bool, hasLengths: Bool) -> String {
        let title = words.title(product.title, or: product.id.text)
        var name = written(title)
        if title != product.id.text { name += "<br>\(code(product.id.text))" }
        if let retired = product.retiredAt {
            name +=
                "<br><small class=\"tag\">"
                + words.text(TablePhrase.retired, retired.brief).asProse + "</small>"
        }
        var cells = ["<th role=\"rowheader\" scope=\"row\">\(name)</th>"]
        if hasLevels {
            cells.append(cell(product.level?.text.asProse ?? phrase(.noLevel)))
        }
        if hasLengths {
            let length = (words.length(product) ?? "–").asMarkup
            cells.append("<td role=\"cell\" class=\"length\">\(length)</td>")
        }
        let prices = words.prices(product).map { "<span class=\"price\">\($0.asMarkup)</span>" }
        cells.append(cell(prices.isEmpty ? "–" : prices.joined(separator: " ")))
        let grants = words.grants(product, tables.products).map(written)
        cells.append(
            cell(
                grants.isEmpty
                    ? phrase(.nothing)
                    : grants.joined(separator: words.text(ConditionPhrase.list))))
        return "<tr role=\"row\">\(cells.joined())</tr>\n"
    }

    private func cell(_ markup: String) -> String { "<td role=\"cell\">\(markup)</td>" }

    var entitlementsBody: String {
        let rights = tables.products.entitlements.map { right in
            givenRow(
                right.title, right.name.text, "",
                right.products.map { code($0.text) }
                    + right.open.map {
                        words.text(TablePhrase.openToAll, $0.reference.name.shown).asMarkup
                    })
        }
        let credits = tables.products.credits.map { credit in
            givenRow(
                credit.definition.title, credit.name.text,
                "<br><small>\(words.refundWords(credit.definition).asMarkup)</small>",
                credit.products.map { code($0.product.text) + " × \($0.units)" })
        }
        return givenTable(rights, id: "entitlements-title")
            + (credits.isEmpty ? "" : "<h3 id=\"credits\">\(phrase(.credits))</h3>\n")
            + givenTable(credits, id: "credits")
    }

    private func givenTable(_ rows: [String], id: String) -> String {
        guard !rows.isEmpty else { return "" }
        return """
            <table class="given" role="table" aria-labelledby="\(id)">
            <thead role="rowgroup"><tr role="row">\(head(.name))\(head(.givenBy))</tr></thead>
            <tbody role="rowgroup">
            \(rows.joined())</tbody>
            </table>

            """
    }

    private func givenRow(
        _ title: Title?, _ name: String, _ more: String, _ givers: [String]
    ) -> String {
        let shown = words.title(title, or: name)
        let head = written(shown) + (shown == name ? "" : "<br>\(code(name))") + more
        return "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">\(head)</th>"
            + cell(folded(givers)) + "</tr>\n"
    }

    /// A long list is folded up; the browser unfolds it without a script.
    private func folded(_ items: [String]) -> String {
        guard !items.isEmpty else { return phrase(.nothing) }
        let list = "<ul class=\"plain\">\(items.map { "<li>\($0)</li>" }.joined())</ul>"
        guard items.count > 12 else { return list }
        let count = words.text(TablePhrase.productCount, "\(items.count)").asMarkup
        return "<details><summary>\(count)</summary>\(list)</details>"
    }

    var settingsBody: String {
        let rows = words.settings(tables.settings).map { row in
            "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">\(row.name.asMarkup)</th>"
                + cell(row.value.asProse) + "</tr>\n"
        }
        let heads = [TablePhrase.setting, .value].map(head)
        return """
            <table class="settings" role="table" aria-labelledby="settings-title">
            <thead role="rowgroup"><tr role="row">\(heads.joined())</tr></thead>
            <tbody role="rowgroup">
            \(rows.joined())</tbody>
            </table>

            """
    }
}
