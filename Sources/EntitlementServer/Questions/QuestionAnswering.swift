package import EntitlementEngine
internal import EntitlementModel

/// Answers the routes that both sockets serve: the one place, so that their bytes are the same
/// (spec 3.1).
package struct QuestionAnswering: RequestAnswering {
    private let source: EntitlementEngine
    private let baseURL: String
    private let servesSearches: Bool
    private let jsonDepth: Int
    private let patience: RevisionTimeout?
    private var plain: PlainAnswering

    /// - Parameters:
    ///   - baseURL: what AuthZEN's metadata calls the service.
    ///   - servesSearches: whether the metadata names the searches: that of each socket lists
    ///     what the socket serves.
    ///   - jsonDepth: how deep bodies may nest.
    ///   - patience: nil for not waiting for revisions.
    package init(
        source: EntitlementEngine, baseURL: String, servesSearches: Bool = false,
        jsonDepth: Int = HTTPLimits().jsonDepth, patience: RevisionTimeout? = nil
    ) {
        self.source = source
        self.baseURL = baseURL
        self.servesSearches = servesSearches
        self.jsonDepth = jsonDepth
        self.patience = patience
        plain = PlainAnswering(source: source, jsonDepth: jsonDepth)
    }

    package mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        guard let route = QuestionRoute(request.path, in: bytes) else {
            // What is served on the other socket is forbidden here, not unknown.
            let isServed = (try? OperationsPath(request.path, in: bytes)) != nil
            return refuse(Problem(isServed ? .socket : .notFound), request, bytes, &draft)
        }
        guard route.method == request.method else {
            _ = refuse(Problem(.methodNotAllowed), request, bytes, &draft)
            draft.allow = route.method == .post ? "POST" : "GET"
            return .answered
        }
        if plain.answer(route, request, in: bytes, into: &draft.body) { return .answered }
        do {
            guard let question = try Question(route, request, in: bytes, jsonDepth) else {
                answerAboutService(route, request, bytes, &draft)
                return .answered
            }
            return answer(question, request, bytes, &draft)
        } catch {
            return refuse(error, request, bytes, &draft)
        }
    }

    private func answer(
        _ question: Question, _ request: RequestHead, _ bytes: Span<UInt8>,
        _ draft: inout ResponseDraft
    ) -> AnswerProgress {
        if let wait = patience?.wait(for: question.minimumRevision) {
            return .cold(load(question, after: wait, request, bytes))
        }
        let writer = QuestionWriter(lookup: CachedLookup(source: source), now: source.now())
        do {
            try writer.write(question, into: &draft.body)
            return .answered
        } catch {
            switch error {
            case .cold: return .cold(load(question, after: nil, request, bytes))
            case .failed(let problem): return refuse(problem, request, bytes, &draft)
            }
        }
    }

    private func load(
        _ question: Question, after wait: ColdWork.Wait?, _ request: RequestHead,
        _ bytes: Span<UInt8>
    ) -> ColdWork {
        let language = Language(acceptLanguage: request.acceptLanguage, in: bytes)
        return ColdWork(after: wait) { [source] in Self.load(question, source, language) }
    }

    private static func load(
        _ question: Question, _ source: EntitlementEngine, _ language: Language
    ) -> ResponseDraft {
        var draft = ResponseDraft()
        let writer = QuestionWriter(lookup: LoadingLookup(source: source), now: source.now())
        do {
            try writer.write(question, into: &draft.body)
            return draft
        } catch {
            switch error {
            case .cold: preconditionFailure("a lookup that reads finds nothing cold")
            case .failed(let problem): return .refusal(problem, language: language)
            }
        }
    }

    private func answerAboutService(
        _ route: QuestionRoute, _ request: RequestHead, _ bytes: Span<UInt8>,
        _ draft: inout ResponseDraft
    ) {
        switch route {
        case .ready where !source.isReady:
            _ = refuse(Problem(source.unreadiness), request, bytes, &draft)
        case .ready: draft.body.append("{\"status\":\"ready\"}")
        case .metadata: appendMetadata(to: &draft.body)
        default: draft.body.append("{\"status\":\"live\"}")
        }
    }

    /// AuthZEN's discovery document: what is served, and nothing else.
    private func appendMetadata(to body: inout [UInt8]) {
        body.append("{\"policy_decision_point\":\"")
        body.append(contentsOf: baseURL.utf8)
        body.append("\",\"access_evaluation_endpoint\":\"")
        body.append(contentsOf: baseURL.utf8)
        body.append("/access/v1/evaluation\",\"access_evaluations_endpoint\":\"")
        body.append(contentsOf: baseURL.utf8)
        body.append("/access/v1/evaluations\"")
        for target in Search.Target.allCases where servesSearches {
            body.append(contentsOf: ",\"search_\(target.rawValue)_endpoint\":\"\(baseURL)".utf8)
            body.append(contentsOf: "/access/v1/search/\(target.rawValue)\"".utf8)
        }
        body.append("}")
    }

    private func refuse(
        _ problem: Problem, _ request: RequestHead, _ bytes: Span<UInt8>,
        _ draft: inout ResponseDraft
    ) -> AnswerProgress {
        draft.refuse(
            problem, language: Language(acceptLanguage: request.acceptLanguage, in: bytes))
        return .answered
    }
}
