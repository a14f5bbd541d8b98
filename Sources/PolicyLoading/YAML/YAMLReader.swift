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
        let found = reader.problems.without(.textOverLines)
        problems.add(contentsOf: found.withReferencesExplained(in: source))
        return nil
    }
    problems.add(contentsOf: reader.problems.withReferencesExplained(in: source))
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
        problems.add(.mergeConflict, at: span, help: SourceLines(source).conflictSides())
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
            default: root = try readNode(event, next, depth: 0)
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
        default: break
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
        var hasNewItem = false
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
            } else if depth == 0, isOfAnotherList(text, value, entries) {
                entries.append(
                    YAMLEntry(key: text, keyStyle: style, keySpan: key.span, value: value))
            } else if let first = firstSpans[text], !isFractionAfterComma(text, style, value) {
                // An entry of a list that begins again, without its dash: every key follows.
                let isNewItem = text == entries.first?.key && text == "name"
                // Nor is what follows in a rule that lacks its name.
                if isRule(entries), ["then", "only", "limits"].contains(text), hasNewItem {
                    continue
                }
                if !hasNewItem, let row = rowTooFarRight(entries) {
                    problems.add(
                        .badIndentation, at: row.keySpan,
                        help: .beginsInColumn(row.keySpan.start.column - 2, alone: true))
                    hasNewItem = true
                    entries.removeLast()
                    continue
                }
                if !hasNewItem || isNewItem {
                    problems.add(
                        .duplicateKey, at: key.span, .written(text),
                        help: isNewItem
                            ? .newItem(text)
                            : isRule(entries) ? .nameMissing : help(for: text, value, first),
                        related: [.init(note: .firstWritten, span: first)])
                }
                hasNewItem = hasNewItem || isNewItem || isRule(entries)
            } else {
                firstSpans[text] = key.span
                entries.append(
                    YAMLEntry(key: text, keyStyle: style, keySpan: key.span, value: value))
            }
        }
    }

    /// A list of rules that is there twice, because one of the two has another one's name.
    private func isOfAnotherList(_ key: String, _ value: YAMLNode, _ entries: [YAMLEntry]) -> Bool {
        let others = entries.filter { $0.key == key }
        guard !others.isEmpty else { return false }
        return ([value] + others.map(\.value)).count {
            RuleGrammar.listMeant(by: $0, under: key) == nil
        } <= 1
    }

    /// The name of a table's row as far right as the keys of the row before it: the keys behind it
    /// are those of that row once more.
    private func rowTooFarRight(_ entries: [YAMLEntry]) -> YAMLEntry? {
        guard let last = entries.last, entries.count > 1, last.value.isEmpty,
            last.keyStyle == .plain, last.keySpan.start.column > 2,
            !PolicyGrammar.keys.contains(last.key)
        else { return nil }
        return last
    }

    private func isRule(_ entries: [YAMLEntry]) -> Bool {
        entries.first?.key == "name" && entries.contains { $0.key == "then" }
    }

    /// What to do with a second section, list or row of a table.
    private func help(for key: String, _ value: YAMLNode, _ first: SourceSpan) -> Help? {
        switch value.content {
        case .list: .mergeInto(key, line: first.start.line)
        case .map where PolicyGrammar.keys.contains(key): .mergeInto(key, line: first.start.line)
        case .map: .renameRow(key)
        default: nil
        }
    }

    /// A text of several lines as one; nil where that is too long to be shown.
    private func oneLine(_ text: String, _ style: YAMLStyle) -> Help? {
        let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        guard (1...200).contains(words.count) else { return nil }
        let isPlain = style == .plain && words[...].range(of: ": ") == nil
        return .write(isPlain ? words : words.inYAMLQuotes)
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
