internal import EntitlementModel
internal import StrictJSON

/// The line of `usher check`: decision, until when, and why.
extension Page {
    mutating func write(check answer: JSONValue, of account: String) {
        let source = answer["source"]
        let reasons = [
            state(answer), source?.word("product"),
            source?.word("grant").map { Phrase.grant.text(language, $0) },
            answer["rule"].map(rule),
        ].compactMap(\.self)
        add(
            verdict(answer, of: account)
                + Phrase.because.text(language, language.clauses(reasons)))
    }

    /// Whether an account may use it, and until when.
    func verdict(_ answer: JSONValue, of account: String) -> String {
        let isGranted = answer["decision"]?.bool == true
        let phrase: Phrase = isGranted ? .mayUse : .mayNotUse
        let text = phrase.text(language, account, answer.word("entitlement") ?? "")
        let until = answer.date("until").map { Phrase.until.text(language, $0) } ?? ""
        return paint(text, isGranted ? .good : .bad) + until
    }
}
