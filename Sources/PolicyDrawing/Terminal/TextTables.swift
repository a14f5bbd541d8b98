package import EntitlementModel
package import PolicyAnalysis

/// Which tables of a policy are shown.
package enum PolicyPart: String, CaseIterable, Sendable {
    case access
    case products
    case entitlements
    case switches
    case dates
    case refunds
    case settings
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
    private(set) var writer: TextWriter

    init(_ tables: PolicyTables, _ showing: PolicyShowing) {
        self.tables = tables
        self.showing = showing
        words = TableWords(language: showing.language)
        writer = TextWriter(width: showing.width, isColoured: showing.isColoured)
    }

    var text: String {
        var copy = self
        copy.writeHead()
        for part in PolicyPart.allCases where showing.parts.contains(part) { copy.write(part) }
        return copy.writer.text
    }

    private mutating func writeHead() {
        writer.add(
            words.text(TablePhrase.title, tables.settings.app.bundleID.text), tone: .strong)
        let digest = words.text(TablePhrase.digest, String(tables.digest.hexadecimal.prefix(12)))
        let count = words.productCount(tables.products)
        writer.add([digest, count].joined(separator: " · "), tone: .faint)
        if !showing.scope.isEmpty {
            writer.add(words.text(TablePhrase.scope, words.list(showing.scope.map(\.shown))))
        }
        if tables.products.count == 0 { writer.add(words.text(TablePhrase.nothingFound)) }
    }

    private mutating func write(_ part: PolicyPart) {
        switch part {
        case .access: writeAccess()
        case .products: writeProducts()
        case .entitlements: writeEntitlements()
        case .switches: writeSwitches()
        case .dates: writeDates()
        case .refunds: writeRefunds()
        case .settings: writeSettings()
        }
    }

    mutating func edit(_ body: (inout TextWriter) -> Void) { body(&writer) }

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
