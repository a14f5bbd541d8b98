internal import EntitlementModel
internal import PolicyLoading

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
        let gives = index.entries.flatMap { entry in
            entry.scan.uses.filter {
                !$0.isDefinition && [.entitlement, .credit].contains($0.kind)
                    && $0.token.path.starts(with: path(.product, name) + [.key("grants")])
            }.map { given(by: $0, in: entry.scan) }
        }
        let prices = index.pairs(path(.product, name) + [.key("price")])
            .map { "\($0.1.inMarkdown) \($0.0.inMarkdown)" }
        return values(.product, name, facts) + list(.price, prices) + list(.gives, gives)
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
        var products: [String] = []
        var rules: [String] = []
        for (entry, use) in uses {
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
