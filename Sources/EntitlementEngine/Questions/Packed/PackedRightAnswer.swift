package import EntitlementModel
internal import StrictJSON

/// What a packed account answers for one right at one instant: an `Answer` that is still packed,
/// without what all answers of that account have in common.
package struct PackedAnswer: Sendable {
    let verdict: PackedVerdict
    /// The instant at which the decision next changes; nil for never.
    package let until: Instant?

    /// No fact gives the right.
    static let nothing = PackedAnswer(verdict: .nothing, until: nil)

    package var decision: Bool { verdict.isGranted }

    /// Whether anything ever gave the right.
    package var hasSource: Bool { verdict.source != .nothing }
}

/// The same with the packed account that it was read from and what was asked.
package struct PackedRightAnswer: Sendable {
    package let key: RightKey
    package let packed: PackedAnswer
    package let revision: LedgerSequence
    package let rights: PackedRights

    package var decision: Bool { packed.decision }
}

extension AnswerWriter {
    /// As `append(_ answer: Answer)` writes it.
    package mutating func append(_ answer: PackedRightAnswer) {
        appendHead(answer.key, decision: answer.decision)
        appendMembers(of: answer.packed, answer.rights, answer.revision)
        append("}")
    }

    /// As `appendMembers(of answer: Answer)` writes them.
    package mutating func appendMembers(
        of answer: PackedAnswer, _ rights: PackedRights, _ revision: LedgerSequence
    ) {
        append(room: rights.byteCount(of: answer)) { output in
            rights.appendMembers(of: answer, revision, to: &output)
        }
    }
}

/// Prepared runs of text, with the account's own names and instants between them.
extension PackedRights {
    /// At least as many bytes as the members of an answer have.
    package func byteCount(of answer: PackedAnswer) -> Int {
        // Two instants, a revision and the fixed text.
        texts.byteCount(of: answer.verdict) + byteCount(ofNamesIn: answer.verdict) + 160
    }

    fileprivate func appendMembers(
        of answer: PackedAnswer, _ revision: LedgerSequence, to output: inout OutputSpan<UInt8>
    ) {
        let verdict = answer.verdict
        texts.append(verdict.state, to: &output)
        output.append(answer.until)
        output.append(run: ",\"paid_until\":")
        output.append(verdict.paidUntil)
        switch verdict.willRenew {
        case nil: output.append(run: ",\"will_renew\":null,\"source\":")
        case true: output.append(run: ",\"will_renew\":true,\"source\":")
        case false: output.append(run: ",\"will_renew\":false,\"source\":")
        }
        appendSource(of: verdict, to: &output)
        texts.append(verdict.rule, to: &output)
        output.append(decimal: revision.number.magnitude)
    }

    private func appendSource(of verdict: PackedVerdict, to output: inout OutputSpan<UInt8>) {
        switch verdict.source {
        case .nothing: output.append(run: "null")
        case .grant:
            output.append(run: "{\"grant\":")
            append(name: verdict.name, to: &output)
            output.append(run: "}")
        case .purchase:
            texts.append(verdict.product, to: &output)
            append(name: verdict.name, to: &output)
            output.append(run: ",\"lineage\":")
            append(name: verdict.lineage, to: &output)
            output.append(run: "}")
        }
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(_ instant: Instant?) {
        guard let instant else { return append(run: "null") }
        append(UInt8(ascii: "\""))
        instant.appendRFC3339(to: &self)
        append(UInt8(ascii: "\""))
    }
}
