package import EntitlementModel
internal import Glibc

/// Asks a running service over its socket: one request, one connection, blocking.
///
/// For the command line, which has nothing else to do meanwhile and wants to start fast.
package struct LocalClient: Sendable {
    /// An answer: the status and the body as they came.
    package struct Response: Equatable, Sendable {
        package var status: Int
        package var mediaType: String
        package var body: [UInt8]
    }

    private let socketPath: String
    private let secondsToWait: Int

    package init(socketPath: String, secondsToWait: Int = 30) {
        self.socketPath = socketPath
        self.secondsToWait = secondsToWait
    }

    /// Asks with GET. The target is a path with its query, percent-encoded.
    package func get(_ target: String) throws(LocalClientError) -> Response {
        try send("GET", target, body: nil)
    }

    /// Sends JSON with POST.
    ///
    /// - Parameter idempotencyKey: names what is made, so that sending it again makes it once.
    package func post(
        _ target: String, json: [UInt8], idempotencyKey: String? = nil
    ) throws(LocalClientError) -> Response {
        try send("POST", target, body: json, idempotencyKey: idempotencyKey)
    }

    /// Sends JSON with DELETE: what is taken back has a reason too.
    package func delete(_ target: String, json: [UInt8]) throws(LocalClientError) -> Response {
        try send("DELETE", target, body: json)
    }

    /// Percent-encodes one segment of a path, or one value of a query.
    package static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                bytes += ("%" + byte.hexadecimal(width: 2, uppercase: true)).utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func send(
        _ method: String, _ target: String, body: [UInt8]?, idempotencyKey: String? = nil
    ) throws(LocalClientError) -> Response {
        var request = Array("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n".utf8)
        request.append("Connection: close\r\n")
        if let idempotencyKey {
            precondition(
                idempotencyKey.utf8.allSatisfy(ASCII.visible.contains),
                "a key is printable ASCII without spaces")
            request += Array("Idempotency-Key: \(idempotencyKey)\r\n".utf8)
        }
        if let body {
            request.append("Content-Type: application/json\r\nContent-Length: ")
            request.append(decimal: body.count)
            request.append("\r\n")
        }
        request.append("\r\n")
        if let body { request += body }
        let connection = try LocalConnection(path: socketPath, secondsToWait: secondsToWait)
        defer { connection.close() }
        try connection.write(request)
        return try ResponseReader.read(connection.readToEnd())
    }
}

/// Why there is no answer.
package enum LocalClientError: Error, Equatable, Sendable {
    /// Nobody listens on the socket.
    case notRunning(path: String)
    /// The file's mode does not let this user in.
    case notAllowed(path: String)
    case timedOut
    /// What came back is not an answer.
    case malformed
    case system(call: String, errno: Int32)
}

extension LocalClientError: LocalizedText {
    package func facts(in language: Language) -> [String] {
        switch self {
        case .notRunning(let path), .notAllowed(let path): [path]
        case .timedOut, .malformed: []
        case .system(let call, let number): [call, String(cString: strerror(number))]
        }
    }
}

extension UInt8 {
    /// A byte that never needs percent-encoding (RFC 3986).
    fileprivate var isUnreserved: Bool {
        switch self {
        case ASCII.digits, UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
