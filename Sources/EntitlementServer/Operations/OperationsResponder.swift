internal import EntitlementEngine
internal import EntitlementModel
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import StrictJSON

/// Answers usher.sock: the questions by the same code as query.sock, and everything else.
struct OperationsResponder: OperationsResponding {
    let engine: EntitlementEngine
    let configuration: ServerConfiguration
    let status: ServiceStatus
    let peers: PeerBudget
    let room: EvidenceMemory
    let journal: CallJournal
    let patience: RevisionTimeout

    init(
        engine: EntitlementEngine, configuration: ServerConfiguration, status: ServiceStatus,
        logger: Logger, patience: RevisionTimeout
    ) {
        self.engine = engine
        self.configuration = configuration
        self.status = status
        self.patience = patience
        peers = PeerBudget(
            callLimit: configuration.inFlightLimitPerPeer,
            refusalMilliseconds: configuration.refusalMilliseconds)
        room = EvidenceMemory(
            bytes: configuration.verifiedBytes, processors: configuration.processors)
        journal = CallJournal(logger: logger)
    }

    var answeringHealth: any RequestAnswering {
        let questions = QuestionAnswering(
            source: engine, baseURL: configuration.baseURL,
            jsonDepth: configuration.limits.jsonDepth)
        return HealthOnlyAnswering(base: questions, pages: { aboutService($0) })
    }

    func respond(to request: Request, from caller: Caller) async -> OperationsResponse {
        // Soon all threads that serve this socket have passed here.
        ThreadPrecedence.afterQuestions.take()
        let begun = ContinuousClock.now
        let language = Language(acceptLanguage: request.headers[.acceptLanguage])
        var draft = ResponseDraft()
        var refused: ProblemCode?
        // Until all of the request is read, nobody can say where the next one begins.
        var closes = true
        do throws(Problem) {
            let limit = configuration.bodyLimit(of: request)
            let held = try status.holdBody(of: request, upTo: limit, configuration.bufferedBytes)
            defer { status.releaseBody(held) }
            let body = try await collect(request, upTo: limit)
            let laidOut = try RequestHead.lay(out: request.head, body: body)
            closes = false
            let call = try OperationsCall(request, laidOut, from: caller, language)
            draft = try await answerInTurn(call)
        } catch {
            refused = error.code
            draft.refuse(error, language: language)
        }
        let duration = ContinuousClock.now - begun
        status.count(draft.status, after: duration)
        journal.note(request.head, caller, draft.status, refused, after: duration)
        return OperationsResponse(
            response: Response(draft, to: request), closes: closes)
    }

    /// Whoever asks how the service is is never turned away; the others are where there are too
    /// many of them.
    private func answerInTurn(_ call: OperationsCall) async throws(Problem) -> ResponseDraft {
        guard !call.isAboutHealth else { return try await answer(call) }
        let user = call.caller.credentials.user
        let lane: PeerBudget.Lane = call.path?.route == .notifications ? .notifications : .calls
        guard peers.beginCall(of: user, in: lane) else { throw Problem(.tooMany) }
        defer { peers.endCall(of: user, in: lane) }
        guard status.beginCall(limit: configuration.inFlightLimit) else {
            throw Problem(.overloaded)
        }
        defer { status.endCall() }
        return try await answer(call)
    }

    private func answer(_ call: OperationsCall) async throws(Problem) -> ResponseDraft {
        guard let path = call.path else { return try await answerQuestion(call) }
        guard call.head.method == path.route.method else {
            var draft = ResponseDraft.refusal(
                Problem(.methodNotAllowed), language: call.language)
            draft.allow = path.route.method.name
            return draft
        }
        guard call.caller.role >= path.route.role else { throw Problem(.role) }
        switch path.route {
        case .status, .metrics, .description:
            let route = path.route
            return try await offLoop { () throws(Problem) in aboutService(route) }
        case .evidence, .notifications: return try await answerEvidence(path.route, call)
        case .account, .timeline, .findings, .allFindings, .catalogue, .explanation, .claims:
            let report = ReportCall(
                engine: engine, path: path, head: call.head, bytes: call.bytes)
            await patience.waited(for: try report.minimumRevision)
            return try await offLoop { () throws(Problem) in try report.answer() }
        case .preflight:
            let preflight = PreflightCall(engine: engine, body: try json(call))
            return try await offLoop { () throws(Problem) in try preflight.answer() }
        case .subjectSearch: return try await search(for: .subject, call)
        case .resourceSearch: return try await search(for: .resource, call)
        case .actionSearch: return try await search(for: .action, call)
        case .ruling, .grants, .grant, .blocks, .block, .accountTokens, .merges, .merge:
            return try await AdminActionCall(
                engine: engine, path: path, caller: call.caller, key: call.idempotencyKey,
                body: try json(call)
            ).answer()
        case .policy:
            let questions = engine.questions
            return try await offLoop { () throws(Problem) in try policyInForce(questions) }
        case .reload:
            return try await upkeep(call).reload(try json(call))
        case .backup:
            let (upkeep, body) = (upkeep(call), try json(call))
            return try await offLoop { () throws(Problem) in try upkeep.backUp(body) }
        }
    }

    private func json(_ call: OperationsCall) throws(Problem) -> JSONValue {
        try call.json(depth: configuration.limits.jsonDepth)
    }

    private func upkeep(_ call: OperationsCall) -> UpkeepCall {
        UpkeepCall(
            engine: engine, configuration: configuration, caller: call.caller, journal: journal)
    }

    private func policyInForce(_ questions: LedgerQuestions) throws(Problem) -> ResponseDraft {
        do throws(EngineError) {
            guard let policy = try questions.policyInForce() else { throw .noPolicy }
            var writer = AnswerWriter()
            writer.append(policy)
            return ResponseDraft(writer)
        } catch {
            throw Problem(error)
        }
    }

    private func aboutService(_ route: OperationsRoute) -> ResponseDraft {
        var draft = ResponseDraft()
        switch route {
        case .status: draft.body = status.json(engine)
        case .metrics:
            draft.mediaType = .metrics
            draft.body = status.metrics(engine)
        default: draft.body = ServiceDescription.json
        }
        return draft
    }

    private func answerEvidence(
        _ route: OperationsRoute, _ call: OperationsCall
    ) async throws(Problem) -> ResponseDraft {
        let evidence = EvidenceCall(
            engine: engine, status: status, peers: peers, room: room,
            user: call.caller.credentials.user, language: call.language)
        guard route == .evidence else { return try await evidence.answerNotification(call.body) }
        return try await evidence.answer(try json(call))
    }

    private func search(
        for target: Search.Target, _ call: OperationsCall
    ) async throws(Problem) -> ResponseDraft {
        try call.requireJSON()
        let search = SearchCall(
            engine: engine, target: target, body: call.body,
            jsonDepth: configuration.limits.jsonDepth)
        let asked = try search.search()
        await patience.waited(for: asked.minimumRevision)
        return try await offLoop { () throws(Problem) in try search.answer(asked) }
    }

    private func answerQuestion(_ call: OperationsCall) async throws(Problem) -> ResponseDraft {
        var answering = QuestionAnswering(
            source: engine, baseURL: configuration.baseURL, servesSearches: true,
            jsonDepth: configuration.limits.jsonDepth, patience: patience)
        var draft = ResponseDraft()
        let progress = answering.answer(call.head, in: call.bytes.span, into: &draft)
        guard case .cold(let work) = progress else { return draft }
        if let wait = work.wait {
            await withCheckedContinuation { continuation in
                wait { continuation.resume() }
            }
        }
        return try await offLoop { () throws(Problem) in work.run() }
    }

    /// Runs what blocks where it may.
    private func offLoop(
        _ work: @escaping @Sendable () throws(Problem) -> ResponseDraft
    ) async throws(Problem) -> ResponseDraft {
        let result: Result<ResponseDraft, Problem>
        do {
            result = try await NIOThreadPool.singleton.runIfActive {
                ThreadPrecedence.afterQuestions.take()
                return Result { () throws(Problem) in try work() }
            }
        } catch {
            throw Problem(.stopping)
        }
        return try result.get()
    }

    private func collect(_ request: Request, upTo limit: Int) async throws(Problem) -> [UInt8] {
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw Problem(.contentEncoding)
        }
        guard !configuration.isTooLarge(request) else { throw Problem(.tooLarge) }
        do {
            return Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge)
        } catch let error as RefusedBody {
            throw Problem(error.code)
        } catch {
            throw Problem(.malformed)
        }
    }
}

extension Language {
    init(acceptLanguage value: String?) {
        let bytes = Array((value ?? "").utf8)
        self.init(acceptLanguage: 0..<bytes.count, in: bytes.span)
    }
}

extension Response {
    /// The draft as Hummingbird sends it: the same fields as on query.sock.
    fileprivate init(_ draft: ResponseDraft, to request: Request) {
        var fields = HTTPFields()
        fields[.contentType] = "\(draft.mediaType.name)"
        fields[.allow] = draft.allow.map { "\($0)" }
        fields[.retryAfter] = draft.retryAfter.map { "\($0)" }
        if let name = HTTPField.Name("X-Request-ID"), let id = request.headers[name],
            id.isSafeToEcho
        {
            fields[name] = id
        }
        let status = HTTPResponse.Status(
            code: draft.status.rawValue, reasonPhrase: "\(draft.status.phrase)")
        let hasBody = request.method != .head
        self.init(
            status: status, headers: fields,
            body: hasBody ? ResponseBody(byteBuffer: ByteBuffer(bytes: draft.body)) : .init())
    }
}

extension String {
    /// As query.sock has it: printable ASCII, as long as a line may be.
    fileprivate var isSafeToEcho: Bool {
        !isEmpty
            && utf8.allSatisfy { $0 == ASCII.space || ASCII.visible.contains($0) }
    }
}
