internal import EntitlementAnswers
internal import EntitlementModel
internal import HTTPTypes
internal import HummingbirdCore
internal import StrictJSON

/// A request of usher.sock, read.
struct OperationsCall: Sendable {
    let head: RequestHead
    /// What the places of `head` are in.
    let bytes: [UInt8]
    let path: EndpointPath?
    /// What stands in the place of the names of the path, percent-encoding resolved.
    let names: [[UInt8]]
    let caller: Caller
    let language: Language
    /// As the caller sent it; whether it can be a name is for the call to say.
    let idempotencyKey: String?

    init(
        _ request: Request, _ laidOut: (head: RequestHead, bytes: [UInt8]),
        from caller: Caller, _ language: Language
    ) throws(Problem) {
        let (head, bytes) = laidOut
        let match = EndpointTable.match(head.path, in: bytes.span)
        path = match?.path
        // Questions read their names themselves, with the member that is at fault.
        let isQuestion = match?.path.endpoints.contains { $0.question != nil } ?? true
        names = isQuestion ? [] : try match?.names(in: bytes.span) ?? []
        self.head = head
        self.bytes = bytes
        self.caller = caller
        self.language = language
        idempotencyKey = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] }
    }

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
