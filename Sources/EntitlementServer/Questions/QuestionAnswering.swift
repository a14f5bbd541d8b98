internal import EntitlementAnswers
package import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// Answers the routes that both sockets serve: the one place, so that their bytes are the same
/// (spec 3.1).
package struct QuestionAnswering: RequestAnswering {
    private let source: EntitlementEngine
    private let baseURL: String
    private let servesSearches: Bool
    private let jsonDepth: Int
    private let revisionTimeout: RevisionTimeout?
    private var plain: PlainAnswering

    /// - Parameters:
    ///   - baseURL: what AuthZEN's metadata calls the service.
    ///   - servesSearches: whether the metadata names the searches: that of each socket lists
    ///     what the socket serves.
    ///   - jsonDepth: how deep bodies may nest.
    ///   - revisionTimeout: nil for not waiting for revisions.
    package init(
        source: EntitlementEngine, baseURL: String, servesSearches: Bool = false,
        jsonDepth: Int = HTTPLimits().jsonDepth, revisionTimeout: RevisionTimeout? = nil
    ) {
        self.source = source
        self.baseURL = baseURL
        self.servesSearches = servesSearches
        self.jsonDepth = jsonDepth
        self.revisionTimeout = revisionTimeout
        plain = PlainAnswering(source: source, jsonDepth: jsonDepth)
    }

    package mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        answer(request, EndpointTable.match(request.path, in: bytes), in: bytes, into: &draft)
    }

    /// The same for a request whose path has been matched; nil if nothing is served there.
    @inline(__always)
    mutating func answer(
        _ request: RequestHead, _ match: PathMatch?, in bytes: Span<UInt8>,
        into draft: inout ResponseDraft
    ) -> AnswerProgress {
        guard let match else {
            return reject(Problem(.notFound), request, bytes, &draft)
        }
        guard let endpoint = match.path.endpoint(for: request.method) else {
            // A path of the other socket is forbidden, whatever the method.
            let isServedHere = match.path.endpoints.contains { $0.question != nil }
            let problem = Problem(isServedHere ? .methodNotAllowed : .socket)
            _ = reject(problem, request, bytes, &draft)
            if isServedHere { draft.allow = match.path.allow }
            return .answered
        }
        guard let kind = endpoint.question else {
            return reject(Problem(.socket), request, bytes, &draft)
        }
        if !source.answersQuestions, kind.needsPolicy, let failure = source.adoptionFailure {
            return reject(Problem(failure), request, bytes, &draft)
        }
        if plain.answer(kind, request, in: bytes, into: &draft.body) { return .answered }
        do {
            guard let question = try Question(kind, match, request, in: bytes, jsonDepth) else {
                answerAboutService(kind, request, bytes, &draft)
                return .answered
            }
            return answer(question, request, bytes, &draft)
        } catch {
            return reject(error, request, bytes, &draft)
        }
    }

    private func answer(
        _ question: Question, _ request: RequestHead, _ bytes: Span<UInt8>,
        _ draft: inout ResponseDraft
    ) -> AnswerProgress {
        if question.isFresh, let revisionTimeout, let newest = revisionTimeout.newest() {
            return .cold(load(question, after: newest, request, bytes))
        }
        if let wait = revisionTimeout?.wait(for: question.minimumRevision) {
            return .cold(load(question, after: wait, request, bytes))
        }
        let writer = QuestionWriter(lookup: RightsLookup(source, .memory), now: source.now())
        do {
            try writer.write(question, into: &draft.body)
            return .answered
        } catch {
            switch error {
            case .cold: return .cold(load(question, after: nil, request, bytes))
            case .failed(let problem): return reject(problem, request, bytes, &draft)
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

    private func load(
        _ question: Question, after newest: NewestRevision, _ request: RequestHead,
        _ bytes: Span<UInt8>
    ) -> ColdWork {
        let language = Language(acceptLanguage: request.acceptLanguage, in: bytes)
        return ColdWork(after: newest.wait) { [source] in
            do throws(Problem) {
                try newest.require(source.revision)
            } catch {
                return .rejection(error, language: language)
            }
            return Self.load(question, source, language)
        }
    }

    private static func load(
        _ question: Question, _ source: EntitlementEngine, _ language: Language
    ) -> ResponseDraft {
        if let failure = source.adoptionFailure {
            return .rejection(Problem(failure), language: language)
        }
        var draft = ResponseDraft()
        let writer = QuestionWriter(lookup: RightsLookup(source, .ledger), now: source.now())
        do {
            try writer.write(question, into: &draft.body)
            return draft
        } catch {
            switch error {
            case .cold: preconditionFailure("a lookup that reads finds nothing cold")
            case .failed(let problem): return .rejection(problem, language: language)
            }
        }
    }

    private func answerAboutService(
        _ kind: QuestionKind, _ request: RequestHead, _ bytes: Span<UInt8>,
        _ draft: inout ResponseDraft
    ) {
        switch kind {
        case .ready where !source.isReady:
            _ = reject(Problem(source.unreadiness), request, bytes, &draft)
        case .ready: draft.body += Health(status: .ready).json
        case .metadata:
            draft.body +=
                AuthorizationMetadata(baseURL: baseURL, servesSearches: servesSearches).json
        case .live, .evaluation, .evaluations, .entitlements, .entitlement, .credits,
            .appleIDEntitlements:
            draft.body += Health(status: .live).json
        }
    }

    private func reject(
        _ problem: Problem, _ request: RequestHead, _ bytes: Span<UInt8>,
        _ draft: inout ResponseDraft
    ) -> AnswerProgress {
        draft.reject(
            problem, language: Language(acceptLanguage: request.acceptLanguage, in: bytes))
        return .answered
    }
}

/// How long a question waits for a revision that the ledger has not reached (spec 3.1): what a
/// caller has seen elsewhere may be on its way here.
package struct RevisionTimeout: Sendable {
    /// Calls a function after that many seconds.
    package typealias Schedule = @Sendable (Int, @escaping @Sendable () -> Void) -> Void

    private let engine: EntitlementEngine
    private let seconds: Int
    private let limit: Int
    private let schedule: Schedule

    /// - Parameters:
    ///   - seconds: 0 for not waiting.
    ///   - limit: how many questions may wait at once; the others are answered at once.
    package init(
        engine: EntitlementEngine, seconds: Int, limit: Int, schedule: @escaping Schedule
    ) {
        self.engine = engine
        self.seconds = seconds
        self.limit = limit
        self.schedule = schedule
    }

    /// How to wait for a revision before a question is answered; nil if it need not, or cannot.
    func wait(for revision: LedgerSequence) -> ColdWork.Wait? {
        guard seconds > 0, engine.revision < revision else { return nil }
        return { [self] wake in
            let ticket = engine.whenRevision(reaches: revision, limit: limit, wake: wake)
            guard let ticket else { return wake() }
            schedule(seconds) { [engine] in engine.revisionWaiters.giveUp(ticket) }
        }
    }

    /// How to wait for the newest revision of the database; nil if the ledger is in a file of this
    /// service alone.
    func newest() -> NewestRevision? {
        guard engine.fleet != nil else { return nil }
        return NewestRevision(engine, self)
    }

    /// The same for a task.
    ///
    /// - Throws: where the revision is not reached that a fresh answer needs.
    func waited(for query: QuestionParameters) async throws(Problem) {
        await waited(for: query.minimumRevision)
        guard query.isFresh, let newest = newest() else { return }
        await withCheckedContinuation { continuation in
            newest.wait { continuation.resume() }
        }
        try newest.require(engine.revision)
    }

    /// The same for a task.
    func waited(for revision: LedgerSequence) async {
        guard let wait = wait(for: revision) else { return }
        await withCheckedContinuation { continuation in
            wait { continuation.resume() }
        }
    }
}

/// The newest revision of a fleet's database when a question comes (docs/FLEET.md).
final class NewestRevision: Sendable {
    private let engine: EntitlementEngine
    private let revisionTimeout: RevisionTimeout
    /// Nil where it was not asked yet, or does not answer.
    private let found = Mutex<LedgerSequence?>(nil)

    fileprivate init(_ engine: EntitlementEngine, _ revisionTimeout: RevisionTimeout) {
        self.engine = engine
        self.revisionTimeout = revisionTimeout
    }

    /// Asks, and waits until this node has it too, or no longer.
    func wait(_ wake: @escaping @Sendable () -> Void) {
        engine.askNewestRevision { [self] revision in
            found.withLock { $0 = revision }
            guard let revision, let wait = revisionTimeout.wait(for: revision) else {
                return wake()
            }
            wait(wake)
        }
    }

    /// - Throws: where an answer as of this revision may be older.
    func require(_ revision: LedgerSequence) throws(Problem) {
        guard let newest = found.withLock(\.self) else { throw Problem(.databaseUnreachable) }
        guard revision >= newest else { throw Problem(.revision, field: "fresh") }
    }
}
