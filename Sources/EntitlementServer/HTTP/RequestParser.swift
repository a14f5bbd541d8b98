package import EntitlementAnswers

/// Reads one request of the strict subset of HTTP/1.1 that both sockets speak; on usher.sock, bodies
/// may come in chunks (spec 3.1). HTTP/1.0 is read too, for proxies; its connections are not kept.
///
/// It reads line by line and remembers where it stopped, so that the bytes of a request that comes
/// in pieces are read once. Whatever it does not know to be valid it rejects: request smuggling
/// needs two readers that disagree about where a request ends.
package struct RequestParser: Sendable {
    package enum Outcome: Equatable {
        /// More bytes are needed.
        case incomplete
        /// Where chunks are allowed, once for each request: `expectBody(upTo:)` has to set the
        /// limit of the body.
        case head(RequestHead, announced: Int)
        /// `length` bytes belong to the request. Reading again says the same until `reset()`.
        case complete(RequestHead, length: Int)
        /// The connection has to be closed: the next request boundary is unknown.
        case rejected(ProblemCode)
    }

    /// The part of the request that the parser waits for.
    package enum Part: Sendable {
        case requestLine
        case fields
        case body
    }

    package private(set) var part = Part.requestLine
    package private(set) var head = RequestHead()
    private let limits: HTTPLimits
    private var lineStart = 0
    /// Before this place the current line has no end.
    private var scanned = 0
    private var fieldCount = 0
    private var fields = HeaderFieldSummary()
    private var bodyBytes = 0
    /// Nil until it is set, and where bodies have a fixed limit.
    private var bodyLimit: Int?
    private var chunks: ChunkReader?
    /// Of the request as it was read last: the bytes up to the end of its chunks.
    private var chunkEnd: Int?
    private var memo = HeadCache()

    package init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// Starts afresh at the next request.
    package mutating func reset() {
        part = .requestLine
        (lineStart, scanned) = (0, 0)
        guard limits.takesChunks else { return }
        (bodyLimit, chunks, chunkEnd) = (nil, nil, nil)
    }

    /// How many bytes the head takes, the empty line included; nil until all of it is read.
    var headLength: Int? { part == .body ? lineStart : nil }

    /// Reads the body of the request whose head was read, up to that many bytes.
    mutating func expectBody(upTo limit: Int) {
        bodyLimit = limit
        if head.isChunked { chunks = ChunkReader(bodyLimit: limit) }
    }

    /// Whether it was said how much of the body is read.
    var expectsBody: Bool { bodyLimit != nil }

    /// The data of the chunks; nil for a body without chunks.
    var chunkData: [UInt8]? { chunks?.data }

    /// How many bytes may be dropped behind the head: chunks that are read and have not ended.
    ///
    /// - Parameter count: how many bytes it was given last.
    func chunkBytesRead(of count: Int) -> Int {
        chunks != nil && chunkEnd == nil ? count - lineStart : 0
    }

    /// Reads on. `bytes` begins with the request's first byte and holds at least what it held
    /// the last time.
    package mutating func read(_ bytes: Span<UInt8>) -> Outcome {
        if part == .requestLine, scanned == 0 { begin(bytes) }
        while part != .body {
            switch lineEnd(in: bytes) {
            case .missing: return .incomplete
            case .rejected(let code): return .rejected(code)
            case .at(let end):
                let line = lineStart..<end
                lineStart = end + 2
                scanned = lineStart
                if let code = readLine(line, in: bytes) { return .rejected(code) }
            }
        }
        if limits.takesChunks {
            guard bodyLimit != nil else { return .head(head, announced: bodyBytes) }
            if chunks != nil { return readChunks(bytes) }
        }
        let length = lineStart + bodyBytes
        guard bytes.count >= length else { return .incomplete }
        head.body = lineStart..<length
        return .complete(head, length: length)
    }

    /// Reads what has arrived after the head since the last call; what was read before is dropped.
    private mutating func readChunks(_ bytes: Span<UInt8>) -> Outcome {
        if let chunkEnd { return .complete(head, length: chunkEnd) }
        switch chunks?.read(bytes.extracting(lineStart...)) {
        case nil, .more: return .incomplete
        case .rejected(let code): return .rejected(code)
        case .done(let count):
            chunkEnd = lineStart + count
            head.body = lineStart..<lineStart
            return .complete(head, length: lineStart + count)
        }
    }

    /// Takes the head as read if it is that of the last request.
    private mutating func begin(_ bytes: Span<UInt8>) {
        if let known = memo.recall(bytes) {
            (head, lineStart, bodyBytes) = known
            part = .body
        } else {
            (head, fields, fieldCount) = (RequestHead(), HeaderFieldSummary(), 0)
        }
    }

    private enum LineEnd {
        case at(Int)
        case missing
        case rejected(ProblemCode)
    }

    /// Finds the CR LF that ends the current line. No other control character but the tab may
    /// come before it.
    private mutating func lineEnd(in bytes: Span<UInt8>) -> LineEnd {
        let furthest = min(lineStart + limits.lineBytes, limits.headBytes)
        let stop = min(bytes.count, furthest + 1)
        let index = bytes.end(of: scanned..<max(scanned, stop)) { byte in
            byte >= ASCII.space && byte != 0x7F || byte == ASCII.tab
        }
        if index < stop {
            guard bytes[index] == ASCII.carriageReturn else { return .rejected(.malformed) }
            if index + 1 < bytes.count {
                return bytes[index + 1] == ASCII.lineFeed ? .at(index) : .rejected(.malformed)
            }
        }
        scanned = index
        guard index > furthest else { return .missing }
        return .rejected(part == .requestLine ? .targetTooLong : .headersTooLarge)
    }

    private mutating func readLine(_ line: Range<Int>, in bytes: Span<UInt8>) -> ProblemCode? {
        switch part {
        case .requestLine:
            part = .fields
            return readRequestLine(line, in: bytes)
        case .fields where line.isEmpty:
            part = .body
            if let code = fields.problem(with: &head, bodyLimit: limits.bodyBytes) { return code }
            bodyBytes = fields.contentLength ?? 0
            memo.keep(head, bodyBytes, bytes.extracting(..<lineStart))
            return nil
        case .fields:
            fieldCount += 1
            guard fieldCount <= limits.fieldCount else { return .headersTooLarge }
            return readField(line, in: bytes)
        case .body:
            preconditionFailure("a body has no lines")
        }
    }

    private mutating func readRequestLine(
        _ line: Range<Int>, in bytes: Span<UInt8>
    ) -> ProblemCode? {
        guard let methodEnd = bytes.firstIndex(of: ASCII.space, in: line),
            let targetEnd = bytes.firstIndex(
                of: ASCII.space, in: (methodEnd + 1)..<line.upperBound)
        else { return .malformed }
        let method = line.lowerBound..<methodEnd
        let target = (methodEnd + 1)..<targetEnd
        let version = (targetEnd + 1)..<line.upperBound
        guard !method.isEmpty, bytes.allSatisfy(in: method, \.isTokenByte),
            !target.isEmpty, bytes[target.lowerBound] == ASCII.slash,
            bytes.allSatisfy(in: target, \.isTargetByte)
        else { return .malformed }
        if let code = readVersion(version, in: bytes) { return code }
        guard let known = RequestHead.Method(method, in: bytes) else { return .methodUnknown }
        head.method = known
        if let question = bytes.firstIndex(of: ASCII.question, in: target) {
            head.path = target.lowerBound..<question
            head.query = (question + 1)..<target.upperBound
        } else {
            head.path = target
        }
        return nil
    }

    private mutating func readVersion(
        _ version: Range<Int>, in bytes: Span<UInt8>
    ) -> ProblemCode? {
        if bytes.equals("HTTP/1.1", in: version) { return nil }
        if bytes.equals("HTTP/1.0", in: version) {
            head.isVersion10 = true
            head.keepsAlive = false
            return nil
        }
        let start = version.lowerBound
        guard version.count == 8, bytes.equals("HTTP/", in: start..<(start + 5)),
            ASCII.digits.contains(bytes[start + 5]), bytes[start + 6] == UInt8(ascii: "."),
            ASCII.digits.contains(bytes[start + 7])
        else { return .malformed }
        return .version
    }

    private mutating func readField(_ line: Range<Int>, in bytes: Span<UInt8>) -> ProblemCode? {
        guard let colon = bytes.firstIndex(of: ASCII.colon, in: line) else { return .malformed }
        let name = line.lowerBound..<colon
        guard !name.isEmpty, bytes.allSatisfy(in: name, \.isTokenByte) else { return .malformed }
        let value = bytes.trimmed((colon + 1)..<line.upperBound)
        return fields.note(
            name, value, in: bytes, head: &head, takesChunks: limits.takesChunks)
    }
}

extension RequestHead.Method {
    /// Nil for a method that no path knows. Methods are compared with their case.
    init?(_ name: Range<Int>, in bytes: Span<UInt8>) {
        switch name.count {
        case 3 where bytes.equals("GET", in: name): self = .get
        case 3 where bytes.equals("PUT", in: name): self = .put
        case 4 where bytes.equals("POST", in: name): self = .post
        case 4 where bytes.equals("HEAD", in: name): self = .head
        case 5 where bytes.equals("PATCH", in: name): self = .patch
        case 6 where bytes.equals("DELETE", in: name): self = .delete
        case 7 where bytes.equals("OPTIONS", in: name): self = .options
        default: return nil
        }
    }
}
