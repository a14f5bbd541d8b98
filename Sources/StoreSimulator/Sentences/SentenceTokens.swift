/// A word, a sign or a quoted text of a sentence, with its place.
package struct SentenceToken: Hashable, Sendable {
    /// Without its quotes.
    package let text: String
    /// In Unicode scalars of the sentence, from 0; half-open.
    package let range: Range<Int>
    package let isQuoted: Bool
}

/// A sentence in pieces. Names, numbers and dates are runs of ASCII; each Chinese character is a
/// piece of its own, so that blanks between the two make no difference.
package func sentenceTokens(_ text: String) -> [SentenceToken] {
    var scanner = TokenScanner(scalars: Array(text.unicodeScalars))
    while let token = scanner.next() { scanner.tokens.append(token) }
    return scanner.tokens
}

private struct TokenScanner {
    let scalars: [Unicode.Scalar]
    var tokens: [SentenceToken] = []
    private var place = 0

    init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    mutating func next() -> SentenceToken? {
        while place < scalars.count, scalars[place].properties.isWhitespace { place += 1 }
        guard place < scalars.count else { return nil }
        let start = place
        if let end = Self.closing[scalars[place]] { return quoted(until: end) }
        if scalars[place] == "'" || scalars[place] == "’", start + 1 < scalars.count,
            scalars[start + 1] == "s", start + 2 >= scalars.count || !isWord(scalars[start + 2])
        {
            place += 2
            return SentenceToken(text: "'s", range: start..<place, isQuoted: false)
        }
        guard isWord(scalars[place]) else {
            place += 1
            let sign = Self.plain[scalars[start]] ?? String(scalars[start])
            return SentenceToken(text: sign, range: start..<place, isQuoted: false)
        }
        while place < scalars.count, isWord(scalars[place]) { place += 1 }
        // A full stop or a colon ends the word; inside it, it is part of a date or an id.
        while place > start + 1, scalars[place - 1] == "." || scalars[place - 1] == ":" {
            place -= 1
        }
        return SentenceToken(text: text(start..<place), range: start..<place, isQuoted: false)
    }

    private mutating func quoted(until end: Unicode.Scalar) -> SentenceToken {
        let start = place
        place += 1
        while place < scalars.count, scalars[place] != end { place += 1 }
        let inside = text((start + 1)..<place)
        place = min(place + 1, scalars.count)
        return SentenceToken(text: inside, range: start..<place, isQuoted: true)
    }

    private func text(_ range: Range<Int>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[range])
        return text
    }

    private static let closing: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "“": "”", "「": "」",
    ]

    /// What Chinese writes with signs of its own.
    private static let plain: [Unicode.Scalar: String] = ["，": ",", "、": ",", "。": "."]

    /// Whether names, numbers and dates may contain it.
    private func isWord(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return false }
        return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "._-:+/@*%#=~!&|".unicodeScalars.contains(scalar)
    }
}
