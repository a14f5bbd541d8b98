internal import AppStoreClient
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
        let transport = NetworkTransport(connections: 2)
        let outcome: Result<TransportResponse, TransportFailure>
        do throws(TransportFailure) {
            outcome = .success(try await transport.send(request))
        } catch {
            outcome = .failure(error)
        }
        await transport.close()
        return outcome
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
        let transport = NetworkTransport(connections: 2)
        var configuration = try Sample.configuration()
        let url = try #require(ServerURL(server.url))
        configuration.api = .init(production: url, sandbox: url)
        let client = AppStoreClient(
            configuration, transport: transport, surroundings: VirtualSurroundings())
        let found = try await client.transaction(Sample.id, in: nil)
        #expect(found.environment == .production)
        await transport.close()
    }
}
