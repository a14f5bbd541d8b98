internal import Testing

@testable internal import EntitlementServer

/// Chunks that are none (threats G5): chunked bodies are read on usher.sock only.
private let chunks: [HostileRequest] = [
    "0_2e", "0x5", "-1", "+5", "FFFFFFFFFFFFFFFFF", "5 5", "", " 5", "5;", "g", "0x", "5\t",
    "\u{0665}", "5\r5",
].map { size in
    HostileRequest(
        "chunk size '\(size)'",
        "POST /v1/evidence HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n{}{}{\r\n0\r\n\r\n", 400)
}

/// What usher.sock answers otherwise, being on a library that is more lenient and tells other
/// faults apart: two spaces, an empty line first and absolute targets are harmless there, and
/// HTTP/1.0 is an old client. None of it lets one request pass for two.
private let lenient: [String: Int] = [
    "two spaces": 404, "empty line first": 404, "absolute form": 404, "HTTP/1.0": 404,
    "expectation": 404, "two content types": 404, "long field": 404, "long path": 431,
    "long query": 431, "bare LF": 505, "no version": 505, "space after": 505, "HTTP/1.10": 505,
    "HTTP/11": 505, "empty method": 501, "only a space": 501, "tab for space": 501,
    "method with brackets": 501, "authority form": 501,
]

@Suite("Hostile bytes")
struct HostileByteTests {
    /// On query.sock the connection ends after the refusal. On usher.sock it does so unless the
    /// request was read whole and asked for what there is not: else nobody could say where the
    /// next one begins, so no request behind it is ever answered.
    @Test(
        "are refused on both sockets", arguments: hostileRequests.map(\.row) + ["G5"])
    func refused(row: String) async throws {
        let requests = hostileRequests.first { $0.row == row }?.requests ?? chunks
        try await ServedShop().serving {
            ($0.patience.head, $0.patience.body) = (2, 2)
        } _: { (shop: ServedShop) throws in
            for request in requests {
                let behind = "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                let fast = statuses(in: try shop.say(request.text + behind, to: shop.querySocket))
                let expected = row == "G5" ? 400 : request.status
                #expect(fast == [expected], "query.sock: \(request.name)")
                let full = try shop.say(request.text + behind, to: shop.operationsSocket)
                let status = lenient[request.name] ?? request.status
                #expect(statuses(in: full).first == status, "usher.sock: \(request.name): \(full)")
                if status != 404 { #expect(!full.contains("HTTP/1.1 2"), "\(full)") }
            }
            for socket in shop.sockets {
                #expect(try LocalClient(socketPath: socket).get("/livez").status == 200)
            }
        }
    }
}
