package import EntitlementModel

extension PolicyTable {
    /// The table for a terminal; ends with a line break.
    package func text(in language: Language, usesColour: Bool = false) -> String {
        var text = "\(CheckPhrase.tableTitle.text(language)) (\(CheckPhrase.policy.text(language)) "
        text += "\(digest.hexadecimal.prefix(12)))\n\(CheckPhrase.tableIntro.text(language))\n"
        for kind in ProductKind.allCases where !cells(of: kind).isEmpty {
            text += "\n\(paint(kind.rawValue, "1", usesColour))\n"
            for cell in cells(of: kind) { text += self.text(of: cell, language, usesColour) }
        }
        return text + openText(in: language, usesColour) + refundText(in: language, usesColour)
    }

    /// Nothing where the policy opens nothing.
    private func openText(in language: Language, _ usesColour: Bool) -> String {
        guard !open.isEmpty else { return "" }
        var text = "\n\(paint(CheckPhrase.openTitle.text(language), "1", usesColour))\n"
        text += "\(CheckPhrase.openIntro.text(language))\n"
        for (index, row) in open.enumerated() {
            let line = "\(row.given): \(row.details.joined(separator: "; "))"
            let place = row.reference.place(in: language)
            text += "  \(index + 1). \("\(line) [\(place)]".shown)\n"
        }
        return text
    }

    private func refundText(in language: Language, _ usesColour: Bool) -> String {
        var text = "\n\(paint(CheckPhrase.refundTitle.text(language), "1", usesColour))\n"
        text += "\(CheckPhrase.refundIntro.text(language))\n"
        for (index, row) in refundAnswers.enumerated() {
            let details = detailsOfRule(row.conditions, row.exceptions, in: language)
            let line = ([row.reference.name] + details).joined(separator: "; ")
            let place = row.reference.place(in: language)
            text += "  \(index + 1). \(row.answer.rawValue): \("\(line) [\(place)]".shown)\n"
        }
        return text
    }

    private func text(
        of cell: Cell, _ language: Language, _ usesColour: Bool
    ) -> String {
        let colours: [Verdict: String] = [.grant: "32", .withhold: "31", .depends: "33"]
        let word = cell.verdict.text(language)
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

extension PolicyTable.OpenRow {
    fileprivate var given: String { entitlements.map(\.text).joined(separator: ", ") }

    fileprivate var details: [String] {
        [reference.name, "at \(windows.joined(separator: " | "))"]
    }
}

extension PolicyTable.CellRule {
    /// The rule on one line: its name, where it matters, and where it stands.
    fileprivate func line(in language: Language) -> String {
        let line = ([reference.name] + details(in: language)).joined(separator: "; ")
        return (line + " [\(place(in: language))]").shown
    }

    /// What limits the rule within its cell.
    func details(in language: Language) -> [String] {
        var details = detailsOfRule(conditions, exceptions, in: language)
        if let only {
            let names = only.map(\.text).joined(separator: ", ")
            details.append("\(CheckPhrase.only.text(language)) \(names)")
        }
        return details
    }

    /// Where the rule stands.
    func place(in language: Language) -> String { reference.place(in: language) }
}

/// What a rule says of the cases that it is for.
private func detailsOfRule(
    _ conditions: [String], _ exceptions: [String], in language: Language
) -> [String] {
    var details: [String] = []
    if !conditions.isEmpty {
        details.append("\(CheckPhrase.when.text(language)) \(conditions.joined(separator: ", "))")
    }
    if !exceptions.isEmpty {
        details.append(
            "\(CheckPhrase.unless.text(language)) \(exceptions.joined(separator: ", "))")
    }
    return details
}

extension RuleReference {
    fileprivate func place(in language: Language) -> String {
        file == "built-in" ? CheckPhrase.builtIn.text(language) : "\(file):\(line)"
    }
}

extension PolicyTable {
    /// The table as one self-contained HTML page: no script, no network, readable by screen
    /// readers and without colour.
    package func page(in language: Language) -> String {
        let kinds = ProductKind.allCases.filter { !cells(of: $0).isEmpty }
        let heads = EntitlementState.allCases.map { "<th scope=\"col\">\($0.rawValue)</th>" }
        let rows = kinds.map { kind in
            let cells = EntitlementState.allCases.map { cell(kind, $0, language) }
            return
                "<tr><th scope=\"row\">\(kind.rawValue)</th>\n\(cells.joined(separator: "\n"))</tr>"
        }
        let title = CheckPhrase.tableTitle.text(language)
        return """
            <!doctype html>
            <html lang="\(language.tag)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>\(PolicyTable.style)</style>
            </head>
            <body>
            <h1>\(title)</h1>
            <p>\(CheckPhrase.tableIntro.text(language)) \(CheckPhrase.policy.text(language)) \
            <code>\(digest.hexadecimal)</code></p>
            <table>
            <thead><tr><th scope="col">\(CheckPhrase.kind.text(language))</th>\
            \(heads.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            \(openSection(in: language))<h2>\(CheckPhrase.refundTitle.text(language))</h2>
            <p>\(CheckPhrase.refundIntro.text(language))</p>
            <ol>\(refundItems(in: language).joined())</ol>
            </body>
            </html>

            """
    }

    private func cell(
        _ kind: ProductKind, _ state: EntitlementState, _ language: Language
    ) -> String {
        guard let cell = cells.first(where: { $0.kind == kind && $0.state == state }) else {
            return "<td class=\"none\">–</td>"
        }
        let rules = cell.rules.map { rule in
            let details = rule.details(in: language).map { "<small>\(escaped($0))</small>" }
            let name = "<b>\(rule.effect.rawValue)</b> \(escaped(rule.reference.name))"
            let place = "<small><code>\(escaped(rule.place(in: language)))</code></small>"
            return "<li>" + ([name] + details + [place]).joined(separator: "<br>") + "</li>"
        }
        let verdict = cell.verdict.text(language)
        return "<td class=\"\(cell.verdict.rawValue)\"><strong>\(verdict)</strong>"
            + "<ol>\(rules.joined())</ol></td>"
    }

    private func openSection(in language: Language) -> String {
        guard !open.isEmpty else { return "" }
        let items = open.map { row in
            let details = row.details.map { "<small>\(escaped($0))</small>" }
            let place =
                "<small><code>\(escaped(row.reference.place(in: language)))</code></small>"
            return "<li>"
                + (["<b>\(escaped(row.given))</b>"] + details + [place])
                .joined(separator: "<br>") + "</li>"
        }
        return """
            <h2>\(CheckPhrase.openTitle.text(language))</h2>
            <p>\(CheckPhrase.openIntro.text(language))</p>
            <ol>\(items.joined())</ol>

            """
    }

    private func refundItems(in language: Language) -> [String] {
        refundAnswers.map { row in
            let details = detailsOfRule(row.conditions, row.exceptions, in: language)
                .map { "<small>\(escaped($0))</small>" }
            let name = "<b>\(row.answer.rawValue)</b> \(escaped(row.reference.name))"
            let place =
                "<small><code>\(escaped(row.reference.place(in: language)))</code></small>"
            return "<li>" + ([name] + details + [place]).joined(separator: "<br>") + "</li>"
        }
    }

    private func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.shown {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    private static let style = """
        body{font:16px/1.45 system-ui,sans-serif;margin:2rem;color:#1a1a1a;background:#fff}
        table{border-collapse:collapse}th,td{border:1px solid #bbb;padding:.5rem;\
        vertical-align:top;text-align:left}th{background:#f2f2f2}
        ol{margin:.4rem 0 0;padding-left:1.2rem}small{color:#444}
        .grant{background:#e9f6ec}.withhold{background:#fbeceb}.depends{background:#fff6dd}
        .none{color:#666;text-align:center}
        """
}
