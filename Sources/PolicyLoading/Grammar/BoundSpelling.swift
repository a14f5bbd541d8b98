internal import EntitlementModel

/// Bounds of time as people write them: `< 7 days`, `since 2026-01-01`, `3/365d`.
enum BoundSpelling {
    /// The bounds on an age that a text may mean, as a policy writes them.
    static func ages(meantBy text: String) -> [String] {
        let text = plain(text)
        for (words, bound) in [
            (
                [
                    "under", "max", "maximum", "no more than", "less than", "below", "fewer than",
                    "at most", "up to", "within", "<=",
                    "<",
                ],
                "under"
            ),
            (
                [
                    "at least", "min", "minimum", "no less than", "more than", "over", "above",
                    "longer than", ">=",
                    ">",
                ],
                "at least"
            ),
        ] {
            if let rest = text.following(words) { return lengths(rest).map { "\(bound) \($0)" } }
        }
        if let (first, second) = text.ends(between: [" until ", " to ", " and ", " - ", "-", "~"]) {
            guard let least = lengths(first).onlyOne, let end = lengths(second).onlyOne else {
                return []
            }
            return ["from \(least) to \(end)"]
        }
        let bare = text.following(["from"])
        return lengths(bare ?? text[...]).flatMap { length in
            bare == nil ? ["under \(length)", "at least \(length)"] : ["at least \(length)"]
        }
    }

    /// The same for dates.
    static func dates(meantBy text: String) -> [String] {
        let text = plain(text)
        if let (first, second) = text.ends(between: [" until ", " till "]) {
            return interval(first, second, isInclusive: false)
        }
        if let (first, second) = text.ends(between: [" to ", " through ", " and ", " - ", "~"]) {
            return interval(first, second, isInclusive: true)
        }
        if let rest = text.following(["before", "until", "till", "earlier than", "<"]),
            rest.first != "="
        {
            return days(rest).map { "before \($0)" }
        }
        if let rest = text.following(["from", "since", "starting", "on or after", ">="]) {
            return days(rest).map { "from \($0)" }
        }
        if let rest = text.following(["after", "later than", ">"]) {
            return days(rest).flatMap { day in
                ["from \(day)"] + (dayAfter(day).map { ["from \($0)"] } ?? [])
            }
        }
        return days(text[...]).flatMap { ["before \($0)", "from \($0)"] }
    }

    /// The limits of moves that a text may mean.
    static func moves(meantBy text: String) -> [String] {
        let text = plain(text)
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count > 0 else { return [] }
        var rest = text.dropFirst(digits.count).drop { $0 == " " }
        for word in ["times", "moves", "time", "x", "次"] where rest.hasPrefix(word) {
            rest = rest.dropFirst(word.count).drop { $0 == " " }
            break
        }
        for word in ["per", "in", "every", "within", "each", "a", "/"] where rest.hasPrefix(word) {
            let length = rest.dropFirst(word.count).drop { $0 == " " }
            if length == "year" { return ["\(count) per 365d"] }
            return lengths(length).map { "\(count) per \($0)" }
        }
        return []
    }

    /// In lower case, with one space between words, and a colon taken for one.
    private static func plain(_ text: String) -> String {
        let text = (text.inHalfWidth ?? text).lowercased()
        return text.split { $0 == " " || $0 == ":" }.joined(separator: " ")
    }

    private static func lengths(_ text: some StringProtocol) -> [String] {
        if let period = Period(text), period.fixedMilliseconds != nil { return [period.text] }
        let meant = LengthSpelling.meant(by: text, allowsCalendar: false)
        let isBare = !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
        return isBare ? ["m", "h", "d"].map { "\(text)\($0)" } : meant
    }

    private static func days(_ text: some StringProtocol) -> [String] {
        if text.utf8.count == 10, Instant(rfc3339: String(text)) != nil { return [String(text)] }
        return DateSpelling.meant(by: text)
    }

    /// - Parameter isInclusive: whether the end may be a day that is still meant.
    private static func interval(
        _ first: Substring, _ second: Substring, isInclusive: Bool
    ) -> [String] {
        guard let start = days(first).onlyOne, let end = days(second).onlyOne else { return [] }
        let ends = [end] + (isInclusive ? [dayAfter(end)].compactMap { $0 } : [])
        return ends.map { "from \(start) until \($0)" }
    }

    private static func dayAfter(_ day: String) -> String? {
        Instant(rfc3339: day).map {
            String($0.advanced(byMilliseconds: 86_400_000).rfc3339.prefix(10))
        }
    }
}

extension String {
    /// What follows one of some words at the beginning; nil without one.
    fileprivate func following(_ words: [String]) -> Substring? {
        for word in words {
            guard let rest = dropping(prefix: word) else { continue }
            let isSign = word.first?.isLetter != true
            if isSign || rest.first == " " { return rest.drop { $0 == " " } }
        }
        return nil
    }

    /// The two ends of an interval, with or without `from` or `between` before it.
    fileprivate func ends(between separators: [String]) -> (Substring, Substring)? {
        let bare = following(["from", "between"]) ?? self[...]
        for separator in separators {
            guard let range = bare.range(of: separator) else { continue }
            let (first, second) = (bare[..<range.lowerBound], bare[range.upperBound...])
            if first.first?.isNumber == true, second.first?.isNumber == true {
                return (first, second)
            }
        }
        return nil
    }
}

extension Array {
    /// Nil for none and for several.
    fileprivate var onlyOne: Element? { count == 1 ? first : nil }
}
