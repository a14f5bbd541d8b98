internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyAnalysis
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
        guard token.role == .value else { return keyLines(path: token.path) }
        guard let place = PolicyPlace(at: token.path) else { return [] }
        if place.isRuleName { return ruleLines(token, document) }
        let meaning = place.meaning(ofWord: token.text, in: language)
        let key = token.path.lastIndex { $0.key != nil }.map { Array(token.path[...$0]) }
        return (meaning.map { ["**\(token.text.inMarkdown)**: \($0)"] } ?? [])
            + (key.map { keyLines(path: $0) } ?? [])
    }

    private func keyLines(path: [PolicyStep]) -> [String] {
        guard let name = path.last?.key, let place = PolicyPlace(at: path.dropLast()),
            let key = place.keys.first(where: { $0.name == name })
        else { return [] }
        var lines = ["**\(name)**: \(key.meaning(in: language))"]
        if key.isRequired { lines.append(EditingPhrase.required.text(language)) }
        let values = PolicyPlace(at: path)
        let words = values?.isList == true ? [] : values?.words ?? []
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

/// What a name stands for, from the texts as they are: also while they have errors.
struct NameSheet {
    let index: PolicyIndex
    let language: Language
    /// Of the file in which the name is looked at.
    let scan: ScannedFile

    /// More are counted only.
    private static let shownNames = 12

    func lines(_ use: NameUse) -> [String] {
        let groups = use.kind == .level ? scan.groups(beside: use.token.path) : []
        let definitions = index.definitions(of: use, groups: groups)
        let isPattern = use.kind == .product && !use.isDefinition && use.token.text.contains("*")
        if isPattern {
            let names = definitions.map(\.use.token.text)
            return [
                "**\(use.token.text.inMarkdown)**",
                phrase(.matches, names.map { "\(code($0)) \(title(.product, $0))" }),
            ]
        }
        return describe(use)
    }

    private func describe(_ use: NameUse) -> [String] {
        let name = use.token.text
        let head = "**\(name.inMarkdown)** \(title(use.kind, name))"
        switch use.kind {
        case .product: return [head] + product(name)
        case .entitlement: return [head] + given(name, .entitlement)
        case .credit: return [head] + values(.credit, name, ["on_refund"]) + given(name, .credit)
        case .group:
            return [head] + values(.group, name, ["levels"])
                + list(.soldAs, products { texts($0, "group").contains(name) })
        case .level:
            let groups = index.uses { $0.kind == .level && $0.isDefinition && $0.means(name) }
                .compactMap { $0.use.token.path[1].key }
            return [head] + list(.levelOf, groups.map(code))
                + list(.soldAs, products { texts($0, "level").contains(name) })
        case .stack: return [head] + list(.soldAs, products { texts($0, "stack").contains(name) })
        }
    }

    // MARK: Products

    private func product(_ name: String) -> [String] {
        let facts = ["kind", "group", "level", "period", "duration", "stacking", "retired"]
        let written = index.entries.flatMap { entry in
            entry.scan.uses.filter {
                !$0.isDefinition && [.entitlement, .credit].contains($0.kind)
                    && $0.token.path.starts(with: path(.product, name) + [.key("grants")])
            }.map { given(by: $0, in: entry.scan) }
        }
        let gives = exceptions(of: name).map { exceptions in
            index.names(of: .entitlement).map(\.name).filter { !exceptions.contains($0) }.map(code)
        }
        let prices = index.pairs(path(.product, name) + [.key("price")])
            .map { "\($0.1.inMarkdown) \($0.0.inMarkdown)" }
        return values(.product, name, facts) + list(.price, prices) + list(.gives, gives ?? written)
    }

    /// What a product does not give of all entitlements; nil for one that has a list.
    private func exceptions(of product: String) -> [String]? {
        let grants = path(.product, product) + [.key("grants")]
        let isAll = index.entries.contains { $0.scan.value(of: grants)?.text == "all" }
        let excepted = index.texts(grants + [.key("all_except")])
        return isAll || !excepted.isEmpty ? excepted : nil
    }

    /// `premium`, `100 coins` or `speed-reader (1w)`.
    private func given(by use: NameUse, in scan: ScannedFile) -> String {
        let map = Array(use.token.path.dropLast())
        let name = code(use.token.text)
        if let units = scan.value(of: map + [.key("units")]), use.kind == .credit {
            return "\(units.text.inMarkdown) \(name)"
        }
        if use.token.path.last?.key != nil, let length = scan.value(of: map + [.key("for")]) {
            return "\(name) (\(length.text.inMarkdown))"
        }
        return name
    }

    private func products(_ isMeant: (String) -> Bool) -> [String] {
        index.names(of: .product).map(\.name).filter(isMeant)
            .map { "\(code($0)) \(title(.product, $0))" }
    }

    /// Which products give it, and which rules name it.
    private func given(_ name: String, _ kind: PolicyNameKind) -> [String] {
        let uses = index.uses { !$0.isDefinition && $0.kind == kind && $0.token.text == name }
        var products = index.names(of: .product).map(\.name).filter { product in
            kind == .entitlement && exceptions(of: product).map { !$0.contains(name) } ?? false
        }
        var rules: [String] = []
        for (entry, use) in uses {
            if use.token.path.contains(.key("all_except")) { continue }
            if use.token.path.first == .key("products") {
                guard let product = use.token.path[1].key, !products.contains(product) else {
                    continue
                }
                products.append(product)
            } else if let rule = entry.scan.value(
                of: Array(use.token.path.prefix(2)) + [.key("name")])
            {
                let text = "“\(rule.text.inMarkdown)”"
                if !rules.contains(text) { rules.append(text) }
            }
        }
        let givers = products.map { "\(code($0)) \(title(.product, $0))" }
        return (givers.isEmpty ? [EditingPhrase.givenByNone.text(language)] : [])
            + list(.givenBy, givers) + list(.namedBy, rules)
    }

    // MARK: Texts

    private func path(_ kind: PolicyNameKind, _ name: String) -> [PolicyStep] {
        [.key(kind.section ?? ""), .key(name)]
    }

    private func texts(_ product: String, _ key: String) -> [String] {
        index.texts(path(.product, product) + [.key(key)])
    }

    private func title(_ kind: PolicyNameKind, _ name: String) -> String {
        let titles = ["title", "title_zh"].compactMap {
            index.texts(path(kind, name) + [.key($0)]).first?.inMarkdown
        }
        return titles.joined(separator: " · ")
    }

    /// `kind: auto-renewable`, each that is written.
    private func values(
        _ kind: PolicyNameKind, _ name: String, _ keys: [String]
    ) -> [String] {
        let written = keys.compactMap { key -> String? in
            let texts = index.texts(path(kind, name) + [.key(key)])
            return texts.isEmpty
                ? nil : "\(key.inMarkdown): \(texts.map(code).joined(separator: ", "))"
        }
        return written.isEmpty ? [] : [written.joined(separator: " · ")]
    }

    private func list(_ phrase: EditingPhrase, _ items: [String]) -> [String] {
        items.isEmpty ? [] : [self.phrase(phrase, items)]
    }

    private func phrase(_ phrase: EditingPhrase, _ items: [String]) -> String {
        phrase.text(language, items.shortList(Self.shownNames, language))
    }

    private func code(_ text: String) -> String { text.inCode }
}

extension String {
    /// As code; a text with signs that code cannot hold is escaped in its place.
    var inCode: String { contains("`") ? inMarkdown : "`\(shown(atMost: 200))`" }
}

extension [String] {
    /// The first ones, and how many more there are.
    func shortList(_ limit: Int, _ language: Language) -> String {
        let shown = prefix(limit).joined(separator: ", ")
        guard count > limit else { return shown }
        return EditingPhrase.andMore.text(language, shown, "\(count - limit)")
    }
}

/// What a rule decides, next to the others of its list.
struct RuleSheet {
    let policy: Policy
    let list: RuleList
    let language: Language

    private static let shownNames = 8

    func lines(at index: Int) -> [String] {
        guard list != .open else { return open(index) }
        guard let survey = survey(policy, list, at: index) else { return [] }
        var lines = [products(survey.products)]
        if !survey.states.isEmpty {
            let states = survey.states.map { "\($0.rawValue.inCode) \($0.text(language))" }
            lines.append(phrase(.states, states))
        }
        if !survey.before.isEmpty {
            lines.append(phrase(.before, survey.before.map { "“\($0.name.inMarkdown)”" }))
        }
        if let example = survey.example {
            let text = example.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            lines.append(EditingPhrase.example.text(language, "{\(text)}".inCode))
        } else {
            lines.append(EditingPhrase.decidesNothing.text(language))
        }
        return lines
    }

    private func products(_ ids: [ProductID]) -> String {
        guard !ids.isEmpty else { return EditingPhrase.noProducts.text(language) }
        let names = ids.map { id in
            let title = policy.products[id]?.title
            let shown = language == .chinese ? title?.chinese ?? title?.english : title?.english
            return "\(id.text.inCode) \(shown?.inMarkdown ?? "")"
        }
        return phrase(ids.count == policy.soldProducts.count ? .allProducts : .products, names)
    }

    private func open(_ index: Int) -> [String] {
        guard policy.openRights.indices.contains(index) else { return [] }
        let right = policy.openRights[index]
        let windows = right.windows.map { window in
            window.end.map { DateBound.within(window.start, $0).text } ?? window.start.rfc3339
        }
        return [
            phrase(.openRights, right.entitlements.map { $0.text.inCode }),
            windows.map(\.inCode).joined(separator: ", "),
        ]
    }

    private func phrase(_ phrase: EditingPhrase, _ items: [String]) -> String {
        phrase.text(language, items.shortList(Self.shownNames, language))
    }
}
