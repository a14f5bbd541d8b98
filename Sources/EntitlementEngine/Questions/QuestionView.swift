package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
package import LedgerModel

/// What several questions are answered from where the ledger has to be read for them: one view of
/// it, by one policy. Nothing of it is kept.
package struct QuestionView {
    private let questions: LedgerQuestions
    private let reader: any LedgerReading
    package let revision: LedgerSequence

    fileprivate init(
        _ questions: LedgerQuestions, _ reader: any LedgerReading
    ) throws(LedgerError) {
        self.questions = questions
        self.reader = reader
        revision = try reader.head().sequence
    }

    package var policy: Digest256 { questions.policyDigest }

    /// The account, as far as what it has came through an Apple ID, if one is named.
    package func account(
        _ account: AccountID, through key: AppleIDKey?
    ) throws(LedgerError) -> PackedAccount {
        let policy = questions.policy
        guard let key else {
            let account = policy.name(account)
            return policy.packed(of: account, facts: try reader.facts(forAccount: account))
        }
        return policy.packed(
            of: account, facts: try policy.facts(of: account, through: key, reader))
    }

    /// Nil for an Apple ID that no fact knows.
    package func appleID(_ key: AppleIDKey) throws(LedgerError) -> AppleIDView? {
        let policy = questions.policy
        return try policy.appleID(named: key, reader).map { policy.view($0) }
    }

    package func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(LedgerError) -> PreflightAnswer {
        try questions.preflight(request, at: instant, reader)
    }
}

extension EntitlementEngine {
    /// Lets the body ask several questions, all as of one revision. Blocks.
    package func inOneView<Value>(
        _ body: (QuestionView) throws(LedgerError) -> Value
    ) throws(EngineError) -> Value {
        try requireAdoption()
        let questions = questions
        return try ledger.reading { reader throws(LedgerError) in
            try body(try QuestionView(questions, reader))
        }
    }
}
