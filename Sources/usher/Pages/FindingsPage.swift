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
        var subjects = finding.accounts.map(\.text) + finding.units.map(unitName)
        if let product = finding.product { subjects.append(product.text) }
        if let credit = finding.credit { subjects.append(credit.text) }
        if !subjects.isEmpty {
            branches.append(
                Branch(AccountPhrase.about.text(language, language.list(subjects))))
        }
        if let duplicate = finding.duplicate { branches += self.duplicate(duplicate) }
        return Branch("\(title) [\(finding.kind.rawValue)]", branches)
    }

    private func duplicate(_ duplicate: DuplicateDetail) -> [Branch] {
        var branches = duplicate.sides.map { side in
            let renewal = side.renewsAt.map {
                Branch(AccountPhrase.renewsAt.text(language, $0.date))
            }
            return Branch(
                AccountPhrase.duplicateSide.text(
                    language, side.lineage.originalTransactionID.text, side.product.text,
                    side.appleID.text), renewal.map { [$0] } ?? [])
        }
        if let days = duplicate.overlapDays {
            branches.append(Branch(AccountPhrase.overlap.text(language, "\(days)")))
        }
        let keep = duplicate.keep.originalTransactionID.text
        branches.append(Branch(AccountPhrase.keep.text(language, keep)))
        return branches
    }
}
