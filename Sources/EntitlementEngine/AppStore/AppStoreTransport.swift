package import EntitlementModel

/// Sends one request to one of Apple's servers. `NetworkTransport` does it over the network; in
/// tests something else answers.
package protocol AppStoreTransport: Sendable {
    /// Returns whatever HTTP answer comes, a redirect too; never follows one.
    func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse
}

/// A request to Apple's servers. Its description shows method and URL only: the rest is secret.
package struct TransportRequest: Sendable {
    package var method: String
    package var url: String
    /// The path of a unix socket to connect to instead of the host that the URL names.
    package var socket: String?
    /// Whether it may be sent twice.
    package var isRepeatable = true
    /// The value of `Authorization`; nil for none.
    package var authorization: Secret?
    /// Further fields of the head.
    package var fields: [(name: String, value: String)] = []
    /// JSON; nil for none.
    package var body: [UInt8]?
    /// More bytes of an answer than these are `.tooLarge`.
    package var answerLimit: Int
    /// From now to the last byte of the answer. Milliseconds.
    package var timeout: Int64

    package init(
        method: String, url: String, authorization: Secret? = nil, body: [UInt8]? = nil,
        answerLimit: Int, timeout: Int64
    ) {
        self.method = method
        self.url = url
        self.authorization = authorization
        self.body = body
        self.answerLimit = answerLimit
        self.timeout = timeout
    }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(method) \(url)" }
    package var customMirror: Mirror { Mirror(self, children: ["method": method, "url": url]) }
}

/// What came back.
package struct TransportResponse: Hashable, Sendable {
    package var status: Int
    /// The value of `Retry-After`; nil if there is none.
    package var retryAfter: String?
    package var body: [UInt8]

    package init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Why nothing came back that is an HTTP answer.
package enum TransportFailure: String, Error, CaseIterable, Hashable, Sendable {
    /// No connection: unknown host, no listener, invalid TLS.
    case unreachable
    case timedOut = "timed-out"
    /// The connection ended before the answer did, or what came is not HTTP.
    case brokenOff = "broken-off"
    /// The answer is longer than the request allows.
    case tooLarge = "too-large"
    /// The system lacks the library that opens connections.
    case noLibrary = "no-library"
}

/// The client's access to time, waiting and randomness.
package protocol ClientContext: Sendable {
    func now() -> Instant
    /// Returns at that instant, at once if it is past.
    func wait(until instant: Instant) async throws(CancellationError)
    /// A random number from 0 up to, not including, 1.
    func random() -> Double
}

/// A text that cannot be read by accident: no description, no dump and no reflection shows it.
///
/// Passwords and tokens are of this type from the file that they come from to the request that
/// needs them (spec 3.3).
package struct Secret: Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The text, for the one place that sends it.
    package var revealed: String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
