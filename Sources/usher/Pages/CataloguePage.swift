internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel

/// The page of `usher catalog`.
extension Page {
    mutating func write(catalogue report: CatalogueReport) {
        let hasStorefront = report.storefront != nil
        let rows = report.products.map { row($0, hasStorefront: hasStorefront) }
        table(rows.withoutEmptyColumns, indentedBy: 0)
        guard !report.leftOut.isEmpty else { return }
        let names = language.list(report.leftOut.map(\.text))
        add(paint(AccountPhrase.leftOut.text(language, names), .care))
    }

    private func row(_ item: CatalogueItem, hasStorefront: Bool) -> [String] {
        let prices = hasStorefront ? item.price.map { [$0] } ?? [] : item.prices
        let texts = prices.map {
            Price(milliunits: $0.thousandths, currency: $0.currency).text
        }
        let effect = item.verdict.effect
        let codes = item.verdict.notes.map { note in
            [note.code.rawValue, note.change?.rawValue].compactMap(\.self).joined(separator: " ")
        }
        return [
            paint(item.product.text, .strong), item.title?.text(language) ?? "",
            language.list(texts), state(item.state, nil) ?? "",
            paint(effect.text(language), tone(of: effect)),
            codes.isEmpty ? "" : "[\(language.list(codes))]",
        ]
    }
}

extension [[String]] {
    /// Without columns that say nothing, and without empty cells at the end of a row.
    fileprivate var withoutEmptyColumns: [[String]] {
        let columns = (0..<(first?.count ?? 0)).filter { column in
            contains { !$0[column].isEmpty }
        }
        return map { row in
            let cells = columns.map { row[$0] }
            return [String](cells[...(cells.lastIndex { !$0.isEmpty } ?? 0)])
        }
    }
}
