internal import Testing

@testable internal import EntitlementServer

@Suite("A peer that reads later", .timeLimit(.minutes(20)))
struct SlowReaderTests {
    private static let question = "GET /v1/accounts/alice/entitlements HTTP/1.1\r\nHost: x\r\n\r\n"
    /// How the connection ends, and how many answers that has beside those to the questions.
    private static let ends: [(last: String, isHalfClosed: Bool, answers: Int)] = [
        ("", true, 0),
        ("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", false, 1),
        ("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", true, 1),
        (
            "POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n",
            false, 1
        ),
        ("BREW / HTTP/1.1\r\nHost: x\r\n\r\n", false, 1),
    ]

    @Test("gets every answer, whole, before the end of the connection", arguments: ends)
    func whole(last: String, isHalfClosed: Bool, answers: Int) async throws {
        try await ServedShop().serving {
            $0.sendBuffer = 4_096
            ($0.timeouts.write, $0.timeouts.head) = (3_600, 3_600)
        } _: { shop in
            for socket in shop.sockets {
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                defer { connection.close() }
                let asked = String(repeating: Self.question, count: 60) + last
                try connection.write(Array(asked.utf8))
                if isHalfClosed { connection.endWriting() }
                // The service has come to the end of it when it answers others afterwards.
                for _ in 0..<20 {
                    _ = try LocalClient(socketPath: socket, secondsToWait: 600).get("/livez")
                }
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(statuses(in: text).count == 60 + answers)
                #expect(text.contains(/[}\n]$/), "\(text.suffix(40))")
            }
        }
    }
}
