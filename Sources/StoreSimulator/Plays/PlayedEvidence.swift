package import EntitlementModel
package import StrictJSON

/// One piece of evidence of a play, as it reaches the service.
package struct PlayedEvidence: Sendable {
    package let at: Instant
    package let kind: EvidenceKind
    /// Who hands it in; nil where Apple does.
    package let account: String?
    package let moment: ClaimMoment?
    /// The name of its file, in the order of the play.
    package let file: String
    package let bytes: [UInt8]

    package init(
        at: Instant, kind: EvidenceKind, account: String?, moment: ClaimMoment?, file: String,
        bytes: [UInt8]
    ) {
        self.at = at
        self.kind = kind
        self.account = account
        self.moment = moment
        self.file = file
        self.bytes = bytes
    }
}

/// A play that was played: its evidence in order, and the roots to trust.
package struct PlayedEvidenceSet: Sendable {
    package let root: SimulatedCertificate
    /// Behind receipts; nil where the play shows none. Its key is random.
    package let receiptRoot: SimulatedCertificate?
    package var evidence: [PlayedEvidence]

    package init(
        root: SimulatedCertificate, receiptRoot: SimulatedCertificate?,
        evidence: [PlayedEvidence]
    ) {
        self.root = root
        self.receiptRoot = receiptRoot
        self.evidence = evidence
    }
}

extension PlayedEvidence {
    /// The line of `usher ingest` that hands in the file.
    package var fileLine: JSONValue { line("file", file) }

    /// The same with the evidence inside: an element of `POST /v1/evidence`.
    package var body: JSONValue {
        let text =
            kind == .receipt ? Base64Text.standard(bytes) : String(decoding: bytes, as: UTF8.self)
        return line("payload", text)
    }

    private func line(_ name: String, _ text: String) -> JSONValue {
        var line: JSONValue = [:]
        line["account"] = account.map(JSONValue.string)
        line["moment"] = moment.map { .string($0.rawValue) }
        line[name] = .string(text)
        return line
    }
}
