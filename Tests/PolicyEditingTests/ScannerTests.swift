internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import PolicyEditing
@testable internal import PolicyLoading

@Suite("What a file has in its lines", .timeLimit(.minutes(20)))
struct ScannerTests {
    /// A key or a value, where it begins, and what leads to it.
    private struct Seen: Hashable {
        let isKey: Bool
        let path: [PolicyStep]
        let text: String
        let line: Int
        let column: Int
    }

    @Test("is what YAML has in it, for every file that is YAML")
    func sameAsYAML() throws {
        let paths = try ["policies", "fixtures", "demo"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.path(folder))
                .filter { $0.hasSuffix(".yaml") }.map { folder + "/" + $0 }
        }
        var count = 0
        for path in paths {
            let bytes = try Data(contentsOf: Repository.url(path))
            let text = String(decoding: bytes, as: UTF8.self)
            var problems = ProblemList()
            guard let root = readYAML(PolicyText(path: path, text: text), into: &problems),
                problems.problems.isEmpty, !text.contains("|\n"), !text.contains(">\n")
            else { continue }
            count += 1
            var expected: [Seen] = []
            Self.flatten(root, [], into: &expected)
            let document = TextDocument(text)
            let found = ScannedFile(document).tokens.map { token in
                let position = document.position(at: token.range.lowerBound, .utf8)
                let line = document.line(position.line)
                let before = document.text(line.lowerBound..<token.range.lowerBound)
                return Seen(
                    isKey: token.role == .key, path: token.path, text: token.text,
                    line: position.line + 1, column: before.unicodeScalars.count + 1)
            }
            for (one, other) in zip(expected, found) where one != other {
                Issue.record("\(path): \(other) instead of \(one)")
                break
            }
            #expect(expected.count == found.count, "\(path)")
        }
        #expect(count > 100)
    }

    private static func flatten(_ node: YAMLNode, _ path: [PolicyStep], into all: inout [Seen]) {
        switch node.content {
        case .map(let entries):
            for entry in entries {
                let path = path + [.key(entry.key)]
                let start = entry.keySpan.start
                all.append(
                    Seen(
                        isKey: true, path: path, text: entry.key, line: start.line,
                        column: start.column))
                flatten(entry.value, path, into: &all)
            }
        case .list(let nodes):
            for (index, node) in nodes.enumerated() {
                flatten(node, path + [.element(index)], into: &all)
            }
        case .text(let text, _):
            guard !node.isEmpty else { return }
            let start = node.span.start
            all.append(
                Seen(isKey: false, path: path, text: text, line: start.line, column: start.column))
        case .rejected: break
        }
    }

    @Test("is read from any text, whatever stands in it", arguments: 0..<60 as Range<UInt64>)
    func anyText(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let signs = [
            "{", "}", "[", "]", ",", ":", " ", "- ", "\n", "\r\n", "\"", "'", "#", "高", "a", "\\",
        ]
        var bytes = seed % 2 == 0 ? [] : Array(SmallPolicy.text.utf8)
        for _ in 0..<80 {
            let place = random.below(bytes.count + 1)
            bytes.insert(contentsOf: Array(random.pick(signs).utf8), at: place)
        }
        let document = TextDocument(bytes: bytes)
        for token in ScannedFile(document).tokens {
            #expect(token.range.upperBound <= document.bytes.count)
            #expect(!document.text(token.range).contains("\n"))
        }
        for offset in 0...document.bytes.count {
            guard let cursor = ScannedCursor(at: offset, in: document) else { continue }
            #expect(cursor.start <= offset)
        }
    }

    @Test("goes on behind a bracket or a quote that is missing")
    func recovery() {
        let text = """
            access:
              - name: a
                when: {kind: [auto-renewable
                then: grant
              - name: "b
                then: withhold
            """
        let scan = ScannedFile(TextDocument(text))
        let path: [PolicyStep] = [.key("access"), .element(1)]
        #expect(scan.value(of: [.key("access"), .element(0), .key("then")])?.text == "grant")
        #expect(scan.value(of: path + [.key("name")])?.text == "b")
        #expect(scan.value(of: path + [.key("then")])?.text == "withhold")
    }

    @Test("has texts in quotes as they are meant")
    func quotes() {
        let text = #"""
            access:
              - name: "a \" # b"  # c
                when: {state: 'it''s, so', "then": 'x' }
            """#
        let scan = ScannedFile(TextDocument(text))
        let rule: [PolicyStep] = [.key("access"), .element(0)]
        #expect(scan.value(of: rule + [.key("name")])?.text == #"a " # b"#)
        #expect(scan.value(of: rule + [.key("when"), .key("state")])?.text == "it's, so")
        #expect(scan.value(of: rule + [.key("when"), .key("then")])?.text == "x")
    }
}
