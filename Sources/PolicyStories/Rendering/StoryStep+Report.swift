internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox

/// Expectations that a report on an account answers, whoever makes it.
extension StoryStep {
    var account: AccountID { AccountID(unchecked: sentence[.account] ?? "") }

    /// Nil where the report says what is expected. Balances do not name their environment: the report
    /// must be of that one alone.
    func failure(
        in report: AccountReport, of environment: StoreEnvironment, _ language: Language
    ) -> Diagnostic? {
        let environment =
            sentence[.environment].flatMap { StoreEnvironment(rawValue: $0) } ?? environment
        var found = sentence
        if sentence.verb == StoryExpectation.balance.rawValue {
            let balance = report.balances.first { $0.credit.text == sentence[.credit] }
            found.values[.units] = SentenceValue("\(balance?.balance ?? 0)")
        } else {
            let right = report.rights.first {
                $0.entitlement.text == sentence[.entitlement] && $0.environment == environment
            }
            found =
                right.map { StoryAnswers.right(of: account, $0, language) }
                ?? Sentence(verb: StoryExpectation.lacks.rawValue, values: sentence.values)
        }
        return failure(found, language)
    }

    /// Nil where what was found is what is expected.
    func failure(_ found: Sentence, _ language: Language) -> Diagnostic? {
        guard !sentence.holds(in: found) else { return nil }
        return Diagnostic(
            id: .expectationFailed, place: place,
            facts: [
                .plain(sentence.expected(in: language)), .plain(found.expected(in: language)),
            ])
    }
}

extension Sentence {
    /// An expectation without the word that each begins with.
    func expected(in language: Language) -> String {
        let text = storyTable.write(self, in: language) ?? verb
        let prefix = ["expect ", "期望 ", "期望"].first { text.hasPrefix($0) } ?? ""
        return String(text.dropFirst(prefix.count))
    }
}
