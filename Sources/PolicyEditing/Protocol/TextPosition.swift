internal import StrictJSON

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
