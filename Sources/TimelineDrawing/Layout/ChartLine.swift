internal import EntitlementModel

/// A line of a picture, from top to bottom; every form of picture draws the same ones.
enum ChartLine: Hashable {
    case heading(String)
    /// What was bought, one after another, and what is to be said of it.
    case unit(products: [String], details: [String])
    case track(Track)
    /// A sentence in place of what is missing.
    case remark(String)
}

/// A row of stretches next to its name.
struct Track: Hashable {
    enum Rank: Hashable {
        /// Stand below a heading.
        case right
        case order
        /// Stand below a unit.
        case state
        case owner

        var isBelowUnit: Bool { self == .state || self == .owner }
    }

    var rank: Rank
    var name: String
    /// The short answer at the instant that is asked about.
    var verdict: String?
    var isGood: Bool = false
    /// Until or since when.
    var note: String?
    var bars: [Bar]
    /// What happened at one instant each, in order.
    var marks: [Mark] = []
}

/// A stretch of time that looks the same from end to end.
struct Bar: Hashable {
    var interval: Interval
    var look: Look
    /// Shown inside, where there is room.
    var label: String
    /// All there is to say of it.
    var sentence: String
}

/// What happened at one instant.
struct Mark: Hashable {
    var at: Instant
    var look: Look
    /// All there is to say of it.
    var sentence: String
}

/// What stands between products that were bought one after another, and between facts.
enum ChartSeparator {
    static let products = " → "
    static let facts = " · "
}

extension [String] {
    /// Joined into lines of at most so many columns: no part is broken, one that is wider has a
    /// line of its own.
    func lines(joinedBy separator: String, to width: Int) -> [String] {
        var lines: [String] = []
        for part in self {
            if let last = lines.last, (last + separator + part).columns <= width {
                lines[lines.count - 1] += separator + part
            } else {
                lines.append(part)
            }
        }
        return lines
    }
}

/// The words of the pictures.
enum ChartPhrase: CaseIterable, LocalizedText {
    case title, asOf, basis, explanation, mark, nothingKnown
    case rights, purchases, orders, stretches
    /// What happened to an order.
    case made, paid, delivered, refunded, closed
    case yes, no, given, withheld, owned, byHand, renews
    case until, renewsAt, since, withoutEnd
    case owner, nobody, appleID
    /// What separates names, statements, and a name from its value.
    case comma, clause, colon
    /// Heads of the table.
    case entitlement, answer, from, to, source, rule, state, product, transaction, account
    case order, course, orderNumber
}

/// The words for codes of the service. What this version does not know is shown as it is.
enum ChartWord {
    static func text(_ word: String, _ language: Language) -> String {
        let known: (any LocalizedText)? =
            ProductKind(rawValue: word) ?? StoreEnvironment(rawValue: word)
        return known?.text(language) ?? word
    }
}
