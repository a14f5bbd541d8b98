internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

/// A request of usher.sock, read.
struct OperationsCall: Sendable {
    let head: RequestHead
    /// The bytes that the ranges of `head` refer to.
    let bytes: [UInt8]
    /// Nil where nothing is served.
    let match: PathMatch?
    /// The values of the names in the path, percent-decoded.
    let names: [[UInt8]]
    let caller: Caller
    let language: Language
    /// As the caller sent it; whether it can be a name is for the call to say.
    let idempotencyKey: String?
    /// Whether the caller would have an event stream, and where it was (`Last-Event-ID`).
    let wantsEvents: Bool
    let lastEventID: String?
    /// Nil for a call that another node was called with: that one knows whether its caller waits.
    var presence: CallerPresence?
    /// The query, once the endpoint's parameters are known.
    var query = QueryValues()
    /// How an action is meant, once the query is read.
    var intent = ActionIntent.act

    init(_ request: ReceivedRequest, _ language: Language) throws(Problem) {
        let (head, bytes) = (request.head, request.bytes)
        let accepted = head.field("accept", in: bytes.span)?.lowercased() ?? ""
        try self.init(
            head, bytes, request.call.match,
            from: try request.caller.asking(by: head, in: bytes.span), language,
            key: head.field("idempotency-key", in: bytes.span),
            wantsEvents: head.method != .head && accepted.contains("text/event-stream"),
            lastEventID: head.field("last-event-id", in: bytes.span))
        presence = request.presence
    }

    /// A call that another node has received, unless `presence` is set.
    init(
        _ head: RequestHead, _ bytes: [UInt8], _ match: PathMatch?, from caller: Caller,
        _ language: Language, key: String?, wantsEvents: Bool = false, lastEventID: String? = nil
    ) throws(Problem) {
        self.match = match
        // Questions read their names themselves, with the member that is at fault.
        let isQuestion = match?.path.endpoints.contains { $0.question != nil } ?? true
        names = isQuestion ? [] : try match?.names(in: bytes.span) ?? []
        self.head = head
        self.bytes = bytes
        self.caller = caller
        self.language = language
        idempotencyKey = key
        self.wantsEvents = wantsEvents
        self.lastEventID = lastEventID
    }

    var path: EndpointPath? { match?.path }

    /// Nil for a path or a method that is not served.
    var endpoint: Endpoint? { path?.endpoint(for: head.method) }

    var body: [UInt8] { Array(bytes[head.body]) }

    /// The body as JSON.
    ///
    /// - Parameter depth: how deep it may nest.
    func json(depth: Int) throws(Problem) -> JSONValue {
        try requireJSON()
        let body = body
        do {
            return try parseJSON(body, limits: JSONLimits(bytes: body.count, depth: depth))
        } catch {
            throw Problem(ProblemCode(error.code))
        }
    }

    /// The body, or for a call that says why in its query what a body would say.
    func request(depth: Int) throws(Problem) -> JSONValue {
        guard head.method == .delete else { return try json(depth: depth) }
        let reason = try query.text(.reason)
        guard head.body.isEmpty else {
            guard reason == nil else { throw Problem(.duplicateParameter, field: "reason") }
            return try json(depth: depth)
        }
        guard let reason else {
            // A body without a length may follow, whose end would be unknown.
            let hasForgotten = head.bodyKind != .unstated && head.lacksLength
            throw Problem(
                hasForgotten ? .lengthRequired : .missing,
                field: hasForgotten ? "Content-Length" : "reason")
        }
        return ["reason": .string(reason)]
    }

    func requireJSON() throws(Problem) {
        guard head.bodyKind == .json else { throw Problem(.contentType, field: "Content-Type") }
    }

    /// A name of the path that is a position in the ledger.
    func position(_ index: Int, _ field: String) throws(Problem) -> LedgerSequence {
        guard let number = Int64(plain: String(decoding: names[index], as: UTF8.self)) else {
            throw Problem(.number, field: field)
        }
        return LedgerSequence(number)
    }

    func id<ID: Identifier>(_ index: Int, _ field: String) throws(Problem) -> ID {
        let name = names[index]
        guard let id = ID(bytes: name.span, 0..<name.count) else {
            throw Problem(malformed: ID.self, field: field)
        }
        return id
    }
}

extension RequestHead.Method {
    /// As written in `Allow`.
    var name: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        }
    }
}

/// `POST /v1/policy/reload` and `POST /v1/backup`. The log has the actor and the reason; consent to
/// a policy that takes something away is in the ledger too.
struct UpkeepCall: Sendable {
    let engine: EntitlementEngine
    let configuration: ServerConfiguration
    let caller: Caller
    let intent: ActionIntent
    let journal: CallJournal

    /// A folder with errors is answered 422 and changes nothing; so is one by which an account may
    /// lose something, unless the caller accepts it (spec 2.6).
    func reload(_ body: ReloadBody) async throws(Problem) -> ReloadAnswer {
        let consent = try consent(body)
        guard let folder = configuration.policyFolder else { throw Problem(.unsupported) }
        if intent.acts { journal.note("policy reload", by: caller, body.reason.text) }
        let report: PolicyActivationReport
        do {
            report = try await engine.reloadPolicy(
                from: folder, consent: consent, meant: intent)
        } catch {
            throw Problem(error)
        }
        switch report {
        case .activated(let digest, let notes):
            var answer = ReloadAnswer(outcome: .activated, policy: digest)
            if !notes.missingFiles.isEmpty { answer.missingFiles = notes.missingFiles }
            if intent.acts { journal.logger.tell(missingFiles: notes.missingFiles) }
            if let acceptance = notes.acceptance {
                answer.losses = Int64(notes.losses.count)
                answer.acceptedBy = acceptance.means
                answer.accountsAtMost = acceptance.accountsAtMost
                answer.losing = notes.losing
            }
            return answer
        case .unchanged: return ReloadAnswer(outcome: .unchanged, policy: engine.policy.digest)
        case .waiting: throw Problem(.policyWaits)
        case .rejected: throw Problem(.policyRejected)
        }
    }

    /// The policy before the one in force comes back.
    func rollBack(_ body: ReasonRequest) async throws(Problem) -> RollbackAnswer {
        if intent.acts { journal.note("policy rollback", by: caller, body.reason.text) }
        let report: PolicyRollbackReport
        do {
            report = try await engine.rollBackPolicy(
                AdminActionCause(
                    actor: caller.actor, reason: body.reason.text, intent: intent))
        } catch {
            throw Problem(error)
        }
        switch report {
        case .done(let digest, let replaced, let losses):
            return RollbackAnswer(
                policy: digest, replaced: replaced, losses: Int64(losses.count))
        case .nothing: throw Problem(.nothingToRollBack)
        }
    }

    /// Nil where the caller accepts nothing.
    private func consent(_ body: ReloadBody) throws(Problem) -> PolicyConsent? {
        guard let accounts = body.acceptLoss else { return nil }
        try Problem.require(accounts, in: 0...1_000_000_000, field: "accept_loss")
        return .person(
            actor: caller.actor, reason: body.reason.text, accountsAtMost: accounts)
    }

    /// No two copies share a name, not even where the clock was set back: one would replace the
    /// other.
    private static func backupName(at now: Instant) -> String {
        let number = UInt32.random(in: .min ... .max)
        return "usher-\(now.milliseconds)-\(String(number, radix: 36)).ledger-backup"
    }

    /// Whether it is a name that `backupName` makes.
    static func isBackupName(_ name: some StringProtocol) -> Bool {
        guard name.hasPrefix("usher-"), name.hasSuffix(".ledger-backup") else { return false }
        let parts = name.dropFirst(6).dropLast(14).split(
            separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && Int64(parts[0]) != nil && UInt32(parts[1], radix: 36) != nil
    }

    /// Writes to the configured folder only, under a generated name: a call must not be able to
    /// overwrite a file. Blocks.
    func backUp(_ reason: Reason) throws(Problem) -> BackupAnswer {
        guard let folder = configuration.backupFolder, let ledger = engine.copyableLedger else {
            throw Problem(.unsupported)
        }
        journal.note("backup", by: caller, reason.text)
        let now = engine.clock.now()
        let path = folder + "/" + Self.backupName(at: now)
        let revision = engine.revision
        do throws(LedgerError) {
            try ledger.backUp(to: path)
        } catch {
            throw Problem(.ledger(error))
        }
        return BackupAnswer(file: path, at: now, revisionAtLeast: revision)
    }
}
