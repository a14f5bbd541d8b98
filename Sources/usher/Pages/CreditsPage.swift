internal import EntitlementAnswers
internal import EntitlementModel

/// The page of `usher credits`.
extension Page {
    mutating func write(credits answer: AccountCredits) {
        if answer.balances.isEmpty { add(AccountPhrase.noCredits.text(language)) }
        for balance in answer.balances {
            let name = paint(balance.credit.text, .strong)
            add(AccountPhrase.balanceIs.text(language, name, "\(balance.balance)"))
            table(balance.entries.map(entry))
        }
    }

    private func entry(_ entry: CreditEntry) -> [String] {
        let cause =
            entry.transaction.map { AccountPhrase.transaction.text(language, $0.text) }
            ?? entry.grant.map { AccountPhrase.grantNamed.text(language, $0.text) } ?? ""
        return [
            entry.at.date,
            entry.units < 0 ? paint("\(entry.units)", .bad) : paint("+\(entry.units)", .good),
            entry.cause.text(language), cause,
        ]
    }
}
