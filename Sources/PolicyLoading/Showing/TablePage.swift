internal import EntitlementModel

extension PolicyTable {
    /// The table as one self-contained HTML page: no script, no network, readable by screen
    /// readers and without colour.
    package func page(in language: MessageLanguage) -> String {
        let kinds = ProductKind.allCases.filter { !cells(of: $0).isEmpty }
        let heads = EntitlementState.allCases.map { "<th scope=\"col\">\($0.rawValue)</th>" }
        let rows = kinds.map { kind in
            let cells = EntitlementState.allCases.map { cell(kind, $0, language) }
            return
                "<tr><th scope=\"row\">\(kind.rawValue)</th>\n\(cells.joined(separator: "\n"))</tr>"
        }
        let title = TableWords.title[language]
        return """
            <!doctype html>
            <html lang="\(language == .english ? "en" : "zh-Hans")">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>\(PolicyTable.style)</style>
            </head>
            <body>
            <h1>\(title)</h1>
            <p>\(TableWords.intro[language]) \(TableWords.policy[language]) \
            <code>\(digest.hexadecimal)</code></p>
            <table>
            <thead><tr><th scope="col">\(TableWords.kind[language])</th>\
            \(heads.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            </body>
            </html>

            """
    }

    private func cell(
        _ kind: ProductKind, _ state: EntitlementState, _ language: MessageLanguage
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
        let verdict = TableWords.verdict(cell.verdict)[language]
        return "<td class=\"\(cell.verdict.rawValue)\"><strong>\(verdict)</strong>"
            + "<ol>\(rules.joined())</ol></td>"
    }

    private func escaped(_ text: String) -> String {
        var escaped = ""
        for character in printable(text, limit: .max) {
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
