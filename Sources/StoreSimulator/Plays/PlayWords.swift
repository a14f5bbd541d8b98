package import EntitlementModel

/// The words of one line of a play, read from left to right; the instant may stand anywhere.
struct PlayWords {
    let line: Int
    let at: Instant
    private var words: ArraySlice<Substring>

    init(_ text: String, line: Int, now: Instant? = nil) throws(PlayMistake) {
        var words = text.split(separator: " ")
        self.line = line
        if let index = words.firstIndex(where: { $0.hasPrefix("@") }) {
            let word = words.remove(at: index)
            guard let at = Self.instant(word.dropFirst()) else {
                throw PlayMistake(line: line, .badInstant(String(word)))
            }
            self.at = at
        } else if let now {
            at = now
        } else {
            throw PlayMistake(line: line, .noInstant)
        }
        self.words = words[...]
    }

    /// Takes these words if they come next.
    mutating func take(_ phrase: String) -> Bool {
        let phrase = phrase.split(separator: " ")
        guard words.starts(with: phrase) else { return false }
        words.removeFirst(phrase.count)
        return true
    }

    mutating func next() throws(PlayMistake) -> String {
        guard let word = words.popFirst() else { throw notUnderstood }
        return String(word)
    }

    mutating func number() throws(PlayMistake) -> Int64 {
        guard let word = words.first, let number = Int64(word), (0...1_000_000).contains(number)
        else { throw notUnderstood }
        words.removeFirst()
        return number
    }

    mutating func period() throws(PlayMistake) -> Period {
        guard let word = words.first, let period = Period(word), period.count > 0 else {
            throw notUnderstood
        }
        words.removeFirst()
        return period
    }

    /// Nothing may be left.
    func end() throws(PlayMistake) {
        guard words.isEmpty else { throw notUnderstood }
    }

    /// The next word is not understood, or there is none.
    var notUnderstood: PlayMistake {
        PlayMistake(line: line, words.first.map { .notUnderstood(String($0)) } ?? .endsEarly)
    }

    /// Takes `as NAME`, which everything needs that is spoken of later.
    mutating func name() throws(PlayMistake) -> String {
        guard take("as"), let name = words.popFirst() else {
            throw PlayMistake(line: line, .needsName)
        }
        return String(name)
    }

    /// `10`, `10.5`, `60+1h`, `60-1ms`, counted in days from the start; or a date.
    static func instant(_ text: Substring) -> Instant? {
        if let date = Instant(rfc3339: String(text)) { return date }
        let sign = text.firstIndex { $0 == "+" || $0 == "-" } ?? text.endIndex
        guard let days = Double(text[..<sign]), (0...10_000).contains(days) else { return nil }
        let instant = Play.start.advanced(byMilliseconds: Int64(days * 86_400_000))
        guard sign < text.endIndex else { return instant }
        guard let length = Period(text[text.index(after: sign)...])?.fixedMilliseconds else {
            return nil
        }
        return instant.advanced(byMilliseconds: text[sign] == "+" ? length : -length)
    }
}

/// Why a play cannot be played.
package struct PlayMistake: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case notYAML
        case notAList(String)
        case notAMapping(String)
        case missingKey(String)
        case unknownKey(String)
        case notAWord(key: String, value: String)
        case noInstant
        case badInstant(String)
        case earlierThanBefore
        case outsidePlay
        case notUnderstood(String)
        /// The line.
        case endsEarly
        case needsName
        case unknownProduct(String)
        case unknownPurchase(String)
        case nameTaken(String)
        case notASubscription(String)
        case notWaiting(String)
        case incompleteSubscription(String)
        case badPrice(String)
        /// Of a purchase that is not sold by seats, or more of them than there are.
        case noSeats(String)
    }

    /// Of the file, from 1.
    package let line: Int
    package let reason: Reason

    package init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension PlayMistake.Reason: LocalizedText {
    package func facts(in language: Language) -> [String] {
        switch self {
        case .notAWord(let key, let value): [key, value]
        case .notAList(let word), .notAMapping(let word), .missingKey(let word),
            .unknownKey(let word), .badInstant(let word), .notUnderstood(let word),
            .unknownProduct(let word), .unknownPurchase(let word), .nameTaken(let word),
            .notASubscription(let word), .notWaiting(let word), .incompleteSubscription(let word),
            .badPrice(let word), .noSeats(let word):
            [word]
        case .notYAML, .noInstant, .earlierThanBefore, .outsidePlay, .endsEarly, .needsName: []
        }
    }
}
