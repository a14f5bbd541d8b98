internal import EntitlementModel
internal import PolicyAnalysis
internal import TimelineDrawing

/// What is sold, and what gives what.
extension TextTables {
    mutating func writeProducts() {
        let shown = self
        edit { [tables, words] writer in
            writer.heading(words.text(TablePhrase.products))
            for shelf in tables.products.shelves {
                writer.blank()
                writer.add(words.title(of: shelf), tone: .strong)
                if !shelf.levels.isEmpty {
                    let levels = words.list(shelf.levels.map(\.text))
                    writer.add(words.text(TablePhrase.levels, levels), tone: .faint)
                }
                for product in shelf.products {
                    shown.write(product, on: shelf, &writer)
                }
            }
        }
    }

    private func write(
        _ product: Product, on shelf: ProductTable.Shelf, _ writer: inout TextWriter
    ) {
        let title = words.title(product.title, or: product.id.text)
        writer.add(title, indent: 2, hanging: 2)
        if title != product.id.text {
            writer.add(product.id.text, indent: 4, hanging: 2, tone: .faint)
        }
        let facts = [
            product.level?.text, shelf.group == nil ? nil : product.kind.text(words.language),
            words.length(product), words.list(words.prices(product)),
        ]
        let line = facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
        if !line.isEmpty { writer.add(line, indent: 4, hanging: 2) }
        let grants = words.grants(product, tables.products)
        writer.add(
            words.text(TablePhrase.gives) + ": "
                + (grants.isEmpty ? words.text(TablePhrase.nothing) : words.list(grants)),
            indent: 4, hanging: 2)
        if let retired = product.retiredAt {
            writer.add(
                words.text(TablePhrase.retired, retired.brief), indent: 4, hanging: 2,
                tone: .care)
        }
    }

    mutating func writeEntitlements() {
        let table = tables.products
        let shown = self
        edit { [words] writer in
            if !table.entitlements.isEmpty {
                writer.heading(words.text(TablePhrase.entitlements))
            }
            for right in table.entitlements {
                writer.add(
                    words.named(right.title, right.name.text), indent: 2, hanging: 2)
                let givers =
                    right.products.map(\.text.shown)
                    + right.open.map {
                        words.text(TablePhrase.openToAll, $0.reference.name.shown)
                    }
                shown.write(givers, &writer)
            }
            if !table.credits.isEmpty { writer.heading(words.text(TablePhrase.credits)) }
            for credit in table.credits {
                writer.add(
                    words.named(credit.definition.title, credit.name.text), indent: 2, hanging: 2)
                writer.add(words.refundWords(credit.definition), indent: 4, hanging: 2)
                shown.write(
                    credit.products.map {
                        words.text(TablePhrase.credit, "\($0.units)", $0.product.text)
                    }, &writer)
            }
        }
    }

    private func write(_ givers: [String], _ writer: inout TextWriter) {
        let list = givers.isEmpty ? words.text(TablePhrase.nothing) : words.list(givers)
        writer.add(
            words.text(TablePhrase.givenBy) + ": " + list, indent: 4, hanging: 2)
    }

    mutating func writeSettings() {
        edit { [tables, words, showing] writer in
            writer.heading(words.text(TablePhrase.settings))
            let rows = words.settings(tables.settings)
            let width = min((rows.map(\.name.columns).max() ?? 0) + 2, showing.width / 2)
            for row in rows { writer.row(row.name, leadWidth: width, indent: 2, row.value) }
        }
    }
}

extension TableWords {
    /// `Premium reading (premium)`.
    func named(_ title: Title?, _ name: String) -> String {
        let title = self.title(title, or: name)
        return title == name ? name : "\(title) (\(name))"
    }
}
