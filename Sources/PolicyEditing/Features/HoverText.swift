internal import EntitlementModel
internal import PolicyLoading
internal import StrictJSON

/// Hover: what a key means, what a name stands for, what a rule decides.
extension LanguageServer {
    mutating func hover(_ params: JSONValue) throws(ResponseError) -> JSONValue {
        let (document, offset) = try documentPlace(params)
        let index = index(of: document)
        guard let token = scan(of: document, in: index).token(at: offset) else { return .null }
        let lines = hoverLines(token, document, index)
        guard !lines.isEmpty else { return .null }
        return [
            "contents": client.markup(lines.joined(separator: "\n\n"), client.hoversMarkdown),
            "range": document.text.range(token.range, encoding).json,
        ]
    }

    private mutating func hoverLines(
        _ token: ScannedToken, _ document: OpenDocument, _ index: PolicyIndex
    ) -> [String] {
        let sheet = NameSheet(index: index, language: language, scan: scan(of: document, in: index))
        if let use = NameUse(token) { return sheet.lines(use) }
        guard token.role == .value else { return keyLines(token) }
        guard let place = PolicyPlace(at: token.path) else { return [] }
        if place.isRuleName { return ruleLines(token, document) }
        let meaning = place.meaning(ofWord: token.text, in: language)
        let key = token.path.lastIndex { $0.key != nil }.map { Array(token.path[...$0]) }
        return (meaning.map { ["**\(token.text.inMarkdown)**: \($0)"] } ?? [])
            + (key.map { keyLines(path: $0) } ?? [])
    }

    private func keyLines(_ token: ScannedToken) -> [String] { keyLines(path: token.path) }

    private func keyLines(path: [PolicyStep]) -> [String] {
        guard let name = path.last?.key, let place = PolicyPlace(at: path.dropLast()),
            let key = place.keys.first(where: { $0.name == name })
        else { return [] }
        var lines = ["**\(name)**: \(key.meaning(in: language))"]
        if key.isRequired { lines.append(EditingPhrase.required.text(language)) }
        let values = PolicyPlace(at: path)
        let words = values?.words ?? []
        if (1...20).contains(words.count) {
            let list = words.map { "`\($0)`" }.joined(separator: " · ")
            lines.append(EditingPhrase.oneOf.text(language, list))
        } else if let samples = values?.samples(today: options.now()), !samples.isEmpty {
            let list = samples.map { "`\($0)`" }.joined(separator: " · ")
            lines.append(EditingPhrase.writtenLike.text(language, list))
        }
        return lines
    }

    // MARK: Rules

    private mutating func ruleLines(
        _ token: ScannedToken, _ document: OpenDocument
    ) -> [String] {
        let title = "**\(token.text.inMarkdown)**"
        guard let list = token.path.first?.key.flatMap(RuleList.init(rawValue:)),
            case .element(let index)? = token.path.dropFirst().first, let home = document.home
        else { return [title] }
        guard let policy = checked(home).report.policy else {
            return [title, EditingPhrase.notWhileErrors.text(language)]
        }
        return [title] + RuleSheet(policy: policy, list: list, language: language).lines(at: index)
    }
}

extension String {
    /// Shown as it is, whatever signs of Markdown it has.
    var inMarkdown: String {
        var text = ""
        for character in shown(atMost: 400) {
            if "\\`*_[]<>#|~&!".contains(character) { text.append("\\") }
            text.append(character)
        }
        return text
    }
}
