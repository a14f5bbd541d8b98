internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// `POST /v1/merges` and `DELETE /v1/merges/{merge}`: two accounts that are one person's, by an
/// authorised caller only (spec 1.6).
struct MergeCall: Sendable {
    let engine: EntitlementEngine
    let path: OperationsPath
    let caller: Caller
    let body: JSONValue

    func answer() async throws(Problem) -> ResponseDraft {
        switch try await path.route == .merges ? merge() : undo() {
        case .refused(let obstacle): throw Problem(ProblemCode(obstacle))
        case .merged(let merge):
            var writer = AnswerWriter()
            writer.append(merge)
            return ResponseDraft(writer)
        }
    }

    private func merge() async throws(Problem) -> MergeReport {
        let body = try RequestBody(self.body, knowing: ["from", "into", "reason"])
        let cause = AccountMerge(
            from: try body.id("from"), into: try body.id("into"), actor: caller.actor,
            reason: try body.reason())
        do {
            return try await engine.merge(cause)
        } catch {
            throw Problem(error)
        }
    }

    private func undo() async throws(Problem) -> MergeReport {
        let reason = try RequestBody(body, knowing: ["reason"]).reason()
        let place = try path.place(0, "merge")
        let cause = DeedCause(actor: caller.actor, reason: reason)
        do {
            return try await engine.undoMerge(place, cause)
        } catch {
            throw Problem(error)
        }
    }
}

extension ProblemCode {
    /// The same obstacle, as a socket says it.
    init(_ obstacle: MergeObstacle) {
        guard let code = ProblemCode(rawValue: "merge." + obstacle.rawValue) else {
            preconditionFailure("every obstacle of a merge has its code on the sockets")
        }
        self = code
    }
}

extension AnswerWriter {
    fileprivate mutating func append(_ merge: Recorded<AccountMerge>) {
        object { writer in
            writer.member("merge", merge.sequence.number)
            writer.member("recorded_at", merge.recordedAt)
            writer.member("from", merge.value.from.text)
            writer.member("into", merge.value.into.text)
            if let undone = merge.value.undoes { writer.member("undoes", undone.number) }
            writer.member("actor", merge.value.actor)
            writer.member("reason", merge.value.reason)
        }
    }
}
