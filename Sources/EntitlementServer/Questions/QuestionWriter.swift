internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// Decides questions from the rights that the lookup finds, and writes the answers as JSON.
struct QuestionWriter {
    let lookup: RightsLookup
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
        guard let known = question.parameters?.known else {
            return try suppose(question, to: &writer)
        }
        try lookup.asKnown(at: known, now: now) { past throws(LookupFailure) in
            try QuestionWriter(lookup: past, now: past.knownAt ?? now)
                .suppose(question, to: &writer)
        }
    }

    /// As if what the question assumes had happened.
    private func suppose(
        _ question: Question, to writer: inout AnswerWriter
    ) throws(LookupFailure) {
        guard let asked = question.parameters, !asked.assumptions.isEmpty else {
            return try answer(question, to: &writer)
        }
        let start = writer.bytes.count
        try lookup.assuming(
            asked.assumptions, at: asked.instant ?? now, in: asked.environment
        ) { assumed throws(LookupFailure) in
            try QuestionWriter(lookup: assumed, now: now).answer(question, to: &writer)
        }
        writer.markAssumed(from: start)
    }

    private func answer(
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
            writeReplay(of: found, account, parameters, to: &writer)
        case .entitlements(let account, let parameters):
            let found = try self.account(account, parameters)
            let instant = parameters.instant ?? now
            writer.append("{\"account\":")
            writer.appendText(account.text)
            writer.appendFrame(parameters.environment, instant, found.revision)
            writer.append(
                list: found.packed.answers(
                    in: parameters.environment, at: instant, revision: found.revision))
            writer.append("}")
            writeReplay(of: found, account, parameters, to: &writer)
        case .credits(let account, let parameters):
            try writeCredits(of: account, parameters, to: &writer)
        case .appleID(let key, let parameters):
            try writeRights(of: key, parameters, to: &writer)
        }
    }

    /// The account, as of what the caller has seen or later.
    private func account(
        _ account: AccountID, _ parameters: QuestionParameters
    ) throws(LookupFailure) -> RightsLookup.Account {
        let found = try lookup.account(account, through: parameters.appleID)
        try require(found.revision, parameters)
        return found
    }

    /// In the answer that was written last, if it is asked for.
    private func writeReplay(
        of found: RightsLookup.Account, _ account: AccountID, _ parameters: QuestionParameters,
        to writer: inout AnswerWriter
    ) {
        guard parameters.isReplayable else { return }
        writer.extend(
            with: Replay(
                AskedAs(
                    account: account, appleID: parameters.appleID, at: parameters.instant ?? now,
                    revision: found.revision, policy: found.packed.policy)))
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
        let frame = ListFrame(
            environment: parameters.environment, at: instant, revision: found.revision)
        writer.append(
            AccountCredits(
                account: account, frame: frame,
                balances: found.packed.balances(in: parameters.environment, at: instant)))
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
            writer.append("[]}")
            return
        }
        try require(found.revision, parameters)
        writer.appendText(found.view.timeline.key.text)
        writer.appendFrame(parameters.environment, instant, found.revision)
        writer.append(
            list: found.view.rights.answers(
                in: parameters.environment, at: instant, revision: found.revision))
        writer.append("}")
    }

    /// - Returns: the decision.
    private func write(
        _ evaluation: Evaluation, to writer: inout AnswerWriter
    ) throws(LookupFailure) -> Bool {
        let decision = try decide(evaluation)
        let start = writer.bytes.count
        writer.appendEvaluation(decision)
        if !evaluation.assumptions.isEmpty { writer.markAssumed(from: start) }
        return decision.isPermit
    }

    private func write(
        _ batch: EvaluationReader.Batch, to writer: inout AnswerWriter
    ) throws(LookupFailure) {
        let asked = batch.questions.compactMap { try? $0.get() }
        // All answers of a batch are as of one revision.
        try lookup.asOfOneRevision(
            Set(asked.compactMap(\.account)).sorted(),
            readsLedger: asked.contains(where: \.readsLedger)
        ) { lookup throws(LookupFailure) in
            try QuestionWriter(lookup: lookup, now: now).write(each: batch, to: &writer)
        }
    }

    private func write(
        each batch: EvaluationReader.Batch, to writer: inout AnswerWriter
    ) throws(LookupFailure) {
        writer.append("{\"evaluations\":[")
        for (index, question) in batch.questions.enumerated() {
            if index > 0 { writer.append(",") }
            let decision: Bool
            switch question {
            case .success(let evaluation):
                decision = try write(item: evaluation, to: &writer)
            case .failure(let problem):
                writer.appendEvaluation(problem)
                decision = false
            }
            if batch.semantic.stops(after: decision) { break }
        }
        writer.append("]}")
    }
}

extension QuestionWriter {
    /// What is asked of a future that nobody can know, or of a past that was erased, is a mistake of
    /// this question alone.
    fileprivate func write(
        item evaluation: Evaluation, to writer: inout AnswerWriter
    ) throws(LookupFailure) -> Bool {
        do throws(LookupFailure) {
            return try write(evaluation, to: &writer)
        } catch {
            guard case .failed(let problem) = error,
                [.futureKnowledge, .accountErased, .accountMaybeErased].contains(problem.code)
            else {
                throw error
            }
            writer.appendEvaluation(problem)
            return false
        }
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

/// The answer to one AuthZEN question, with its basis.
enum Decision {
    case unknown(Evaluation.UnknownWord)
    /// Nil for an Apple ID that no fact knows.
    case right(PackedRightAnswer?)
    case purchase(PreflightAnswer)
    case spend(SpendAnswer)

    var isPermit: Bool {
        switch self {
        case .unknown: false
        case .right(let answer): answer?.decision ?? false
        case .purchase(let answer): answer.verdict.effect != .block
        case .spend(let answer): answer.isPermit
        }
    }
}

/// Whether a spend would be done: the balance is enough, and neither a block nor a refund stops it.
struct SpendAnswer {
    let balance: Int128
    let amount: Int64
    let isBlocked: Bool
    let isFrozen: Bool
    let policy: Digest256
    let revision: LedgerSequence

    var isPermit: Bool { balance >= amount && !isBlocked && !isFrozen }

    var reason: String {
        if isBlocked { return "blocked" }
        if isFrozen { return "frozen" }
        return balance >= amount ? "enough" : "insufficient"
    }
}

extension QuestionWriter {
    func decide(_ evaluation: Evaluation) throws(LookupFailure) -> Decision {
        guard let known = evaluation.known else { return try supposed(evaluation) }
        return try lookup.asKnown(at: known, now: now) { past throws(LookupFailure) in
            try QuestionWriter(lookup: past, now: past.knownAt ?? now).supposed(evaluation)
        }
    }

    private func supposed(_ evaluation: Evaluation) throws(LookupFailure) -> Decision {
        guard !evaluation.assumptions.isEmpty else { return try decision(on: evaluation) }
        return try lookup.assuming(
            evaluation.assumptions, at: evaluation.instant ?? now, in: evaluation.environment
        ) { assumed throws(LookupFailure) in
            try QuestionWriter(lookup: assumed, now: now).decision(on: evaluation)
        }
    }

    private func decision(on evaluation: Evaluation) throws(LookupFailure) -> Decision {
        let instant = evaluation.instant ?? now
        switch evaluation.matter {
        case .unknown(let word): return .unknown(word)
        case .use(let entitlement, let subject):
            guard lookup.knownEntitlements.contains(entitlement) else {
                return .unknown(.entitlement)
            }
            let key = RightKey(evaluation.environment, entitlement)
            return .right(try answer(key, for: subject, evaluation, at: instant))
        case .purchase(let product, let account):
            let request = PreflightRequest(
                account: account, product: product, environment: evaluation.environment,
                appleID: evaluation.appleID)
            let found = try lookup.preflight(request, at: instant)
            try require(found.revision, for: evaluation)
            return .purchase(found)
        case .spend(let credit, let amount, let account):
            guard lookup.knownCredits.contains(credit) else { return .unknown(.credit) }
            let found = try self.account(account, evaluation)
            let key = CreditKey(evaluation.environment, credit)
            return .spend(
                SpendAnswer(
                    balance: found.packed.balance(key, at: instant), amount: amount,
                    isBlocked: found.packed.isStopped(credit, at: instant),
                    isFrozen: found.packed.isFrozen(key, at: instant),
                    policy: found.packed.policy, revision: found.revision))
        }
    }

    /// The account as of what the caller has seen or later, through the Apple ID that it names.
    private func account(
        _ account: AccountID, _ evaluation: Evaluation
    ) throws(LookupFailure) -> RightsLookup.Account {
        let found = try lookup.account(account, through: evaluation.appleID)
        try require(found.revision, for: evaluation)
        return found
    }

    private func require(
        _ revision: LedgerSequence, for evaluation: Evaluation
    ) throws(LookupFailure) {
        guard revision >= evaluation.minimumRevision else {
            throw .failed(Problem(.revision, field: "context.min_revision"))
        }
    }

    /// Nil for an Apple ID that no fact knows.
    private func answer(
        _ key: RightKey, for subject: Evaluation.Subject, _ evaluation: Evaluation,
        at instant: Instant
    ) throws(LookupFailure) -> PackedRightAnswer? {
        switch subject {
        case .account(let account):
            let found = try self.account(account, evaluation)
            return found.packed.answer(key, at: instant, revision: found.revision)
        case .appleID(let name):
            try require(lookup.revision, for: evaluation)
            guard let found = try lookup.appleID(name) else { return nil }
            return found.view.rights.answer(key, at: instant, revision: found.revision)
        }
    }
}
