internal import EntitlementModel

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
