internal import PolicyLoading

/// What a file has in its lines, as far as they show it: keys and values with the keys that lead to
/// them. A text that is being typed is hardly ever YAML, so this is read by indentation and
/// brackets alone, and reads any text.
struct ScannedFile: Sendable {
    let bytes: [UInt8]
    let tokens: [ScannedToken]
    /// The names among them.
    let uses: [NameUse]
    /// Positions of values by the keys that lead to them, and of keys by those of their map: a
    /// catalogue has tens of thousands, of which an answer wants a few again and again.
    private let valuesByKey: [[PolicyStep]: [Int]]
    private let keysByMap: [[PolicyStep]: [Int]]

    init(_ document: TextDocument) {
        bytes = document.bytes
        var scanner = PolicyScanner(document.bytes[...])
        scanner.scanAll()
        tokens = scanner.tokens
        uses = tokens.compactMap { NameUse($0) }
        var (values, keys): ([[PolicyStep]: [Int]], [[PolicyStep]: [Int]]) = ([:], [:])
        for (position, token) in tokens.enumerated() {
            switch token.role {
            case .key: keys[Array(token.path.dropLast()), default: []].append(position)
            case .value: values[Self.lastKey(of: token.path), default: []].append(position)
            }
        }
        (valuesByKey, keysByMap) = (values, keys)
    }

    /// What is at a byte; of two that touch there, the one that begins.
    func token(at offset: Int) -> ScannedToken? {
        let near = tokens.filter { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
        return near.last
    }

    /// The keys of the map that a path leads to.
    func keys(of path: [PolicyStep]) -> [ScannedToken] {
        (keysByMap[path] ?? []).map { tokens[$0] }
    }

    /// The values behind the key that a path leads to: one, or the elements of a list.
    func values(of path: [PolicyStep]) -> [ScannedToken] {
        (valuesByKey[Self.lastKey(of: path)] ?? []).map { tokens[$0] }
            .filter { $0.path.starts(with: path) }
    }

    /// The one value that a path leads to.
    func value(of path: [PolicyStep]) -> ScannedToken? {
        values(of: path).first { $0.path == path }
    }

    /// A path without the elements at its end.
    private static func lastKey(of path: [PolicyStep]) -> [PolicyStep] {
        var path = path
        while let last = path.last, last.key == nil { path.removeLast() }
        return path
    }
}

/// A key or a value.
struct ScannedToken: Hashable, Sendable {
    enum Role: Sendable {
        case key
        case value
    }

    let role: Role
    /// Of a key with itself at the end.
    let path: [PolicyStep]
    /// Without quotes.
    let text: String
    /// The bytes, with quotes.
    let range: Range<Int>
}

/// What could be written at a place of a text.
struct ScannedCursor: Sendable {
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
    /// Where that begins which is being typed.
    let start: Int
    let isInBraces: Bool

    /// Nil where nothing can be: in a comment, or behind a value.
    init?(at offset: Int, in document: TextDocument) {
        let line = document.line(document.lineNumber(at: offset))
        let offset = min(offset, line.upperBound)
        var scanner = PolicyScanner(document.bytes[..<line.lowerBound])
        scanner.scanAll()
        scanner.scanLine(document.bytes[line.lowerBound..<offset], isWhole: false)
        guard let cursor = scanner.cursor else { return nil }
        self = cursor
    }

    init(place: Place, path: [PolicyStep], start: Int, isInBraces: Bool) {
        (self.place, self.path) = (place, path)
        (self.start, self.isInBraces) = (start, isInBraces)
    }
}
