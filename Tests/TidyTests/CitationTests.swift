internal import TestSupport
internal import Testing

/// What comments and documents name by number: sections of the specification as `spec 1.6`, rows
/// of the threats as `THREATS.md A32`.
@Suite("Citations", .timeLimit(.minutes(20)))
struct CitationTests {
    @Test("every section that is cited is a heading of the specification")
    func sectionsExist() throws {
        let sections = try Set(
            Repository.files(under: "docs/spec", suffix: ".md").flatMap(Self.sections))
        #expect(sections.count >= 20)
        var count = 0
        for path in Self.citing {
            let words = try Self.words(of: path)
            for (place, word) in words.enumerated()
            where word.drop(while: { !$0.isLetter }) == "spec" {
                for name in Self.names(in: words[(place + 1)...], where: Self.isNumber) {
                    count += 1
                    #expect(sections.contains(name), "\(path) cites spec \(name)")
                }
            }
        }
        #expect(count >= 300)
    }

    @Test("every row that is cited is a row of the threats")
    func rowsExist() throws {
        let rows = try Self.rows(of: Self.words(of: "docs/THREATS.md"))
        #expect(rows.count >= 100)
        var count = 0
        for path in Self.citing {
            let words = try Self.words(of: path)
            for (place, word) in words.enumerated() where word.hasSuffix("THREATS.md") {
                let names = Self.names(in: words[(place + 1)...]) { ThreatRow($0) != nil }
                for row in names.compactMap({ ThreatRow($0) }) {
                    count += 1
                    #expect(rows.contains(row), "\(path) cites \(row.letter)\(row.number)")
                }
            }
        }
        #expect(count >= 50)
    }

    @Test("a citation goes on over commas, ranges and the ends of lines")
    func listsAreRead() {
        let text = """
            /// A list (spec 1.2,
            /// 1.10), THREATS.md A1 to A3, B7; and 4.0.
            """
        let words = Self.words(in: text)
        #expect(Self.names(in: words[3...], where: Self.isNumber) == ["1.2", "1.10"])
        let rows = Self.names(in: words[6...]) { ThreatRow($0) != nil }
        #expect(rows == ["A1", "A3", "B7"])
        #expect(Self.rows(of: words).map(\.number).sorted() == [1, 2, 3, 7])
    }
}

/// Reading of citations.
extension CitationTests {
    /// Everything that people read and that may cite.
    private static let citing =
        Repository.swiftFiles + Repository.files(under: "Tests", suffix: ".py")
        + Repository.files(under: "docs", suffix: ".md")
        + Repository.files(under: "scripts", suffix: "")

    /// The numbers of a page's headings: `1.6` of `## 1.6 From claims to owners`.
    private static func sections(of path: String) throws -> [Substring] {
        try Repository.lines(path).compactMap { line in
            let words = line.split(separator: " ")
            return words.count > 2 && words[0] == "##" && isNumber(words[1]) ? words[1] : nil
        }
    }

    private static func words(of path: String) throws -> [Substring] {
        words(in: try Repository.text(path))
    }

    /// The words of a text without the marks of comments and tables.
    private static func words(in text: String) -> [Substring] {
        text.split(whereSeparator: \.isWhitespace).filter { word in
            !word.allSatisfy { "/#*|".contains($0) }
        }
    }

    /// The names that a citation begins with, as far as commas, `to` and `and` join them.
    private static func names(
        in words: ArraySlice<Substring>, where isName: (Substring) -> Bool
    ) -> [Substring] {
        var names: [Substring] = []
        var rest = words
        while let word = rest.popFirst() {
            var name = word.prefix { $0.isLetter || $0.isNumber || $0 == "." }
            if name.last == "." { name = name.dropLast() }
            guard isName(name) else { break }
            names.append(name)
            let end = word[name.endIndex...]
            if end.isEmpty, let next = rest.first, next == "to" || next == "and" {
                rest.removeFirst()
            } else if end != "," {
                break
            }
        }
        return names
    }

    private static func isNumber(_ word: Substring) -> Bool {
        word.first?.isNumber ?? false
    }

    /// The rows that a text names, those inside a range too.
    private static func rows(of words: [Substring]) -> Set<ThreatRow> {
        var rows: Set<ThreatRow> = []
        for (place, word) in words.enumerated() {
            guard let row = ThreatRow(word.trimmed) else { continue }
            rows.insert(row)
            guard place + 2 < words.count, words[place + 1] == "to",
                let last = ThreatRow(words[place + 2].trimmed), last.letter == row.letter,
                row.number <= last.number
            else { continue }
            for number in row.number...last.number {
                rows.insert(ThreatRow(letter: row.letter, number: number))
            }
        }
        return rows
    }
}

/// The name of a threat: a letter from A to H, and a number.
private struct ThreatRow: Hashable {
    let letter: Character
    let number: Int

    init(letter: Character, number: Int) {
        self.letter = letter
        self.number = number
    }

    /// Nil for any other word.
    init?(_ word: Substring) {
        guard let letter = word.first, ("A"..."H").contains(letter),
            let number = Int(word.dropFirst()), number > 0
        else { return nil }
        self.init(letter: letter, number: number)
    }
}

extension Substring {
    /// Without what is no letter or digit at both ends.
    fileprivate var trimmed: Substring {
        var word = drop { !$0.isLetter && !$0.isNumber }
        while let last = word.last, !last.isLetter, !last.isNumber { word = word.dropLast() }
        return word
    }
}
