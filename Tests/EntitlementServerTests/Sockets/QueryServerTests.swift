internal import EntitlementModel
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

/// query.sock, served for one test with answers that echo the question.
private struct EchoService: Sendable {
    let configuration: ServerConfiguration
    let socket: ListeningSocket
    let gate: Int32
    let whenServing: @Sendable () -> Void

    func run(until stop: StopSignal) async throws {
        defer { socket.removeFile() }
        let server = SocketServer(
            name: .query, socket: socket, configuration: configuration,
            status: ServiceStatus(version: "test", startedAt: Instant(milliseconds: 0)),
            makeAnswering: { _, _ in EchoAnswering(gate: gate) },
            makeHealth: { HealthOnlyAnswering(base: EchoAnswering(gate: gate)) })
        let threads = SocketThreads.forQuestions(loops: configuration.queryLoops)
        try await server.run(on: threads, until: stop, whenServing: whenServing)
        try await threads.shutDown()
    }
}

/// Serves while `body` runs on a thread that may block, then stops gracefully.
private func serving(
    gate: Int32 = -1, _ change: (inout ServerConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (String) throws -> Void
) async throws {
    let temporary = try TemporaryFolder()
    let folder = try SocketFolder(path: temporary.path)
    var configuration = ServerConfiguration(folder: temporary.path)
    change(&configuration)
    let socket = try folder.listen("q.sock", mode: 0o660, group: nil)
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let service = EchoService(
        configuration: configuration, socket: socket, gate: gate, whenServing: { start.yield() })
    let stop = StopSignal()
    try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await service.run(until: stop) }
        for await _ in starts { break }
        try await onThread { try body(socket.path) }
        stop.give()
        try await tasks.waitForAll()
    }
    #expect(temporary.mode(of: "q.sock") == nil)
}

@Suite("query.sock", .timeLimit(.minutes(20)))
struct QueryServerTests {
    @Test("answers a client")
    func answers() async throws {
        try await serving { path in
            let client = LocalClient(socketPath: path, secondsToWait: 600)
            let response = try client.post("/a?b", json: Array("{}".utf8))
            #expect(response.status == 200)
            #expect(response.mediaType == "application/json")
            #expect(String(decoding: response.body, as: UTF8.self) == "post /a?b [{}]")
        }
    }

    @Test("answers ten thousand requests that come at once")
    func pipeline() async throws {
        try await serving { path in
            let count = 10_000
            var requests = (1..<count).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }
            requests.append("GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let bytes = Array(requests.joined().utf8)
            let connection = try LocalConnection(path: path, secondsToWait: 600)
            defer { connection.close() }
            // Written beside the reading: neither side could hold all of it.
            let answer = try whileWriting(bytes, to: connection) {
                try connection.readToEnd()
            }
            let text = String(decoding: answer, as: UTF8.self)
            #expect(text.split(separator: "HTTP/1.1 200 OK").count == count)
            #expect(text.hasSuffix("get /last []"))
        }
    }

    /// More than the system holds for a peer: the rest waits in the channel, which calls back
    /// while it is written to.
    @Test("answers each question once, however large the answers before it were")
    func largeAnswers() async throws {
        try await serving { path in
            let connection = try LocalConnection(path: path, secondsToWait: 600)
            defer { connection.close() }
            for round in 0..<60 {
                let long = String(repeating: "a", count: 4_000 + round * 10)
                let requests = (0..<100).map {
                    "GET /\(round)/\($0)/\(long) HTTP/1.1\r\nHost: x\r\n\r\n"
                }
                .joined()
                let expected = Conversation(requests).output
                let answer = try whileWriting(Array(requests.utf8), to: connection) {
                    connection.read(expected.utf8.count)
                }
                let isSame = String(decoding: answer, as: UTF8.self) == expected
                #expect(isSame, "round \(round)")
                guard isSame else { return }
            }
            connection.endWriting()
            #expect(try connection.readToEnd().isEmpty)
        }
    }

    @Test("gives a peer the send buffer that is set", arguments: [4_096, 0])
    func sendBuffer(bytes: Int) async throws {
        try await serving {
            $0.sendBuffer = bytes
        } _: { path in
            let connection = try LocalConnection(path: path, secondsToWait: 600)
            defer { connection.close() }
            let request = "GET /\(String(repeating: "a", count: 4_000)) HTTP/1.1\r\nHost: x\r\n\r\n"
            try connection.write(Array(String(repeating: request, count: 40).utf8))
            // What is not sent at once waits in the service. The next answer, which comes after
            // it has sent what it can, says when to look.
            var held: Int32 = 0
            repeat {
                #expect(
                    try LocalClient(socketPath: path, secondsToWait: 600).get("/").status == 200)
                try #require(ioctl(connection.descriptor, UInt(FIONREAD), &held) == 0)
            } while held < (bytes == 0 ? 100_000 : 1)
            #expect(bytes == 0 || held <= 16_384)
        }
    }

    @Test("answers what a peer sent before it ended its side")
    func halfClosed() async throws {
        try await serving { path in
            let connection = try LocalConnection(path: path, secondsToWait: 600)
            defer { connection.close() }
            let request = "GET /cold HTTP/1.1\r\nHost: x\r\n\r\n"
            try connection.write(Array((request + request + "GET").utf8))
            connection.endWriting()
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(text.split(separator: "HTTP/1.1 200 OK").count == 2)
        }
    }

    @Test("reads a cold account off the loop and keeps the order")
    func cold() async throws {
        try await serving { path in
            let connection = try LocalConnection(path: path, secondsToWait: 600)
            defer { connection.close() }
            try connection.write(
                Array(
                    """
                    GET /cold HTTP/1.1\r\nHost: x\r\n\r
                    GET /z HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n
                    """.utf8))
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(text.contains("get /cold []HTTP/1.1"))
            #expect(text.hasSuffix("get /z []"))
        }
    }

    @Test("refuses a body that is too large while it is still being sent")
    func tooLarge() async throws {
        try await serving { path in
            let body = [UInt8](repeating: 0x20, count: 4 * 1_024 * 1_024)
            let response = try LocalClient(socketPath: path, secondsToWait: 600).post(
                "/", json: body)
            #expect(response.status == 413)
        }
    }

    @Test("turns away peers that are not on the allow-list")
    func notAllowed() async throws {
        try await serving {
            $0.access = PeerAccess(entries: [])
        } _: { path in
            let response = try LocalClient(socketPath: path, secondsToWait: 600).get("/")
            #expect(response.status == 403)
            #expect(String(decoding: response.body, as: UTF8.self).contains("peer.not-allowed"))
        }
    }

    @Test("turns away connections beyond its limit, and recovers")
    func connectionLimit() async throws {
        try await serving {
            $0.connectionLimit = 1
        } _: { path in
            let first = try LocalConnection(path: path, secondsToWait: 600)
            try first.write(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            #expect(try first.readSome().starts(with: Array("HTTP/1.1 200".utf8)))
            #expect(try LocalClient(socketPath: path, secondsToWait: 600).get("/").status == 503)
            first.close()
            try waitUntil("there is room again") {
                try LocalClient(socketPath: path, secondsToWait: 600).get("/").status != 503
            }
        }
    }

    @Test("lives on when peers go away in the middle of anything")
    func peersGoAway() async throws {
        try await serving { path in
            for cut in 0..<60 {
                let connection = try LocalConnection(path: path, secondsToWait: 600)
                let text = "GET /cold HTTP/1.1\r\nHost: x\r\n\r\nPOST /a HTTP/1.1\r\nHost: x"
                try connection.write(Array(text.utf8.prefix(cut)))
                connection.close()
            }
            #expect(try LocalClient(socketPath: path, secondsToWait: 600).get("/").status == 200)
        }
    }

    @Test("closes idle connections when it stops")
    func stops() async throws {
        let idle = Locked<LocalConnection?>(nil)
        try await serving { path in
            let connection = try LocalConnection(path: path, secondsToWait: 600)
            try connection.write(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            _ = try connection.readSome()
            idle.set(connection)
        }
        let connection = try #require(idle.value)
        #expect(try connection.readToEnd().isEmpty)
        connection.close()
    }

    @Test(
        "gives up on requests that do not arrive",
        arguments: [
            ("", ""), ("GET / HT", "408"),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc", "408"),
        ])
    func stalled(sent: String, status: String) async throws {
        try await serving {
            ($0.timeouts.head, $0.timeouts.body) = (0, 0)
            $0.timeouts.idle = sent.isEmpty ? 0 : 60
        } _: { path in
            let connection = try LocalConnection(path: path, secondsToWait: 600)
            defer { connection.close() }
            try connection.write(Array(sent.utf8))
            let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(answer.dropFirst("HTTP/1.1 ".count).prefix(3) == status)
        }
    }

    /// Threats, overload: what is in memory is answered while the ledger is busy.
    @Test("sheds what waits for the ledger beyond the limit, and nothing else")
    func coldLimit() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let opening = ends[1]
        try await serving(gate: ends[0]) {
            $0.inFlightLimit = 1
        } _: { path in
            let waiting = try LocalConnection(path: path, secondsToWait: 600)
            defer { waiting.close() }
            let held = "GET /cold/gate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            try waiting.write(Array(held.utf8))
            let client = LocalClient(socketPath: path, secondsToWait: 600)
            var shed = try client.get("/cold")
            try waitUntil("a call is turned away") {
                shed = try client.get("/cold")
                return shed.status != 200
            }
            #expect(shed.status == 503)
            #expect(shed.text.contains("service.overloaded"))
            #expect(try client.get("/warm").status == 200)
            try #require(write(opening, "x", 1) == 1)
            let answer = String(decoding: try waiting.readToEnd(), as: UTF8.self)
            #expect(answer.hasSuffix("get /cold/gate []"))
            try waitUntil("there is room again") { try client.get("/cold").status != 503 }
        }
    }

    @Test("gives up on a peer that takes no answers")
    func neverReads() async throws {
        try await serving {
            $0.timeouts.write = 0
        } _: { path in
            let connection = try LocalConnection(path: path, secondsToWait: 600)
            defer { connection.close() }
            let request = "GET /\(String(repeating: "a", count: 4_000)) HTTP/1.1\r\nHost: x\r\n\r\n"
            // Far more than both sides hold: it ends only because the connection does.
            let requests = Array(String(repeating: request, count: 2_000).utf8)
            #expect(try connection.answerBytes(toUnread: requests) < 2_000 * 4_000)
            #expect(try LocalClient(socketPath: path, secondsToWait: 600).get("/").status == 200)
        }
    }
}
