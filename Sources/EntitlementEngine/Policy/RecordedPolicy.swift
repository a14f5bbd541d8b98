package import EntitlementAnswers
internal import EntitlementModel
internal import LedgerStore

extension LedgerQuestions {
    /// The policy last in force with its full text, as the ledger has it; nil where there was
    /// none. Blocks.
    package func policyInForce() throws(EngineError) -> PolicyTextAnswer? {
        let activation = try ledger.reading { reader throws(LedgerStoreError) in
            try reader.policyActivations().last
        }
        guard let activation else { return nil }
        let files = activation.value.files.map { file in
            let text = String(validating: file.bytes, as: UTF8.self)
            return PolicyTextAnswer.File(
                path: file.path, text: text, base64: text == nil ? file.base64 : nil)
        }
        return PolicyTextAnswer(
            policy: activation.value.digest, since: activation.recordedAt, files: files)
    }
}
