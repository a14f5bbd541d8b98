internal import EntitlementAnswers
internal import EntitlementModel

/// Answers a connection of usher.sock: bodies are admitted once their heads are read, and every
/// answer is made by a task.
struct OperationsAnswering: RequestAnswering {
    let responder: OperationsResponder
    let caller: Caller
    let presence: CallerPresence
    /// The call whose head was read last, until it is answered.
    private var begun: BegunCall?

    init(_ responder: OperationsResponder, from caller: Caller, _ presence: CallerPresence) {
        self.responder = responder
        self.caller = caller
        self.presence = presence
    }

    mutating func bodyLimit(
        of request: RequestHead, announcing announced: Int, in bytes: Span<UInt8>
    ) throws(Problem) -> Int {
        var call = BegunCall(EndpointTable.match(request.path, in: bytes))
        begun = call
        let limit = responder.configuration.bodyLimit(of: call.match?.path)
        let most = request.isChunked ? limit : announced
        guard most <= limit else { throw Problem(.tooLarge) }
        if most > 0 {
            call.body = try responder.status.holdBody(
                ofAtMost: most, limit: responder.configuration.bufferedBytes)
        }
        begun = call
        return limit
    }

    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        guard let call = begun else {
            preconditionFailure("a request is admitted before it is answered")
        }
        begun = nil
        let received = ReceivedRequest(
            request, bytes.extracting(..<request.body.upperBound), call, from: caller, presence)
        return .later { [responder] in await responder.respond(to: received) }
    }

    mutating func noteRejection(
        _ code: ProblemCode, of request: RequestHead?, in bytes: Span<UInt8>
    ) {
        defer { begun = nil }
        guard let request, let call = begun else {
            return responder.status.count(code.status, after: .zero)
        }
        responder.note(request.method, call, caller, code.status, code)
    }
}

/// A call whose head was read.
struct BegunCall: Sendable {
    /// Nil where nothing is served.
    let match: PathMatch?
    let since = ContinuousClock.now
    /// The memory for its body; nil for none.
    var body: ServiceStatus.HeldBody?

    init(_ match: PathMatch?) {
        self.match = match
    }
}

/// A request of usher.sock as it has come, all of it.
struct ReceivedRequest: Sendable {
    let head: RequestHead
    /// The bytes that the ranges of `head` refer to.
    let bytes: [UInt8]
    let call: BegunCall
    let caller: Caller
    let presence: CallerPresence

    init(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ call: BegunCall, from caller: Caller,
        _ presence: CallerPresence
    ) {
        self.head = head
        self.call = call
        self.caller = caller
        self.presence = presence
        self.bytes = bytes.withUnsafeBufferPointer { Array($0) }
    }
}

/// Who is at the other end of a connection, or for whom that one asks, and what they may do.
struct Caller: Equatable, Sendable {
    var credentials: PeerCredentials
    var standing: PeerStanding
    /// Of the user, on the machine that was called; nil where that has none.
    var name: String?
    /// For whom a delegate asks, by the name that it gave.
    var person: String?

    /// The actor in the ledger: by user, never by process. One word, and nobody else's: no user's
    /// begins like that of a person, and what follows the last comma has no other.
    var actor: String {
        guard let person else { return name.map { "user:\($0)" } ?? number }
        let delegate = name.map { "user:" + LocalClient.encoded($0) } ?? number
        return "person:\(person),via:\(delegate)"
    }

    /// The actor in entries from before users had names: they are still this user's.
    var formerActor: String? { name == nil || person != nil ? nil : number }

    /// By whom limits count.
    var counted: String { person == nil ? number : actor }

    private var number: String { "uid:\(credentials.user)" }

    func may(_ role: PeerRole) -> Bool {
        switch standing {
        case .role(let own): own >= role
        case .delegate: false
        }
    }
}

/// For whom a delegate asks (spec 3.1).
extension Caller {
    /// Of one call, by its header: a delegate says for whom it asks, and nobody else may.
    func asking(by head: RequestHead, in bytes: Span<UInt8>) throws(Problem) -> Caller {
        let (actor, role) = ("Usher-Actor", "Usher-Role")
        let person = head.field("usher-actor", in: bytes)
        let standing = head.field("usher-role", in: bytes)
        guard person != nil || standing != nil else { return self }
        guard self.standing == .delegate else {
            throw Problem(.notDelegate, field: person == nil ? role : actor)
        }
        // What is there twice has a space.
        guard let person, CallerNames.isName(person) else {
            throw Problem(.delegation, field: actor)
        }
        guard let standing, let own = PeerRole(rawValue: standing) else {
            throw Problem(.delegation, field: role)
        }
        var caller = self
        (caller.person, caller.standing) = (person, .role(own))
        return caller
    }
}

extension ServerConfiguration {
    /// Bytes of a body that is sent to that path.
    func bodyLimit(of path: EndpointPath?) -> Int {
        let endpoints = path?.endpoints ?? []
        let carriesEvidence = endpoints.contains {
            $0.traffic == .evidence || $0.traffic == .notifications
        }
        return carriesEvidence ? evidenceBytes : limits.bodyBytes
    }
}
