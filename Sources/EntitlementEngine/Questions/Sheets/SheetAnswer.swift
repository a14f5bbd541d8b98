package import EntitlementModel

/// An `Answer` that is still packed.
package struct SheetAnswer: Sendable {
    package let key: RightKey
    let verdict: RightsSheet.Verdict
    /// The instant at which the decision next changes; nil for never.
    let until: Instant?
    let revision: LedgerSequence
    let sheet: RightsSheet

    package var decision: Bool { verdict.isGranted }

    /// Whether anything ever gave the right.
    package var hasSource: Bool { verdict.source != .nothing }
}

extension AnswerWriter {
    /// As `append(_ answer: Answer)` writes it.
    package mutating func append(_ answer: SheetAnswer) {
        appendHead(answer.key, decision: answer.decision)
        appendMembers(of: answer)
        append("}")
    }

    /// As `appendMembers(of answer: Answer)` writes them.
    package mutating func appendMembers(of answer: SheetAnswer) {
        let (verdict, sheet) = (answer.verdict, answer.sheet)
        appendState(verdict.state, verdict.expiryReason)
        appendTimes(
            until: answer.until, paidUntil: verdict.paidUntil, willRenew: verdict.willRenew)
        append(",\"source\":")
        sheet.append(sourceOf: verdict, to: &self)
        append(",\"rule\":")
        sheet.append(rule: verdict, to: &self)
        append(",\"policy\":")
        sheet.appendPolicy(to: &self)
        append(",\"revision\":")
        append(answer.revision.number)
    }
}
