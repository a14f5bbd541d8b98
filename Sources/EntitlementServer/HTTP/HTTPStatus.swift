package import EntitlementAnswers

/// The status codes that the sockets answer with.
package enum HTTPStatus: Int, CaseIterable, Sendable {
    case ok = 200
    case accepted = 202
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case conflict = 409
    case gone = 410
    case lengthRequired = 411
    case contentTooLarge = 413
    case uriTooLong = 414
    case unsupportedMediaType = 415
    case expectationFailed = 417
    case unprocessable = 422
    case tooManyRequests = 429
    case fieldsTooLarge = 431
    case internalServerError = 500
    case notImplemented = 501
    case serviceUnavailable = 503
    case versionNotSupported = 505

    /// The phrase of RFC 9110.
    package var phrase: StaticString {
        switch self {
        case .ok: "OK"
        case .accepted: "Accepted"
        case .badRequest: "Bad Request"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .requestTimeout: "Request Timeout"
        case .conflict: "Conflict"
        case .gone: "Gone"
        case .lengthRequired: "Length Required"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .expectationFailed: "Expectation Failed"
        case .unprocessable: "Unprocessable Content"
        case .tooManyRequests: "Too Many Requests"
        case .fieldsTooLarge: "Request Header Fields Too Large"
        case .internalServerError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .serviceUnavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        }
    }
}

/// How much of a request is read, and how much of an answer is held (spec 3.1).
package struct HTTPLimits: Sendable {
    /// Bytes of the request line and of each field line.
    package var lineBytes = 8 * 1_024
    /// Bytes of the request line and all field lines together.
    package var headBytes = 16 * 1_024
    package var fieldCount = 64
    package var bodyBytes = 256 * 1_024
    /// How deep JSON may nest.
    package var jsonDepth = 32
    /// Bytes of answers that may wait for a slow reader before its next request is answered.
    package var waitingOutputBytes = 256 * 1_024
    /// Whether bodies may come in chunks, and may be announced with `Expect: 100-continue`.
    var takesChunks = false

    package init() {}
}

/// How long a connection may take over a step, in seconds (spec 3.1).
package struct ConnectionTimeouts: Sendable {
    package var head = 10
    package var body = 30
    /// Between requests.
    package var idle = 60
    /// Without one byte being taken of an answer that is ready.
    package var write = 10

    package init() {}

    /// Of a connection that gets one answer: for its head to arrive, and for its peer to read.
    static let brief = 2
}

/// Answers the requests of a connection: the boundary between HTTP and meaning (spec 3.1).
///
/// Nothing here belongs to an event loop, so that the loop can be replaced.
package protocol RequestAnswering: SendableMetatype {
    /// Answers `request`, whose places are in `bytes`, into `draft`, which arrives cleared.
    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress

    /// How many bytes the body of `request` may have. Asked once its head is read, and only where
    /// bodies may come in chunks (`HTTPLimits.takesChunks`).
    ///
    /// - Parameter announced: how many it says it has; of no meaning for chunks.
    /// - Throws: why none of the body is read.
    mutating func bodyLimit(
        of request: RequestHead, announcing announced: Int, in bytes: Span<UInt8>
    ) throws(Problem) -> Int

    /// Told of a request that is rejected unasked.
    ///
    /// - Parameter request: Nil where its head could not be read.
    mutating func noteRejection(
        _ code: ProblemCode, of request: RequestHead?, in bytes: Span<UInt8>)
}

extension RequestAnswering {
    package mutating func bodyLimit(
        of request: RequestHead, announcing announced: Int, in bytes: Span<UInt8>
    ) throws(Problem) -> Int {
        HTTPLimits().bodyBytes
    }

    package mutating func noteRejection(
        _ code: ProblemCode, of request: RequestHead?, in bytes: Span<UInt8>
    ) {}
}

/// How far an answer has come.
package enum AnswerProgress {
    case answered
    /// The ledger has to be read first. Later requests of the connection wait.
    case cold(ColdWork)
    /// A task makes the answer. Later requests of the connection wait.
    case later(LaterAnswer)
}

/// Makes an answer, on threads that may not be blocked.
package typealias LaterAnswer = @Sendable () async -> ResponseDraft

/// The rest of an answer, which blocks: it is made away from the event loop.
package struct ColdWork: Sendable {
    /// Calls what it is given once, on any thread, when the work may begin.
    package typealias Wait = @Sendable (_ wake: @escaping @Sendable () -> Void) -> Void

    package let run: @Sendable () -> ResponseDraft
    /// What has to happen before, without holding a thread; nil for nothing.
    package let wait: Wait?

    package init(after wait: Wait? = nil, run: @escaping @Sendable () -> ResponseDraft) {
        self.wait = wait
        self.run = run
    }

    /// The same once it has waited.
    var afterWait: ColdWork { ColdWork(run: run) }
}
