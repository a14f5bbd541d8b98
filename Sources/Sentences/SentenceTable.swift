package import EntitlementModel

/// One verb: how it is written in each language. The first way is the one that is written; the
/// others are understood.
package struct SentenceForm: Sendable {
    /// The key of the long form.
    package let verb: String
    package let english: [SentencePattern]
    package let chinese: [SentencePattern]

    package init(_ verb: String, _ english: [String], _ chinese: [String]) {
        self.verb = verb
        self.english = english.map(SentencePattern.init)
        self.chinese = chinese.map(SentencePattern.init)
    }

    package func patterns(in language: Language) -> [SentencePattern] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }

    /// All slots of the way that is written.
    package var slots: [SentenceSlot] { english.first?.slots ?? [] }

    package var requiredSlots: [SentenceSlot] { english.first?.requiredSlots ?? [] }
}

/// Reads sentences in both languages and writes them in either: one table of all verbs.
package struct SentenceTable: Sendable {
    package let forms: [SentenceForm]

    package init(_ forms: [SentenceForm]) {
        self.forms = forms
    }

    package subscript(verb: String) -> SentenceForm? { forms.first { $0.verb == verb } }

    /// Reads a sentence; the first form that fits is used.
    package func read(_ text: String) throws(SentenceMistake) -> Sentence {
        var matcher = SentenceMatcher(sentenceTokens(text))
        for form in forms {
            for pattern in form.english + form.chinese {
                if let values = matcher.match(pattern) {
                    return Sentence(verb: form.verb, values: values)
                }
            }
        }
        throw matcher.mistake
    }

    /// The sentence as the table writes it; nil for a verb that it does not have.
    package func write(_ sentence: Sentence, in language: Language) -> String? {
        guard let pattern = self[sentence.verb]?.patterns(in: language).first else { return nil }
        var writer = SentenceWriter(sentence: sentence, language: language)
        writer.write(pattern.elements)
        return writer.text
    }
}

private struct SentenceWriter {
    let sentence: Sentence
    let language: Language
    var text = ""

    mutating func write(_ elements: [SentencePattern.Element]) {
        for element in elements {
            switch element {
            case .word(let word): add(word)
            case .slot(let slot): add(written(slot))
            case .flag: break
            case .options(let options):
                for option in options where isSaid(option) { write(option) }
            }
        }
    }

    private func isSaid(_ option: [SentencePattern.Element]) -> Bool {
        option.allSatisfy { element in
            switch element {
            case .slot(let slot), .flag(let slot): sentence.has(slot)
            case .word, .options: true
            }
        }
    }

    private func written(_ slot: SentenceSlot) -> String {
        let value = sentence[slot] ?? ""
        switch slot.kind {
        case .text: return "\"\(value)\""
        case .purchase where language == .chinese: return value.replacing("'s ", with: " 的 ")
        case .word, .purchase, .number, .date, .length, .price, .flag: return value
        }
    }

    /// Chinese characters and signs follow one another without blanks.
    private mutating func add(_ word: String) {
        var word = word
        if language == .chinese, word == "," { word = "，" }
        if let last = text.unicodeScalars.last, let first = word.unicodeScalars.first {
            let isTight = word == "," || word == "'s" || !first.isASCII && !last.isASCII
            let followsSign = last == "，" || first == "，"
            if !isTight, !followsSign { text += " " }
        }
        text += word
    }
}

/// A word, a sign or a quoted text of a sentence, with its place.
package struct SentenceToken: Hashable, Sendable {
    /// Without its quotes.
    package let text: String
    /// In Unicode scalars of the sentence, from 0; half-open.
    package let range: Range<Int>
    let isQuoted: Bool
}

/// A sentence in pieces. Names, numbers and dates are runs of ASCII; each Chinese character is a
/// piece of its own, so that blanks between the two make no difference.
func sentenceTokens(_ text: String) -> [SentenceToken] {
    var scanner = TokenScanner(scalars: Array(text.unicodeScalars))
    while let token = scanner.next() { scanner.tokens.append(token) }
    return scanner.tokens
}

private struct TokenScanner {
    let scalars: [Unicode.Scalar]
    var tokens: [SentenceToken] = []
    var place = 0

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
