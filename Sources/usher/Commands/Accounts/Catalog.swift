internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// `usher catalog ACCOUNT`: what the app sells, as one account sees it (spec 1.8).
struct Catalog: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "List what the app sells, as one account sees it.",
        discussion: """
            Prints id, title, price, what the account has of it, and what preflight says. Products \
            that the account's client reported as invalid at the store are left out, and named at \
            the end.

            Example: usher catalog alice --storefront CHN
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var prices: StorefrontOption

    @Option(
        name: .customLong("apple-id"),
        help: .value("key", "Any key of the device's Apple ID."),
        transform: readName)
    var appleID: AppleIDKey?

    @OptionGroup var reading: ReadingOptions

    var path: String { "/v1/accounts/\(account.inPath)/catalog" }

    var query: Parameters {
        [
            ("environment", environment.rawValue), ("storefront", prices.storefront),
            ("apple_id", appleID?.text),
        ]
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> CatalogueReport? {
        try ledger.catalogue(
            for: account, in: environment, on: appleID, storefront: prices.storefront,
            at: reading.instant)
    }

    func write(_ report: CatalogueReport, to page: inout Page) { page.write(catalogue: report) }
}

/// `--storefront`: whose prices.
struct StorefrontOption: ParsableArguments {
    @Option(help: .value("code", "Prices of this storefront only: its ISO 3166-1 alpha-3 code."))
    var storefront: String?

    func validate() throws {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard storefront.map({ $0.utf8.count == 3 && $0.utf8.allSatisfy(letters.contains) }) ?? true
        else { throw ValidationError(.storefront) }
    }
}

/// The page of `usher catalog`.
extension Page {
    mutating func write(catalogue report: CatalogueReport) {
        let hasStorefront = report.storefront != nil
        let rows = report.products.map { row($0, hasStorefront: hasStorefront) }
        table(rows.withoutEmptyColumns, indentedBy: 0)
        guard !report.leftOut.isEmpty else { return }
        let names = language.list(report.leftOut.map(\.text))
        add(AccountPhrase.leftOut, names, as: .care)
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
