/// Reads one file into a tree of places and texts, refusing by name whatever makes YAML a trap:
/// anchors, aliases, tags, merge keys, repeated keys, several documents, depth
/// (THREATS.md F19 to F25).
///
/// Returns nil where the text cannot be understood further; problems say why.
package func readYAML(_ text: PolicyText, into problems: inout ProblemList) -> YAMLNode? {
    guard let source = decodedText(text, into: &problems) else { return nil }
    var reader = YAMLReader(file: text.path)
    do throws(YAMLStop) {
        try parseYAML(text.bytes) { next throws(YAMLStop) in
            try reader.readFile { () throws(YAMLStop) in
                do throws(YAMLFailure) { return try next() } catch { throw .failed(error) }
            }
        }
    } catch {
        if case .failed(let failure) = error {
            reader.problems.addSyntaxProblem(failure, in: source, file: text.path)
        }
        problems.add(contentsOf: reader.problems.without { $0 == .textOverLines })
        return nil
    }
    problems.add(contentsOf: reader.problems)
    return reader.root
}

/// Bytes that are UTF-8 without stray characters, as a text.
private func decodedText(_ text: PolicyText, into problems: inout ProblemList) -> String? {
    guard text.bytes.count <= PolicyLimits.fileBytes else {
        problems.add(
            .fileTooLarge, at: SourceSpan(file: text.path, at: .start),
            .number(Int64(PolicyLimits.fileBytes)))
        return nil
    }
    guard let source = String(validating: text.bytes, as: UTF8.self) else {
        problems.add(.notUTF8, at: SourceSpan(file: text.path, at: text.firstForeignLine))
        return nil
    }
    guard CharacterCheck.check(source, file: text.path, into: &problems) else { return nil }
    if let span = SourceLines(source).conflictMarker(in: text.path) {
        problems.add(.mergeConflict, at: span)
        return nil
    }
    return source
}

/// What a policy may cost at most. Beyond these nobody edits by hand.
enum PolicyLimits {
    static let fileBytes = 8 << 20
    static let folderBytes = 32 << 20
    static let folderFiles = 1_000
    static let depth = 32
}

/// Why a file is read no further.
enum YAMLStop: Error {
    case failed(YAMLFailure)
    /// A problem that makes the rest meaningless has been reported.
    case rejected
}

private struct YAMLReader {
    typealias Next = () throws(YAMLStop) -> YAMLEvent

    let file: String
    var problems = ProblemList()
    var root: YAMLNode?

    init(file: String) {
        self.file = file
    }

    mutating func readFile(_ next: Next) throws(YAMLStop) {
        var documents = 0
        while true {
            let event = try next()
            switch event.kind {
            case .streamEnd: return
            case .documentStart(let hasDirective):
                documents += 1
                if hasDirective { problems.add(.yamlDirective, at: span(event)) }
                if documents > 1 {
                    problems.add(.severalDocuments, at: span(event))
                    throw .rejected
                }
            case .streamStart, .documentEnd: continue
            case .alias, .text, .listStart, .listEnd, .mapStart, .mapEnd:
                root = try readNode(event, next, depth: 0)
            }
        }
    }

    private mutating func readNode(
        _ event: YAMLEvent, _ next: Next, depth: Int
    ) throws(YAMLStop) -> YAMLNode {
        checkMarks(of: event)
        guard depth < PolicyLimits.depth else {
            problems.add(.tooDeep, at: span(event), .number(Int64(PolicyLimits.depth)))
            throw .rejected
        }
        var node = YAMLNode(content: .rejected, span: span(event))
        switch event.kind {
        case .listStart: node = try readList(event, next, depth: depth)
        case .mapStart: node = try readMap(event, next, depth: depth)
        case .text(let text, let style, let isBlock):
            let isOverLines = isBlock || event.start.line != event.end.line
            // A full-width colon joins lines that were meant as keys; that is said elsewhere.
            if isOverLines, !text.isEmpty, !text.contains("：") {
                problems.add(.textOverLines, at: span(event), help: oneLine(text, style))
            }
            node.content = .text(text, style)
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .alias, .listEnd, .mapEnd:
            break
        }
        if event.hasTag { node.content = .rejected }
        return node
    }

    private mutating func readList(
        _ start: YAMLEvent, _ next: Next, depth: Int
    ) throws(YAMLStop) -> YAMLNode {
        var elements: [YAMLNode] = []
        while true {
            let event = try next()
            if case .listEnd = event.kind {
                return YAMLNode(content: .list(elements), span: span(from: start, to: event))
            }
            elements.append(try readNode(event, next, depth: depth + 1))
        }
    }

    private mutating func readMap(
        _ start: YAMLEvent, _ next: Next, depth: Int
    ) throws(YAMLStop) -> YAMLNode {
        var entries: [YAMLEntry] = []
        var firstSpans: [String: SourceSpan] = [:]
        var isRepeated = false
        while true {
            let event = try next()
            if case .mapEnd = event.kind {
                return YAMLNode(content: .map(entries), span: span(from: start, to: event))
            }
            let key = try readNode(event, next, depth: depth + 1)
            let value = try readNode(try next(), next, depth: depth + 1)
            guard case .text(let text, let style) = key.content else {
                if case .rejected = key.content { continue }
                problems.add(.keyNotText, at: key.span)
                continue
            }
            if text == "<<", style == .plain {
                problems.add(.mergeKey, at: key.span)
            } else if let first = firstSpans[text], !isFractionAfterComma(text, style, value) {
                // What is repeated after it may be the rest of an entry that begins here.
                if !isRepeated {
                    problems.add(
                        .duplicateKey, at: key.span, .written(text),
                        related: [.init(note: .firstWritten, span: first)])
                }
                isRepeated = true
            } else {
                firstSpans[text] = key.span
                entries.append(
                    YAMLEntry(key: text, keyStyle: style, keySpan: key.span, value: value))
            }
        }
    }

    /// A text of several lines as one; nil where that is too long to be shown.
    private func oneLine(_ text: String, _ style: YAMLStyle) -> Help? {
        let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        guard (1...200).contains(words.count) else { return nil }
        let isPlain = style == .plain && words[...].range(of: ": ") == nil
        return .writtenLike(isPlain ? words : words.inYAMLQuotes)
    }

    /// `{USD: 9,99, CNY: 9,99}` has a key 99 twice; what is wrong with it is said elsewhere.
    private func isFractionAfterComma(
        _ key: String, _ style: YAMLStyle, _ value: YAMLNode
    ) -> Bool {
        style == .plain && value.isEmpty && key.isDigits
    }

    private mutating func checkMarks(of event: YAMLEvent) {
        if case .alias = event.kind { problems.add(.alias, at: span(event)) }
        if event.hasAnchor { problems.add(.anchor, at: span(event)) }
        if event.hasTag { problems.add(.tag, at: span(event)) }
    }

    private func span(_ event: YAMLEvent) -> SourceSpan {
        SourceSpan(file: file, start: event.start, end: event.end)
    }

    private func span(from start: YAMLEvent, to end: YAMLEvent) -> SourceSpan {
        SourceSpan(file: file, start: start.start, end: end.end)
    }
}

extension PolicyText {
    /// The beginning of the first line that is not UTF-8.
    fileprivate var firstForeignLine: SourceMark {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        return SourceMark(line: line + 1, column: 1)
    }
}
