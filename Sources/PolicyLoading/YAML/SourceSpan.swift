/// A place between two characters of a file; line and column count from 1.
///
/// Columns count Unicode scalars, as the YAML reader does. People are shown the characters that
/// an editor counts: `SourceLines` converts.
struct SourceMark: Hashable, Comparable, Sendable {
    var line: Int
    var column: Int

    static let start = SourceMark(line: 1, column: 1)

    static func < (left: SourceMark, right: SourceMark) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A stretch of a file, half-open.
struct SourceSpan: Hashable, Sendable {
    var file: String
    var start: SourceMark
    var end: SourceMark

    init(file: String, start: SourceMark, end: SourceMark) {
        self.file = file
        self.start = start
        self.end = end
    }

    /// One character.
    init(file: String, at mark: SourceMark) {
        self.init(
            file: file, start: mark, end: SourceMark(line: mark.line, column: mark.column + 1))
    }
}
