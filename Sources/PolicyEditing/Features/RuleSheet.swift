internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

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
        return phrase(ids.count == policy.products.count ? .allProducts : .products, names)
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
