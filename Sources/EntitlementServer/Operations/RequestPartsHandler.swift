internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// Notes, where bytes of usher.sock have become parts of requests and answers are not bytes yet,
/// how far a request has come.
///
/// It is called on the event loop: a service that is short of threads is not taken for a slow
/// peer.
final class RequestPartsHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    private let progress: RequestProgress
    private let connection: OperationsConnectionHandler

    init(progress: RequestProgress, connection: OperationsConnectionHandler) {
        self.progress = progress
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { progress.bodyIsRead() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        progress.isAnswered()
        connection.answerIsWritten()
    }

    /// The library refuses what passed our own reading. Between requests nobody waits for that
    /// error; within one, whoever reads its body does.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let parserError = error as? HTTPParserError else {
            return context.fireErrorCaught(error)
        }
        let code = ProblemCode(parserError)
        guard progress.isInBody else { return connection.refuseFromLibrary(code) }
        context.fireErrorCaught(RefusedBody(code: code))
        progress.bodyIsRead()
    }
}

extension ProblemCode {
    fileprivate init(_ error: HTTPParserError) {
        self =
            switch error {
            case .headerOverflow: .headersTooLarge
            case .invalidVersion: .version
            case .invalidMethod: .methodUnknown
            case .invalidContentLength, .unexpectedContentLength: .contentLength
            default: .malformed
            }
    }
}

extension RequestHead {
    /// Lays a request that Hummingbird has read out as bytes, so that the code which answers
    /// query.sock answers it too. Its head has passed `RequestGate`.
    static func lay(
        out request: HTTPRequest, body: [UInt8]
    ) throws(Problem) -> (head: RequestHead, bytes: [UInt8]) {
        guard let method = Method(request.method) else { throw Problem(.methodUnknown) }
        var head = RequestHead()
        head.method = method
        var bytes = Array((request.path ?? "").utf8)
        try head.readTarget(bytes.span)
        head.body = bytes.appendPart(body)
        let fields = request.headerFields
        if let kind = fields[.contentType] {
            head.bodyKind = Self.isJSON(kind) ? .json : .other
        }
        if let language = fields[.acceptLanguage] {
            head.acceptLanguage = bytes.appendPart(Array(language.utf8))
        }
        return (head, bytes)
    }

    private mutating func readTarget(_ target: Span<UInt8>) throws(Problem) {
        let whole = 0..<target.count
        guard !whole.isEmpty, target[0] == ASCII.slash,
            target.allSatisfy(in: whole, \.isTargetByte)
        else { throw Problem(.malformed) }
        let question = target.firstIndex(of: ASCII.question, in: whole)
        path = 0..<(question ?? whole.upperBound)
        query = question.map { ($0 + 1)..<whole.upperBound }
    }

    private static func isJSON(_ contentType: String) -> Bool {
        let essence = contentType.prefix { $0 != ";" }
        return essence.lowercased().filter { $0 != " " && $0 != "\t" } == "application/json"
    }
}

extension RequestHead.Method {
    /// Nil for a method that no path knows.
    init?(_ method: HTTPRequest.Method) {
        let name = Array(method.rawValue.utf8)
        self.init(0..<name.count, in: name.span)
    }
}

extension [UInt8] {
    /// Appends bytes and gives their place.
    fileprivate mutating func appendPart(_ part: [UInt8]) -> Range<Int> {
        append(contentsOf: part)
        return (count - part.count)..<count
    }
}
