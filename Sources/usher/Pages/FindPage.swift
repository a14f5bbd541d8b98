internal import EntitlementAnswers
internal import EntitlementModel

/// The page of `usher find`.
extension Page {
    /// A line for each meaning.
    mutating func write(found: FoundID) {
        for meaning in found.meanings {
            let kind = FoundKindPhrase.words(meaning.kind.rawValue, language)
            let title = kind + " " + paint(found.id.text, .strong)
            let clauses = self.clauses(meaning)
            add(
                clauses.isEmpty
                    ? title : FindPhrase.line.text(language, title, language.clauses(clauses)))
        }
    }

    private func clauses(_ meaning: FoundMeaning) -> [String] {
        var clauses: [String] = []
        if let environment = meaning.environment { clauses.append(environment.rawValue) }
        if !meaning.accounts.isEmpty, meaning.kind != .account {
            let names = language.list(meaning.accounts.map(\.text))
            clauses.append(FindPhrase.accounts.text(language, names))
        }
        if !meaning.lineages.isEmpty, meaning.kind != .lineage {
            let names = language.list(meaning.lineages.map(\.text))
            clauses.append(AccountPhrase.lineage.text(language, names))
        }
        if !meaning.products.isEmpty {
            let names = language.list(meaning.products.map(\.text))
            clauses.append(FindPhrase.products.text(language, names))
        }
        if let sequence = meaning.sequence {
            clauses.append(FindPhrase.entry.text(language, "\(sequence)"))
        }
        return clauses
    }
}
