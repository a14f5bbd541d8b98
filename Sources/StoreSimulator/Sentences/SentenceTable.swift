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

    /// What a sentence says; the first form that fits is meant.
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
