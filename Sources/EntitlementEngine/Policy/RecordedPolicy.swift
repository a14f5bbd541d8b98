package import EntitlementModel
internal import LedgerModel
internal import PolicyLoading

extension LedgerQuestions {
    /// The policy last in force with its full text, as the ledger has it; nil where there was
    /// none. Blocks.
    package func policyInForce() throws(EngineError) -> Recorded<PolicyActivation>? {
        try ledger.reading { reader throws(LedgerError) in
            try reader.policyActivations().last
        }
    }
}

extension AnswerWriter {
    /// `GET /v1/policy`.
    package mutating func append(_ policy: Recorded<PolicyActivation>) {
        object { writer in
            writer.member("policy", policy.value.digest)
            writer.member("since", policy.recordedAt)
            writer.member("files", list: policy.value.files) { writer, file in
                writer.object { writer in
                    writer.member("path", file.path)
                    if let text = String(validating: file.bytes, as: UTF8.self) {
                        writer.member("text", text)
                    } else {
                        writer.member("base64", file.base64)
                    }
                }
            }
        }
    }

    /// How many of the losses are named, for a page that a person reads.
    private static var namedLosses: Int { 20 }

    /// What `/status` says of it.
    package mutating func appendMembers(of waiting: WaitingPolicy) {
        member("policy", waiting.digest)
        member("replaces", waiting.replaces)
        if let digest = waiting.acceptedAfter { member("accepted_after", digest) }
        member("losses", Int64(waiting.losses.count))
        member("first_losses", list: waiting.losses.prefix(Self.namedLosses)) { writer, loss in
            writer.object { writer in
                writer.member("kind", loss.kind.rawValue)
                writer.member("names", list: loss.names) { $0.appendText($1) }
                writer.member("detail", loss.sentence(in: .english))
            }
        }
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
