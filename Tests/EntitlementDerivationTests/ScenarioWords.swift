internal import EntitlementModel

/// The words of one line of a scenario, read from left to right.
struct ScenarioWords {
    let line: String
    private var words: ArraySlice<String>

    /// Words are separated by spaces and commas; what stands between quotes is one word, and so
    /// is an interval `[0,30)`.
    init(_ line: String) {
        self.line = line
        var words: [String] = []
        var word = ""
        var closing: Character?
        for character in line {
            if let end = closing {
                word.append(character)
                if character == end { closing = nil }
            } else if character == "\"" || character == "[" {
                closing = character == "[" ? ")" : "\""
                word.append(character)
            } else if character == " " || character == "," {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        self.words = words[...]
    }

    var isAtEnd: Bool { words.isEmpty }
    var peek: String? { words.first }

    mutating func take(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }

    mutating func next(_ what: String) throws -> String {
        guard let word = words.popFirst() else { throw mistake("\(what) is missing") }
        return word
    }

    mutating func expect(_ word: String) throws {
        guard take(word) else { throw mistake("'\(word)' was expected, not '\(peek ?? "")'") }
    }

    func mistake(_ text: String) -> ScenarioMistake { ScenarioMistake("\(text) in '\(line)'") }

    func unknown() -> ScenarioMistake { mistake("'\(peek ?? "nothing")' is not understood") }

    mutating func quoted(_ what: String) throws -> String {
        let word = try next(what)
        guard word.hasPrefix("\""), word.hasSuffix("\""), word.count > 2 else {
            throw mistake("\(what) stands between quotes")
        }
        return String(word.dropFirst().dropLast())
    }

    mutating func number(_ what: String) throws -> Int64 {
        guard let number = Int64(try next(what)) else { throw mistake("\(what) is a number") }
        return number
    }

    /// `30`, `29.5`, `60+1h`, `60-1ms` (days from 2026-01-01), or a date.
    mutating func instant(_ what: String) throws -> Instant {
        let word = try next(what)
        guard let instant = Self.instant(word) else {
            throw mistake("'\(word)' is no instant for \(what)")
        }
        return instant
    }

    /// `@30`.
    mutating func at() throws -> Instant {
        let word = try next("an instant '@'")
        guard word.hasPrefix("@"), let instant = Self.instant(word.dropFirst()) else {
            throw mistake("an instant '@' was expected, not '\(word)'")
        }
        return instant
    }

    /// `[0,30)`; `[0,)` has no end.
    mutating func interval(_ what: String) throws -> (start: Instant, end: Instant?) {
        let word = try next(what)
        let parts = word.dropFirst().dropLast().split(
            separator: ",", omittingEmptySubsequences: false)
        guard word.hasPrefix("["), word.hasSuffix(")"), parts.count == 2,
            let start = Self.instant(parts[0])
        else { throw mistake("\(what) is written '[0,30)'") }
        if parts[1].isEmpty { return (start, nil) }
        guard let end = Self.instant(parts[1]) else { throw mistake("'\(word)' has no end") }
        return (start, end)
    }

    /// `0..30`, `ever..10`, `10..`.
    mutating func stretch(_ what: String) throws -> (start: Instant, end: Instant?) {
        let word = try next(what)
        guard let dots = word.range(of: ".."), let start = Self.instant(word[..<dots.lowerBound])
        else { throw mistake("\(what) is written '0..30', not '\(word)'") }
        let rest = word[dots.upperBound...]
        if rest.isEmpty { return (start, nil) }
        guard let end = Self.instant(rest) else { throw mistake("'\(word)' has no end") }
        return (start, end)
    }

    static func instant(_ text: some StringProtocol) -> Instant? {
        if text == "ever" { return .distantPast }
        if text.utf8.count >= 10, let instant = Instant(rfc3339: text) { return instant }
        let sign = text.dropFirst().lastIndex { $0 == "+" || $0 == "-" }
        let day = sign.map { text[text.startIndex..<$0] } ?? text[...]
        guard let days = Double(String(day)) else { return nil }
        let instant = Instant(milliseconds: 1_767_225_600_000 + Int64(days * 86_400_000))
        guard let sign else { return instant }
        guard let offset = Period(text[text.index(after: sign)...])?.fixedMilliseconds else {
            return nil
        }
        return instant.advanced(byMilliseconds: text[sign] == "+" ? offset : -offset)
    }
}

extension Instant {
    /// As scenarios write it, for messages.
    var scenarioText: String {
        self == .distantPast
            ? "ever" : "day \(Double(milliseconds - 1_767_225_600_000) / 86_400_000)"
    }
}

extension String {
    fileprivate func range(of part: String) -> Range<String.Index>? { firstRange(of: part) }
}
