package import StrictJSON

/// What the simulated App Store answers to a request, and how it sends it.
package struct AppStoreResponse: Hashable, Sendable {
    package var status: Int
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]
    /// Milliseconds of the caller's time before anything is sent.
    package var delay: Int64 = 0
    /// Where the connection breaks off, if it does.
    package var cut: Cut?

    package enum Cut: Hashable, Sendable {
        /// Before a single byte.
        case beforeHead
        /// After so many bytes of the body, whose full length was announced.
        case afterBytes(Int)
    }

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, json: JSONValue) {
        self.init(
            status: status, headers: ["content-type": "application/json"],
            body: json.serialized())
    }

    init(_ error: AppStoreError) {
        self.init(
            status: error.rawValue / 10_000,
            json: [
                "errorCode": .integer(Int64(error.rawValue)),
                "errorMessage": .string(error.message),
            ])
    }
}
