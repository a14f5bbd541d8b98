package import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading

extension LedgerQuestions {
    /// The policy last in force with its full text, as the ledger has it; nil where there was
    /// none. Blocks.
    package func policyInForce() throws(EngineError) -> PolicyTextAnswer? {
        let activation = try ledger.reading { reader throws(LedgerError) in
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

extension PolicyActivation {
    init(_ policy: Policy, texts: [PolicyText]) {
        self.init(
            digest: policy.digest,
            files: texts.map { File(path: $0.path, bytes: $0.bytes) }.sorted { $0.path < $1.path })
    }
}

extension PolicyHistory {
    /// The policies that the ledger says have been in force; nil if there was none.
    /// - Throws: `.policyHistoryUnreadable` for a text that this version cannot read: going on
    ///   without it would rewrite what was sold.
    init?(recordedIn ledger: any ReadableLedger) throws(EngineError) {
        let recorded = try ledger.reading { reader throws(LedgerError) in
            try reader.policyActivations()
        }
        let activations = try recorded.map { entry throws(EngineError) in
            let texts = entry.value.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
            guard let policy = loadOldPolicy(texts) else {
                throw .policyHistoryUnreadable(entry.sequence)
            }
            return Activation(policy: policy, activatedAt: entry.recordedAt)
        }
        guard let first = activations.first else { return nil }
        self.init(first)
        for activation in activations.dropFirst() {
            activate(activation.policy, at: activation.activatedAt)
        }
    }
}
