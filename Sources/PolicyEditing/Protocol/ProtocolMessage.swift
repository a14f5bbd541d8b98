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
