internal import EntitlementModel

/// The words of the pictures.
enum ChartPhrase: CaseIterable, LocalizedText {
    case title, asOf, basis, explanation, mark, nothingKnown
    case rights, purchases, stretches
    case yes, no, given, withheld, owned, byHand
    case until, since, withoutEnd
    case owner, nobody, appleID
    /// What separates names, statements, and a name from its value.
    case comma, clause, colon
    /// Heads of the table.
    case entitlement, answer, from, to, source, rule, state, product, transaction, account
}

/// The words for codes of the service. What this version does not know is shown as it is.
enum ChartWord {
    static func text(_ word: String, _ language: Language) -> String {
        let known: (any LocalizedText)? =
            ProductKind(rawValue: word) ?? StoreEnvironment(rawValue: word)
        return known?.text(language) ?? word
    }
}
