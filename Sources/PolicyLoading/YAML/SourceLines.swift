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
