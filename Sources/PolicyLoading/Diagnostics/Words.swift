/// The languages in which people are spoken to.
package enum MessageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case chinese = "zh"
}

/// A text for people, in both languages. `{0}`, `{1}` … stand for facts; other braces for
/// themselves.
package struct Words: Hashable, Sendable {
    package var english: String
    package var chinese: String

    package init(_ english: String, _ chinese: String) {
        self.english = english
        self.chinese = chinese
    }

    package subscript(language: MessageLanguage) -> String {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }

    /// The text with its facts filled in.
    func filled(with facts: [Fact], in language: MessageLanguage) -> String {
        var text = ""
        var rest = self[language][...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            rest = rest[rest.index(after: open)...]
            guard let number = rest.first?.wholeNumberValue, rest.dropFirst().first == "}" else {
                text += "{"
                continue
            }
            precondition(
                facts.indices.contains(number),
                "a message names a fact that its diagnostic lacks: \(self)")
            text += facts[number].shown(in: language)
            rest = rest.dropFirst(2)
        }
        return text + rest
    }
}

/// What a message is about.
package enum Fact: Hashable, Sendable {
    /// Something that the author wrote, shown in quotes.
    case written(String)
    case number(Int64)
    /// Things to choose from, each in quotes.
    case choice([String])
    case words(Words)

    /// As it stands in a message.
    func shown(in language: MessageLanguage) -> String {
        switch self {
        case .written(let text): "'\(printable(text))'"
        case .number(let number): String(number)
        case .choice(let texts):
            texts.map { "'\(printable($0))'" }.joined(separator: language == .english ? ", " : "、")
        case .words(let words): words[language]
        }
    }
}

/// The text with everything that could disturb a terminal or deceive the eye written as its
/// number, and with a long text cut.
///
/// - Parameter limit: the scalars that are shown; none is cut off where the text is what was
///   asked for and not a part of a message.
func printable(_ text: String, limit: Int = 80) -> String {
    var shown = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
        if count == limit { return shown + "…" }
        if scalar.value == 0x20 || !CharacterCheck.isHidden(scalar) {
            shown.unicodeScalars.append(scalar)
        } else {
            shown += "U+" + String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4, "0")
        }
    }
    return shown
}

extension String {
    /// Filled up on the left to a width in characters.
    func leftPadded(to width: Int, _ filler: Character) -> String {
        String(repeating: filler, count: max(0, width - count)) + self
    }
}
