internal import EntitlementModel
internal import LedgerStore
internal import PolicyLoading

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
    init?(recordedIn ledger: LedgerReader) throws(EngineError) {
        let recorded = try ledger.reading { reader throws(LedgerStoreError) in
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
