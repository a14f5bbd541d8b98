internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox

/// Answers in the words of a story.
enum StoryAnswers {
    static func right(
        of account: AccountID, _ answer: Answer, _ language: Language = .english
    ) -> Sentence {
        var values: [SentenceSlot: SentenceValue] = [
            .account: SentenceValue(account.text),
            .entitlement: SentenceValue(answer.entitlement.text),
            .environment: SentenceValue(answer.environment.rawValue),
            .rule: SentenceValue(answer.rule.name(in: language)),
        ]
        values[.state] = answer.state.map { SentenceValue($0.rawValue) }
        values[.reason] = answer.expiryReason.map { SentenceValue($0.rawValue) }
        values[.until] = answer.until.map { SentenceValue($0.storyText) }
        if answer.until == nil { values[.always] = SentenceValue("true") }
        values[.paidUntil] = answer.paidUntil.map { SentenceValue($0.storyText) }
        let verb: StoryExpectation = answer.decision ? .has : .lacks
        return Sentence(verb: verb.rawValue, values: values)
    }
}

extension Instant {
    /// As a story writes it: a day where it is midnight.
    package var storyText: String {
        let text = rfc3339.replacing(".000Z", with: "Z")
        return text.hasSuffix("T00:00:00Z") ? String(text.prefix(10)) : text
    }
}

extension StoryRun {
    /// Why the answer is what it is, a sentence a line; of rights only.
    func explanation(of sentence: Sentence) throws(EngineError) -> [String] {
        guard let name = sentence[.entitlement], let entitlement = EntitlementName(name),
            let account = sentence[.account].flatMap({ AccountID($0) })
        else { return [] }
        let key = RightKey(story.environment, entitlement)
        let told = try engine.questions.explain(key, of: account, at: clock.now())
        let rule = told.answer.rule
        let place =
            rule.isBuiltIn
            ? StoryPhrase.builtIn.text(language) : "\(rule.file):\(rule.line)"
        var lines = [
            StoryPhrase.decidedBy.text(language, rule.name(in: language), place)
        ]
        for unit in told.units {
            guard let state = unit.state else { continue }
            lines.append(
                StoryPhrase.unitIs.text(
                    language, unit.product?.text ?? "?", state.rawValue,
                    unit.paidUntil?.storyText ?? "–"))
            if !unit.isOwned { lines.append(StoryPhrase.ownedByAnother.text(language)) }
        }
        if told.units.isEmpty { lines.append(StoryPhrase.nothingGivesIt.text(language)) }
        if let until = told.answer.until {
            lines.append(StoryPhrase.changesAt.text(language, until.storyText))
        }
        return lines
    }
}
