internal import EntitlementModel
internal import StrictJSON

/// The page of `usher credits`.
extension Page {
    mutating func write(credits answer: JSONValue) {
        let balances = answer.list("balances")
        if balances.isEmpty { add(AccountPhrase.noCredits.text(language)) }
        for balance in balances {
            let name = paint(balance.word("credit") ?? "", .strong)
            add(AccountPhrase.balanceIs.text(language, name, balance.number("balance") ?? ""))
            table(balance.list("entries").map(entry))
        }
    }

    private func entry(_ entry: JSONValue) -> [String] {
        let units = entry["units"]?.int64 ?? 0
        let cause =
            entry.word("transaction").map { AccountPhrase.transaction.text(language, $0) }
            ?? entry.word("grant").map { AccountPhrase.grantNamed.text(language, $0) } ?? ""
        return [
            entry.date("at") ?? "",
            units < 0 ? paint("\(units)", .bad) : paint("+\(units)", .good),
            CodeWords.creditCause(entry.word("cause") ?? "", language), cause,
        ]
    }
}
