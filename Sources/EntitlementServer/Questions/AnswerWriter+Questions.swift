internal import EntitlementAnswers
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

    /// What all listings say of themselves, after their first member; the list must follow.
    mutating func appendFrame(
        _ environment: StoreEnvironment, _ instant: Instant, _ revision: LedgerSequence
    ) {
        append(",\"environment\":\"")
        append(environment.rawValue)
        append("\",\"at\":")
        append(instant)
        append(",\"revision\":")
        append(revision.number)
        append(",\"entitlements\":")
    }

    mutating func append(list answers: [PackedRightAnswer]) {
        append("[")
        for (index, answer) in answers.enumerated() {
            if index > 0 { append(",") }
            append(answer)
        }
        append("]")
    }

    /// A decision as AuthZEN has it.
    mutating func appendEvaluation(_ decision: Decision) {
        var context = DecisionContext()
        switch decision {
        case .right(let answer?):
            return appendEvaluation(answer.packed, answer.rights, answer.revision)
        case .right(nil): context.reason = "unknown-apple-id"
        case .unknown(let word): context.reason = word.rawValue
        case .purchase(let answer):
            context.reason = answer.verdict.effect.rawValue
            context.verdict = answer.verdict.effect
            context.claim = OrNull(answer.verdict.claim)
            context.claimWithoutToken = OrNull(answer.verdict.claimWithoutToken)
            context.notes = answer.verdict.notes
            context.policy = answer.policy
            context.revision = answer.revision
        case .spend(let answer):
            context.reason = answer.reason
            context.balance = answer.balance
            context.policy = answer.policy
            context.revision = answer.revision
        }
        append(EvaluationAnswer(decision: decision.isPermit, context: context))
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
        var context = DecisionContext()
        context.error = DecisionError(
            status: Int64(problem.code.status.rawValue), code: problem.code.rawValue,
            message: problem.code.english, field: problem.field)
        append(EvaluationAnswer(decision: false, context: context))
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

/// What questions ask of the engine, in their own words.
extension EntitlementEngine {
    /// An engine that can be held is open and has a policy; it is not ready once writing has
    /// stopped, while there is no room on the disk, and where another node of its fleet has written
    /// what it cannot read.
    var isReady: Bool { acceptsWrites && !isDiskFull && answersQuestions }

    /// Why the service is not ready.
    var unreadiness: ProblemCode {
        if let adoptionFailure { return Problem(adoptionFailure).code }
        if isLedgerReplaced { return .ledgerReplaced }
        return isDiskFull ? .diskFull : .unavailable
    }
}
