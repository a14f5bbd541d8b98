internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

extension ServedShop {
    /// As the service counts them, the one that asks among them.
    fileprivate func openOperationsConnections() throws -> Int64 {
        let status = try LocalClient(socketPath: operationsSocket, secondsToWait: 600).get(
            "/status")
        return try #require(try parseJSON(status.body)["connections"]?["usher"]?.int64)
    }
}

@Suite("Patience on usher.sock", .timeLimit(.minutes(20)))
struct OperationsTimeoutTests {
    /// What arrives of a request, and how the answer begins; nothing where nobody is told.
    static let stalled: [(sent: String, answer: String)] = [
        ("", ""),
        ("GET /livez HT", "HTTP/1.1 408 Request Timeout\r\n"),
        (
            "POST /v1/evidence HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
            "HTTP/1.1 408 Request Timeout\r\n"
        ),
    ]

    @Test("ends for whoever stalls", arguments: stalled)
    func stalls(sent: String, answer: String) async throws {
        try await ServedShop().serving {
            $0.timeouts.head = 1
            $0.timeouts.body = 1
            $0.timeouts.idle = 1
        } _: { (shop: ServedShop) throws in
            let connection = try LocalConnection(path: shop.operationsSocket, secondsToWait: 600)
            defer { connection.close() }
            try connection.write(Array(sent.utf8))
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix(answer), "\(text)")
            #expect(text.isEmpty == answer.isEmpty)
        }
    }

    /// What is said of a request that cannot be read, whether the peer ends its side or not.
    @Test(
        "ends for whoever was refused and stays",
        arguments: [
            "GET / HTTP/1.1\r\nA: \(String(repeating: "b", count: 9_000))\r\n\r\n",
            "nonsense\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            "POST /v1/preflight HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n",
        ])
    func stays(sent: String) async throws {
        try await ServedShop().serving {
            $0.timeouts.head = 1
        } _: { (shop: ServedShop) throws in
            let connection = try LocalConnection(path: shop.operationsSocket, secondsToWait: 600)
            defer { connection.close() }
            try connection.write(Array(sent.utf8))
            #expect(!(try connection.readToEnd()).isEmpty)
            try waitUntil("it is closed") { try shop.openOperationsConnections() <= 1 }
        }
    }
}
