internal import EntitlementModel
internal import PolicyLoading

/// The policy texts with roots of the simulated store beside those that they trust, so that a
/// policy that trusts Apple alone can be tried. Lines keep their numbers.
struct StoryTrust {
    static let root = "story-root.der"
    static let receiptRoot = "story-receipt-root.der"

    let root: [UInt8]
    /// Nil where no receipt is shown.
    let receiptRoot: [UInt8]?

    func added(to texts: [PolicyText]) -> [PolicyText] {
        var changed = texts.map(added)
        changed.append(PolicyText(path: Self.root, bytes: root))
        if let receiptRoot {
            changed.append(PolicyText(path: Self.receiptRoot, bytes: receiptRoot))
        }
        return changed
    }

    private func added(to text: PolicyText) -> PolicyText {
        guard text.path.hasSuffix(".yaml") || text.path.hasSuffix(".yml") else { return text }
        var problems = ProblemList()
        guard let file = readYAML(text, into: &problems),
            let roots = file.value("trust")?.value("roots")
        else { return text }
        var edits: [(node: YAMLNode, entry: String)] = []
        if let jws = roots.value("jws") { edits.append((jws, Self.root)) }
        if receiptRoot != nil, let receipt = roots.value("receipt") {
            edits.append((receipt, Self.receiptRoot))
        }
        // From the end on, so that places before it stay true.
        var source = SourceScalars(text.bytes)
        for (node, entry) in edits.sorted(by: { $1.node.span.start < $0.node.span.start }) {
            source.add("{file: \(entry)}", to: node)
        }
        return PolicyText(path: text.path, text: source.text)
    }
}

extension YAMLNode {
    func value(_ key: String) -> YAMLNode? {
        guard case .map(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }
}

/// A text that is changed at places of the YAML reader.
private struct SourceScalars {
    private var lines: [[Unicode.Scalar]]

    init(_ bytes: [UInt8]) {
        lines = String(decoding: bytes, as: UTF8.self).unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    }

    var text: String {
        var text = ""
        for (index, line) in lines.enumerated() {
            if index > 0 { text.unicodeScalars.append("\n") }
            text.unicodeScalars.append(contentsOf: line)
        }
        return text
    }

    /// Puts an element before the first one of a list, or makes a list of a single value. A list
    /// with a line for each element becomes one in brackets, on as many lines.
    mutating func add(_ element: String, to node: YAMLNode) {
        let (line, column) = (node.span.start.line - 1, node.span.start.column - 1)
        guard case .list(let elements) = node.content else {
            insert("[\(element), ", at: line, column)
            let end = node.span.end
            let shift = end.line == node.span.start.line ? element.unicodeScalars.count + 3 : 0
            insert("]", at: end.line - 1, end.column - 1 + shift)
            return
        }
        if lines[line].indices.contains(column), lines[line][column] == "[" {
            insert(elements.isEmpty ? element : element + ", ", at: line, column + 1)
            return
        }
        let written = elements.map { source($0.span) }
        for number in elements.map({ $0.span.start.line - 1 }) { lines[number] = [] }
        let indent = String(repeating: " ", count: column)
        lines[line] = Array(
            (indent + "[" + ([element] + written).joined(separator: ", ") + "]").unicodeScalars)
    }

    private func source(_ span: SourceSpan) -> String {
        var text = ""
        guard span.start.line == span.end.line else { return text }
        let line = lines[span.start.line - 1]
        text.unicodeScalars.append(
            contentsOf: line[(span.start.column - 1)..<min(span.end.column - 1, line.count)])
        return text
    }

    private mutating func insert(_ text: String, at line: Int, _ column: Int) {
        lines[line].insert(contentsOf: text.unicodeScalars, at: column)
    }
}
