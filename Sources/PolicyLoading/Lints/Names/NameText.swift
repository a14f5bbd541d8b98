/// A name of a rule or a title as people read it: whole words of English, and stretches of Chinese.
struct NameText {
    /// In lower case, with one space around each word.
    private let spaced: String
    /// As it was written, in lower case.
    private let plain: String
    let words: [String]
    private let known: Set<String>
    let isASCII: Bool

    init(_ text: String) {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let lowercase = text.lowercased()
        plain = isASCII ? lowercase : lowercase.replacing("’", with: "'")
        // An apostrophe belongs to a word where letters follow it: "don't", but "founders'".
        let parts =
            plain.asciiWords { $0 == UInt8(ascii: "'") }
            ?? plain.split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
        words = parts.map { $0.hasSuffix("'") ? String($0.dropLast()) : $0 }
        known = Set(words)
        self.isASCII = isASCII || plain.utf8.allSatisfy { $0 < 0x80 }
        spaced = " " + words.joined(separator: " ") + " "
    }

    /// The first of some phrases that is in it; `*` stands for the rest of a word.
    func first(of phrases: [String]) -> String? {
        phrases.first(where: contains).map { $0.replacing("*", with: "") }
    }

    func contains(_ phrase: String) -> Bool {
        guard phrase.utf8.allSatisfy({ $0 < 0x80 }) else {
            return !isASCII && plain.contains(phrase)
        }
        guard let space = phrase.firstIndex(of: " ") else {
            guard phrase.hasSuffix("*") else { return known.contains(phrase) }
            let beginning = phrase.dropLast()
            return words.contains { $0.hasPrefix(beginning) }
        }
        guard known.contains(String(phrase[..<space])) else { return false }
        return phrase.hasSuffix("*")
            ? spaced.contains(" " + phrase.dropLast()) : spaced.contains(" " + phrase + " ")
    }

    func hasAny(_ phrases: [String]) -> Bool { phrases.contains(where: contains) }

    /// The first of some phrases that is in it and that no word next to it denies: `except in a
    /// trial`, `沙盒以外`.
    func affirmed(of phrases: [String]) -> String? {
        phrases.first { contains($0) && !isDenied($0) }.map { $0.replacing("*", with: "") }
    }

    /// The first of some phrases for whom it says that something is not: `not for the family`.
    func refused(to phrases: [String]) -> String? {
        let beginnings = ["not for ", "never for ", "nothing for "].flatMap { [$0, $0 + "the "] }
        return phrases.first { phrase in beginnings.contains { contains($0 + phrase) } }
    }

    /// Whether a phrase is what the name leaves out: `all but the staff`, `除员工外`.
    func excludes(_ phrase: String) -> Bool {
        guard phrase.utf8.allSatisfy({ $0 < 0x80 }) else {
            guard let place = plain.range(of: phrase) else { return false }
            return plain[..<place.lowerBound].suffix(4).contains("除")
                && plain[place.upperBound...].prefix(6).contains("外")
        }
        guard let place = spaced.range(of: " " + phrase) else { return false }
        let before = spaced[..<place.lowerBound].split(separator: " ").map(String.init)
        return before.suffix(3).contains(where: Self.excluders.contains)
    }

    /// Whether one of some phrases comes after a phrase.
    func hasAny(_ others: [String], after phrase: String) -> Bool {
        guard let place = plain.range(of: phrase) else { return false }
        return NameText(String(plain[place.upperBound...])).hasAny(others)
    }

    /// Whether one of some phrases comes before a phrase.
    func hasAny(_ others: [String], before phrase: String) -> Bool {
        guard let place = plain.range(of: phrase) else { return false }
        return NameText(String(plain[..<place.lowerBound])).hasAny(others)
    }

    private static let excluders: Set<String> = [
        "but", "except", "excepting", "besides", "excluding", "outside",
    ]

    private func isDenied(_ phrase: String) -> Bool {
        guard phrase.utf8.allSatisfy({ $0 < 0x80 }) else {
            guard let place = plain.range(of: phrase) else { return false }
            return Self.deniedBefore.contains(where: plain[..<place.lowerBound].suffix(3).contains)
                || Self.deniedAfter.contains { plain[place.upperBound...].prefix(3).contains($0) }
        }
        let bare = " " + phrase.replacing("*", with: "")
        guard let place = spaced.range(of: bare) else { return false }
        let before = spaced[..<place.lowerBound].split(separator: " ").map(String.init)
        return before.suffix(3).contains(where: Self.deniers.contains)
            || before.suffix(8).contains(where: Self.excluders.contains)
            || before.suffix(2).contains("no")
    }

    private static let deniers: Set<String> = [
        "not", "except", "excepting", "without", "outside", "but", "besides", "non", "than",
        "unless", "never", "beyond", "neither", "nor", "excluding", "exclude", "excludes",
    ]

    private static let deniedBefore = ["非", "不", "除", "无", "没"]
    private static let deniedAfter = ["以外", "除外", "之外", "外的"]
}

extension String {
    /// Where a part begins and ends; nil where it is not in it.
    fileprivate func range(of part: String) -> Range<String.Index>? { ranges(of: part).first }
}
