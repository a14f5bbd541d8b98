internal import EntitlementEngine
internal import EntitlementModel

/// Answers the usual questions about accounts in memory, without a tree or a string being made.
///
/// It answers as `QuestionWriter` would, or not at all. Names of accounts need no check: one
/// that the memory knows is one.
struct PlainAnswering {
    private let source: EntitlementEngine
    private let jsonDepth: Int
    private var memo = EvaluationMemo()

    init(source: EntitlementEngine, jsonDepth: Int) {
        self.source = source
        self.jsonDepth = jsonDepth
    }

    /// Appends the answer to what is asked on that route.
    ///
    /// - Returns: false where it is another question, or about somebody else; nothing is
    ///   appended then.
    mutating func answer(
        _ route: QuestionRoute, _ body: Span<UInt8>, into bytes: inout [UInt8]
    ) -> Bool {
        guard jsonDepth >= PlainBatch.depth else { return false }
        return switch route {
        case .evaluation: answerOne(body, into: &bytes)
        case .evaluations: answerAll(body, into: &bytes)
        default: false
        }
    }

    private mutating func answerOne(_ body: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
        guard let use = use(in: body),
            let found = source.cachedAccount(named: body.extracting(use.account))
        else { return false }
        let answer = found.sheet.rights.answer(
            named: body.extracting(use.entitlement), in: .production, at: source.now())
        AnswerWriter.appending(to: &bytes) { writer in
            writer.appendEvaluation(answer, found.sheet.rights, found.revision)
        }
        return true
    }

    /// All as of one revision and one instant.
    private func answerAll(_ body: Span<UInt8>, into bytes: inout [UInt8]) -> Bool {
        guard let uses = PlainBatch(body)?.uses,
            let found = source.cachedAccounts(named: uses.map(\.account), in: body)
        else { return false }
        let now = source.now()
        AnswerWriter.appending(to: &bytes) { writer in
            writer.append("{\"evaluations\":[")
            for index in uses.indices {
                if index > 0 { writer.append(",") }
                let rights = found.sheets[index].rights
                let answer = rights.answer(
                    named: body.extracting(uses[index].entitlement), in: .production, at: now)
                writer.appendEvaluation(answer, rights, found.revision)
            }
            writer.append("]}")
        }
        return true
    }

    /// Whom and what the body asks about, if it is a plain one and asks about a use.
    private mutating func use(in body: Span<UInt8>) -> PlainUse? {
        if let use = memo.recall(body) { return use }
        guard let use = PlainEvaluation(body)?.use(in: body) else { return nil }
        memo.keep(use, body)
        return use
    }
}
