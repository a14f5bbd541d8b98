internal import EntitlementModel

/// A text by lines, to show places of it to people.
struct SourceLines {
    private let lines: [Substring.UnicodeScalarView]

    init(_ source: String) {
        lines = source.unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.last == "\r" ? $0.dropLast() : $0 }
            .map { Substring($0).unicodeScalars }
    }

    /// A line without its end; empty past the last one.
    func line(_ number: Int) -> Substring {
        lines.indices.contains(number - 1) ? Substring(lines[number - 1]) : ""
    }

    /// Nil past the end of the line.
    func scalar(at mark: SourceMark) -> Unicode.Scalar? {
        guard lines.indices.contains(mark.line - 1) else { return nil }
        return lines[mark.line - 1].dropFirst(mark.column - 1).first
    }

    /// The place that an editor would name.
    func place(of span: SourceSpan) -> TextLocation {
        let line = line(span.start.line)
        let start = line.unicodeScalars.index(
            line.startIndex, offsetBy: span.start.column - 1, limitedBy: line.endIndex)
        let before = line[..<(start ?? line.endIndex)]
        let marked: Substring
        if span.end.line == span.start.line {
            let scalars = max(0, span.end.column - span.start.column)
            marked = Substring(line[before.endIndex...].unicodeScalars.prefix(scalars))
        } else {
            marked = contentWithoutComment(line[before.endIndex...])
        }
        return TextLocation(
            file: span.file, line: span.start.line, column: before.count + 1,
            length: max(1, marked.count))
    }

    var count: Int { lines.count }

    /// The first line that a version control system wrote where two versions disagree.
    func conflictMarker(in file: String) -> SourceSpan? {
        for (index, line) in lines.enumerated() {
            guard let sign = line.first, "<>|=".unicodeScalars.contains(sign),
                line.prefix(7).count == 7, line.prefix(7).allSatisfy({ $0 == sign }),
                line.dropFirst(7).first.map({ $0 == " " }) ?? true
            else { continue }
            return SourceSpan(
                file: file, start: SourceMark(line: index + 1, column: 1),
                end: SourceMark(line: index + 1, column: line.count + 1))
        }
        return nil
    }

    /// The column of the first full-width `：` or `，` outside quotes, comments and titles.
    func fullWidthColumn(inLine number: Int) -> Int? {
        // Titles may have them.
        let line = LineTable.Line(start: 0, text: line(number), end: 0)
        guard let edit = WidthEdits(file: "", line: line).all(inTitles: false).first else {
            return nil
        }
        return String(decoding: line.text.utf8.prefix(edit.bytes.lowerBound), as: UTF8.self)
            .unicodeScalars.count + 1
    }

    /// The characters of a line outside quotes and comments, with their columns. A quote counts
    /// as one only where a text can begin.
    func forEachSign(inLine number: Int, _ body: (Int, Unicode.Scalar) -> Void) {
        var quote: Unicode.Scalar?
        var previous: Unicode.Scalar = " "
        for (offset, scalar) in line(number).unicodeScalars.enumerated() {
            switch scalar {
            case "#" where quote == nil && previous == " ": return
            case "\"", "'":
                if quote == scalar {
                    quote = nil
                } else if quote == nil, " [{,".unicodeScalars.contains(previous) {
                    quote = scalar
                }
            default: if quote == nil { body(offset + 1, scalar) }
            }
            previous = scalar
        }
    }

    /// A line without its comment and the spaces before it.
    func contentWithoutComment(_ text: Substring) -> Substring {
        var content = text
        if let comment = text.range(of: " #") { content = text[..<comment.lowerBound] }
        while content.last == " " { content.removeLast() }
        return content
    }
}

extension Substring {
    /// Where a short text first stands in this one.
    func range(of needle: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) {
                return start..<index(start, offsetBy: needle.count)
            }
            formIndex(after: &start)
        }
        return nil
    }
}

/// Where the lines of a file begin, to find the bytes of a place.
struct LineTable {
    /// A line without its end.
    struct Line {
        /// Of its first byte in the file.
        var start: Int
        var text: Substring
        /// Of the first byte of the next line.
        var end: Int

        /// The spaces that it begins with.
        var indent: Int { text.utf8.prefix { $0 == UInt8(ascii: " ") }.count }

        /// Whether it is empty or has nothing but a comment.
        var isBlank: Bool {
            let content = text.drop { $0 == " " }
            return content.isEmpty || content.first == "#"
        }

        /// The first byte of what follows a prefix of the text.
        func offset(_ index: Substring.Index) -> Int {
            start + text.utf8.distance(from: text.utf8.startIndex, to: index)
        }

        /// The contents without a comment and the spaces before it. A quote counts as one only
        /// where a text can begin.
        var content: Substring {
            var end = text.endIndex
            var previous: Unicode.Scalar = " "
            for (index, scalar) in signs {
                if scalar == "#", previous == " " {
                    end = index
                    break
                }
                previous = scalar
            }
            var content = text[..<end]
            while content.last == " " { content.removeLast() }
            return content
        }

        /// The characters outside quotes, each with its place; a comment is among them.
        var signs: [(Substring.Index, Unicode.Scalar)] {
            var quote: Unicode.Scalar?
            var previous: Unicode.Scalar = " "
            var signs: [(Substring.Index, Unicode.Scalar)] = []
            let scalars = text.unicodeScalars
            for index in scalars.indices {
                let scalar = scalars[index]
                if let open = quote {
                    if scalar == open { quote = nil }
                } else if scalar == "\"" || scalar == "'", " [{,".unicodeScalars.contains(previous)
                {
                    quote = scalar
                } else {
                    signs.append((index, scalar))
                    if scalar == "#", previous == " " {
                        let rest = scalars.indices[index...].dropFirst()
                        return signs + rest.map { ($0, scalars[$0]) }
                    }
                }
                previous = scalar
            }
            return signs
        }

        /// The bytes of the content from its first character that is not a space.
        var contentBytes: Range<Int> { (start + indent)..<(start + content.utf8.count) }
    }

    let file: String
    let lines: [Line]

    init?(_ text: PolicyText) {
        guard let source = String(validating: text.bytes, as: UTF8.self) else { return nil }
        file = text.path
        var lines: [Line] = []
        var start = 0
        for part in source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            let length = Substring(part).utf8.count
            // A return without its line feed ends no line.
            let isLast = start + length == text.bytes.count
            let bare = part.last == "\r" && !isLast ? part.dropLast() : part
            lines.append(Line(start: start, text: Substring(bare), end: start + length + 1))
            start += length + 1
        }
        lines[lines.count - 1].end -= 1
        self.lines = lines
    }

    /// Counted from 1; nil past the end.
    func line(_ number: Int) -> Line? {
        lines.indices.contains(number - 1) ? lines[number - 1] : nil
    }

    /// The bytes that an editor would mark.
    func bytes(of place: TextLocation) -> Range<Int>? {
        guard let line = line(place.line), place.column > 0 else { return nil }
        let text = line.text
        guard
            let start = text.index(
                text.startIndex, offsetBy: place.column - 1, limitedBy: text.endIndex)
        else { return nil }
        let end =
            text.index(start, offsetBy: place.length, limitedBy: text.endIndex) ?? text.endIndex
        return line.offset(start)..<line.offset(end)
    }

    /// The number of the line that a byte is in.
    func number(ofLineAt byte: Int) -> Int {
        (lines.firstIndex { byte < $0.end } ?? lines.count - 1) + 1
    }
}

/// Full-width punctuation of a line, and the ASCII signs in its place.
struct WidthEdits {
    let file: String
    let line: LineTable.Line

    private static let textKeys: Set<String> = ["title", "title_zh", "name", "because"]

    /// - Parameter inTitles: whether titles have them, too, where they are text.
    func all(inTitles: Bool) -> [Repair.Edit] {
        let content = line.content
        var edits: [Repair.Edit] = []
        var isTitle = false
        for (index, scalar) in line.signs where index < content.endIndex {
            let next = content.unicodeScalars[index...].dropFirst()
            if isTitle, endsTitle(scalar, Substring(next)) { isTitle = false }
            let isColon = scalar == ":" || scalar == "："
            if !isTitle || inTitles, let plain = scalar.plainSign {
                let start = line.offset(index)
                let bytes = start..<(start + scalar.utf8.count)
                let needsSpace = ":,".contains(plain) && !(next.isEmpty || next.first == " ")
                edits.append(
                    Repair.Edit(
                        file: file, bytes: bytes, replacement: needsSpace ? plain + " " : plain))
            }
            if isColon, !isTitle { isTitle = Self.textKeys.contains(word(before: index)) }
        }
        return edits
    }

    private func word(before index: Substring.Index) -> String {
        let before = line.text[..<index].reversed().prefix { $0.isLetter || $0 == "_" }
        return String(before.reversed())
    }

    /// Whether a title ends here: at a bracket, or at a comma before the next key.
    private func endsTitle(_ scalar: Unicode.Scalar, _ rest: Substring) -> Bool {
        if scalar == "}" || scalar == "｝" { return true }
        guard scalar == "," || scalar == "，" else { return false }
        let word = rest.drop { $0 == " " }.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
        let after = rest.drop { $0 == " " }.dropFirst(word.count).first
        return PolicyGrammar.keys.contains(String(word)) && (after == ":" || after == "：")
    }
}

extension Unicode.Scalar {
    /// The ASCII sign in the place of a full-width one; nil for others, and for parentheses,
    /// which are text wherever they are.
    fileprivate var plainSign: String? {
        guard self != "（", self != "）" else { return nil }
        return plainForm
    }

    /// The ASCII characters of a full-width one, or of other quotes and dashes.
    fileprivate var plainForm: String? {
        switch value {
        case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0).map { String($0) }
        case 0x201C...0x201F: "\""
        case 0x2018...0x201B: "'"
        case 0x3010: "["
        case 0x3011: "]"
        case 0x3002: "."
        case 0x3001: ","
        case 0x2010...0x2015, 0x2212: "-"
        default: nil
        }
    }
}

extension String {
    /// The text in ASCII where it differs only in the width of characters; nil for any other.
    var inHalfWidth: String? {
        var plain = ""
        var needsSpace = false
        for scalar in unicodeScalars {
            let form = scalar.plainForm
            let text = form ?? String(scalar)
            if needsSpace, text != " " { plain += " " }
            needsSpace = form == "," || form == ":"
            plain += text
        }
        if plain.hasPrefix("("), plain.hasSuffix(")") {
            plain = String(plain.dropFirst().dropLast())
        }
        return plain != self && plain.utf8.allSatisfy { $0 < 0x80 } ? plain : nil
    }
}
