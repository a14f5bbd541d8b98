internal import EntitlementModel
internal import HTTPTypes
internal import HummingbirdCore
internal import StrictJSON

/// A request of usher.sock, read.
struct OperationsCall: Sendable {
    let head: RequestHead
    /// What the places of `head` are in.
    let bytes: [UInt8]
    /// Nil for a path of query.sock too.
    let path: OperationsPath?
    let caller: Caller
    let language: Language
    /// As the caller sent it; whether it can be a name is for the call to say.
    let idempotencyKey: String?

    init(
        _ request: Request, _ laidOut: (head: RequestHead, bytes: [UInt8]),
        from caller: Caller, _ language: Language
    ) throws(Problem) {
        let (head, bytes) = laidOut
        path = try OperationsPath(head.path, in: bytes.span)
        self.head = head
        self.bytes = bytes
        self.caller = caller
        self.language = language
        idempotencyKey = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] }
    }

    var body: [UInt8] { Array(bytes[head.body]) }

    /// Whether it asks how the service is: never turned away.
    var isAboutHealth: Bool {
        if let path { return path.route == .status || path.route == .metrics }
        switch QuestionRoute(head.path, in: bytes.span) {
        case .live, .ready: return true
        default: return false
        }
    }

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

    func requireJSON() throws(Problem) {
        guard head.bodyKind == .json else { throw Problem(.contentType, field: "Content-Type") }
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
