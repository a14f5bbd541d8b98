internal import EntitlementEngine
internal import EntitlementModel

/// Writes the answer to a question as JSON, from whatever rights the lookup finds.
struct QuestionWriter<Lookup: RightsLookup> {
    let lookup: Lookup
    let now: Instant

    /// Appends the answer to `bytes`, which is left in any state where something is missing.
    func write(_ question: Question, into bytes: inout [UInt8]) throws(LookupFailure) {
        try AnswerWriter.appending(to: &bytes) { writer throws(LookupFailure) in
            try write(question, to: &writer)
        }
    }

    private func write(
        _ question: Question, to writer: inout AnswerWriter
    ) throws(LookupFailure) {
        switch question {
        case .evaluation(let evaluation): _ = try write(evaluation, to: &writer)
        case .evaluations(let batch): try write(batch, to: &writer)
        case .entitlement(let name, let account, let parameters):
            let known = lookup.knownEntitlements
            guard known.contains(name) else {
                let nearest = known.nearest(to: name)?.text
                throw .failed(
                    Problem(.unknownEntitlement, field: "entitlement", didYouMean: nearest))
            }
            let found = try self.account(account, parameters)
            let key = RightKey(parameters.environment, name)
            writer.append(
                found.packed.answer(key, at: parameters.instant ?? now, revision: found.revision))
        case .entitlements(let account, let parameters):
            let found = try self.account(account, parameters)
            let instant = parameters.instant ?? now
            writer.append("{\"account\":")
            writer.appendText(account.text)
            writer.appendFrame(parameters.environment, instant, found.revision)
            writer.append(
                list: found.packed.answers(
                    in: parameters.environment, at: instant, revision: found.revision))
        case .credits(let account, let parameters):
            try writeCredits(of: account, parameters, to: &writer)
        case .appleID(let key, let parameters):
            try writeRights(of: key, parameters, to: &writer)
        }
    }

    /// The account, as of what the caller has seen or later.
    private func account(
        _ account: AccountID, _ parameters: QuestionParameters
    ) throws(LookupFailure) -> (packed: PackedAccount, revision: LedgerSequence) {
        let found =
            if let key = parameters.appleID {
                try lookup.account(account, through: key)
            } else {
                try lookup.account(account)
            }
        try require(found.revision, parameters)
        return found
    }

    private func require(
        _ revision: LedgerSequence, _ parameters: QuestionParameters
    ) throws(LookupFailure) {
        do {
            try parameters.require(revision)
        } catch {
            throw .failed(error)
        }
    }

    private func writeCredits(
        of account: AccountID, _ parameters: QuestionParameters, to writer: inout AnswerWriter
    ) throws(LookupFailure) {
        let found = try self.account(account, parameters)
        let instant = parameters.instant ?? now
        writer.append("{\"account\":")
        writer.appendText(account.text)
        writer.appendFrame(parameters.environment, instant, found.revision)
        writer.append(",\"balances\":[")
        let balances = found.packed.balances(in: parameters.environment, at: instant)
        for (index, balance) in balances.enumerated() {
            if index > 0 { writer.append(",") }
            writer.append(balance)
        }
        writer.append("]}")
    }

    /// An Apple ID that no fact knows has no rights, and no name.
    private func writeRights(
        of key: AppleIDKey, _ parameters: QuestionParameters, to writer: inout AnswerWriter
    ) throws(LookupFailure) {
        let instant = parameters.instant ?? now
        let revision = lookup.revision
        writer.append("{\"apple_id\":")
        guard let found = try lookup.appleID(key) else {
            try require(revision, parameters)
            writer.append("null")
            writer.appendFrame(parameters.environment, instant, revision)
            writer.append(list: [])
            return
        }
        try require(found.revision, parameters)
        writer.appendText(found.view.timeline.key.text)
        writer.appendFrame(parameters.environment, instant, found.revision)
        writer.append(
            list: found.view.rights.answers(
                in: parameters.environment, at: instant, revision: found.revision))
    }

    /// - Returns: the decision.
    private func write(
        _ evaluation: Evaluation, to writer: inout AnswerWriter
    ) throws(LookupFailure) -> Bool {
        let decision = try DecisionMaker(lookup: lookup, now: now).decide(evaluation)
        writer.appendEvaluation(decision)
        return decision.isPermit
    }

    private func write(
        _ batch: EvaluationReader.Batch, to writer: inout AnswerWriter
    ) throws(LookupFailure) {
        writer.append("{\"evaluations\":[")
        for (index, question) in batch.questions.enumerated() {
            if index > 0 { writer.append(",") }
            let decision: Bool
            switch question {
            case .success(let evaluation): decision = try write(evaluation, to: &writer)
            case .failure(let problem):
                writer.appendEvaluation(problem)
                decision = false
            }
            if batch.semantic.stops(after: decision) { break }
        }
        writer.append("]}")
    }
}

extension EvaluationReader.Semantic {
    /// Whether the answers end with one that says `decision`.
    fileprivate func stops(after decision: Bool) -> Bool {
        switch self {
        case .executeAll: false
        case .denyOnFirstDeny: !decision
        case .permitOnFirstPermit: decision
        }
    }
}
