internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import TestSupport
internal import Testing

/// The one file that speaks to a network, with a server that misbehaves.
@Suite("The network transport", .timeLimit(.minutes(5)))
struct NetworkTransportTests {
    private func request(
        _ url: String, limit: Int = 1_000, timeout: Int64 = 20_000
    ) -> TransportRequest {
        TransportRequest(
            method: "POST", url: url + "/a?b=c", authorization: Secret("Bearer x"),
            body: Array("{}".utf8), answerLimit: limit, timeout: timeout)
    }

    /// What a request to a server ends with.
    private func outcome(
        _ request: TransportRequest
    ) async -> Result<TransportResponse, TransportFailure> {
        do throws(TransportFailure) {
            return .success(try await NetworkTransport().send(request))
        } catch {
            return .failure(error)
        }
    }

    @Test("sends what it is told to, and returns what comes")
    func exchange() async throws {
        let server = try LoopbackServer { _ in
            .bytes(LoopbackServer.answer(429, Array("hello".utf8), "retry-after: 17"))
        }
        let outcome = await outcome(request(server.url))
        #expect(
            outcome
                == .success(
                    TransportResponse(status: 429, retryAfter: "17", body: Array("hello".utf8))))
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST")
        #expect(sent.target == "/a?b=c")
        #expect(sent.body == Array("{}".utf8))
        #expect(sent.headers["authorization"] == "Bearer x")
        #expect(sent.headers["content-type"] == "application/json")
        #expect(sent.headers["host"] == "127.0.0.1:\(server.port)")
        #expect(server.requests.count == 1)
    }

    @Test("returns a redirect, and does not follow it", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let other = try LoopbackServer { _ in .bytes(LoopbackServer.answer(200, [])) }
        let location = "Location: \(other.url)/"
        let server = try LoopbackServer { _ in
            .bytes(LoopbackServer.answer(status, [], location))
        }
        let outcome = await outcome(request(server.url))
        #expect(outcome == .success(TransportResponse(status: status)))
        #expect(other.requests.isEmpty)
    }

    /// What a server sends, and what becomes of it.
    @Test(
        "answers that are none",
        arguments: [
            ("", .brokenOff), ("HTTP/1.1 200 OK\r\n", .brokenOff),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .brokenOff),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal", .brokenOff),
            ("SSH-2.0-OpenSSH_9.2\r\n\r\n", .brokenOff),
        ] as [(String, TransportFailure)])
    func broken(bytes: String, failure: TransportFailure) async throws {
        let server = try LoopbackServer { _ in .bytes(Array(bytes.utf8)) }
        let outcome = await outcome(request(server.url))
        #expect(outcome == .failure(failure))
    }

    @Test("more bytes than allowed, announced or not, are not taken")
    func tooLarge() async throws {
        let body = [UInt8](repeating: 0x20, count: 1_000)
        let exact = try LoopbackServer { _ in .bytes(LoopbackServer.answer(200, body)) }
        let taken = await outcome(request(exact.url))
        #expect(taken == .success(TransportResponse(status: 200, body: body)))
        let endless = try LoopbackServer { _ in
            .endless(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), piece: body)
        }
        let refused = await outcome(request(endless.url))
        #expect(refused == .failure(.tooLarge))
        let announced = try LoopbackServer { _ in
            .silence(after: Array("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n".utf8))
        }
        let early = await outcome(request(announced.url))
        #expect(early == .failure(.tooLarge))
    }

    @Test("a server that says nothing, or stops within its answer, is not waited for")
    func silent() async throws {
        for bytes in ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"] {
            let server = try LoopbackServer { _ in .silence(after: Array(bytes.utf8)) }
            let outcome = await outcome(request(server.url, timeout: 300))
            #expect(outcome == .failure(.timedOut), "\(bytes)")
        }
    }

    @Test("nobody listens")
    func unreachable() async throws {
        let server = try LoopbackServer { _ in .bytes([]) }
        let url = server.url
        server.stop()
        let refused = await outcome(request(url))
        #expect(refused == .failure(.unreachable))
        let unknown = await outcome(request("https://no-such-host.invalid"))
        #expect(unknown == .failure(.unreachable))
    }

    @Test("TLS is demanded where the address says so")
    func plainServerBehindHTTPS() async throws {
        let server = try LoopbackServer { _ in .bytes(LoopbackServer.answer(200, [])) }
        let outcome = await outcome(
            request("https://127.0.0.1:\(server.port)", timeout: 2_000))
        #expect(outcome == .failure(.unreachable) || outcome == .failure(.timedOut))
        #expect(server.requests.isEmpty)
    }

    @Test("a whole call through a socket")
    func wholeCall() async throws {
        let body = Sample.transaction().serialized()
        let server = try LoopbackServer { _ in .bytes(LoopbackServer.answer(200, body)) }
        var configuration = try Sample.configuration()
        let url = try #require(ServerURL(server.url))
        configuration.api = .init(production: url, sandbox: url)
        let client = AppStoreClient(
            configuration, transport: NetworkTransport(), context: VirtualContext())
        let found = try await client.transaction(Sample.id, in: nil)
        #expect(found.environment == .production)
    }

    @Test("many requests at once, each with its own answer, on one transport")
    func many() async throws {
        let server = try LoopbackServer { request in
            .bytes(LoopbackServer.answer(200, Array(request.target.utf8)))
        }
        let transport = NetworkTransport()
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let request = TransportRequest(
                        method: "GET", url: server.url + "/\(number)", answerLimit: 100,
                        timeout: 60_000)
                    return try await transport.send(request).body == Array("/\(number)".utf8)
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 200)
        #expect(server.requests.count == 200)
    }

    @Test("whoever is cancelled does not wait for a server that says nothing")
    func cancelled() async throws {
        let server = try LoopbackServer { _ in .silence(after: []) }
        let request = request(server.url, timeout: 600_000)
        let sent = Task { await self.outcome(request) }
        while server.requests.isEmpty { await Task.yield() }
        sent.cancel()
        let cut = await sent.value
        #expect(cut == .failure(.brokenOff))
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await self.outcome(request)
        }
        let none = await early.value
        #expect(none == .failure(.brokenOff))
    }

    @Test(
        "http goes to this machine only, and nothing but http and https anywhere",
        arguments: [
            "http://192.0.2.1", "http://localhost.example.com", "http://127.0.0.1.example.com",
            "http://127.0.0.1@example.com", "file:///etc", "ftp://127.0.0.1", "127.0.0.1",
        ])
    func elsewhere(url: String) async throws {
        let outcome = await outcome(request(url))
        #expect(outcome == .failure(.unreachable))
    }

    @Test("a head without an end is not read, and its fields cannot be forged")
    func heads() async throws {
        let endless = try LoopbackServer { _ in
            .endless(Array("HTTP/1.1 200 OK\r\n".utf8), piece: Array("X-A: b\r\n".utf8))
        }
        let cut = await outcome(request(endless.url))
        #expect(cut == .failure(.brokenOff))
        let interim = try LoopbackServer { _ in
            let hint = Array("HTTP/1.1 103 Hint\r\nRetry-After: 1\r\n\r\n".utf8)
            return .bytes(hint + LoopbackServer.answer(503, [], "Retry-After:  9 "))
        }
        let answer = await outcome(request(interim.url))
        #expect(answer == .success(TransportResponse(status: 503, retryAfter: "9")))
        var forged = request(interim.url)
        forged.fields = [("X-A", "b\r\nX-C: d")]
        let refused = await outcome(forged)
        #expect(refused == .failure(.unreachable))
        #expect(interim.requests.count == 1)
    }

    /// How a server presents itself, and what a request to it ends with.
    @Test("TLS proves who the server is, and is not an old one", arguments: TLSServer.Kind.allCases)
    func tls(kind: TLSServer.Kind) async throws {
        let server = try TLSServer(kind)
        let transport = NetworkTransport(roots: kind == .unknownRoot ? nil : server.roots)
        let request = TransportRequest(
            method: "GET", url: server.url + "/", answerLimit: 65_536, timeout: 20_000)
        let status: Int?
        do throws(TransportFailure) {
            status = try await transport.send(request).status
        } catch {
            #expect(error == .unreachable)
            status = nil
        }
        #expect(status == (kind.isRight ? 200 : nil))
    }
}
