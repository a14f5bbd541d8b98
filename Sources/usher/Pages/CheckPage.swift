internal import EntitlementAnswers
internal import EntitlementModel

/// The line of `usher check`: decision, until when, and why.
extension Page {
    mutating func write(check answer: Answer, of account: String) {
        let source = answer.source.map(SourceAnswer.init)
        let reasons = [
            state(answer.state, answer.expiryReason), source?.product?.text,
            source?.grant.map { Phrase.grant.text(language, $0.text) }, rule(answer.rule),
        ].compactMap(\.self)
        add(
            verdict(answer, of: account)
                + Phrase.because.text(language, language.clauses(reasons)))
    }

    /// Whether an account may use it, and until when.
    func verdict(_ answer: Answer, of account: String) -> String {
        let phrase: Phrase = answer.decision ? .mayUse : .mayNotUse
        let text = phrase.text(language, account, answer.entitlement.text)
        let until = answer.until.map { Phrase.until.text(language, $0.date) } ?? ""
        return paint(text, answer.decision ? .good : .bad) + until
    }
}
