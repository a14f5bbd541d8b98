internal import EntitlementModel

/// One line of a play: its sentence, and the instant that may stand anywhere in it.
struct PlayLine {
    let at: Instant
    let sentence: String

    init(_ text: String, line: Int, now: Instant? = nil) throws(PlayMistake) {
        var words = text.split(separator: " ")
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
        sentence = words.joined(separator: " ")
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
