internal import EntitlementAnswers
internal import EntitlementModel

/// One request, as places in the bytes that it was read from.
///
/// It owns nothing, so reading a request allocates nothing. The ranges count from the first
/// byte of the request line.
package struct RequestHead: Equatable, Sendable {
    /// The methods that some path might know.
    package enum Method: Sendable {
        case get
        case head
        case post
        case put
        case patch
        case delete
        case options
    }

    /// The media type of the body.
    package enum BodyKind: Sendable {
        case unstated
        case json
        case other
    }

    package var method = Method.get
    /// Without the query; percent-encoded as it came.
    package var path = 0..<0
    /// Without the question mark; nil if there is none.
    package var query: Range<Int>?
    package var body = 0..<0
    package var bodyKind = BodyKind.unstated
    /// The caller's `X-Request-ID`, where it is safe to echo: text.
    package var requestID: Range<Int>?
    package var acceptLanguage: Range<Int>?
    /// False where the caller asked for the connection to be closed, or speaks HTTP/1.0.
    package var keepsAlive = true
    /// Whether the body comes in chunks; then `body` is empty.
    var isChunked = false
    /// Whether nothing says where a body would end.
    var lacksLength = false
    /// Whether the client sent `Expect: 100-continue`.
    var expectsContinue = false
    /// Whether the client speaks HTTP/1.0, and so cannot read chunks.
    var isVersion10 = false

    package init() {}

    /// Whether something may have been forgotten that says where a body ends.
    var mayLackLength: Bool {
        switch method {
        case .get, .head, .options: false
        case .post, .put, .patch, .delete: lacksLength
        }
    }

    /// The values of the fields of that name, joined; nil if there is none.
    ///
    /// - Parameter name: In lower case.
    func field(_ name: StaticString, in bytes: Span<UInt8>) -> String? {
        var values: [String] = []
        var start = 0
        while let end = bytes.firstIndex(of: ASCII.lineFeed, in: start..<body.lowerBound) {
            if let colon = bytes.firstIndex(of: ASCII.colon, in: start..<end),
                bytes.equalsIgnoringCase(name, in: start..<colon)
            {
                let value = bytes.trimmed((colon + 1)..<max(colon + 1, end - 1))
                values.append(bytes.string(value))
            }
            start = end + 1
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// Values for the bytes of HTTP and JSON.
enum ASCII {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let question = UInt8(ascii: "?")
    static let percent = UInt8(ascii: "%")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    /// Everything that can be seen, without the space.
    static let visible: ClosedRange<UInt8> = 0x21...0x7E
}

/// What the header fields of one request say about its length and its reading.
struct HeaderFieldSummary: Sendable {
    private(set) var contentLength: Int?
    private var hasHost = false
    private var hasContentType = false

    /// Reads a field that matters here; others are ignored.
    ///
    /// - Returns: why the request is rejected, if it is.
    mutating func note(
        _ name: Range<Int>, _ value: Range<Int>, in bytes: Span<UInt8>, head: inout RequestHead,
        takesChunks: Bool
    ) -> ProblemCode? {
        // HTTP/1.0 has fewer fields: no `Host` is needed, and lengths are all that ends a body.
        let takesChunks = takesChunks && !head.isVersion10
        switch name.count {
        case 4 where bytes.equalsIgnoringCase("host", in: name):
            return noteHost(value, in: bytes)
        case 6 where bytes.equalsIgnoringCase("expect", in: name):
            head.expectsContinue =
                takesChunks && bytes.equalsIgnoringCase("100-continue", in: value)
            return head.expectsContinue ? nil : .expectation
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
    func problem(with head: inout RequestHead, bodyLimit: Int) -> ProblemCode? {
        head.lacksLength = contentLength == nil && !head.isChunked
        guard hasHost || head.isVersion10 else { return .host }
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

    /// An ID that is not text is not echoed. Length and allowed bytes were checked before.
    private func noteRequestID(
        _ value: Range<Int>, in bytes: Span<UInt8>, head: inout RequestHead
    ) {
        let isText =
            bytes.allSatisfy(in: value) { $0 < 0x80 }
            || bytes.extracting(value).withUnsafeBufferPointer {
                String(validating: $0, as: UTF8.self) != nil
            }
        head.requestID = isText && !value.isEmpty ? value : nil
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

/// The head of the last request of a connection, and the result of reading it.
///
/// Clients repeat the same head. A head with equal bytes has the same meaning and is not read
/// again.
struct HeadCache: Sendable {
    /// Up to the empty line and with it; empty for none.
    private var bytes: [UInt8] = []
    private var head = RequestHead()
    private var bodyBytes = 0

    /// Longer ones are not kept: every connection has a memo.
    private static let longest = 1_024

    /// What `bytes` begins with, if that is the same head.
    func recall(
        _ bytes: Span<UInt8>
    ) -> (head: RequestHead, end: Int, bodyBytes: Int)? {
        let count = self.bytes.count
        guard count > 0, bytes.count >= count,
            bytes.extracting(..<count).isSame(as: self.bytes.span)
        else { return nil }
        return (head, count, bodyBytes)
    }

    /// Takes note of a head that was read whole and had nothing to reject.
    mutating func keep(_ head: RequestHead, _ bodyBytes: Int, _ bytes: Span<UInt8>) {
        guard bytes.count <= Self.longest else { return }
        self.bytes.removeAll(keepingCapacity: true)
        self.bytes.append(bytes)
        self.head = head
        self.bodyBytes = bodyBytes
    }
}
