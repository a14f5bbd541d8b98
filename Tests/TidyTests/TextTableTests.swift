internal import Foundation
internal import TestSupport
internal import Testing

/// The terms of the field, and the only word that each has in Chinese.
private let glossary: [(english: String, chinese: String, others: [String])] = [
    ("evidence", "凭证", ["凭据", "证据"]), ("receipt", "收据", ["小票"]),
    ("claim", "认领", ["主张", "申领", "索赔"]), ("entitlement", "权益", ["权利"]),
    ("account", "账号", ["帐号", "账户", "帐户"]), ("ledger", "账本", ["帐本", "总账"]),
    ("policy", "策略", ["政策"]), ("product", "产品", ["商品"]),
    ("subscription", "订阅", ["订购"]), ("transaction", "交易", ["事务"]),
    ("certificate", "证书", []), ("signature", "签名", []), ("refund", "退款", ["退费"]),
    ("rule", "规则", []), ("quarantined", "隔离", ["留存"]), ("decision", "决定", ["决策"]),
    ("ruling", "裁定", ["裁决"]), ("catalogue", "产品目录", []), ("Apple", "Apple", ["苹果"]),
    ("notification", "通知", []), ("fingerprint", "指纹", []),
]

/// Chinese words for terms that sentences often leave out or write as a key.
private let otherForbidden = [
    "等级", "顾客", "客户", "正式环境", "封禁", "积分", "续费", "续期", "工单", "赠予", "家庭共享",
]

/// Idioms that are not technical English (docs of style: short, direct, the field's own terms).
private let forbiddenEnglish = [
    "stands in", "for ever", "left out", "does not hold", "whoever",
    "anew", "handed in", "kept aside", "by hand", "made up", "take over", "called so", "knows no",
]

@Suite("Tables of texts", .timeLimit(.minutes(20)))
struct TextTableTests {
    @Test("hold the same keys in every language, with the same places, and keep to the glossary")
    func tables() throws {
        let english = try TextTables.english()
        #expect(english.count > 1_500)
        let chinese = try TextTables.read("Chinese")
        #expect(Set(english.keys) == Set(chinese.keys))
        for (key, text) in english {
            // The English names of built-in rules are codes, which callers compare.
            let isCode = key.contains(" BuiltInRule ")
            for complaint in TextTables.complaints(text, chinese[key] ?? "", isCode: isCode) {
                Issue.record("\(key): \(complaint)")
            }
        }
    }

    @Test(
        "are complained about where they do not",
        arguments: [
            ("the evidence is refused", "凭证被拒绝", 0), ("the evidence is refused", "凭据被拒绝", 2),
            ("unknown claim", "没有这项", 1), ("define it in 'products'", "请在 products 中定义", 0),
            ("{0} of {1}", "{1} 的 {0}", 0), ("{0} of {1}", "{0}", 1), ("", "空", 1), ("text", "", 1),
            ("it lasts for ever", "永久", 1), ("two claims", "两项认领", 0),
        ])
    func complaints(english: String, chinese: String, count: Int) {
        #expect(TextTables.complaints(english, chinese).count == count)
    }

    @Test("are read as they are written")
    func reading() {
        let code = #"""
            enum Word: String, CaseIterable, Wording {
                /// Two, and one.
                case yes, no
                case one = "a \"b\""
                case long =
                    "c"
                case longer = """
                    d \
                    e
                      f
                    """
                static let all = [yes]

                enum Kind: Error {
                    case lost(Int)

                    var english: String {
                        switch self {
                        case .lost(let number) where number == 0: Word.one.english
                        case .lost, .found:
                            "g "
                                + "h"
                        }
                    }
                }
            }
            """#
        #expect(
            TextTables.english(in: code.split(separator: "\n").map(String.init)) == [
                "Word yes": "yes", "Word no": "no", "Word one": #"a \"b\""#, "Word long": "c",
                "Word longer": "d e\n  f", "Word.Kind lost": "g h",
                "Word.Kind found": "g h",
            ])
        let diagnostics = """
            package static let lost = error(
                "lost", "it is \\"lost\\"", .stopsReading,
                help: "look " + "for it",
                why: "Somebody "
                    + "needs it.")
            package static let found = note(
                "found", "it is found",
                help: "-",
                why: "{0}, of course.")
            """
        #expect(
            TextTables.diagnostics(in: diagnostics.split(separator: "\n").map(String.init)) == [
                "DiagnosticText lost": #"it is \"lost\""#,
                "DiagnosticText lost.help": "look for it",
                "DiagnosticText lost.why": "Somebody needs it.",
                "DiagnosticText found": "it is found", "DiagnosticText found.help": "-",
                "DiagnosticText found.why": "{0}, of course.",
            ])
        let table = """
            let table = TextTable(
                \"""
                # Word
                yes: 是 \\
                的
                no: 否
                |  不
                yes: 又
                \""")
            """
        #expect(
            TextTables.texts(in: table.split(separator: "\n").map(String.init)) == [
                "Word yes": "是 的", "Word no": "否\n  不", "Word yes again": "又",
            ])
    }
}

/// The texts as they are in the sources: whatever target has one is read, and every key.
private enum TextTables {
    /// By target, type and case.
    static func english() throws -> [String: String] {
        let paths = try Repository.files(under: "Sources", suffix: ".swift").filter {
            let text = try Repository.text($0)
            return text.contains("Wording") || text.contains("var english: String {")
                || text.contains("extension DiagnosticID {")
        }
        return try read(paths) { lines in
            english(in: lines).merging(diagnostics(in: lines)) { first, _ in first }
        }
    }

    static func read(_ language: String) throws -> [String: String] {
        let paths = Repository.files(under: "Sources", suffix: ".swift").filter {
            $0.split(separator: "/").last?.hasPrefix(language) == true
        }
        return try read(paths, texts)
    }

    private static func read(
        _ paths: [String], _ read: ([String]) -> [String: String]
    ) throws -> [String: String] {
        var texts: [String: String] = [:]
        for path in paths {
            let target = path.split(separator: "/")[1]
            for (key, text) in read(try Repository.lines(path)) {
                #expect(texts.updateValue(text, forKey: "\(target) \(key)") == nil, "\(key)")
            }
        }
        return texts
    }

    /// What stands next to cases: as raw values of a `Wording`, or in a switch named `english`.
    static func english(in lines: [String]) -> [String: String] {
        var texts: [String: String] = [:]
        var types: [(name: Substring, indent: Int, isWording: Bool)] = []
        var (header, switched) = (0..<0, false)
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == " " }) {
            let indent = line.prefix { $0 == " " }.count
            let code = line.dropFirst(indent)
            if index >= header.upperBound { types.removeAll { $0.indent >= indent } }
            if let type = code.firstMatch(
                of: /^([a-z]+ )*(enum|struct|class|actor|extension) ([A-Z][\w.]*)/)
            {
                let end = lines[index...].firstIndex { $0.contains("{") } ?? index
                let words = lines[index...end].joined()
                types.append((type.output.3, indent, words.contains(/\bWording\b/)))
                (header, switched) = (index..<end + 1, false)
            }
            guard let type = types.last else { continue }
            if code.contains(#/^([a-z]+ )?var /#) { switched = code.contains(" english: String {") }
            if type.isWording ? indent != type.indent + 4 : !switched { continue }
            guard let name = code.firstMatch(of: /^case \.?`?(\w+)/)?.output.1 else { continue }
            let path = types.map(\.name).joined(separator: ".")
            if type.isWording, !code.contains("=") {
                for name in code.dropFirst("case ".count).split(separator: ", ") {
                    texts["\(path) \(name)"] = String(name)
                }
            } else if let text = literal(at: index, in: lines) {
                let pattern = code.prefix { $0 != ":" && $0 != "(" && $0 != "=" }
                let names = pattern.matches(of: /\.`?(\w+)/).map(\.output.1)
                for name in names.isEmpty ? [name] : names { texts["\(path) \(name)"] = text }
            }
        }
        return texts
    }

    /// The three sentences of each diagnostic, which are arguments.
    static func diagnostics(in lines: [String]) -> [String: String] {
        var texts: [String: String] = [:]
        for (index, line) in lines.enumerated()
        where line.contains(/static let \w+ = (error|warning|note)\($/) {
            let body = lines[(index + 1)...].prefix { !$0.contains(" static let ") && $0 != "}" }
            let code = body.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
                .replacing("\" + \"", with: "")
            let said = /"([^"]+)", "(.+?)",( \.\w+,)* help: "(.+)", why: "(.+)"\)/
            guard let entry = code.firstMatch(of: said)?.output else { continue }
            texts["DiagnosticText \(entry.1)"] = String(entry.2)
            texts["DiagnosticText \(entry.1).help"] = String(entry.4)
            texts["DiagnosticText \(entry.1).why"] = String(entry.5)
        }
        return texts
    }

    /// What the tables of a language hold.
    static func texts(in lines: [String]) -> [String: String] {
        var texts: [String: String] = [:]
        var (type, key, isOpen) = ("", "", false)
        for line in lines.map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("#") {
                type = String(line.dropFirst(2))
            } else if isOpen || line.hasPrefix("|") {
                texts[key, default: ""] += (isOpen ? "" : "\n") + line.drop { $0 == "|" }
            } else if !type.isEmpty, let colon = line.firstIndex(of: ":") {
                key = "\(type) \(line[..<colon])"
                if texts[key] != nil { key += " again" }
                texts[key] = String(line[colon...].dropFirst(2))
            }
            isOpen = line.hasSuffix("\\")
            if isOpen { texts[key]?.removeLast() }
            if line.hasPrefix("\"\"\"") { type = "" }
        }
        return texts
    }

    /// The text after a case, on its line or on those below; nil where it is no literal.
    private static func literal(at start: Int, in lines: [String]) -> String? {
        let code = lines[start].trimmingCharacters(in: .whitespaces)
        if code.hasSuffix("= \"\"\"") {
            let indent = lines[start].prefix { $0 == " " }.count + 4
            let body = lines[(start + 1)...].prefix { !$0.hasSuffix(" \"\"\"") }
            return body.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
                .replacing("\\\n", with: "")
        }
        let pieces = lines[(start + 1)...].map { $0.trimmingCharacters(in: .whitespaces) }
            .prefix { $0.hasPrefix("\"") || $0.hasPrefix("+ \"") }
        let first = code.firstIndex(of: "\"").map { [literal(code[$0...])] }
        let texts = (first ?? []) + pieces.map { literal($0.drop { $0 != "\"" }) }
        return texts.isEmpty ? nil : texts.joined()
    }

    private static func literal(_ code: Substring) -> String {
        String(code.dropFirst().dropLast(code.hasSuffix("\"") ? 1 : 0))
    }

    static func complaints(
        _ english: String, _ chinese: String, isCode: Bool = false
    ) -> [String] {
        if english.isEmpty || chinese.isEmpty { return ["a text is empty"] }
        var complaints: [String] = []
        if places(english) != places(chinese) { complaints.append("the places differ") }
        // Keys and words of the program are in quotes; names of files and lines of a policy are not.
        let prose = english.replacing(/'[^']*'/, with: "").replacing(/\{[a-z].*\}/, with: "")
            .replacing(/\S+\.pem/, with: "").replacing(/\n +\w+: \[.*/, with: "")
        for term in glossary {
            let isMentioned = Self.hasWord(term.english + "s?", in: prose)
            if isMentioned, !chinese.contains(term.chinese) {
                complaints.append("'\(term.english)' is \(term.chinese): \(chinese)")
            }
            for other in term.others where chinese.contains(other) {
                complaints.append("\(other) is \(term.chinese)")
            }
        }
        for word in otherForbidden where chinese.contains(word) {
            complaints.append("\(word) has another word in the glossary")
        }
        for words in forbiddenEnglish where !isCode && Self.hasWord(words, in: english) {
            complaints.append("'\(words)' is not technical English")
        }
        return complaints
    }

    /// Whether the text has the words, which are a regular expression, as words.
    private static func hasWord(_ words: String, in text: String) -> Bool {
        guard let expression = try? Regex("\\b\(words)\\b") else {
            preconditionFailure("'\(words)' is a regular expression")
        }
        return text.contains(expression)
    }

    private static func places(_ text: String) -> Set<Substring> {
        Set(text.matches(of: /\{([0-9])( [^|{}]+\|[^|{}]+)?\}/).map(\.output.1))
    }
}
