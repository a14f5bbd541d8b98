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

    /// What the body says it is.
    package enum BodyKind: Sendable {
        case unstated
        case json
        case other
    }

    package var method = Method.get
    /// Without the query; percent-encoded as it came.
    package var path = 0..<0
    /// Without the question mark; nil where there is none.
    package var query: Range<Int>?
    package var body = 0..<0
    package var bodyKind = BodyKind.unstated
    /// The caller's `X-Request-ID`, where it is safe to echo: printable ASCII.
    package var requestID: Range<Int>?
    package var acceptLanguage: Range<Int>?
    /// False where the caller asked for the connection to be closed, or speaks HTTP/1.0.
    package var keepsAlive = true
    /// Whether the body comes in chunks; then `body` is empty.
    var isChunked = false

    package init() {}
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
