internal import PolicyLoading

/// What could be written at a place of a text. What is being typed is hardly ever YAML, so a word
/// is put there, the line is ended behind it, and the reader of policies is asked where that word
/// is; the lines below are left out where nothing can be read with them.
struct TypedPlace: Sendable {
    enum Place: Sendable {
        /// A key or a value: the beginning of a line, or of an element.
        case node
        /// A key in braces.
        case flowKey
        /// What follows a key.
        case value
    }

    let place: Place
    /// Of what contains it.
    let path: [PolicyStep]
    /// What is being typed, with the rest of the word behind it.
    let range: Range<Int>
    let isInBraces: Bool
    /// The text with the word in it.
    let scan: ScannedFile

    private static let word = "usher-is-typed-here"

    /// Nil where nothing can be: in a comment, behind a value, or below a mistake.
    init?(at offset: Int, in document: TextDocument) {
        let line = document.line(document.lineNumber(at: offset))
        let offset = min(offset, line.upperBound)
        let typed = TypedLine(document.bytes[line.lowerBound..<offset])
        guard !typed.isComment else { return nil }
        range = typed.start..<Self.end(of: typed.start, offset, document.bytes[..<line.upperBound])
        isInBraces = !typed.brackets.isEmpty
        let closing = typed.brackets.reversed().map { $0 == "{" ? "}" : "]" }.joined()
        let isKey = typed.brackets.last.map { $0 == "{" } ?? true
        let forms =
            typed.followsKey
            ? [Self.word + closing]
            : (isKey ? [Self.word + ": x" + closing] : [])
                + [Self.word + closing]
        for form in forms {
            for rest in [document.bytes[line.upperBound...], []] {
                let scan = ScannedFile(
                    bytes: Array(document.bytes[..<typed.start]) + Array(form.utf8) + Array(rest))
                guard let token = scan.tokens.first(where: { $0.text == Self.word }) else {
                    continue
                }
                self.scan = scan
                path = token.role == .key ? token.path.dropLast() : token.path
                place = typed.followsKey ? .value : isInBraces && isKey ? .flowKey : .node
                return
            }
        }
        return nil
    }

    private static func end(of start: Int, _ offset: Int, _ line: ArraySlice<UInt8>) -> Int {
        if start < offset, let quote = line[start...].first, quote == 0x22 || quote == 0x27 {
            return line[offset...].firstIndex(of: quote).map { $0 + 1 } ?? line.endIndex
        }
        return line[offset...].firstIndex { " ,[]{}:#\r".utf8.contains($0) } ?? line.endIndex
    }
}

/// A line up to where it is being typed.
private struct TypedLine {
    /// Where that begins which is being typed.
    var start: Int
    /// The brackets that are open.
    var brackets: [Character] = []
    /// Whether a key and its colon are before it.
    var followsKey = false
    var isComment = false

    init(_ line: ArraySlice<UInt8>) {
        start = line.startIndex
        var quote: UInt8?
        var previous = UInt8(ascii: " ")
        for index in line.indices {
            let byte = line[index]
            defer { previous = byte }
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "#") where previous == 0x20: isComment = true
            case 0x22, 0x27: if " [{,".utf8.contains(previous) { quote = byte }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                brackets.append(byte == UInt8(ascii: "[") ? "[" : "{")
                begin(behind: index, followsKey: false)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = brackets.popLast()
            case UInt8(ascii: ",") where !brackets.isEmpty: begin(behind: index, followsKey: false)
            case 0x20 where previous == UInt8(ascii: ":"): begin(behind: index, followsKey: true)
            case 0x20 where previous == UInt8(ascii: "-") && !followsKey && brackets.isEmpty:
                begin(behind: index, followsKey: false)
            case 0x20 where start == index: start = index + 1
            default: break
            }
        }
    }

    private mutating func begin(behind index: Int, followsKey: Bool) {
        start = index + 1
        self.followsKey = followsKey
    }
}
