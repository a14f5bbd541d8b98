package import EntitlementAnswers
package import EntitlementModel
internal import PolicyAnalysis

/// Which tables of a policy are shown.
package enum PolicyPart: String, CaseIterable, Sendable {
    case access
    /// Left out where the policy says nothing of it.
    case app
    case products
    case entitlements
    case switches
    case dates
    case refunds
    case settings
}

extension PolicyPart {
    var title: TablePhrase {
        switch self {
        case .access: .access
        case .app: .app
        case .products: .products
        case .entitlements: .entitlements
        case .switches: .switches
        case .dates: .dates
        case .refunds: .refunds
        case .settings: .settings
        }
    }
}

/// How the tables of a policy are shown.
package struct PolicyShowing: Sendable {
    package var language: Language
    /// In their own order, whatever the order here.
    package var parts: Set<PolicyPart>
    /// What dates are held against.
    package var now: Instant
    /// Columns of the terminal.
    package var width: Int
    package var isColoured: Bool
    /// What the tables were limited to, as it was asked for; empty for a whole policy.
    package var scope: [String]
    /// How many accounts stand in each cell; nil where nobody has asked.
    package var counts: PolicyCountsAnswer?

    /// In a cell.
    func accounts(in cell: AccessTable.Cell) -> Int64? {
        counts.map { counts in
            counts.cells.first { $0.kind == cell.kind && $0.state == cell.state }?.accounts ?? 0
        }
    }

    package init(
        language: Language, now: Instant, parts: Set<PolicyPart> = Set(PolicyPart.allCases),
        width: Int = 80, isColoured: Bool = false, scope: [String] = []
    ) {
        self.language = language
        self.now = now
        self.parts = parts
        self.width = width
        self.isColoured = isColoured
        self.scope = scope
    }
}

extension PolicyTables {
    func parts(_ showing: PolicyShowing) -> [PolicyPart] {
        PolicyPart.allCases.filter { showing.parts.contains($0) && ($0 != .app || !app.isEmpty) }
    }

    /// The tables for a terminal; ends with a line break.
    package func text(_ showing: PolicyShowing) -> String {
        TextTables(self, showing).text
    }
}

/// The tables as text.
struct TextTables {
    let tables: PolicyTables
    let showing: PolicyShowing
    let words: TableWords
    var writer: TextWriter

    init(_ tables: PolicyTables, _ showing: PolicyShowing) {
        self.tables = tables
        self.showing = showing
        words = TableWords(language: showing.language)
        writer = TextWriter(width: showing.width, isColoured: showing.isColoured)
    }

    var text: String {
        var copy = self
        copy.writeHead()
        for part in tables.parts(showing) { copy.write(part) }
        return copy.writer.text
    }

    private mutating func writeHead() {
        writer.add(
            words.text(TablePhrase.title, tables.policy.app.bundleID.text), tone: .strong)
        let hash = String(tables.policy.digest.hexadecimal.prefix(12))
        let digest = words.text(TablePhrase.digest, hash)
        let count = words.productCount(tables.products)
        writer.add([digest, count].joined(separator: " · "), tone: .faint)
        if !showing.scope.isEmpty {
            writer.add(words.text(TablePhrase.scope, words.list(showing.scope.map(\.shown))))
        }
        if tables.products.count == 0 { writer.add(words.text(TablePhrase.nothingFound)) }
    }

    private mutating func write(_ part: PolicyPart) {
        // What gives what has a title for either list.
        if part != .entitlements { writer.heading(words.text(part.title)) }
        switch part {
        case .access: writeAccess()
        case .app: writeApp()
        case .products: writeProducts()
        case .entitlements: writeEntitlements()
        case .switches: writeSwitches()
        case .dates: writeDates()
        case .refunds: writeRefunds()
        case .settings: writeSettings()
        }
    }

    mutating func write(
        _ deciders: [Decider], _ rules: [TableRule], indent: Int, meansMore: Bool
    ) {
        for (index, decider) in deciders.enumerated() {
            write(
                rules[decider.rule], number: index + 1, indent: indent, in: decider,
                meansMore: meansMore)
        }
    }

    /// A rule of a list on its lines: what it does, its name, what limits it, where it is.
    mutating func write(
        _ rule: TableRule, number: Int, indent: Int, in decider: Decider?, meansMore: Bool
    ) {
        let effect = words.effect(rule)
        let lead = "\(number)."
        let width = lead.count + 1
        writer.row(
            lead, leadWidth: width, indent: indent,
            "\(effect.word) – \(words.name(rule.reference)) [\(words.place(rule.reference))]",
            hanging: 2)
        let inner = indent + width + 2
        if meansMore { writer.add(effect.meaning, indent: inner) }
        for detail in words.details(rule, in: decider) { writer.add(detail, indent: inner) }
    }
}

extension TableWords {
    func productCount(_ table: ProductTable) -> String {
        table.count == table.total
            ? text(TablePhrase.productCount, "\(table.total)")
            : text(TablePhrase.productsShown, "\(table.count)", "\(table.total)")
    }
}

/// What is sold, and what gives what.
extension TextTables {
    mutating func writeProducts() {
        for shelf in tables.products.shelves {
            writer.blank()
            writer.add(words.title(of: shelf), tone: .strong)
            if !shelf.levels.isEmpty {
                let levels = words.list(shelf.levels.map(\.text))
                writer.add(words.text(TablePhrase.levels, levels), tone: .faint)
            }
            for product in shelf.products { write(product, on: shelf) }
        }
    }

    private mutating func write(_ product: Product, on shelf: ProductTable.Shelf) {
        let title = words.title(product.title, or: product.id.text)
        writer.add(title, indent: 2, hanging: 2)
        if title != product.id.text { writeFact(product.id.text, tone: .faint) }
        let facts = [
            product.level?.text, shelf.group == nil ? nil : product.kind.text(words.language),
            words.length(product), words.list(words.prices(product)),
        ]
        let line = facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
        if !line.isEmpty { writeFact(line) }
        writeList(.gives, words.grants(product, tables.products))
        if let retired = product.retiredAt {
            writeFact(words.text(TablePhrase.retired, retired.brief), tone: .care)
        }
    }

    private mutating func writeFact(_ text: String, tone: Tone? = nil) {
        writer.add(text, indent: 4, hanging: 2, tone: tone)
    }

    private mutating func writeList(_ title: TablePhrase, _ items: [String]) {
        let list = items.isEmpty ? words.text(TablePhrase.nothing) : words.list(items)
        writeFact(words.text(title) + ": " + list)
    }

    mutating func writeEntitlements() {
        let table = tables.products
        if !table.entitlements.isEmpty { writer.heading(words.text(TablePhrase.entitlements)) }
        for right in table.entitlements {
            writer.add(words.named(right.title, right.name.text), indent: 2, hanging: 2)
            let open = right.open.map {
                words.text(TablePhrase.openToAll, $0.reference.name.shown)
            }
            writeList(.givenBy, right.products.map(\.text.shown) + open)
        }
        if !table.credits.isEmpty { writer.heading(words.text(TablePhrase.credits)) }
        for credit in table.credits {
            writer.add(
                words.named(credit.definition.title, credit.name.text), indent: 2, hanging: 2)
            writeFact(words.refundWords(credit.definition))
            writeList(
                .givenBy,
                credit.products.map {
                    words.credit(
                        words.text(TablePhrase.credit, "\($0.units)", $0.product.text), $0.terms)
                })
        }
    }

    mutating func writeSettings() {
        let rows = words.settings(tables.policy)
        let width = min((rows.map(\.name.columns).max() ?? 0) + 2, showing.width / 2)
        for row in rows { writer.row(row.name, leadWidth: width, indent: 2, row.value) }
    }
}

extension TableWords {
    /// `Premium reading (premium)`.
    func named(_ title: Title?, _ name: String) -> String {
        let title = self.title(title, or: name)
        return title == name ? name : "\(title) (\(name))"
    }
}
