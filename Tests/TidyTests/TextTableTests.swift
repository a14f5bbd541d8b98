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
        let english = try TextTables.read("English")
        let chinese = try TextTables.read("Chinese")
        #expect(english.count > 900)
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
}

/// The tables as they stand in the sources: whatever target has one is read, and every key.
private enum TextTables {
    /// By target, type and case.
    static func read(_ language: String) throws -> [String: String] {
        var texts: [String: String] = [:]
        let paths = Repository.files(under: "Sources", suffix: ".swift").filter {
            $0.contains("/Text") && $0.split(separator: "/").last?.hasPrefix(language) == true
        }
        for path in paths {
            let target = path.split(separator: "/")[1]
            var (type, key) = ("", "")
            for line in try Repository.lines(path) {
                let code = line.trimmingCharacters(in: .whitespaces)
                if code.hasPrefix("extension ") || code.hasPrefix("enum ") {
                    type = String(code.split(separator: " ")[1].prefix { $0 != ":" })
                } else if code.hasPrefix("case ") {
                    // `case .title: "Title"`, or `case title = "Title"` where it is beside its case.
                    let name = code.dropFirst(5).prefix { $0 != ":" && $0 != "=" && $0 != "\"" }
                    let first = name.hasPrefix(".") ? name.dropFirst() : name
                    key = "\(target) \(type) \(first.trimmingCharacters(in: .whitespaces))"
                    if let quote = code.firstIndex(of: "\"") {
                        texts[key, default: ""] += literal(code[quote...])
                    }
                } else if code.hasPrefix("\"") || code.hasPrefix("+ \"") {
                    texts[key, default: ""] += literal(code.drop { $0 != "\"" })
                }
            }
        }
        return texts
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
        // Keys and words of the program are in quotes.
        let prose = english.replacing(/'[^']*'/, with: "").replacing(/\{[a-z].*\}/, with: "")
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
