internal import Testing

@testable internal import EntitlementServer

/// Bodies in chunks that are none (THREATS.md G5): they are read on usher.sock only, and refused on
/// query.sock whatever they are.
private let chunks: [HostileRequest] =
    [
        "0_2e", "0x5", "-1", "+5", "FFFFFFFFFFFFFFFFF", "5 5", "", " 5", "5;", "g", "0x", "5\t",
        "\u{0665}", "5\r5", "6;;", "6;a=", "6;=b", "6; a", "6;a=\"b\"",
        "6;" + String(repeating: "a", count: 257), "6\n",
    ].map { size in
        chunked("chunk size '\(size)'", "\(size)\r\n{}{}{\r\n0\r\n\r\n")
    } + [
        chunked("no end of the data", "2\r\n{}0\r\n\r\n"),
        chunked("a trailer", "2\r\n{}\r\n0\r\nA: b\r\n\r\n"),
        chunked("a trailer that is a length", "0\r\nContent-Length: 9\r\n\r\n"),
        chunked("no line feed at the end", "2\r\n{}\r\n0\r\n\r{}"),
        chunked("beyond the limit", "200001\r\n", 413),
        chunked("far beyond the limit", "FFFFFFFFFFFFFFFF\r\n", 413),
        chunked("extensions of all chunks", String(repeating: "1;abcd\r\n \r\n", count: 60)),
    ]

private func chunked(_ name: String, _ body: String, _ status: Int = 400) -> HostileRequest {
    HostileRequest(
        name,
        "POST /v1/evidence HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n" + body, status)
}

private let behind = "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

@Suite("Hostile bytes", .timeLimit(.minutes(20)))
struct HostileByteTests {
    /// Nobody could say where the next request begins, so no request behind one that was refused
    /// is ever answered.
    @Test(
        "are refused alike on both sockets, and the connection ends",
        arguments: hostileRequests.map(\.row) + ["G5"])
    func refused(row: String) async throws {
        let requests = hostileRequests.first { $0.row == row }?.requests ?? chunks
        try await ServedShop().serving { (shop: ServedShop) throws in
            for request in requests {
                let fast = statuses(in: try shop.say(request.text + behind, to: shop.querySocket))
                let expected = row == "G5" ? 400 : request.status
                #expect(fast == [expected], "query.sock: \(request.name)")
                let full = try shop.say(request.text + behind, to: shop.operationsSocket)
                // Large bodies may be announced there.
                let isMet = request.name == "expectation"
                #expect(
                    statuses(in: full) == (isMet ? [404, 200] : [request.status]),
                    "usher.sock: \(request.name): \(full)")
                if !isMet { #expect(full.contains("onnection: close\r\n"), "\(full)") }
            }
            for socket in shop.sockets {
                #expect(
                    try LocalClient(socketPath: socket, secondsToWait: 600).get("/livez").status
                        == 200)
            }
        }
    }

    /// Before the body, whoever sends one is told that it is too long, and is not asked for it.
    @Test("a length beyond the limit is refused before the body comes")
    func tooLong() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for fields in ["", "Expect: 100-continue\r\n"] {
                let head = "POST /v1/preflight HTTP/1.1\r\nHost: x\r\n\(fields)"
                let text = try shop.say(
                    head + "Content-Length: 262145\r\n\r\n", to: shop.operationsSocket)
                #expect(text.hasPrefix("HTTP/1.1 413 "), "\(text)")
                #expect(text.contains("input.too-large"))
            }
        }
    }
}

private let question = """
    {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},\
    "resource":{"type":"entitlement","id":"premium"}}
    """
private let post = """
    POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n
    """

/// What is odd, and right.
@Suite("Requests of older clients", .timeLimit(.minutes(20)))
struct OlderClientTests {
    @Test(
        "are answered on both sockets, and the connection ends",
        arguments: [
            "GET /livez HTTP/1.0\r\n\r\n", "GET /livez HTTP/1.0\r\nHost: x\r\n\r\n",
            "GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: Keep-Alive, CLOSE\r\n\r\n",
            post.replacing("HTTP/1.1", with: "HTTP/1.0")
                + "Content-Length: \(question.utf8.count)\r\n\r\n\(question)",
        ])
    func closes(request: String) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for socket in shop.sockets {
                let text = try shop.say(request + behind, to: socket)
                #expect(statuses(in: text) == [200], "\(socket): \(text)")
                #expect(text.contains("onnection: close\r\n"), "\(socket): \(text)")
            }
        }
    }

    @Test("are told once of a body that is too large, also where they end their side before it")
    func tooLargeAndEnded() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let head = post + "Content-Length: 99999999\r\n\r\n"
            for socket in shop.sockets {
                for _ in 0..<50 {
                    let connection = try LocalConnection(path: socket, secondsToWait: 600)
                    defer { connection.close() }
                    try connection.write(Array(head.utf8))
                    connection.endWriting()
                    let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                    #expect(statuses(in: text) == [413], "\(socket): \(text)")
                }
            }
        }
    }

    @Test("may send bodies in chunks with small extensions, on usher.sock")
    func chunks() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let half = question.utf8.count / 2
            let (first, second) = (question.prefix(half), question.dropFirst(half))
            let body =
                "\(String(half, radix: 16));a=b\r\n\(first)\r\n"
                + "00\(String(second.utf8.count, radix: 16, uppercase: true))\r\n\(second)\r\n"
                + "0\r\n\r\n"
            let text = try shop.say(
                post + "Transfer-Encoding: Chunked\r\n\r\n\(body)" + behind,
                to: shop.operationsSocket)
            #expect(statuses(in: text) == [200, 200], "\(text)")
            #expect(text.contains("\"decision\":true"))
        }
    }
}
