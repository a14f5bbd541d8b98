internal import TestSupport
internal import Testing

/// Enumerations of which a switch may name a few cases and leave the others to `default:`.
private let registries: [String: String] = [
    "LedgerEntry": "a question to a few of 32 kinds; LedgerRecord asks what every kind must say",
    "EntryKind": "as LedgerEntry",
    "OrderEventKind": "an order's history is searched for a few of 22 events",
    "BuiltInRule": "a decision is undone if one of two of 23 rules made it",
    "VerificationRefusalCode": "a few codes mean the same for one purpose",
    "AppStoreError": "Apple's message is the name of the error, except for a few",
    "StoreVerb": "each part of the simulator plays its own verbs and hands on the others",
    "PurchaseAction": "as StoreVerb",
    "SentenceSlot": "a slot is a word unless it is listed",
    "Setting": "a setting without a text of its own is in the table of numbers",
    "Shape": "a place of a policy is for a single value unless it is listed",
]

/// Folders whose switches are not held to it yet.
private let folders: [String: String] = [
    "PolicyTools/Editing/": "its tokens and requests are asked for a few kinds",
    "PolicyTools/Stories/": "its verbs and expectations are a grammar of their own",
    "EntitlementServer/Operations/": "one HTTP for both sockets takes its place",
]

@Suite("Switches", .timeLimit(.minutes(20)))
struct SwitchTests {
    @Test("over our own enumerations have no default")
    func exhaustive() throws {
        let paths = Repository.files(under: "Sources", suffix: ".swift")
        let texts = try paths.map { try Repository.lines($0).map(FunctionLengths.codeOnly) }
        let enumerations = texts.flatMap(Enumeration.all)
        #expect(enumerations.count > 200)
        for (path, lines) in zip(paths, texts) {
            let place = path.dropFirst("Sources/".count)
            guard !folders.keys.contains(where: place.hasPrefix) else { continue }
            for found in OpenSwitch.all(in: lines) {
                let owners = enumerations.filter { found.cases.isSubset(of: $0.cases) }
                guard !owners.isEmpty, owners.allSatisfy({ registries[$0.name] == nil }) else {
                    continue
                }
                let names = Set(owners.map(\.name)).sorted().joined(separator: ", ")
                Issue.record("\(path):\(found.line): list the other cases of \(names)")
            }
        }
    }

    @Test("are read with their patterns, and enumerations with their cases")
    func measureWorks() {
        let text = """
            enum State: String {
                case active = "on", grace
                case ended(
                    at: Int,
                    by: String)
                var isOn: Bool {
                    switch self {
                    case .active,
                        .grace:
                        true
                    case .ended(let at, _) where at == 0: true
                    default: false
                    }
                    switch word {
                    case "a": 1
                    default: 2
                    }
                    switch self {
                    case nil, .grace?: 1
                    default: switch b { case .c: 1 }
                    }
                }
            }
            """
        let lines = text.split(separator: "\n").map(String.init).map(FunctionLengths.codeOnly)
        #expect(Enumeration.all(in: lines).map(\.cases) == [["active", "grace", "ended"]])
        let found = OpenSwitch.all(in: lines)
        #expect(found.map(\.cases) == [["active", "grace", "ended"], ["grace"]])
        #expect(found.map(\.line) == [12, 20])
    }
}

/// An enumeration in code that the formatter has laid out.
private struct Enumeration {
    let name: String
    var cases: Set<String> = []

    static func all(in lines: [String]) -> [Enumeration] {
        var found: [Enumeration] = []
        for (index, line) in lines.enumerated() {
            let words = line.split(separator: " ")
            guard let keyword = words.firstIndex(of: "enum"), keyword + 1 < words.count else {
                continue
            }
            let name = words[keyword + 1].prefix { $0.isLetter || $0.isNumber }
            found.append(Enumeration(name: String(name), cases: cases(in: lines, after: index)))
        }
        return found.filter { !$0.cases.isEmpty }
    }

    private static func cases(in lines: [String], after start: Int) -> Set<String> {
        let indent = indentation(lines[start])
        var cases: Set<String> = []
        for index in lines.indices[(start + 1)...] where !lines[index].isBlank {
            if indentation(lines[index]) <= indent { break }
            guard indentation(lines[index]) == indent + 4,
                let text = statement(at: index, in: lines, after: ["case ", "indirect case "])
            else { continue }
            cases.formUnion(withoutParentheses(text).split(separator: ",").map(firstWord))
        }
        return cases
    }
}

/// A switch that has a default, and else only patterns that are cases.
private struct OpenSwitch {
    /// That of `default:`.
    let line: Int
    let cases: Set<String>

    static func all(in lines: [String]) -> [OpenSwitch] {
        lines.indices.compactMap { index in
            guard trimmed(lines[index]).hasPrefix("default:") else { return nil }
            let cases = patterns(before: index, in: lines).map { firstWord($0[...]) }
            guard cases.allSatisfy({ $0.hasPrefix(".") || $0 == "nil" || $0.isEmpty }) else {
                return nil
            }
            let names = Set(cases.filter { $0.hasPrefix(".") }.map { String($0.dropFirst()) })
            return names.isEmpty ? nil : OpenSwitch(line: index + 1, cases: names)
        }
    }

    private static func patterns(before last: Int, in lines: [String]) -> [String] {
        let indent = indentation(lines[last])
        var patterns: [String] = []
        for index in lines.indices[..<last].reversed() where !lines[index].isBlank {
            if indentation(lines[index]) < indent { break }
            guard indentation(lines[index]) == indent else { continue }
            if lines[index].contains("switch ") { break }
            guard let text = statement(at: index, in: lines, after: ["case "]) else { continue }
            patterns += withoutParentheses(text).split(separator: ",").map(String.init)
        }
        return patterns
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy { $0 == " " } }
}

private func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

private func trimmed(_ line: String) -> Substring { line.drop { $0 == " " } }

/// What follows the keyword, with the lines that go on with it.
private func statement(at start: Int, in lines: [String], after keywords: [String]) -> String? {
    let line = trimmed(lines[start])
    guard let keyword = keywords.first(where: { line.hasPrefix($0) }) else { return nil }
    var text = String(line.dropFirst(keyword.count))
    var next = start + 1
    while next < lines.count, !lines[next].isBlank,
        text.last == "," || text.count(where: { $0 == "(" }) > text.count(where: { $0 == ")" })
    {
        text += " " + trimmed(lines[next])
        next += 1
    }
    return text
}

/// Up to the colon of a pattern, or the whole list of cases.
private func withoutParentheses(_ text: String) -> String {
    var depth = 0
    var kept = ""
    for character in text {
        if character == "(" { depth += 1 }
        if depth == 0, character == ":" { break }
        if depth == 0 { kept.append(character) }
        if character == ")" { depth -= 1 }
    }
    return kept
}

/// `.active` of `let .active?`, `.ended` of `.ended where …`, `name` of `name = …`.
private func firstWord(_ text: Substring) -> String {
    let words = text.split(whereSeparator: { " ?`".contains($0) })
    return words.first { $0 != "let" && $0 != "var" }.map(String.init) ?? ""
}
