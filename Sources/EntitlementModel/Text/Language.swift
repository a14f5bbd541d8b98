/// The language of sentences for people. Codes and member names are the same in all.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case chinese = "zh"

    /// Of a locale such as `zh_CN.UTF-8`; English where it is of none of these.
    package init(locale: String) {
        self = Language(rawValue: locale.prefix { $0.isLetter }.lowercased()) ?? .english
    }

    /// The prefix of its language tags, as the bytes of a request.
    package var subtag: StaticString {
        switch self {
        case .english: "en"
        case .chinese: "zh"
        }
    }

    /// The tag of a page whose sentences are in it.
    package var tag: String {
        switch self {
        case .english: "en"
        case .chinese: "zh-Hans"
        }
    }
}

/// A text for people in every language. Places (`{0}`, `{1}` …) are filled with facts.
package protocol LocalizedText {
    /// With its places.
    func template(in language: Language) -> String
    /// The values of the places, if the text itself knows them.
    func facts(in language: Language) -> [String]
}

/// A text whose English is at its declaration. Each target has one table for every other language,
/// in a file of the language's name.
///
/// A new language is a case above, a requirement here and its line in `template(in:)`; the
/// compiler then names the targets without a table, and a test the texts that a table lacks.
package protocol TabledText: LocalizedText {
    var english: String { get }
    /// Its name in the tables, below that of its type: its case.
    var key: String { get }
    /// Another text that is said instead, where some values of a case have words of their own.
    var substitute: (any LocalizedText)? { get }
    static var chinese: TextTable { get }
}

/// A list of texts whose raw values are their English.
package protocol Wording: RawRepresentable, TabledText where RawValue == String {}

extension Wording {
    package var english: String { rawValue }
}

extension TabledText {
    package var key: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
    package var substitute: (any LocalizedText)? { nil }

    package func template(in language: Language) -> String {
        if let substitute { return substitute.template(in: language) }
        return switch language {
        case .english: english
        case .chinese: Self.chinese.text(key, of: Self.self) ?? english
        }
    }
}

extension LocalizedText {
    package func facts(in language: Language) -> [String] { [] }

    /// With its own facts in the places, safe to print.
    package func text(_ language: Language) -> String {
        filled(with: facts(in: language).map(\.shown), in: language)
    }

    /// With the caller's values in the places, each on its line. They may be coloured; the caller
    /// escapes foreign text by `shown`.
    package func text(_ language: Language, _ values: String...) -> String {
        filled(with: values.map(\.safeLine), in: language)
    }

    /// A place without a value is left unchanged, like any other brace. `{0 ticket|tickets}` is the
    /// value and the first word for one, the second for any other number.
    package func filled(with values: [String], in language: Language) -> String {
        var text = ""
        var rest = template(in: language)[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            rest = rest[open...]
            let place = rest.dropFirst().prefix { $0 != "}" }
            if let number = place.first?.wholeNumberValue, values.indices.contains(number),
                place.endIndex < rest.endIndex,
                let words = Self.words(place.dropFirst(), counting: values[number])
            {
                text += values[number] + words
                rest = rest[rest.index(after: place.endIndex)...]
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text + rest
    }

    /// What follows a value in its place; nil where that is no place.
    private static func words(_ place: Substring, counting value: String) -> String? {
        if place.isEmpty { return "" }
        let forms = place.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
        guard place.first == " ", forms.count == 2 else { return nil }
        return " " + (value == "1" ? forms[0] : forms[1])
    }
}

extension LocalizedText where Self: RawRepresentable, RawValue == String {
    /// The words for a code; the code itself where this version does not know it.
    package static func words(_ code: String, _ language: Language) -> String {
        Self(rawValue: code)?.text(language) ?? code
    }
}

/// The texts of a target in one language: below each `# Type` a line `key: text` for each of its
/// texts. A line that begins with `|` is the next line of the text above it.
package struct TextTable: Sendable {
    private var sections: [Substring: [Substring]] = [:]

    package init(_ text: String) {
        var type: Substring = ""
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            if line.utf8.first == UInt8(ascii: "#") {
                type = line.dropFirst(2)
            } else {
                sections[type, default: []].append(line)
            }
        }
    }

    /// Nil where it has no such text.
    func text<Text>(_ key: String, of type: Text.Type) -> String? {
        // Without the module, which moves of types change.
        let name = String(reflecting: type).drop { $0 != "." }.dropFirst()
        guard let lines = sections[name],
            let start = lines.firstIndex(where: { Self.isEntry($0.utf8, key.utf8) })
        else { return nil }
        let first = String(Substring(lines[start].utf8.dropFirst(key.utf8.count + 2)))
        let others = lines[(start + 1)...].prefix { $0.utf8.first == UInt8(ascii: "|") }
        return others.reduce(first) { $0 + "\n" + $1.dropFirst() }
    }

    private static func isEntry(_ line: Substring.UTF8View, _ key: String.UTF8View) -> Bool {
        line.starts(with: key) && line.dropFirst(key.count).first == UInt8(ascii: ":")
    }
}
