/// What the header fields of one request say about where it ends and how to read it.
struct HeaderFieldSummary: Sendable {
    private(set) var contentLength: Int?
    private var hasHost = false
    private var hasContentType = false
    /// HTTP/1.0 has fewer fields: no `Host` is needed, and lengths are all that ends a body.
    var isVersion10 = false

    /// Takes note of a field that matters here; the others are passed over.
    ///
    /// - Returns: why the request has to be refused, if it has.
    mutating func note(
        _ name: Range<Int>, _ value: Range<Int>, in bytes: Span<UInt8>, head: inout RequestHead,
        takesChunks: Bool
    ) -> ProblemCode? {
        let takesChunks = takesChunks && !isVersion10
        switch name.count {
        case 4 where bytes.equalsIgnoringCase("host", in: name):
            return noteHost(value, in: bytes)
        case 6 where bytes.equalsIgnoringCase("expect", in: name):
            let isMet = takesChunks && bytes.equalsIgnoringCase("100-continue", in: value)
            return isMet ? nil : .expectation
        case 7 where bytes.equalsIgnoringCase("upgrade", in: name):
            return .upgrade
        case 10 where bytes.equalsIgnoringCase("connection", in: name):
            noteConnection(value, in: bytes, head: &head)
        case 12 where bytes.equalsIgnoringCase("content-type", in: name):
            return noteContentType(value, in: bytes, head: &head)
        case 12 where bytes.equalsIgnoringCase("x-request-id", in: name):
            noteRequestID(value, in: bytes, head: &head)
        case 14 where bytes.equalsIgnoringCase("content-length", in: name):
            return noteContentLength(value, in: bytes)
        case 15 where bytes.equalsIgnoringCase("accept-language", in: name):
            head.acceptLanguage = value
        case 16 where bytes.equalsIgnoringCase("content-encoding", in: name):
            return bytes.equalsIgnoringCase("identity", in: value) ? nil : .contentEncoding
        case 17 where bytes.equalsIgnoringCase("transfer-encoding", in: name):
            guard takesChunks, !head.isChunked, bytes.equalsIgnoringCase("chunked", in: value)
            else { return .transferEncoding }
            head.isChunked = true
        default: break
        }
        return nil
    }

    /// What is wrong with the fields as a whole, once all are read.
    func problem(with head: RequestHead, bodyLimit: Int) -> ProblemCode? {
        guard hasHost || isVersion10 else { return .host }
        // Two ways to say where the body ends are two places where it could.
        guard !head.isChunked || contentLength == nil else { return .transferEncoding }
        return contentLength ?? 0 > bodyLimit ? .tooLarge : nil
    }

    private mutating func noteHost(_ value: Range<Int>, in bytes: Span<UInt8>) -> ProblemCode? {
        guard !hasHost, bytes.allSatisfy(in: value, \.isHostByte) else { return .host }
        hasHost = true
        return nil
    }

    private func noteConnection(
        _ value: Range<Int>, in bytes: Span<UInt8>, head: inout RequestHead
    ) {
        var keepsAlive = head.keepsAlive
        bytes.listElements(in: value) { element in
            if bytes.equalsIgnoringCase("close", in: element) { keepsAlive = false }
        }
        head.keepsAlive = keepsAlive
    }

    private mutating func noteContentType(
        _ value: Range<Int>, in bytes: Span<UInt8>, head: inout RequestHead
    ) -> ProblemCode? {
        guard !hasContentType else { return .contentType }
        hasContentType = true
        let end = bytes.firstIndex(of: ASCII.semicolon, in: value) ?? value.upperBound
        let essence = bytes.trimmed(value.lowerBound..<end)
        head.bodyKind =
            bytes.equalsIgnoringCase("application/json", in: essence) ? .json : .other
        return nil
    }

    /// An id that could not stand in a header line is not echoed. How long a line may be, and
    /// with it an id, has been checked.
    private func noteRequestID(
        _ value: Range<Int>, in bytes: Span<UInt8>, head: inout RequestHead
    ) {
        let isSafe = bytes.allSatisfy(in: value) {
            $0 == ASCII.space || ASCII.visible.contains($0)
        }
        head.requestID = isSafe && !value.isEmpty ? value : nil
    }

    /// Plain digits, once, and few enough never to overflow.
    private mutating func noteContentLength(
        _ value: Range<Int>, in bytes: Span<UInt8>
    ) -> ProblemCode? {
        guard contentLength == nil, (1...18).contains(value.count) else { return .contentLength }
        var length = 0
        for index in value {
            guard ASCII.digits.contains(bytes[index]) else { return .contentLength }
            length = length * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        contentLength = length
        return nil
    }
}
