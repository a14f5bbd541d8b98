internal import EntitlementModel
internal import StrictJSON

/// The page of `usher findings`, and findings on other pages.
extension Page {
    /// The findings of one account.
    mutating func write(_ findings: [JSONValue], of account: String) {
        add(paint(account, .strong))
        tree(
            findings.isEmpty
                ? [Branch(paint(AccountPhrase.noFindings.text(language), .good))]
                : findings.map(finding))
    }

    /// Findings of the whole ledger.
    ///
    /// - Parameters:
    ///   - areAll: Whether there are no others.
    ///   - isComplete: Whether all of the ledger has been looked at.
    mutating func write(_ findings: [JSONValue], areAll: Bool, isComplete: Bool) {
        if findings.isEmpty, areAll { add(paint(AccountPhrase.noFindings.text(language), .good)) }
        tree(findings.map(finding))
        if !isComplete { add(paint(AccountPhrase.findingsIncomplete.text(language), .care)) }
    }

    func finding(_ finding: JSONValue) -> Branch {
        let kind = finding.word("kind") ?? ""
        let title = paint(CodeWords.finding(kind, language), .care)
        var branches = [Branch(span(finding))]
        let accounts = finding.words("accounts")
        var subjects = accounts + finding.list("units").map(unitName)
        if let product = finding.word("product") { subjects.append(product) }
        if !subjects.isEmpty {
            branches.append(
                Branch(AccountPhrase.about.text(language, language.list(subjects))))
        }
        if let duplicate = finding["duplicate"] { branches += self.duplicate(duplicate) }
        return Branch("\(title) [\(kind)]", branches)
    }

    private func duplicate(_ duplicate: JSONValue) -> [Branch] {
        var branches = duplicate.list("sides").map { side in
            let renewal = side.date("renews_at").map {
                Branch(AccountPhrase.renewsAt.text(language, $0))
            }
            return Branch(
                AccountPhrase.duplicateSide.text(
                    language, side.word("lineage") ?? "", side.word("product") ?? "",
                    side.word("apple_id") ?? ""), renewal.map { [$0] } ?? [])
        }
        if let days = duplicate.number("overlap_days") {
            branches.append(Branch(AccountPhrase.overlap.text(language, days)))
        }
        if let keep = duplicate.word("keep") {
            branches.append(Branch(AccountPhrase.keep.text(language, keep)))
        }
        return branches
    }
}
