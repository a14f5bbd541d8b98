internal import Testing

@testable internal import EntitlementServer

/// Chunks that are none (threats G5).
private let chunks: [HostileRequest] = [
    "0_2e", "0x5", "-1", "+5", "FFFFFFFFFFFFFFFFF", "5 5", "",
].map { size in
    HostileRequest(
        "chunk size '\(size)'",
        "POST /v1/evidence HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n{}{}{\r\n0\r\n\r\n", 400)
}

@Suite("Hostile requests on usher.sock")
struct HostileOperationsTests {
    @Test("never let a second request in behind an unclear body")
    func framing() async throws {
        try await ServedShop().serving {
            $0.patience.body = 1
        } _: { (shop: ServedShop) throws in
            for request in hostileFraming + chunks {
                let connection = try LocalConnection(
                    path: shop.operationsSocket, secondsToWait: 30)
                defer { connection.close() }
                let behind = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
                try connection.write(Array((request.text + behind).utf8))
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(!text.contains("HTTP/1.1 2"), "\(request.name): \(text)")
            }
            // And it still lives.
            #expect(
                try LocalClient(socketPath: shop.operationsSocket).get("/livez").status == 200)
        }
    }
}
