internal import EntitlementAnswers
internal import EntitlementModel

/// The page of `usher findings`, and findings on other pages.
extension Page {
    /// The findings of one account.
    mutating func write(_ findings: [Finding], of account: String) {
        add(paint(account, .strong))
        tree(
            findings.isEmpty
                ? [Branch(paint(AccountPhrase.noFindings.text(language), .good))]
                : findings.map(finding))
    }

    /// Findings of the whole ledger.
    ///
    /// - Parameter areAll: Whether there are no others.
    mutating func write(_ page: FindingPage, areAll: Bool) {
        if page.findings.isEmpty, areAll {
            add(paint(AccountPhrase.noFindings.text(language), .good))
        }
        tree(page.findings.map(finding))
        if !page.isComplete {
            add(paint(AccountPhrase.findingsIncomplete.text(language), .care))
        }
    }

    func finding(_ finding: Finding) -> Branch {
        let title = paint(finding.kind.text(language), .care)
        var branches = [Branch(span(finding.interval))]
        if let notification = finding.notification { branches.append(Branch(notification.shown)) }
        var subjects = finding.accounts.map(\.text) + finding.units.map(unitName)
        if let product = finding.product { subjects.append(product.text) }
        if let credit = finding.credit { subjects.append(credit.text) }
        if !subjects.isEmpty {
            branches.append(
                Branch(AccountPhrase.about.text(language, language.list(subjects))))
        }
        if let count = finding.count {
            branches.append(Branch(AccountPhrase.repeated.text(language, "\(count)")))
        }
        if let duplicate = finding.duplicate { branches += self.duplicate(duplicate) }
        return Branch("\(title) [\(finding.kind.rawValue)]", branches)
    }

    private func duplicate(_ duplicate: DuplicateDetail) -> [Branch] {
        var branches = duplicate.sides.map { side in
            let money = [
                side.price.map { RenewalPhrase.paidLast.text(language, $0.text) },
                side.renewal.map { renewal($0, of: side.product) },
            ].compactMap(\.self)
            return Branch(
                AccountPhrase.duplicateSide.text(
                    language, side.lineage.originalTransactionID.text, side.product.text,
                    side.appleID.text), money.isEmpty ? [] : [Branch(language.clauses(money))])
        }
        if let days = duplicate.overlapDays {
            branches.append(Branch(AccountPhrase.overlap.text(language, "\(days)")))
        }
        let keep = duplicate.keep.originalTransactionID.text
        branches.append(Branch(AccountPhrase.keep.text(language, keep)))
        return branches
    }
}

/// The pages of `usher credits`.
extension Page {
    mutating func write(credits answer: AccountCredits) {
        if answer.balances.isEmpty { add(AccountPhrase.noCredits.text(language)) }
        for balance in answer.balances {
            let name = paint(balance.credit.text, .strong)
            var words = ["\(balance.balance)"]
            if balance.held != 0 {
                words.append(CreditPhrase.held.text(language, "\(balance.held)"))
            }
            if balance.isFrozen {
                words.append(paint(CreditPhrase.frozen.text(language), .care))
            }
            add(AccountPhrase.balanceIs.text(language, name, words.joined(separator: ", ")))
            table(balance.entries.map { cells(of: $0) })
        }
    }

    mutating func write(_ statement: CreditStatement) {
        if statement.credits.isEmpty { add(AccountPhrase.noCredits.text(language)) }
        for credit in statement.credits {
            heading(credit.credit.text)
            let opening = [
                statement.from?.date ?? "", "", "\(credit.opening)",
                CreditPhrase.opening.text(language),
            ]
            let closing = [
                statement.until?.date ?? "", "", "\(credit.closing)",
                CreditPhrase.closing.text(language),
            ]
            let lines = credit.lines.map { line in
                var cells = cells(of: line.entry)
                cells.insert("\(line.balance)", at: 2)
                return cells
            }
            table([opening] + lines + [closing])
        }
    }

    private func cells(of entry: CreditEntry) -> [String] {
        let cause =
            entry.transaction.map { AccountPhrase.transaction.text(language, $0.text) }
            ?? entry.grant.map { AccountPhrase.grantNamed.text(language, $0.text) }
            ?? entry.action.map { CreditPhrase.entry.text(language, "\($0)") } ?? ""
        return [
            entry.at.date,
            entry.units < 0 ? paint("\(entry.units)", .bad) : paint("+\(entry.units)", .good),
            entry.cause.text(language), cause,
        ]
    }
}
