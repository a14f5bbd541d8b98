internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Logging
internal import NIOPosix
internal import StrictJSON

/// Answers usher.sock: the questions by the same code as query.sock, and everything else.
struct OperationsResponder: Sendable {
    let engine: EntitlementEngine
    let configuration: ServerConfiguration
    let status: ServiceStatus
    let peers: PeerBudget
    let evidenceMemory: EvidenceMemory
    let journal: CallJournal
    let revisionTimeout: RevisionTimeout
    let previews: PreviewBudget

    init(
        engine: EntitlementEngine, configuration: ServerConfiguration, status: ServiceStatus,
        logger: Logger, revisionTimeout: RevisionTimeout
    ) {
        self.engine = engine
        self.configuration = configuration
        self.status = status
        self.revisionTimeout = revisionTimeout
        peers = PeerBudget(
            callLimit: configuration.inFlightLimitPerPeer,
            refusalMilliseconds: configuration.refusalMilliseconds)
        evidenceMemory = EvidenceMemory(
            bytes: configuration.verifiedBytes, processors: configuration.processors)
        journal = CallJournal(logger: logger)
        previews = PreviewBudget(limit: configuration.previewsPerSecond)
    }

    var answeringHealth: any RequestAnswering {
        let questions = QuestionAnswering(
            source: engine, baseURL: configuration.baseURL,
            jsonDepth: configuration.limits.jsonDepth)
        return HealthOnlyAnswering(base: questions, service: self)
    }

    /// Never fails: what goes wrong is an answer too.
    func respond(to request: ReceivedRequest) async -> ResponseDraft {
        let language = Language(
            acceptLanguage: request.head.acceptLanguage, in: request.bytes.span)
        var draft = ResponseDraft()
        var rejected: ProblemCode?
        var caller = request.caller
        do throws(Problem) {
            let call = try OperationsCall(request, language)
            caller = call.caller
            draft = try await answerInTurn(call)
        } catch {
            rejected = error.code
            draft.reject(error, language: language)
        }
        note(request.head.method, request.call, caller, draft.status, rejected)
        return draft
    }

    /// Counts an answer and logs it.
    func note(
        _ method: RequestHead.Method, _ call: BegunCall, _ caller: Caller, _ answer: HTTPStatus,
        _ rejected: ProblemCode?
    ) {
        let duration = ContinuousClock.now - call.since
        status.count(answer, after: duration)
        journal.note(method, call.match?.path, caller, answer, rejected, after: duration)
    }

    /// Health checks are never rejected; other calls are if there are too many.
    private func answerInTurn(_ call: OperationsCall) async throws(Problem) -> ResponseDraft {
        switch call.endpoint?.traffic {
        case .health, .following: return try await answer(call)
        default: break
        }
        let user = call.caller.counted
        let lane: PeerBudget.Lane =
            call.endpoint?.traffic == .notifications ? .notifications : .calls
        guard peers.beginCall(of: user, in: lane) else { throw Problem(.tooMany) }
        defer { peers.endCall(of: user, in: lane) }
        guard status.beginCall(limit: configuration.inFlightLimit) else {
            throw Problem(.overloaded)
        }
        defer { status.endCall() }
        return try await answer(call)
    }

    /// - Parameter isForwarded: whether another node has received the call; it is not forwarded
    ///   again.
    func answer(
        _ call: OperationsCall, isForwarded: Bool = false
    ) async throws(Problem) -> ResponseDraft {
        guard let path = call.path else { throw Problem(.notFound) }
        guard let endpoint = call.endpoint else {
            var draft = ResponseDraft.rejection(
                Problem(.methodNotAllowed), language: call.language)
            draft.allow = path.allow
            return draft
        }
        guard call.caller.may(endpoint.role) || endpoint.traffic == .health else {
            throw Problem(call.caller.standing == .delegate ? .delegation : .role)
        }
        switch endpoint.work {
        case .question: return try await answerQuestion(call)
        case .page(let make): return try await offLoop { () throws(Problem) in make(self) }
        case .operation(let handle):
            do { try engine.requireAdoption() } catch { throw Problem(error) }
            if !endpoint.isLocal { try await call.presence?.expect() }
            var call = call
            if endpoint.readsQuery {
                call.query = try QueryValues(
                    call.head.query, in: call.bytes.span, taking: endpoint.query)
            }
            guard isForwarded || endpoint.isLocal || engine.leads else {
                return try await forwardToLeader(call)
            }
            guard endpoint.isPreviewable else { return try await handle(call, self) }
            call.intent = try call.query.intent(newest: engine.revision)
            guard case .preview(let rehearsal) = call.intent else {
                return try await handle(call, self)
            }
            guard previews.take(at: .now) else { throw Problem(.tooManyPreviews) }
            let draft = try await handle(call, self)
            // Evidence that is refused is an answer.
            if draft.mediaType == .problem { return draft }
            guard let effect = rehearsal.effect else { throw Problem(.fault) }
            return ResponseDraft(Written(effect.value.said(in: call.language), effect.revision))
        }
    }

    /// The body of a call, read strictly.
    func body<Body: WireObject>(
        _ shape: Body.Type, of call: OperationsCall
    ) throws(Problem) -> Body {
        let json = try call.request(depth: configuration.limits.jsonDepth)
        do {
            return try shape.readStrictly(json)
        } catch {
            throw Problem(error)
        }
    }

    /// An answer that is read from the ledger.
    func reading<Shape: WireObject>(
        _ ask: @escaping @Sendable (LedgerQuestions) throws(EngineError) -> Shape
    ) async throws(Problem) -> ResponseDraft {
        try await reading(asKnown: nil) { questions, _ throws(EngineError) in try ask(questions) }
    }

    /// The same by what was known then.
    ///
    /// - Parameters:
    ///   - moment: what was known; nil for all that is.
    ///   - ask: gets the instant that a question is about which names none.
    ///   - check: whether the caller can have it.
    func reading<Shape: WireObject>(
        asKnown moment: KnownMoment?,
        _ ask: @escaping @Sendable (LedgerQuestions, Instant) throws(EngineError) -> Shape,
        check: @escaping @Sendable (Shape) throws(Problem) -> Void = { _ in }
    ) async throws(Problem) -> ResponseDraft {
        let engine = engine
        return try await offLoop { () throws(Problem) in
            let answer: Shape
            do throws(EngineError) {
                let (questions, now) = try engine.questions(asKnown: moment)
                answer = try ask(questions, now)
            } catch {
                throw Problem(error)
            }
            try check(answer)
            return ResponseDraft(answer)
        }
    }

    func evidenceCall(_ call: OperationsCall) -> EvidenceCall {
        EvidenceCall(
            engine: engine, status: status, peers: peers, evidenceMemory: evidenceMemory,
            caller: call.caller, language: call.language, intent: call.intent, tickets: tickets)
    }

    private func tickets(
        _ numbers: [LedgerSequence]
    ) async throws(Problem) -> [LedgerSequence: TicketAnswer] {
        guard !numbers.isEmpty else { return [:] }
        let questions = engine.questions
        return try await offLoop { () throws(Problem) in
            var tickets: [LedgerSequence: TicketAnswer] = [:]
            do throws(EngineError) {
                for number in numbers { tickets[number] = try questions.ticket(number) }
            } catch {
                throw Problem(error)
            }
            return tickets
        }
    }

    func search(
        for target: Search.Target, _ call: OperationsCall
    ) async throws(Problem) -> ResponseDraft {
        try call.requireJSON()
        let search = SearchCall(
            engine: engine, target: target, body: call.body,
            jsonDepth: configuration.limits.jsonDepth)
        let asked = try search.search()
        await revisionTimeout.waited(for: asked.minimumRevision)
        return try await offLoop { () throws(Problem) in
            ResponseDraft(try search.answer(asked))
        }
    }

    private func answerQuestion(_ call: OperationsCall) async throws(Problem) -> ResponseDraft {
        var answering = QuestionAnswering(
            source: engine, baseURL: configuration.baseURL, servesSearches: true,
            jsonDepth: configuration.limits.jsonDepth, revisionTimeout: revisionTimeout)
        var draft = ResponseDraft()
        let progress = answering.answer(
            call.head, call.match, in: call.bytes.span, into: &draft)
        guard case .cold(let work) = progress else { return draft }
        if let wait = work.wait {
            await withCheckedContinuation { continuation in
                wait { continuation.resume() }
            }
        }
        return try await offLoop { () throws(Problem) in work.run() }
    }

    /// Runs what blocks where it may.
    func offLoop<Value: Sendable>(
        _ work: @escaping @Sendable () throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let result: Result<Value, Problem>
        do {
            result = try await NIOThreadPool.singleton.runIfActive {
                ThreadPriority.background.apply()
                return Result { () throws(Problem) in try work() }
            }
        } catch {
            throw Problem(.stopping)
        }
        return try result.get()
    }
}
