/// How a sentence may be written: words, slots in braces, and in brackets what may be left out.
/// Brackets that follow one another may come in any order; `{#each}` is a slot that says something
/// by the words around it.
package struct SentencePattern: Hashable, Sendable {
    indirect enum Element: Hashable, Sendable {
        case word(String)
        case slot(SentenceSlot)
        case flag(SentenceSlot)
        case options([[Element]])
    }

    /// As it is shown to people.
    package let text: String
    let elements: [Element]

    init(_ text: String) {
        self.text = text
        var rest = text[...]
        elements = Self.elements(of: &rest)
    }

    private static func elements(of text: inout Substring) -> [Element] {
        var elements: [Element] = []
        var words = ""
        func flush() {
            elements += sentenceTokens(words).map { .word($0.text) }
            words = ""
        }
        while let sign = text.popFirst(), sign != "]" {
            switch sign {
            case "[":
                flush()
                let option = Self.elements(of: &text)
                if case .options(let others)? = elements.last {
                    elements[elements.count - 1] = .options(others + [option])
                } else {
                    elements.append(.options([option]))
                }
            case "{":
                flush()
                let name = text.prefix { $0 != "}" }
                text = text.dropFirst(name.count + 1)
                let isFlag = name.hasPrefix("#")
                guard let slot = SentenceSlot(rawValue: String(isFlag ? name.dropFirst() : name))
                else { preconditionFailure("no slot is called \(name)") }
                elements.append(isFlag ? .flag(slot) : .slot(slot))
            default: words.append(sign)
            }
        }
        flush()
        return elements
    }

    /// The same without what may be left out.
    package var shortest: String {
        var text = ""
        var depth = 0
        for sign in self.text {
            if sign == "[" { depth += 1 }
            if depth == 0 { text.append(sign) }
            if sign == "]" { depth -= 1 }
        }
        return text
    }

    /// All of it, without what says something by the words around it.
    package var whole: String { text.replacing(/\{#[a-z_]+\}/, with: "") }

    /// All slots, in the order in which they are written.
    package var slots: [SentenceSlot] { Self.slots(in: elements) }

    /// The slots that have to be filled.
    package var requiredSlots: [SentenceSlot] {
        elements.compactMap { element in
            if case .slot(let slot) = element { slot } else { nil }
        }
    }

    private static func slots(in elements: [Element]) -> [SentenceSlot] {
        elements.flatMap { element -> [SentenceSlot] in
            switch element {
            case .word: []
            case .slot(let slot), .flag(let slot): [slot]
            case .options(let options): options.flatMap(slots(in:))
            }
        }
    }
}

/// How far a sentence could be read, and what would have gone on from there.
package struct SentenceMistake: Error, Hashable, Sendable {
    /// The first piece that fits nowhere; nil where the sentence ends too early.
    package var token: SentenceToken?
    /// Words that are possible there.
    package var words: [String] = []
    /// Slots that are possible there.
    package var slots: [SentenceSlot] = []
    /// The form that comes nearest.
    package var nearest: SentencePattern?
    /// Whether that form ends before the token.
    package var isComplete = false
    /// Whether the token is within a Chinese word of another sentence: the nearest one may mean the
    /// opposite.
    package var isWithinWord = false
    /// How many pieces were understood.
    var understood = 0
}

/// Reads one sentence by one pattern after the other.
struct SentenceMatcher {
    typealias Values = [SentenceSlot: SentenceValue]

    let tokens: [SentenceToken]
    private(set) var mistake = SentenceMistake(understood: -1)
    private var pattern: SentencePattern?

    init(_ tokens: [SentenceToken]) {
        self.tokens = tokens
    }

    mutating func match(_ pattern: SentencePattern) -> Values? {
        self.pattern = pattern
        return match(pattern.elements[...], at: 0, [:])
    }

    private mutating func match(
        _ elements: ArraySlice<SentencePattern.Element>, at place: Int, _ values: Values
    ) -> Values? {
        guard let first = elements.first else {
            if place == tokens.count { return values }
            note(place, word: nil, slot: nil)
            return nil
        }
        let rest = elements.dropFirst()
        switch first {
        case .word(let word):
            guard place < tokens.count, tokens[place].text == word, !tokens[place].isQuoted else {
                note(place, word: word, slot: nil)
                return nil
            }
            return match(rest, at: place + 1, values)
        case .slot(let slot):
            guard let (count, text) = slot.take(tokens, from: place) else {
                note(place, word: nil, slot: slot)
                return nil
            }
            let range =
                tokens[place].range.lowerBound..<tokens[place + count - 1].range.upperBound
            var values = values
            values[slot] = SentenceValue(text, range: range)
            return match(rest, at: place + count, values)
        case .flag(let slot):
            var values = values
            values[slot] = SentenceValue("true")
            return match(rest, at: place, values)
        case .options(let options): return match(options, before: rest, at: place, values)
        }
    }

    private mutating func match(
        _ options: [[SentencePattern.Element]],
        before rest: ArraySlice<SentencePattern.Element>, at place: Int, _ values: Values
    ) -> Values? {
        for (index, option) in options.enumerated() {
            var others = options
            others.remove(at: index)
            let left: [SentencePattern.Element] = others.isEmpty ? [] : [.options(others)]
            if let found = match((option + left + rest)[...], at: place, values) { return found }
        }
        return match(rest, at: place, values)
    }

    private mutating func note(_ place: Int, word: String?, slot: SentenceSlot?) {
        guard place >= mistake.understood else { return }
        if place > mistake.understood {
            mistake = SentenceMistake(
                token: place < tokens.count ? tokens[place] : nil, nearest: pattern,
                understood: place)
        }
        if word == nil, slot == nil, !mistake.isComplete {
            mistake.isComplete = true
            mistake.nearest = pattern
        }
        if let word, let sign = word.unicodeScalars.first, !sign.isASCII, place > 0,
            place < tokens.count, let last = tokens[place - 1].text.unicodeScalars.first,
            !last.isASCII, tokens[place].range.lowerBound == tokens[place - 1].range.upperBound
        {
            mistake.isWithinWord = true
        }
        if let word, !mistake.words.contains(word) { mistake.words.append(word) }
        if let slot, !mistake.slots.contains(slot) { mistake.slots.append(slot) }
    }
}
