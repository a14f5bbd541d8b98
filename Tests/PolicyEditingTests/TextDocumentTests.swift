internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

@Suite("Texts as an editor edits them", .timeLimit(.minutes(20)))
struct TextDocumentTests {
    @Test(
        "have positions in the units that were agreed on",
        arguments: [
            // 'a高🙂é' is 1, 3, 4 and 2 bytes, or 1, 1, 2 and 1 units of UTF-16.
            (0, 0, 0), (1, 1, 1), (2, 4, 4), (3, 8, 4), (4, 8, 8), (5, 10, 10), (6, 10, 10),
        ])
    func positions(utf16: Int, offset: Int, roundedDown: Int) {
        let text = TextDocument("a高🙂é\nb")
        let at = TextPosition(line: 0, character: utf16)
        // Unit 3 is inside the pair of surrogates.
        let expected = utf16 == 3 ? roundedDown : offset
        #expect(text.offset(of: at, .utf16) == expected)
        #expect(text.offset(of: TextPosition(line: 0, character: expected), .utf8) == expected)
        #expect(text.position(at: expected, .utf8) == TextPosition(line: 0, character: expected))
        if utf16 != 3, utf16 < 6 {
            #expect(text.position(at: expected, .utf16) == at)
        }
    }

    @Test("clamp positions to the end of the line and of the text")
    func clamping() {
        let text = TextDocument("ab\r\ncd\rE\n")
        #expect(text.lineCount == 4)
        for (line, end) in [(0, 2), (1, 6), (2, 8), (3, 9), (4, 9), (1_000, 9)] {
            let far = TextPosition(line: line, character: 1_000)
            #expect(text.offset(of: far, .utf16) == end, "line \(line)")
        }
        let middle = TextPosition(line: 0, character: 2)
        #expect(text.offset(of: middle, .utf8) == 2)
        let inside = TextDocument("é")
        #expect(inside.offset(of: TextPosition(line: 0, character: 1), .utf8) == 0)
    }

    @Test("show the places of diagnostics, which count characters and lines otherwise")
    func locations() {
        let text = TextDocument("# 👨‍👩‍👧\r\ngéa: 高🙂x\nend")
        let place = TextLocation(file: "a", line: 2, column: 6, length: 2)
        let range = text.range(text.offsets(of: place), .utf16)
        #expect(range.start == TextPosition(line: 1, character: 5))
        #expect(range.end == TextPosition(line: 1, character: 8))
        let family = TextLocation(file: "a", line: 1, column: 3, length: 1)
        #expect(text.text(text.offsets(of: family)) == "👨‍👩‍👧")
        #expect(text.text(text.offsets(of: TextLocation(file: "a"))) == "# 👨‍👩‍👧")
        for line in [3, 4, 900] {
            let beyond = TextLocation(file: "a", line: line, column: 50, length: 5)
            #expect(text.offsets(of: beyond) == text.bytes.count..<text.bytes.count)
        }
    }

    @Test("hold what was typed, however it was sent", arguments: 0..<40 as Range<UInt64>)
    func randomEdits(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = ["a", "高", "🙂", "\n", "\r\n", "\r", "é", "  - ", "", "x: y\n", "👨‍👩‍👧"]
        let encoding = random.chance(1, in: 2) ? PositionEncoding.utf16 : .utf8
        var document = TextDocument("")
        var plain: [Unicode.Scalar] = []
        for _ in 0..<200 {
            let start = random.below(plain.count + 1)
            let length = random.below(min(6, plain.count - start) + 1)
            let text = (0..<random.below(3)).map { _ in random.pick(pieces) }.joined()
            // The positions are those that an editor would count by itself.
            let range = TextRange(
                start: Self.position(start, in: plain, encoding),
                end: Self.position(start + length, in: plain, encoding))
            // Between CR and LF there is no position.
            guard !Self.isInsideBreak(start, plain), !Self.isInsideBreak(start + length, plain)
            else { continue }
            document.replace(document.offsets(of: range, encoding), with: text)
            plain.replaceSubrange(start..<(start + length), with: text.unicodeScalars)
            let expected = plain.reduce(into: "") { $0.unicodeScalars.append($1) }
            #expect(Array(expected.utf8) == document.bytes)
        }
    }

    private static func isInsideBreak(_ index: Int, _ text: [Unicode.Scalar]) -> Bool {
        index > 0 && index < text.count && text[index - 1] == "\r" && text[index] == "\n"
    }

    /// Counted scalar by scalar from the beginning.
    private static func position(
        _ index: Int, in text: [Unicode.Scalar], _ encoding: PositionEncoding
    ) -> TextPosition {
        var position = TextPosition(line: 0, character: 0)
        for (offset, scalar) in text[..<index].enumerated() {
            let endsLine =
                scalar == "\n"
                || scalar == "\r" && (offset + 1 == text.count || text[offset + 1] != "\n")
            if endsLine {
                position = TextPosition(line: position.line + 1, character: 0)
            } else {
                let text = String(scalar)
                position.character += encoding == .utf8 ? text.utf8.count : text.utf16.count
            }
        }
        return position
    }
}
