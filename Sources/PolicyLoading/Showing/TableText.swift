internal import EntitlementModel

/// Words of the table, in both languages.
enum TableWords {
    static let title = Words("What each purchase gives in each state", "各类购买在各状态下的权益")
    static let intro = Words(
        "Rules are tried from top to bottom; the first that matches decides.",
        "规则自上而下依次尝试，第一条匹配的规则说了算。")
    static let kind = Words("kind", "类型")
    static let when = Words("when", "条件")
    static let unless = Words("unless", "除非")
    static let only = Words("only", "仅限")
    static let builtIn = Words("built-in", "内置规则")
    static let policy = Words("policy", "策略")

    /// What a cell says at a glance.
    static func verdict(_ verdict: PolicyTable.Verdict) -> Words {
        switch verdict {
        case .grant: Words("yes", "可用")
        case .withhold: Words("no", "不可用")
        case .depends: Words("depends", "视情况")
        }
    }
}

extension PolicyTable {
    /// The table for a terminal; ends with a line break.
    package func text(in language: MessageLanguage, usesColour: Bool = false) -> String {
        var text = "\(TableWords.title[language]) (\(TableWords.policy[language]) "
        text += "\(digest.hexadecimal.prefix(12)))\n\(TableWords.intro[language])\n"
        for kind in ProductKind.allCases where !cells(of: kind).isEmpty {
            text += "\n\(paint(kind.rawValue, "1", usesColour))\n"
            for cell in cells(of: kind) { text += self.text(of: cell, language, usesColour) }
        }
        return text
    }

    private func text(
        of cell: Cell, _ language: MessageLanguage, _ usesColour: Bool
    ) -> String {
        let colours: [Verdict: String] = [.grant: "32", .withhold: "31", .depends: "33"]
        let word = TableWords.verdict(cell.verdict)[language]
        let state = cell.state.rawValue
        var text = "  " + state + String(repeating: " ", count: max(1, 15 - state.count))
        text += paint(word, colours[cell.verdict] ?? "0", usesColour) + "\n"
        for (index, rule) in cell.rules.enumerated() {
            text += "    \(index + 1). \(rule.effect.rawValue): \(rule.line(in: language))\n"
        }
        return text
    }

    private func paint(_ text: String, _ code: String, _ usesColour: Bool) -> String {
        usesColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension PolicyTable.CellRule {
    /// The rule on one line: its name, where it matters, and where it stands.
    fileprivate func line(in language: MessageLanguage) -> String {
        let line = ([reference.name] + details(in: language)).joined(separator: "; ")
        return printable(line + " [\(place(in: language))]", limit: .max)
    }

    /// What limits the rule within its cell.
    func details(in language: MessageLanguage) -> [String] {
        var details: [String] = []
        if !conditions.isEmpty {
            details.append("\(TableWords.when[language]) \(conditions.joined(separator: ", "))")
        }
        if !exceptions.isEmpty {
            details.append(
                "\(TableWords.unless[language]) \(exceptions.joined(separator: ", "))")
        }
        if let only {
            let names = only.map(\.text).joined(separator: ", ")
            details.append("\(TableWords.only[language]) \(names)")
        }
        return details
    }

    /// Where the rule stands.
    func place(in language: MessageLanguage) -> String {
        isBuiltIn ? TableWords.builtIn[language] : "\(reference.file):\(reference.line)"
    }
}
