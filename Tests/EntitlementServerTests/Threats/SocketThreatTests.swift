internal import EntitlementModel
internal import Glibc
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

private let health = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
private let lastHealth = "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
private let begun = "POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{"

extension ServedShop {
    /// Open connections of both sockets but the one that asks, as the service counts them.
    fileprivate func otherConnections() throws -> Int64 {
        let status = try LocalClient(socketPath: operationsSocket, secondsToWait: 600).get(
            "/status")
        let counts = try parseJSON(status.body)["connections"]
        let (query, usher) = (counts?["query"]?.int64, counts?["usher"]?.int64)
        return try #require(query) + #require(usher) - 1
    }

    /// Asks until nobody else is connected; the connections are known to be going.
    fileprivate func waitUntilAlone() throws {
        try waitUntil("nobody else is connected") { try otherConnections() == 0 }
    }
}

/// Rows of THREATS.md that take more than bytes: who connects, how many, and what they leave.
@Suite("Threats to the sockets", .timeLimit(.minutes(20)))
struct SocketThreatTests {
    /// Connections at once on each socket; both ends are files of this process.
    private static let crowd = 200

    @Test(
        "G7: whoever sends a byte a second is told 408, whoever sends nothing is let go",
        arguments: [
            ("", "", nil), ("", "GET / HT", 408), (health, "GET", 408), ("", begun, 408),
        ] as [(String, String, Int?)])
    func slowPeers(before: String, sent: String, status: Int?) async throws {
        try await ServedShop().serving {
            ($0.timeouts.head, $0.timeouts.body) = (1, 1)
            $0.timeouts.idle = sent.isEmpty ? 1 : 60
        } _: { (shop: ServedShop) throws in
            let connections = try (0..<50).flatMap { _ in
                try shop.sockets.map { socket in
                    let connection = try LocalConnection(path: socket, secondsToWait: 600)
                    try connection.write(Array(before.utf8))
                    if !before.isEmpty { _ = try connection.readSome() }
                    try connection.write(Array(sent.utf8))
                    return connection
                }
            }
            for connection in connections {
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(statuses(in: text).last == status, "'\(sent)': \(text)")
                connection.close()
            }
        }
    }

    @Test("G8: whoever takes no answers is let go, and little is held for them")
    func neverReads() async throws {
        try await ServedShop().serving {
            $0.timeouts.write = 1
        } _: { (shop: ServedShop) throws in
            let request = "GET /v1/accounts/alice/entitlements HTTP/1.1\r\nHost: x\r\n\r\n"
            for socket in shop.sockets {
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                // Far more than both sides hold: it ends only because the connection does.
                let requests = Array(String(repeating: request, count: 50_000).utf8)
                #expect(try connection.answerBytes(toUnread: requests) < 2 * 1_024 * 1_024)
                connection.close()
            }
            try shop.waitUntilAlone()
        }
    }

    @Test("G9: hundreds of idle connections keep nobody from being answered")
    func idleCrowd() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let crowd = try (0..<Self.crowd).flatMap { _ in
                try shop.sockets.map { try LocalConnection(path: $0, secondsToWait: 600) }
            }
            for socket in shop.sockets {
                let question = "/v1/accounts/alice/entitlements/premium"
                #expect(
                    try LocalClient(socketPath: socket, secondsToWait: 600).get(question).status
                        == 200)
            }
            while try shop.otherConnections() < 2 * Self.crowd {}
            for connection in crowd { connection.close() }
            try shop.waitUntilAlone()
        }
    }

    @Test("G10: a burst beyond the backlog loses no request that was accepted")
    func burst() async throws {
        try await ServedShop().serving {
            $0.backlog = 8
        } _: { (shop: ServedShop) throws in
            for socket in shop.sockets {
                let burst = try (0..<Self.crowd).map { _ in
                    let connection = try LocalConnection(path: socket, secondsToWait: 600)
                    try connection.write(Array(lastHealth.utf8))
                    return connection
                }
                for connection in burst {
                    let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                    #expect(statuses(in: text) == [200])
                    connection.close()
                }
            }
        }
    }

    @Test("G12: thousands of requests at once are answered in order")
    func pipeline() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for (socket, count) in [(shop.querySocket, 10_000), (shop.operationsSocket, 1_000)] {
                let requests = (1..<count).map {
                    "GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-ID: \($0)\r\n\r\n"
                }
                let text = try shop.say(requests.joined() + lastHealth, to: socket).lowercased()
                let ids = text.split(separator: "x-request-id: ").dropFirst()
                    .compactMap { Int($0.prefix { $0.isNumber }) }
                #expect(ids == Array(1..<count))
            }
        }
    }

    @Test("G13: peers that go in the middle of anything leave nothing behind")
    func goneMidway() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let text = Array((health + begun).utf8)
            for round in 0..<500 {
                for socket in shop.sockets {
                    let connection = try LocalConnection(path: socket, secondsToWait: 600)
                    try connection.write(Array(text.prefix(round % (text.count + 1))))
                    if round % 2 == 0 { connection.endWriting() }
                    connection.close()
                }
            }
            try shop.waitUntilAlone()
        }
    }

    @Test("G14: answers to whoever has gone do not end the process")
    func goneBeforeAnswers() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for socket in shop.sockets {
                for _ in 0..<20 {
                    let connection = try LocalConnection(path: socket, secondsToWait: 600)
                    try connection.write(Array(String(repeating: health, count: 200).utf8))
                    connection.close()
                }
                #expect(
                    try LocalClient(socketPath: socket, secondsToWait: 600).get("/livez").status
                        == 200)
            }
        }
    }

    @Test("G15: one path is one path, whatever other spellings it could have")
    func spellings() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let paths = [
                "//livez", "/./livez", "/../livez", "/livez/", "/livez//", "/livez/.", "/%6civez",
                "/livez%2f", "/livez%00", "/LIVEZ", "/livez;x", "/v1//accounts/alice/entitlements",
                "/v1/accounts/alice/../alice/entitlements",
                "/v1/accounts/alice/entitlements%2Fpremium",
                "/openapi.json/", "/status%00", "//status", "/v1/grants/../claims",
            ]
            for path in paths {
                for socket in shop.sockets {
                    let answer = try shop.exchange(socket, .get(path))
                    #expect([400, 403, 404].contains(answer.status), "\(path): \(answer.status)")
                    #expect(!answer.text.contains("\"decision\""))
                }
            }
        }
    }

    @Test("G17: nothing of a request comes back as a header")
    func reflection() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let requests: [WireRequest] = [
                .get("/livez%0d%0aSet-Cookie:%20a=b"),
                .get("/v1/accounts/a%0d%0aSet-Cookie:%20a=b/entitlements"),
                .get("/v1/accounts/alice/entitlements?at%0d%0aSet-Cookie:%20a=b"),
                .get("/v1/accounts/alice/entitlements?%0d%0aSet-Cookie:%20a=b=1"),
                .get("/livez", fields: ["Accept-Language: zh%0d%0aSet-Cookie: a=b"]),
            ]
            // It comes back as it was sent, and is one field.
            let id = "X-Request-ID: a%0d%0aSet-Cookie: a=b\tc"
            for socket in shop.sockets {
                let answer = try shop.wireAnswer(socket, .get("/livez", fields: [id]))
                #expect(!answer.hasField("Set-Cookie"))
                #expect(answer.head.contains("a%0d%0aSet-Cookie: a=b\tc\r\n"))
            }
            for request in requests {
                for socket in shop.sockets {
                    let answer = try shop.wireAnswer(socket, request)
                    #expect(!answer.hasField("Set-Cookie"), "\(request.testDescription)")
                    #expect(!answer.head.contains("Set-Cookie"), "\(request.testDescription)")
                }
            }
        }
    }

    @Test("G18: users that are not on the list get 403 and no more, on either socket")
    func unlisted() async throws {
        let others: [[PeerAccess.Entry]] = [
            [], [.init(.user(PeerCredentials.own.user &+ 1), .admin)],
            [.init(.group(PeerCredentials.own.group &+ 1), .admin)],
        ]
        for entries in others {
            try await ServedShop().serving {
                $0.access = PeerAccess(entries: entries)
            } _: { (shop: ServedShop) throws in
                for socket in shop.sockets {
                    let text = try shop.say(lastHealth + lastHealth, to: socket)
                    #expect(statuses(in: text) == [403])
                    #expect(text.contains("peer.not-allowed"))
                }
            }
        }
    }

    @Test("G21: a peer is known by user and group, and by nothing that could be used again")
    func credentials() {
        let names = Mirror(reflecting: PeerCredentials.own).children.map(\.label)
        #expect(names == ["user", "group"])
    }

    /// The other end of a pipe reads its end only once nobody holds the end that was sent.
    @Test("G23: descriptors that are sent along are never received")
    func descriptors() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for socket in shop.sockets {
                var ends: [Int32] = [0, 0]
                try #require(pipe(&ends) == 0)
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                for byte in health.utf8 { try connection.send(byte, with: ends[1]) }
                #expect(
                    String(decoding: try connection.readSome(), as: UTF8.self).contains(" 200 "))
                close(ends[1])
                var byte: UInt8 = 0
                #expect(read(ends[0], &byte, 1) == 0)
                close(ends[0])
                connection.close()
            }
        }
    }
}

extension LocalConnection {
    /// Sends one byte with a descriptor beside it (SCM_RIGHTS).
    fileprivate func send(_ byte: UInt8, with passed: Int32) throws {
        var byte = byte
        // `cmsghdr` of cmsg(3): length, level, type, and the descriptor.
        var control: [UInt8] = []
        withUnsafeBytes(of: 20) { control += $0 }
        for number in [SOL_SOCKET, Int32(SCM_RIGHTS), passed, 0] {
            withUnsafeBytes(of: number) { control += $0 }
        }
        let sent = withUnsafeMutablePointer(to: &byte) { pointer in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: pointer, iov_len: 1)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(descriptor, &message, 0)
                }
            }
        }
        try #require(sent == 1)
    }
}
