/// A request to the simulated App Store as it came in: what answers it needs no socket.
package struct AppStoreRequest: Hashable, Sendable {
    package var method: String
    /// Path and query.
    package var target: String
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(
        method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}
