internal import PolicyLoading
internal import StrictJSON

/// A text with its lines, as an editor edits it.
struct TextDocument: Sendable {
    /// UTF-8.
    private(set) var bytes: [UInt8]
    /// Where each line begins; never empty. Lines end with CR LF, LF or CR, as the protocol says.
    private var lineStarts: [Int] = []
    /// The same for lines as policies have them, which a lone CR does not end.
    private var newlineStarts: [Int] = []

    init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// - Parameter bytes: what is not UTF-8 in them is shown as replacement characters.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        if String(validating: bytes, as: UTF8.self) == nil {
            self.bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
        }
        findLines()
    }

    var lineCount: Int { lineStarts.count }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    /// Replaces a stretch, as one change of the client says.
    mutating func replace(_ range: Range<Int>, with text: String) {
        bytes.replaceSubrange(range.clamped(to: 0..<bytes.count), with: text.utf8)
        findLines()
    }

    private mutating func findLines() {
        var (lines, newlines) = ([0], [0])
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0A {
                lines.append(index + 1)
                newlines.append(index + 1)
            } else if byte == 0x0D, index + 1 == bytes.count || bytes[index + 1] != 0x0A {
                lines.append(index + 1)
            }
        }
        (lineStarts, newlineStarts) = (lines, newlines)
    }

    // MARK: Places

    /// A line without its end; the last one for a number beyond it.
    func line(_ number: Int) -> Range<Int> {
        let index = min(max(0, number), lineStarts.count - 1)
        let isLast = index + 1 == lineStarts.count
        var end = isLast ? bytes.count : lineStarts[index + 1]
        while end > lineStarts[index], bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D {
            end -= 1
        }
        return lineStarts[index]..<end
    }

    /// The number of the line that a byte is in.
    func lineNumber(at offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The byte at a position. Beyond the end of a line it is that end, beyond the last line the
    /// end of the text, inside a character its beginning.
    func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
        guard position.line < lineStarts.count else { return bytes.count }
        let line = line(position.line)
        var (offset, units) = (line.lowerBound, 0)
        while offset < line.upperBound {
            let length = scalarLength(at: offset)
            units += encoding.units(bytes: length)
            if units > position.character { break }
            offset += length
        }
        return offset
    }

    /// The bytes of a range.
    func offsets(of range: TextRange, _ encoding: PositionEncoding) -> Range<Int> {
        let start = offset(of: range.start, encoding)
        return start..<max(start, offset(of: range.end, encoding))
    }

    func position(at offset: Int, _ encoding: PositionEncoding) -> TextPosition {
        let offset = min(max(0, offset), bytes.count)
        let number = lineNumber(at: offset)
        var (index, units) = (lineStarts[number], 0)
        let end = min(offset, max(index, line(number).upperBound))
        while index < end {
            let length = scalarLength(at: index)
            units += encoding.units(bytes: length)
            index += length
        }
        return TextPosition(line: number, character: units)
    }

    func range(_ offsets: Range<Int>, _ encoding: PositionEncoding) -> TextRange {
        TextRange(
            start: position(at: offsets.lowerBound, encoding),
            end: position(at: offsets.upperBound, encoding))
    }

    /// The bytes of a place that a diagnostic names; the first line where it names none.
    func offsets(of location: TextLocation) -> Range<Int> {
        guard location.line > 0 else { return line(0) }
        guard location.line <= newlineStarts.count else { return bytes.count..<bytes.count }
        let start = newlineStarts[location.line - 1]
        let isLast = location.line == newlineStarts.count
        var end = isLast ? bytes.count : newlineStarts[location.line] - 1
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        let line = text(start..<end)
        let before = line.prefix(max(0, location.column - 1))
        let marked = line[before.endIndex...].prefix(max(0, location.length))
        let first = start + before.utf8.count
        return first..<(first + marked.utf8.count)
    }

    private func scalarLength(at offset: Int) -> Int {
        switch bytes[offset] {
        case 0..<0xC0: 1
        case 0xC0..<0xE0: 2
        case 0xE0..<0xF0: 3
        default: 4
        }
    }
}

/// A place between two characters of a document; line and character count from 0, characters in
/// the units of the encoding that was agreed on.
struct TextPosition: Hashable, Comparable, Sendable {
    var line: Int
    var character: Int

    static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }
}

/// A stretch of a document, half-open.
struct TextRange: Hashable, Sendable {
    var start: TextPosition
    var end: TextPosition
}

/// What a character of a position is.
enum PositionEncoding: String, Sendable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"

    /// UTF-8 if the client can, else UTF-16, which every client can.
    init(offered: [String]) {
        self = offered.contains(Self.utf8.rawValue) ? .utf8 : .utf16
    }

    /// Of a scalar that is so many bytes of UTF-8.
    func units(bytes: Int) -> Int {
        switch self {
        case .utf8: bytes
        case .utf16: bytes == 4 ? 2 : 1
        }
    }
}

extension TextPosition {
    /// Nil for anything that is no position.
    init?(_ value: JSONValue?) {
        guard let line = value?["line"]?.int64, let character = value?["character"]?.int64,
            (0...Int64(Int32.max)).contains(line), (0...Int64(Int32.max)).contains(character)
        else { return nil }
        self.init(line: Int(line), character: Int(character))
    }

    var json: JSONValue {
        ["line": .integer(Int64(line)), "character": .integer(Int64(character))]
    }
}

extension TextRange {
    /// Nil for anything that is no range.
    init?(_ value: JSONValue?) {
        guard let start = TextPosition(value?["start"]), let end = TextPosition(value?["end"]),
            start <= end
        else { return nil }
        self.init(start: start, end: end)
    }

    var json: JSONValue { ["start": start.json, "end": end.json] }

    /// Whether they have a place in common, an end too.
    func touches(_ other: TextRange) -> Bool { start <= other.end && other.start <= end }
}
