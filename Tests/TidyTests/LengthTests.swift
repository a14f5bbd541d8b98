internal import TestSupport
internal import Testing

@Suite("Lengths", .timeLimit(.minutes(20)))
struct LengthTests {
    @Test("no file is longer than 800 lines")
    func filesAreShort() throws {
        for path in Repository.swiftFiles {
            let count = try Repository.lines(path).count - 1
            #expect(count <= 800, "\(path) has \(count) lines")
        }
    }

    @Test("no function is longer than 70 lines, but for tables and switches of one level")
    func functionsAreShort() throws {
        for path in Repository.swiftFiles {
            for function in FunctionLengths.functions(in: try Repository.lines(path))
            where !function.isTable {
                #expect(
                    function.lines <= 70,
                    "\(path):\(function.line) has a function of \(function.lines) lines")
            }
        }
    }

    @Test("the measure sees a function from its first line to its closing brace")
    func measureWorks() {
        let text = """
            struct A {
                func short() { 1 }
                init(
                    b: Int
                ) {
                    self.b = "}"  // {
                }
            }
            """
        let lines = text.split(separator: "\n").map(String.init)
        let found = FunctionLengths.functions(in: lines)
        #expect(found.map(\.line) == [2, 3])
        #expect(found.map(\.lines) == [1, 5])
    }

    @Test("a table has no braces, or only those of one switch")
    func tables() {
        let text = """
            struct A {
                func list() -> [Int] {
                    [1, 2]
                }
                func words() -> String {
                    switch self {
                    case .a: "{a}"
                    }
                }
                func work() {
                    switch self {
                    case .a: if b { c() }
                    }
                }
                func loop() {
                    for a in b { c() }
                }
            }
            """
        let lines = text.split(separator: "\n").map(String.init)
        let found = FunctionLengths.functions(in: lines)
        #expect(found.map(\.isTable) == [true, true, false, false])
    }
}

/// Finds functions by counting braces outside strings and comments: exact enough for code that
/// the formatter has laid out.
enum FunctionLengths {
    struct Function {
        let line: Int
        var lines: Int
        /// Whether it is a list, or one switch without anything nested in it.
        var isTable: Bool
    }

    static func functions(in lines: [String]) -> [Function] {
        var finished: [Function] = []
        var open: [(start: Int, depth: Int, entered: Bool, nested: [String])] = []
        var depth = 0
        for (index, line) in lines.enumerated() {
            let code = codeOnly(line)
            if startsFunction(code) { open.append((index, depth, false, [])) }
            for character in code {
                if character == "{" {
                    depth += 1
                    if let last = open.indices.last, !open[last].entered,
                        depth == open[last].depth + 1
                    {
                        open[last].entered = true
                    } else if let last = open.indices.last {
                        open[last].nested.append(code)
                    }
                }
                guard character == "}" else { continue }
                depth -= 1
                if let last = open.last, last.entered, depth == last.depth {
                    finished.append(
                        Function(
                            line: last.start + 1, lines: index - last.start + 1,
                            isTable: isTable(last.nested)))
                    open.removeLast()
                }
            }
            // A requirement of a protocol has no body.
            while let last = open.last, !last.entered, depth < last.depth { open.removeLast() }
        }
        return finished.sorted { $0.line < $1.line }
    }

    private static func isTable(_ nested: [String]) -> Bool {
        nested.count <= 1 && nested.allSatisfy { $0.contains("switch ") }
    }

    private static func startsFunction(_ code: String) -> Bool {
        let words = code.split(whereSeparator: { " (<".contains($0) })
        let modifiers: Set<Substring> = [
            "package", "private", "fileprivate", "public", "internal", "static", "mutating",
            "override", "final", "convenience", "@discardableResult", "@inline", "nonisolated",
            "required", "borrowing", "consuming", "@Test", "prefix",
        ]
        guard let first = words.first(where: { !modifiers.contains($0) }) else { return false }
        return first == "func" || first == "init" || first == "init?" || first == "subscript"
    }

    /// The line without string contents and comments.
    static func codeOnly(_ line: String) -> String {
        var code = ""
        var inString = false
        var previous: Character = " "
        for character in line {
            if character == "\"" && previous != "\\" { inString.toggle() }
            if !inString, character == "/", previous == "/" { break }
            if !inString { code.append(character) }
            previous = character
        }
        return code
    }
}
