package import EntitlementModel
internal import Glibc
package import StrictJSON

/// Asks a running service over its socket: one request, one connection, blocking.
///
/// For the command line, which makes one call at a time and has to start fast.
package struct LocalClient: Sendable {
    /// An answer: the status and the body as they came.
    package struct Response: Equatable, Sendable {
        package var status: Int
        package var mediaType: String
        package var body: [UInt8]
    }

    /// A header field of a request: nothing in it can end its line.
    package struct Field: Equatable, Sendable {
        fileprivate let line: String

        /// Nil unless the name is a token of HTTP and the value printable ASCII.
        package init?(_ name: String, _ value: String) {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte),
                value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { return nil }
            line = "\(name): \(value)\r\n"
        }
    }

    private let socketPath: String
    private let secondsToWait: Int

    package init(socketPath: String, secondsToWait: Int = 30) {
        self.socketPath = socketPath
        self.secondsToWait = secondsToWait
    }

    /// Asks with GET. The target is a path with its query, percent-encoded.
    package func get(
        _ target: String, fields: [Field] = []
    ) throws(LocalClientError) -> Response {
        try send("GET", target, body: nil, fields: fields)
    }

    /// Sends JSON with POST.
    ///
    /// - Parameter idempotencyKey: identifies what is created, so that a repeated call creates it
    ///   once.
    package func post(
        _ target: String, json: [UInt8], idempotencyKey: String? = nil, fields: [Field] = []
    ) throws(LocalClientError) -> Response {
        try send("POST", target, body: json, idempotencyKey: idempotencyKey, fields: fields)
    }

    /// Sends JSON with DELETE: an undo has a reason too.
    package func delete(
        _ target: String, json: [UInt8], fields: [Field] = []
    ) throws(LocalClientError) -> Response {
        try send("DELETE", target, body: json, fields: fields)
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
        _ method: String, _ target: String, body: [UInt8]?, idempotencyKey: String? = nil,
        fields: [Field]
    ) throws(LocalClientError) -> Response {
        var request = Array("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n".utf8)
        request.append("Connection: close\r\n")
        for field in fields { request += Array(field.line.utf8) }
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
    /// No service listens on the socket.
    case notRunning(path: String)
    /// The file's mode does not let this user in.
    case notAllowed(path: String)
    case timedOut
    /// What came back is not an answer.
    case malformed
    case system(call: String, errno: Int32)

    package var english: String {
        switch self {
        case .notRunning: "no service answers on '{0}'"
        case .notAllowed: "this user has no access to '{0}'"
        case .timedOut: "the service did not answer in time"
        case .malformed: "malformed answer from the service"
        case .system: "the system call '{0}' failed: {1}"
        }
    }
}

extension LocalClientError: ServerText {
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

/// A blocking connection to a unix domain socket.
struct LocalConnection {
    let descriptor: Int32

    init(path: String, secondsToWait: Int) throws(LocalClientError) {
        do {
            var address = try UnixAddress(path: path)
            descriptor = try UnixAddress.makeSocket()
            // A blocking connect waits while the service's queue is full.
            Self.setTimeout(secondsToWait, of: descriptor)
            if address.connect(descriptor) == 0 { return }
        } catch {
            throw .notRunning(path: path)
        }
        let failure = errno
        Glibc.close(descriptor)
        switch failure {
        case ENOENT, ECONNREFUSED, ENOTDIR: throw .notRunning(path: path)
        case EACCES, EPERM: throw .notAllowed(path: path)
        case EAGAIN: throw .timedOut
        default: throw .system(call: "connect", errno: failure)
        }
    }

    func close() {
        Glibc.close(descriptor)
    }

    /// Writes everything. A service that rejects a large body early closes its side during the
    /// write; its answer is still to be read, so this is no failure.
    func write(_ bytes: [UInt8]) throws(LocalClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                // A peer that has gone is an error to read, not a signal to die of.
                Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                return
            } else if errno != EINTR {
                throw Self.failure("send")
            }
        }
    }

    /// Reads until the service closes its side.
    func readToEnd() throws(LocalClientError) -> [UInt8] {
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while true {
            let count = chunk.withUnsafeMutableBytes { buffer in
                recv(descriptor, buffer.baseAddress, buffer.count, 0)
            }
            if count > 0 {
                answer += chunk[..<count]
            } else if count == 0 || errno == ECONNRESET && !answer.isEmpty {
                return answer
            } else if errno != EINTR {
                throw Self.failure("recv")
            }
        }
    }

    private static func failure(_ call: String) -> LocalClientError {
        errno == EAGAIN ? .timedOut : .system(call: call, errno: errno)
    }

    private static func setTimeout(_ seconds: Int, of descriptor: Int32) {
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, size)
        }
    }
}

/// Reads the answer of a service that closed the connection after it.
enum ResponseReader {
    /// - Parameter hasBody: false for the answer to a HEAD request.
    /// - Throws: `malformed` where the bytes are not one whole answer.
    static func read(
        _ bytes: [UInt8], hasBody: Bool = true
    ) throws(LocalClientError) -> LocalClient.Response {
        guard let head = endOfHead(in: bytes),
            let lines = String(validating: bytes[..<head], as: UTF8.self)?
                .split(separator: "\r\n", omittingEmptySubsequences: false),
            let first = lines.first, first.hasPrefix("HTTP/1.1 "),
            let status = Int(first.dropFirst(9).prefix(3))
        else { throw .malformed }
        let fields = fields(lines.dropFirst())
        let body = Array(bytes[(head + 4)...])
        let length = hasBody ? fields["content-length"].map { Int($0) } : 0
        if let length, length != body.count { throw .malformed }
        return LocalClient.Response(
            status: status, mediaType: fields["content-type"] ?? "", body: body)
    }

    /// Where the empty line begins.
    private static func endOfHead(in bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (0...(bytes.count - end.count)).first { bytes[$0..<($0 + 4)].elementsEqual(end) }
    }

    private static func fields(_ lines: ArraySlice<Substring>) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            fields[line[..<colon].lowercased()] = String(value.drop { $0 == " " })
        }
        return fields
    }
}

/// A call as a client has sent it. A problem names the member, parameter or header at fault; the
/// message shows what was given for it.
package struct SentCall: Sendable {
    /// A path with its query, percent-encoded.
    let target: String
    let body: JSONValue?
    let key: String?

    package init(_ target: String, body: JSONValue? = nil, key: String? = nil) {
        self.target = target
        self.body = body
        self.key = key
    }

    /// What was given for the `field` of a problem: text or a number. Nil if nothing was, or an
    /// object or a list.
    package func value(of field: String) -> String? {
        if field == "Idempotency-Key" { return key }
        let bytes = Array(target.utf8)
        return body.flatMap { Self.member(field, of: $0) } ?? Self.parameter(field, bytes.span)
    }

    /// By a path such as `credits[0].amount`.
    private static func member(_ path: String, of body: JSONValue) -> String? {
        var value: JSONValue? = body
        for part in path.split(whereSeparator: { ".[]".contains($0) }) {
            value =
                Int(part).map { index in
                    value?.elements.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                } ?? value?[String(part)]
        }
        guard let value else { return nil }
        return value.string ?? value.int64.map { "\($0)" }
    }

    /// Of the query, or a name in the path.
    private static func parameter(_ field: String, _ bytes: Span<UInt8>) -> String? {
        let all = 0..<bytes.count
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"), in: all)
        let query = mark.map { $0 + 1..<bytes.count }
        let pairs = (try? QueryValues.pairs(query, in: bytes)) ?? []
        if let pair = pairs.first(where: { $0.name == field }) {
            return String(validating: pair.value, as: UTF8.self)
        }
        guard let match = EndpointTable.match(0..<(mark ?? bytes.count), in: bytes),
            let place = match.path.endpoints.first?.names.firstIndex(where: { $0.name == field }),
            let names = try? match.names(in: bytes)
        else { return nil }
        return String(validating: names[place], as: UTF8.self)
    }
}
