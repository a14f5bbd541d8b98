internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

extension AnswerWriter {
    /// Lets `write` go on behind what `bytes` holds, in the same memory.
    static func appending<Failure>(
        to bytes: inout [UInt8], _ write: (inout AnswerWriter) throws(Failure) -> Void
    ) throws(Failure) {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        var writer = AnswerWriter(continuing: taken)
        taken = []
        defer { bytes = writer.bytes }
        try write(&writer)
    }

    /// What all listings say of themselves, after their first member.
    mutating func appendFrame(
        _ environment: StoreEnvironment, _ instant: Instant, _ revision: LedgerSequence
    ) {
        append(",\"environment\":\"")
        append(environment.rawValue)
        append("\",\"at\":")
        append(instant)
        append(",\"revision\":")
        append(revision.number)
    }

    /// Appends the answers as the last member of a listing, and ends it.
    mutating func append(list answers: [PackedRightAnswer], endsObject: Bool = true) {
        append(",\"entitlements\":[")
        for (index, answer) in answers.enumerated() {
            if index > 0 { append(",") }
            append(answer)
        }
        append(endsObject ? "]}" : "]")
    }

    /// A decision as AuthZEN has it.
    mutating func appendEvaluation(_ decision: Decision) {
        switch decision {
        case .unknown(let word):
            append("{\"decision\":false,\"context\":{\"reason\":\"")
            append(word.rawValue)
            append("\"}}")
        case .right(let answer): appendEvaluation(answer)
        case .purchase(let answer):
            object { writer in
                writer.member("decision", decision.isPermit)
                writer.member("context") { writer in
                    writer.member("reason", answer.verdict.effect.rawValue)
                    writer.appendMembers(of: answer)
                }
            }
        case .spend(let answer):
            object { writer in
                writer.member("decision", answer.isEnough)
                writer.member("context") { writer in
                    writer.member("reason", answer.isEnough ? "enough" : "insufficient")
                    writer.member("balance", answer.balance)
                    writer.member("policy", answer.policy)
                    writer.member("revision", answer.revision.number)
                }
            }
        }
    }

    /// An answer as AuthZEN has it; nil for an Apple ID that no fact knows.
    private mutating func appendEvaluation(_ answer: PackedRightAnswer?) {
        guard let answer else {
            append("{\"decision\":false,\"context\":{\"reason\":\"unknown-apple-id\"}}")
            return
        }
        appendEvaluation(answer.packed, answer.rights, answer.revision)
    }

    /// An answer as AuthZEN has it.
    mutating func appendEvaluation(
        _ answer: PackedAnswer, _ packed: PackedRights, _ revision: LedgerSequence
    ) {
        append(answer.evaluationHead)
        appendMembers(of: answer, packed, revision)
        append("}}")
    }

    /// A question of a batch that could not be read: a denial of its own.
    mutating func appendEvaluation(_ problem: Problem) {
        append("{\"decision\":false,\"context\":{\"error\":{\"status\":")
        append(Int64(problem.code.status.rawValue))
        append(",\"code\":\"")
        append(problem.code.rawValue)
        append("\",\"message\":\"")
        append(problem.code.english)
        append("\"")
        if let field = problem.field {
            append(",\"field\":")
            appendText(field)
        }
        append("}}}")
    }
}

extension PackedAnswer {
    /// How AuthZEN's answer begins: the decision, and why in one word for programs.
    fileprivate var evaluationHead: StaticString {
        if decision { return "{\"decision\":true,\"context\":{\"reason\":\"granted\"" }
        return hasSource
            ? "{\"decision\":false,\"context\":{\"reason\":\"withheld\""
            : "{\"decision\":false,\"context\":{\"reason\":\"nothing-gives-it\""
    }
}
