internal import StrictJSON

/// A message of JSON-RPC 2.0, as the client sent it.
enum ProtocolMessage: Sendable {
    case request(RequestID, method: String, params: JSONValue)
    case notification(method: String, params: JSONValue)
    /// An answer to something that was asked of the client.
    case response
    /// Not a message; the id is that of the request, where it can be told.
    case invalid(RequestID?, ResponseError)

    /// Beyond these a message is none that an editor sends.
    private static let limits = JSONLimits(
        bytes: MessageReader.messageBytes, depth: 64, values: 200_000)

    init(_ bytes: [UInt8]) {
        let value: JSONValue
        do {
            value = try parseJSON(bytes, limits: Self.limits)
        } catch {
            self = .invalid(nil, ResponseError(.parseError, error.code.rawValue))
            return
        }
        self.init(value)
    }

    private init(_ value: JSONValue) {
        let id = value["id"].flatMap { RequestID($0) }
        guard value["jsonrpc"]?.string == "2.0" else {
            self = .invalid(id, ResponseError(.invalidRequest, "jsonrpc must be \"2.0\""))
            return
        }
        guard let method = value["method"]?.string else {
            let isAnswer = value["result"] != nil || value["error"] != nil
            self =
                isAnswer && value["id"] != nil
                ? .response : .invalid(id, ResponseError(.invalidRequest, "method is missing"))
            return
        }
        let params = value["params"] ?? .null
        guard let written = value["id"] else {
            self = .notification(method: method, params: params)
            return
        }
        guard let id else {
            let error = ResponseError(
                .invalidRequest, "id must be a number or a string: \(written.text.prefix(80))")
            self = .invalid(nil, error)
            return
        }
        self = .request(id, method: method, params: params)
    }
}

/// What a request is answered under: a whole number or a string.
struct RequestID: Hashable, Sendable {
    let value: JSONValue

    init?(_ value: JSONValue) {
        guard value.string != nil || value.int64 != nil else { return nil }
        self.value = value
    }

    static func == (left: RequestID, right: RequestID) -> Bool { left.value == right.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value.serialized()) }
}

/// Why a request has no result.
struct ResponseError: Error, Hashable, Sendable {
    /// JSON-RPC's and the protocol's own.
    enum Code: Int64, Sendable {
        case parseError = -32_700
        case invalidRequest = -32_600
        case methodNotFound = -32_601
        case invalidParams = -32_602
        case serverNotInitialized = -32_002
        case requestCancelled = -32_800
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// What is sent to the client.
enum OutgoingMessage {
    static func result(_ id: RequestID, _ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id.value, "result": result]
    }

    static func error(_ id: RequestID?, _ error: ResponseError) -> JSONValue {
        [
            "jsonrpc": "2.0", "id": id?.value ?? .null,
            "error": [
                "code": .integer(error.code.rawValue), "message": .string(error.message),
            ],
        ]
    }

    static func notification(_ method: String, _ params: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "method": .string(method), "params": params]
    }
}

/// Takes messages out of a stream of bytes: header fields, an empty line, and as many bytes as
/// `Content-Length` says (Language Server Protocol 3.17, base protocol).
package struct MessageReader: Sendable {
    /// Why the stream can be read no further: nobody knows where the next message begins.
    package enum Failure: Error, Hashable, Sendable {
        /// No empty line within `headerBytes`.
        case headerTooLarge
        /// A field without a colon, or a length that is none.
        case malformedHeader
        /// No `Content-Length`.
        case missingLength
        /// Another encoding than UTF-8.
        case unknownEncoding
        /// A message longer than `messageBytes`.
        case messageTooLarge
    }

    static let headerBytes = 8_192
    /// The largest policy file is read, and what JSON adds to it.
    static let messageBytes = 16 << 20

    private var buffer: [UInt8] = []
    /// Of the message that is awaited; nil while its header is.
    private var length: Int?

    package init() {}

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// The contents of the next message; nil where more bytes are needed.
    package mutating func next() throws(Failure) -> [UInt8]? {
        if length == nil { length = try readHeader() }
        guard let length, buffer.count >= length else { return nil }
        let message = Array(buffer[..<length])
        buffer.removeSubrange(..<length)
        self.length = nil
        return message
    }

    private mutating func readHeader() throws(Failure) -> Int? {
        let bounded = buffer.prefix(Self.headerBytes)
        guard let end = bounded.firstEmptyLine else {
            if buffer.count >= Self.headerBytes { throw .headerTooLarge }
            return nil
        }
        let length = try Self.length(in: buffer[..<end])
        buffer.removeSubrange(..<(end + 4))
        return length
    }

    private static func length(in header: ArraySlice<UInt8>) throws(Failure) -> Int {
        var length: Int?
        var rest = header
        while !rest.isEmpty {
            let end = rest.firstLineEnd ?? rest.endIndex
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[min(end + 2, rest.endIndex)...]
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                throw .malformedHeader
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "content-length":
                guard length == nil, !value.isEmpty, value.utf8.count <= 12,
                    value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let number = Int(value)
                else { throw .malformedHeader }
                length = number
            case "content-type":
                guard Self.isUTF8(value) else { throw .unknownEncoding }
            default: break
            }
        }
        guard let length else { throw .missingLength }
        guard length <= messageBytes else { throw .messageTooLarge }
        return length
    }

    /// `utf8` is what the protocol once said.
    private static func isUTF8(_ type: Substring) -> Bool {
        let parts = type.lowercased().split(separator: "charset=", maxSplits: 1)
        guard parts.count == 2 else { return true }
        return ["utf-8", "utf8"].contains(parts[1].trimming { $0 == "\"" || $0 == " " })
    }
}

/// A message as it is sent.
package func framed(_ message: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
}

extension ArraySlice<UInt8> {
    fileprivate var firstLineEnd: Index? {
        indices.dropLast().first { self[$0] == 0x0D && self[$0 + 1] == 0x0A }
    }

    /// Where the line end before the empty line begins.
    fileprivate var firstEmptyLine: Index? {
        indices.dropLast(3).first { index in
            self[index] == 0x0D && self[index + 1] == 0x0A && self[index + 2] == 0x0D
                && self[index + 3] == 0x0A
        }
    }
}

extension StringProtocol {
    /// Without what meets the condition at both ends.
    func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        var rest = self[...].drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return String(rest)
    }
}
