internal import EntitlementModel

/// The edits that a diagnostic carries. Where only the author can choose, one list for each choice.
struct DiagnosticEdits {
    private let diagnostic: Diagnostic
    private let lines: LineTable
    private let line: LineTable.Line
    /// The bytes that the diagnostic marks.
    private let place: Range<Int>

    /// Nil for a place that is not in the text.
    init?(_ diagnostic: Diagnostic, in text: PolicyText) {
        guard let lines = LineTable(text), let line = lines.line(diagnostic.place.line),
            let place = lines.bytes(of: diagnostic.place)
        else { return nil }
        (self.diagnostic, self.lines, self.line, self.place) = (diagnostic, lines, line, place)
    }

    /// What its help says to write in the marked place; else what its kind asks for.
    var choices: [[Repair.Edit]] {
        let written = (diagnostic.help?.replacements ?? []).filter(isCertain).map { text in
            edit(place, text)
        }
        return written.isEmpty
            ? [Self.own[diagnostic.id]?(self) ?? []].filter { !$0.isEmpty } : written
    }

    /// A word that was found by its spelling is certain where nothing but a slip of the keyboard
    /// lies between.
    private func isCertain(_ text: String) -> Bool {
        guard diagnostic.help?.isBySpelling == true,
            case .written(let word)? = diagnostic.facts.first
        else { return true }
        return word.isSlip(of: text)
    }

    private static let own: [DiagnosticID: @Sendable (Self) -> [Repair.Edit]?] = [
        .byteOrderMark: \.invisible, .invisibleCharacter: \.invisible, .tab: \.spaces,
        .ideographicSpace: \.spaces, .fullWidthPunctuation: \.width, .mixedScripts: \.latin,
        .missingVersion: \.version, .badIndentation: \.aligned, .colonInText: \.quotedValue,
        .reservedCharacter: \.quotedRest, .missingColon: \.colon, .missingSpace: \.spaceAfterColon,
        .alias: \.quotedWord, .severalDocuments: \.withoutLine, .yamlDirective: \.withoutLine,
        .duplicateKey: \.withoutCopy,
    ]

    private func edit(_ bytes: Range<Int>, _ replacement: String) -> [Repair.Edit] {
        [Repair.Edit(file: lines.file, bytes: bytes, replacement: replacement)]
    }

    private func insert(_ text: String, at offset: Int) -> [Repair.Edit] {
        edit(offset..<offset, text)
    }

    private func text(_ bytes: Range<Int>) -> String {
        let utf8 = line.text.utf8.dropFirst(bytes.lowerBound - line.start).prefix(bytes.count)
        return String(decoding: Array(utf8), as: UTF8.self)
    }
}

extension String {
    /// Whether a word is another with a slip of the keyboard: one in a short word, two in a longer
    /// one, and none in its digits, which most often mean what they say.
    fileprivate func isSlip(of meant: String) -> Bool {
        filter(\.isNumber) == meant.filter(\.isNumber)
            && suggestion(for: self, among: [meant], within: utf8.count < 8 ? 1 : 2) != nil
    }

    /// In double quotes, as YAML reads them.
    var inYAMLQuotes: String {
        let escaped = map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}

// MARK: Characters

extension DiagnosticEdits {
    /// What nobody sees, in the whole file: removed, or a space.
    private var invisible: [Repair.Edit] {
        lines.lines.flatMap { line in
            line.text.unicodeScalars.indices.flatMap { index -> [Repair.Edit] in
                let scalar = line.text.unicodeScalars[index]
                guard let plain = scalar.inPlaceOfInvisible else { return [] }
                let start = line.offset(index)
                return edit(start..<(start + scalar.utf8.count), plain)
            }
        }
    }

    /// Tabs and wide spaces between words; how far they indent a line is for its author to say.
    private var spaces: [Repair.Edit]? {
        let odd: Set<Unicode.Scalar> = ["\t", "\u{3000}"]
        let scalars = line.text.unicodeScalars
        let indent = scalars.prefix { $0 == " " || odd.contains($0) }
        guard !indent.contains(where: odd.contains) else { return nil }
        return scalars.indices.filter { odd.contains(scalars[$0]) }.flatMap { index in
            let start = line.offset(index)
            return edit(start..<(start + scalars[index].utf8.count), " ")
        }
    }

    /// Full-width punctuation where YAML needs its ASCII sister; titles keep theirs.
    private var width: [Repair.Edit] {
        let edits = WidthEdits(file: lines.file, line: line)
        let outside = edits.all(inTitles: false)
        return outside.isEmpty ? edits.all(inTitles: true) : outside
    }

    /// Letters of other alphabets that look like Latin ones, in a word that is Latin otherwise.
    private var latin: [Repair.Edit]? {
        guard case .written(let text)? = diagnostic.facts.first else { return nil }
        let latin = String(
            String.UnicodeScalarView(text.unicodeScalars.map { lookAlikes[$0] ?? $0 }))
        return latin.utf8.allSatisfy { $0 < 0x80 } ? edit(place, latin) : nil
    }
}

extension Unicode.Scalar {
    /// Nil for what may stay, or what is not known to be either nothing or a space.
    fileprivate var inPlaceOfInvisible: String? {
        switch value {
        case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F: " "
        case 0xAD, 0x034F, 0x061C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F,
            0xFE00...0xFE0E, 0xFEFF:
            ""
        default: nil
        }
    }
}

private let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
    uniqueKeysWithValues: zip(
        "аеорсхуіјѕАВЕКМНОРСТХІЈοαυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ".unicodeScalars,
        "aeopcxyijsABEKMHOPCTXIJoauABEZHIKMNOPTYX".unicodeScalars))

// MARK: YAML

extension DiagnosticEdits {
    /// `title: Video: high definition` with the value in quotes, of a text for people.
    private var quotedValue: [Repair.Edit]? {
        let keys = ["title", "title_zh", "name", "because"]
        guard let colon = line.content.range(of: ": "),
            keys.contains(String(line.content[..<colon.lowerBound].drop { " -".contains($0) })),
            let start = line.content[colon.upperBound...].firstIndex(where: { $0 != " " })
        else { return nil }
        let bytes = line.offset(start)..<line.contentBytes.upperBound
        return "[{\"'".contains(line.content[start]) ? nil : edit(bytes, text(bytes).inYAMLQuotes)
    }

    /// From the mark to where a value ends: in brackets at a comma or the bracket's end.
    private var quotedRest: [Repair.Edit]? {
        let content = line.contentBytes
        let isInBrackets = text(content.lowerBound..<place.lowerBound).contains {
            "[{".contains($0)
        }
        let value = rest.prefix { !isInBrackets || !",]}".contains($0) }
        guard !value.isEmpty, !value.contains("\"") else { return nil }
        return edit(
            place.lowerBound..<(place.lowerBound + value.utf8.count), String(value).inYAMLQuotes)
    }

    /// What is in the line from the mark on.
    private var rest: String {
        text(place.lowerBound..<max(place.lowerBound, line.contentBytes.upperBound))
    }

    /// A pattern such as `*.monthly`, which YAML takes for an alias.
    private var quotedWord: [Repair.Edit]? {
        let word = rest.prefix { !" ,]}".contains($0) }
        guard word.utf8.count > 1 else { return nil }
        return edit(place.lowerBound..<(place.lowerBound + word.utf8.count), "\"\(word)\"")
    }

    private var colon: [Repair.Edit]? { insert(":", at: line.contentBytes.upperBound) }

    private var spaceAfterColon: [Repair.Edit]? {
        let marked = text(place)
        guard let colon = marked.firstIndex(of: ":") else { return nil }
        let offset = marked.utf8.distance(from: marked.startIndex, to: colon) + 1
        return insert(" ", at: place.lowerBound + offset)
    }

    private var withoutLine: [Repair.Edit]? {
        "-%".contains(text(line.contentBytes).first ?? " ")
            ? edit(line.start..<line.end, "") : nil
    }

    /// Without the second of two lines that say the same.
    private var withoutCopy: [Repair.Edit]? {
        guard let first = diagnostic.related.first?.place, first.file == lines.file,
            let other = lines.line(first.line), other.start != line.start,
            other.content == line.content, line.content.last != ":",
            place.lowerBound == line.contentBytes.lowerBound
        else { return nil }
        return edit(line.start..<line.end, "")
    }

    /// The version of the format, after the comments at the top.
    private var version: [Repair.Edit]? {
        guard let first = lines.lines.first(where: { $0.text.first != "#" }) else { return nil }
        let ending = lines.lines[0].text.utf8.count + 2 == lines.lines[0].end ? "\r\n" : "\n"
        return insert("usher: 1" + ending, at: first.start)
    }

    /// A line that is one column off from the line before it or after it.
    private var aligned: [Repair.Edit]? {
        let number = diagnostic.place.line
        let before = lines.lines.prefix(number - 1).last { !$0.isBlank }
        let after = lines.lines.dropFirst(number).first { !$0.isBlank }
        let near = Set([before, after].compactMap { $0?.indent }).filter {
            abs($0 - line.indent) == 1
        }
        guard near.count == 1, let indent = near.first else { return nil }
        return indent > line.indent
            ? insert(" ", at: line.start) : edit(line.start..<(line.start + 1), "")
    }
}
