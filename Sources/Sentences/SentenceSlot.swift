package import EntitlementModel

/// A place in a sentence that the author fills, by the name that the long form gives it.
package enum SentenceSlot: String, CaseIterable, Hashable, Sendable {
    case account, product, purchase, name, into, from, to, member, event, folder, order, other, hold
    case spend, grant, block, entitlement, credit, environment, claim, subject, state, storefront
    case rule, type, reason, verdict, code, finding, basis, outcome, preference, delivery, change
    case appleID = "apple_id"
    case otherAppleID = "other_apple_id"
    case number, quantity, seats, offer, days, percent, units, consumption
    case until
    case paidUntil = "paid_until"
    case grace, free
    case upFront = "up_front"
    case price, naming, with, token, id, version, bought
    // A flag: present or not, without a value.
    case each, commitment, unpresented, untold, assigned, advanced, tried, untried
    case tokenNull = "token_null"
    case tokenEmpty = "token_empty"
    case nothing, again, always
    case noPercent = "no_percent"
    case noObstacle = "no_obstacle"
    case productGone = "product_gone"
    case overPrice = "over_price"

    /// The type of its value.
    package enum Kind: Hashable, Sendable {
        /// One word.
        case word
        /// A purchase by its name, or as `alice's gold`.
        case purchase
        case number
        case date
        case length
        /// `9.99 USD`.
        case price
        /// A text in quotes.
        case text
        /// Said by being there.
        case flag
    }

    package var kind: Kind {
        switch self {
        case .purchase, .naming, .with, .from: .purchase
        case .number, .quantity, .seats, .offer, .days, .percent, .units, .consumption: .number
        case .until, .paidUntil, .grace, .bought: .date
        case .free, .upFront: .length
        case .price: .price
        case .rule: .text
        case .each, .commitment, .unpresented, .untold, .tokenNull, .tokenEmpty, .nothing,
            .again, .always, .token, .productGone, .overPrice, .assigned, .advanced, .tried,
            .untried, .noPercent, .noObstacle:
            .flag
        default: .word
        }
    }
}

/// The value of a slot, and its range.
package struct SentenceValue: Hashable, Sendable {
    package var text: String
    /// In Unicode scalars of the sentence; empty where the long form says it.
    package var range: Range<Int>

    package init(_ text: String, range: Range<Int> = 0..<0) {
        self.text = text
        self.range = range
    }

    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A sentence that was understood: its verb, and what fills its slots. Two sentences are equal
/// where they mean the same, in whatever language and order.
package struct Sentence: Hashable, Sendable {
    /// The key of the long form.
    package var verb: String
    package var values: [SentenceSlot: SentenceValue]

    package init(verb: String, values: [SentenceSlot: SentenceValue] = [:]) {
        self.verb = verb
        self.values = values
    }

    package subscript(slot: SentenceSlot) -> String? { values[slot]?.text }

    package func has(_ slot: SentenceSlot) -> Bool { values[slot] != nil }

    package func number(_ slot: SentenceSlot) -> Int64? { self[slot].flatMap { Int64($0) } }

    package func date(_ slot: SentenceSlot) -> Instant? {
        self[slot].flatMap { Instant(rfc3339: $0) }
    }
}

extension SentenceSlot {
    /// How many tokens from an index on fit the slot, and their value; nil if they do not.
    func take(_ tokens: [SentenceToken], from place: Int) -> (count: Int, text: String)? {
        guard place < tokens.count else { return nil }
        let token = tokens[place]
        if kind == .text { return token.isQuoted ? (1, token.text) : nil }
        guard !token.isQuoted, isName(token.text) else { return nil }
        switch kind {
        case .purchase:
            guard place + 2 < tokens.count, ["'s", "的"].contains(tokens[place + 1].text),
                isName(tokens[place + 2].text)
            else { return (1, token.text) }
            return (3, "\(token.text)'s \(tokens[place + 2].text)")
        case .price:
            guard place + 1 < tokens.count else { return nil }
            let text = "\(token.text) \(tokens[place + 1].text)"
            return Price(play: text) == nil ? nil : (2, text)
        case .word where self == .change && !Self.changes.contains(token.text): return nil
        case .word, .number, .date, .length, .text, .flag:
            return accepts(token.text) ? (1, token.text) : nil
        }
    }

    /// Words that distinguish a sentence about a change from others about an account.
    private static let changes: Set<String> = ["gains", "loses"]

    /// Whether a value in the long form fits the slot.
    package func accepts(_ text: String) -> Bool {
        switch kind {
        case .number: Int64(text).map { range.contains($0) } ?? false
        case .date: text.utf8.count >= 10 && Instant(rfc3339: text) != nil
        case .length: Period(text).map { $0.count > 0 } ?? false
        case .price: Price(play: text) != nil
        case .flag: text == "true"
        case .word, .purchase, .text: !text.isEmpty
        }
    }

    /// A balance may be a debt.
    private var range: ClosedRange<Int64> {
        self == .units ? -1_000_000_000...1_000_000_000 : 0...1_000_000_000
    }

    /// A word of ASCII, and no sign.
    private func isName(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return digits.unicodeScalars.first.map {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
        } ?? false
    }
}

extension Price {
    /// Reads `9.99 USD`: up to three decimals and a currency.
    package init?(play text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[1].utf8.count == 3,
            words[1].allSatisfy({ $0.isASCII && $0.isUppercase })
        else { return nil }
        let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]), (0...1_000_000_000).contains(whole)
        else { return nil }
        let decimals = parts.count == 2 ? parts[1] : "0"
        let padded = decimals + String(repeating: "0", count: max(0, 3 - decimals.utf8.count))
        guard padded.utf8.count == 3, padded.allSatisfy(\.isNumber), let rest = Int64(padded)
        else { return nil }
        self.init(milliunits: whole * 1_000 + rest, currency: String(words[1]))
    }
}
