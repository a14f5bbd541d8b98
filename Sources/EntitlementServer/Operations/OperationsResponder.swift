internal import EntitlementEngine
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOPosix

/// Answers usher.sock: the questions by the same code as query.sock, and everything else.
struct OperationsResponder: OperationsResponding {
    let engine: EntitlementEngine
    let configuration: ServerConfiguration
    let status: ServiceStatus

    func respond(to request: Request, from role: PeerRole) async -> OperationsResponse {
        let language = ProblemLanguage(acceptLanguage: request.headers[.acceptLanguage])
        let route = OperationsRoute(target: request.head.path ?? "")
        let body: [UInt8]
        do {
            body = try await collect(request, upTo: route.map(bodyLimit) ?? defaultBodyLimit)
        } catch {
            let draft = ResponseDraft.refusal(error, language: language)
            return OperationsResponse(response: Response(draft, to: request), closes: true)
        }
        var draft = ResponseDraft()
        do throws(Problem) {
            guard status.beginCall(limit: configuration.inFlightLimit) else {
                throw Problem(.overloaded)
            }
            defer { status.endCall() }
            draft = try await answer(request, body, route, from: role, language)
        } catch {
            draft.refuse(error, language: language)
        }
        status.count(draft.status)
        return OperationsResponse(response: Response(draft, to: request))
    }

    private func answer(
        _ request: Request, _ body: [UInt8], _ route: OperationsRoute?, from role: PeerRole,
        _ language: ProblemLanguage
    ) async throws(Problem) -> ResponseDraft {
        let (head, bytes) = try RequestHead.lay(out: request.head, body: body)
        guard let route else { return try await answerQuestion(head, bytes) }
        guard head.method == route.method else {
            var draft = ResponseDraft.refusal(Problem(.methodNotAllowed), language: language)
            draft.allow = route.method == .post ? "POST" : "GET"
            return draft
        }
        guard role >= route.role else { throw Problem(.role) }
        var draft = ResponseDraft()
        switch route {
        case .status: draft.body = status.json(engine)
        case .metrics:
            draft.mediaType = .metrics
            draft.body = status.metrics(engine)
        case .description: draft.body = ServiceDescription.json
        case .evidence:
            guard head.bodyKind == .json else {
                throw Problem(.contentType, field: "Content-Type")
            }
            draft = try await EvidenceCall(engine: engine, status: status, language: language)
                .answer(body)
        case .notifications:
            draft = try await EvidenceCall(engine: engine, status: status, language: language)
                .answerNotification(body)
        }
        return draft
    }

    private func answerQuestion(
        _ head: RequestHead, _ bytes: [UInt8]
    ) async throws(Problem) -> ResponseDraft {
        var answering = QuestionAnswering(source: engine, baseURL: configuration.baseURL)
        var draft = ResponseDraft()
        guard case .cold(let work) = answering.answer(head, in: bytes.span, into: &draft) else {
            return draft
        }
        do {
            return try await NIOThreadPool.singleton.runIfActive { work.run() }
        } catch {
            throw Problem(.stopping)
        }
    }

    private func collect(_ request: Request, upTo limit: Int) async throws(Problem) -> [UInt8] {
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw Problem(.contentEncoding)
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem(.tooLarge)
        }
        do {
            return Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge)
        } catch {
            throw Problem(.malformed)
        }
    }

    private var defaultBodyLimit: Int { configuration.limits.bodyBytes }

    private func bodyLimit(_ route: OperationsRoute) -> Int {
        switch route {
        case .evidence, .notifications: configuration.evidenceBytes
        case .status, .metrics, .description: defaultBodyLimit
        }
    }
}

extension OperationsRoute {
    /// The path of a target, whatever its query.
    init?(target: String) {
        self.init(rawValue: String(target.prefix { $0 != "?" }))
    }
}

extension ProblemLanguage {
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
    /// As query.sock has it: printable ASCII, not too long.
    fileprivate var isSafeToEcho: Bool {
        !isEmpty && utf8.count <= 256
            && utf8.allSatisfy { $0 == ASCII.space || ASCII.visible.contains($0) }
    }
}
