internal import PolicyLoading

/// Reads lines as YAML, forgivingly: whatever a line is, the next one is read all the same.
struct PolicyScanner {
    /// What a line begins, until a line with less indentation.
    private struct Block {
        /// The column of a key, or of a dash.
        let column: Int
        let step: PolicyStep
        /// How many elements of its list have begun.
        var elements = 0
    }

    /// An open bracket, with the key or the element that the cursor is in.
    private struct Bracket {
        let isMap: Bool
        var step: PolicyStep?
        var elements = 0
    }

    private let bytes: ArraySlice<UInt8>
    private var blocks: [Block] = []
    private var brackets: [Bracket] = []
    /// How many elements a list has that is the whole file.
    private var rootElements = 0
    private(set) var tokens: [ScannedToken] = []
    /// What is being written at the end of what was scanned last.
    private(set) var cursor: ScannedCursor?

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    mutating func scanAll() {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
            scanLine(bytes[start..<end], isWhole: true)
            start = min(end + 1, bytes.endIndex)
        }
    }

    /// - Parameter isWhole: false for a line up to where it is being written.
    mutating func scanLine(_ line: ArraySlice<UInt8>, isWhole: Bool) {
        cursor = nil
        guard let line = Self.withoutComment(line, isWhole: isWhole) else { return }
        let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
        let rest = line.dropFirst(indent)
        closeForgottenBrackets(rest, indent)
        if !brackets.isEmpty {
            scanBrackets(rest)
        } else if !rest.isEmpty {
            scanBlock(rest, column: indent)
        } else if !isWhole {
            leaveBlocks(column: indent)
            setCursor(.node, at: line.endIndex)
        }
    }

    // MARK: Lines

    /// Nil where the cursor is in a comment. Without the spaces at the end of a whole line.
    private static func withoutComment(
        _ line: ArraySlice<UInt8>, isWhole: Bool
    ) -> ArraySlice<UInt8>? {
        var quote: UInt8?
        var previous = UInt8(ascii: " ")
        var end = line.endIndex
        for index in line.indices {
            let byte = line[index]
            // What is behind a backslash ends no text in double quotes.
            if quote == 0x22, previous == 0x5C {
                previous = UInt8(ascii: " ")
                continue
            }
            if byte == UInt8(ascii: "#"), quote == nil, previous == 0x20 || previous == 0x09 {
                if !isWhole { return nil }
                end = index
                break
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                if quote == byte {
                    quote = nil
                } else if quote == nil, " \t[{,".utf8.contains(previous) {
                    quote = byte
                }
            }
            previous = byte
        }
        var content = line[..<end]
        guard isWhole else { return content }
        while let last = content.last, last == 0x20 || last == 0x09 || last == 0x0D {
            content.removeLast()
        }
        return content
    }

    /// A line that begins as far left as the key whose value the open brackets are is none of
    /// them: the closing one is missing.
    private mutating func closeForgottenBrackets(_ rest: ArraySlice<UInt8>, _ indent: Int) {
        guard !brackets.isEmpty, let owner = blocks.last, indent <= owner.column,
            let first = rest.first, !"]}".utf8.contains(first)
        else { return }
        brackets = []
    }

    private mutating func scanBlock(_ line: ArraySlice<UInt8>, column: Int) {
        var (rest, column) = (line, column)
        while rest.first == UInt8(ascii: "-"), rest.dropFirst().first.map({ $0 == 0x20 }) ?? true {
            beginElement(column: column)
            let skipped = rest.dropFirst().prefix { $0 == 0x20 }.count + 1
            rest = rest.dropFirst(skipped)
            column += skipped
        }
        guard let first = rest.first else {
            setCursor(.node, at: rest.endIndex)
            return
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            leaveBlocks(column: column)
            scanBrackets(rest)
            return
        }
        guard let key = Self.key(in: rest) else {
            leaveBlocks(column: column)
            setCursor(.node, at: rest.startIndex)
            addToken(.value, rest)
            return
        }
        leaveBlocks(column: column)
        blocks.append(Block(column: column, step: .key(Self.unquoted(key))))
        addToken(.key, key)
        let value = rest[(key.endIndex)...].drop { $0 == 0x20 || $0 == 0x3A }
        if let first = value.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            scanBrackets(value)
            return
        }
        setCursor(.value, at: value.startIndex)
        if !value.isEmpty { addToken(.value, value) }
    }

    private mutating func beginElement(column: Int) {
        while let last = blocks.last,
            last.column > column || last.column == column && last.step.key == nil
        {
            blocks.removeLast()
        }
        var index = rootElements
        if blocks.isEmpty {
            rootElements += 1
        } else {
            index = blocks[blocks.count - 1].elements
            blocks[blocks.count - 1].elements += 1
        }
        blocks.append(Block(column: column, step: .element(index)))
    }

    private mutating func leaveBlocks(column: Int) {
        while let last = blocks.last, last.column >= column { blocks.removeLast() }
    }

    /// What is before the colon of a line; nil for a line that is no key.
    private static func key(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var start = line.startIndex
        if let quoted = quotedPrefix(of: line) { start = quoted.endIndex }
        for index in line[start...].indices where line[index] == UInt8(ascii: ":") {
            let next = index + 1
            guard next == line.endIndex || line[next] == 0x20 else { continue }
            var key = line[..<index]
            while key.last == 0x20 { key.removeLast() }
            return key
        }
        return nil
    }

    // MARK: Brackets

    private mutating func scanBrackets(_ line: ArraySlice<UInt8>) {
        var rest = line
        setCursor(beforeToken: rest.startIndex)
        while let byte = rest.first {
            switch byte {
            case 0x20, 0x09, 0x0D, UInt8(ascii: ":"): rest.removeFirst()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isMap = byte == UInt8(ascii: "{")
                brackets.append(Bracket(isMap: isMap, step: isMap ? nil : .element(0)))
                rest.removeFirst()
                setCursor(beforeToken: rest.endIndex)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                brackets.removeLast()
                rest.removeFirst()
                cursor = nil
                if brackets.isEmpty { return }
            case UInt8(ascii: ","):
                endElement()
                rest.removeFirst()
                setCursor(beforeToken: rest.endIndex)
            default: rest = scanBracketToken(rest)
            }
        }
    }

    private mutating func endElement() {
        guard var bracket = brackets.popLast() else { return }
        bracket.elements += 1
        bracket.step = bracket.isMap ? nil : .element(bracket.elements)
        brackets.append(bracket)
    }

    /// Takes a key or a value; the rest is what follows.
    private mutating func scanBracketToken(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let bracket = brackets[brackets.count - 1]
        let isKey = bracket.isMap && bracket.step == nil
        setCursor(beforeToken: line.startIndex)
        var token = Self.quotedPrefix(of: line) ?? line.prefix(0)
        if token.isEmpty {
            var end = line.startIndex
            while end < line.endIndex, !",[]{}".utf8.contains(line[end]) {
                let next = end + 1
                if isKey, line[end] == UInt8(ascii: ":"),
                    next == line.endIndex || " ,[]{}".utf8.contains(line[next])
                {
                    break
                }
                end = next
            }
            token = line[line.startIndex..<end]
        }
        let rest = line[token.endIndex...]
        while token.last == 0x20 { token.removeLast() }
        if isKey {
            brackets[brackets.count - 1].step = .key(Self.unquoted(token))
            addToken(.key, token)
            if rest.first == UInt8(ascii: ":") { setCursor(.value, at: rest.endIndex) }
            // Without a colon the key is being written, and has no value yet.
            if rest.isEmpty { setCursor(.flowKey, at: token.startIndex, below: 1) }
        } else {
            addToken(.value, token)
        }
        return rest
    }

    // MARK: Tokens

    /// A text in quotes that a line begins with, with them; up to its end where one is missing.
    private static func quotedPrefix(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let quote = line.first, quote == 0x22 || quote == 0x27 else { return nil }
        var index = line.startIndex + 1
        while index < line.endIndex {
            let isDoubled =
                quote == 0x27 && line[index] == quote && index + 1 < line.endIndex
                && line[index + 1] == quote
            if isDoubled || line[index] == 0x5C && quote == 0x22 {
                index += 1
            } else if line[index] == quote {
                return line[...index]
            }
            index += 1
        }
        return line
    }

    private static func unquoted(_ token: ArraySlice<UInt8>) -> String {
        guard let quote = token.first, quote == 0x22 || quote == 0x27 else {
            return String(decoding: token, as: UTF8.self)
        }
        var text = token.dropFirst()
        if text.last == quote { text.removeLast() }
        // A quote in a text is written twice, or behind a backslash.
        var written: [UInt8] = []
        while let byte = text.popFirst() {
            let isSign = byte == (quote == 0x27 ? 0x27 : 0x5C)
            written.append(isSign ? text.popFirst() ?? byte : byte)
        }
        return String(decoding: written, as: UTF8.self)
    }

    private var path: [PolicyStep] { blocks.map(\.step) + brackets.compactMap(\.step) }

    private mutating func addToken(_ role: ScannedToken.Role, _ token: ArraySlice<UInt8>) {
        tokens.append(
            ScannedToken(
                role: role, path: path, text: Self.unquoted(token),
                range: token.startIndex..<token.endIndex))
    }

    private mutating func setCursor(beforeToken start: Int) {
        guard let bracket = brackets.last else { return }
        setCursor(
            !bracket.isMap ? .node : bracket.step == nil ? .flowKey : .value, at: start)
    }

    /// - Parameter below: how many steps of the path are those of what is being written.
    private mutating func setCursor(_ place: ScannedCursor.Place, at start: Int, below: Int = 0) {
        cursor = ScannedCursor(
            place: place, path: path.dropLast(below), start: start, isInBraces: !brackets.isEmpty)
    }
}
