package import EntitlementModel
internal import StrictJSON

/// The answer during a span: a `RightVerdict` without its facts, its texts by index, in the 26
/// bytes of a packed account.
struct PackedVerdict: Equatable, Sendable {
    static let size = 26

    enum Source: UInt16 {
        case nothing
        case grant
        case purchase
    }

    /// Whether it is granted, the state with its reason, the renewal, the kind of source, and
    /// whether there is a paid end: from the lowest bit up.
    private let flags: UInt16
    private let paidUntilMilliseconds: Int64
    let rule: AnswerTexts.Place
    /// Of a purchase.
    let product: AnswerTexts.Place
    /// The transaction or grant, as an offset into the packed account's names.
    let name: UInt32
    /// The lineage, as such an offset.
    let lineage: UInt32

    /// No fact gives the right.
    static let nothing = PackedVerdict(
        .nothing, source: .nothing, rule: AnswerTexts.nothing, product: 0, name: 0, lineage: 0)

    init(
        _ verdict: RightVerdict, source: Source, rule: AnswerTexts.Place,
        product: AnswerTexts.Place, name: UInt32, lineage: UInt32
    ) {
        let renewal: UInt16 = verdict.answeredRenewal.map { $0 ? 2 : 1 } ?? 0
        flags =
            (verdict.isGranted ? 1 : 0)
            | State(verdict.state, verdict.expiryReason).number << 1
            | renewal << 7 | source.rawValue << 9 | (verdict.paidUntil == nil ? 0 : 1 << 11)
        paidUntilMilliseconds = verdict.paidUntil?.milliseconds ?? 0
        self.rule = rule
        self.product = product
        self.name = name
        self.lineage = lineage
    }

    init(_ bytes: RawSpan, at place: Int) {
        paidUntilMilliseconds = bytes.integer(at: place)
        rule = bytes.integer(at: place + 8)
        product = bytes.integer(at: place + 12)
        name = bytes.integer(at: place + 16)
        lineage = bytes.integer(at: place + 20)
        flags = bytes.integer(at: place + 24)
    }

    /// Whether the verdict at `place` grants.
    static func isGranted(_ bytes: RawSpan, at place: Int) -> Bool {
        bytes.integer(at: place + 24, as: UInt16.self) & 1 == 1
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(integer: paidUntilMilliseconds)
        bytes.append(integer: rule)
        bytes.append(integer: product)
        bytes.append(integer: name)
        bytes.append(integer: lineage)
        bytes.append(integer: flags)
    }

    var isGranted: Bool { flags & 1 == 1 }

    var state: State { State(number: flags >> 1 & 63) }

    var willRenew: Bool? { flags >> 7 & 3 == 0 ? nil : flags >> 7 & 3 == 2 }

    var source: Source {
        switch flags >> 9 & 3 {
        case 0: .nothing
        case 1: .grant
        default: .purchase
        }
    }

    var paidUntil: Instant? {
        flags >> 11 & 1 == 1 ? Instant(milliseconds: paidUntilMilliseconds) : nil
    }
}

extension PackedVerdict {
    /// A state with its reason as one number: both are written as one text.
    struct State: Equatable, Sendable {
        let number: UInt16

        fileprivate init(number: UInt16) {
            self.number = number
        }

        init(_ state: EntitlementState?, _ reason: ExpiryReason?) {
            let states = EntitlementState.allCases
            let reasons = ExpiryReason.allCases
            let place = state.flatMap(states.firstIndex).map { $0 + 1 } ?? 0
            let reasonPlace = reason.flatMap(reasons.firstIndex).map { $0 + 1 } ?? 0
            number = UInt16(place << 3 | reasonPlace)
        }

        /// The texts of all, by number.
        static func texts() -> PreparedTexts {
            var texts = PreparedTexts()
            for state in [nil] + EntitlementState.allCases.map(Optional.some) {
                for reason in [nil] + ExpiryReason.allCases.map(Optional.some) {
                    precondition(
                        texts.count == State(state, reason).number, "each has its own number")
                    texts.add { writer in
                        writer.appendState(state, reason)
                        writer.append(",\"until\":" as StaticString)
                    }
                }
            }
            return texts
        }
    }
}

/// The answer of a packed account for one right at one instant: an `Answer` still packed, without
/// what all answers of the account share.
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

/// The same with its packed account and the question.
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
