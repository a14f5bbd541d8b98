internal import EntitlementAnswers
internal import Testing

@testable internal import EntitlementServer

private let get = "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n"
private let post = "POST /p HTTP/1.1\r\nhost:x\r\ncontent-length:  5 \r\n\r\nhello"
private let cold = "GET /cold HTTP/1.1\r\nHost: x\r\n\r\n"
private let last = "GET /z HTTP/1.1\r\nHost: x\r\nConnection: foo, Close\r\n\r\n"

@Suite("A connection", .timeLimit(.minutes(20)))
struct ConnectionTests {
    @Test("answers in order and keeps the connection")
    func order() {
        let conversation = Conversation(get + post + cold + get)
        #expect(conversation.statuses == [200, 200, 200, 200])
        #expect(!conversation.isClosed)
        let bodies = conversation.output.split(separator: "\r\n\r\n").dropFirst()
            .map { $0.prefix { $0 != "]" } }
        #expect(bodies == ["get /a?b=c [", "post /p [hello", "get /cold [", "get /a?b=c ["])
    }

    @Test("writes an answer to the byte")
    func bytes() {
        let request = "GET / HTTP/1.1\r\nHost: x\r\nX-Request-ID: 8f1c 2d\r\n\r\n"
        #expect(
            Conversation(request).output == """
                HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r
                X-Request-ID: 8f1c 2d\r\n\r\nget / []
                """)
    }

    @Test("closes after the answer when asked to, and answers nothing behind it")
    func close() {
        let conversation = Conversation(get + last + get)
        #expect(conversation.statuses == [200, 200])
        #expect(conversation.isClosed)
    }

    @Test("gives the same answers wherever the bytes are cut")
    func cutAnywhere() {
        let bytes = Array((get + post + cold + post + last).utf8)
        let whole = Conversation([bytes])
        #expect(whole.statuses == [200, 200, 200, 200, 200])
        for cut in 1..<bytes.count {
            #expect(Conversation([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
        }
        #expect(Conversation(bytes.map { [$0] }) == whole)
    }

    @Test("answers ten thousand pipelined requests in order")
    func pipeline() {
        let count = 10_000
        let requests = (0..<count).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
        let conversation = Conversation(requests)
        let paths = conversation.output.split(separator: "get /").dropFirst()
            .compactMap { Int($0.prefix { $0 != " " }) }
        #expect(paths == Array(0..<count))
    }

    @Test("stops answering while its output waits")
    func backPressure() {
        var limits = HTTPLimits()
        limits.waitingOutputBytes = 200
        var connection = Connection(answering: EchoAnswering(), limits: limits)
        let requests = Array(String(repeating: get, count: 100).utf8)
        var step = connection.receive(requests.span)
        var rounds = 0
        while case .full = step {
            #expect((200..<400).contains(connection.takeOutput().count))
            #expect(connection.takeOutput().isEmpty)
            step = connection.proceed()
            rounds += 1
        }
        #expect(rounds > 30)
        #expect(
            Conversation(String(repeating: get, count: 100), limits: limits).statuses.count == 100)
    }

    @Test("answers no later request while one waits for cold work")
    func coldKeepsOrder() throws {
        var connection = Connection(answering: EchoAnswering(), limits: HTTPLimits())
        let requests = Array((cold + get).utf8)
        guard case .cold = connection.receive(requests.span) else {
            Issue.record("a cold question pauses the connection")
            return
        }
        #expect(connection.output.isEmpty)
        #expect(connection.awaited == nil)
        guard case .wait = connection.receive(Array(get.utf8).span) else {
            Issue.record("a paused connection answers nothing")
            return
        }
        #expect(connection.output.isEmpty)
        guard case .wait = connection.proceed(after: .rejection(Problem(.unavailable))) else {
            Issue.record("what failed is answered")
            return
        }
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(output.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(output.contains("\r\nRetry-After: 1\r\n"))
        #expect(output.split(separator: "HTTP/1.1").count == 3)
    }

    @Test(
        "knows what it waits for",
        arguments: [
            ("", ConnectionAwaited.request, [Int]()),
            ("G", .head, [408]),
            ("GET / HTTP/1.1\r\nHost: x\r\n", .head, [408]),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nx", .body, [408]),
            (get, .request, [200]),
            (get + "G", .head, [200, 408]),
        ])
    func patience(
        sent: String, awaited: ConnectionAwaited, statuses: [Int]
    ) throws {
        var connection = Connection(answering: EchoAnswering(), limits: HTTPLimits())
        _ = connection.receive(Array(sent.utf8).span)
        #expect(connection.awaited == awaited)
        guard case .close = connection.expire() else {
            Issue.record("a connection that expires is closed")
            return
        }
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(output.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) } == statuses)
    }

    @Test(
        "drains: answers what has come and closes",
        arguments: [("", 0), (get, 1), (get + get, 2), (get + cold, 2)])
    func drain(sent: String, answers: Int) {
        var connection = Connection(answering: EchoAnswering(), limits: HTTPLimits())
        var step = connection.receive(Array(sent.utf8).span)
        if case .cold(let work) = step {
            _ = connection.drain()
            step = connection.proceed(after: work.run())
        } else {
            step = connection.drain()
        }
        guard case .close = step else {
            Issue.record("a drained connection is closed")
            return
        }
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(output.split(separator: "HTTP/1.1 ").count == answers)
    }

    @Test("lets a request that has begun finish while it drains")
    func drainMidway() {
        var connection = Connection(answering: EchoAnswering(), limits: HTTPLimits())
        let bytes = Array(post.utf8)
        _ = connection.receive(bytes.span.extracting(..<20))
        guard case .wait = connection.drain() else {
            Issue.record("the rest of the request is waited for")
            return
        }
        guard case .close = connection.receive(bytes.span.extracting(20...)) else {
            Issue.record("then it is closed")
            return
        }
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(output.hasSuffix("\r\nConnection: close\r\n\r\npost /p [hello]"))
    }
}

/// What usher.sock knows of HTTP, and query.sock does not.
@Suite("A connection that takes chunks", .timeLimit(.minutes(20)))
struct ChunkConnectionTests {
    private static let limits: HTTPLimits = {
        var limits = HTTPLimits()
        limits.takesChunks = true
        limits.bodyBytes = .max
        return limits
    }()
    private static let head = "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"

    @Test("gives the same answers wherever chunks are cut")
    func cutAnywhere() {
        let chunked = Self.head + "\r\n2;a=b\r\nhe\r\n003\r\nllo\r\n0\r\n\r\n"
        let bytes = Array((get + chunked + chunked + post + last).utf8)
        let whole = Conversation([bytes], limits: Self.limits)
        #expect(whole.statuses == [200, 200, 200, 200, 200] && whole.isClosed)
        #expect(whole.output.split(separator: "post /p [hello]").count == 4)
        for cut in 1..<bytes.count {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(Conversation(pieces, limits: Self.limits) == whole, "cut at \(cut)")
        }
        #expect(Conversation(bytes.map { [$0] }, limits: Self.limits) == whole)
    }

    @Test("asks for a body that waits to be asked for, and for no other")
    func expectation() {
        let interim = "HTTP/1.1 100 Continue\r\n\r\n"
        let chunked = Self.head + "Expect: 100-continue\r\n\r\n"
        let body = "1\r\na\r\n0\r\n\r\n"
        let asked = Conversation([chunked, body].map { Array($0.utf8) }, limits: Self.limits)
        #expect(asked.output.hasPrefix(interim + "HTTP/1.1 200 OK\r\n"))
        let unasked = Conversation([Array((chunked + body).utf8)], limits: Self.limits)
        #expect(unasked.statuses == [200])
        let tooLong = post.replacing("  5 ", with: "99999999\r\nExpect: 100-continue")
        #expect(Conversation(tooLong, limits: Self.limits).statuses == [413])
    }

    @Test("says that a length is missing, whenever the body comes")
    func lengths() {
        let head = "DELETE /p HTTP/1.1\r\nHost: x\r\n\r\n"
        let together = Conversation([Array((head + "{}").utf8)], limits: Self.limits)
        #expect(together.statuses == [411] && together.isClosed)
        let apart = Conversation([head, "{}"].map { Array($0.utf8) }, limits: Self.limits)
        #expect(apart.statuses == [200, 411] && apart.isClosed)
        let none = Conversation([head, get].map { Array($0.utf8) }, limits: Self.limits)
        #expect(none.statuses == [200, 200] && !none.isClosed)
    }

    @Test("answers a body that ends too early, and one that is too long, once")
    func ends() {
        for (body, status) in [("2\r\n{", 400), ("FFFFFF\r\n", 413), ("x\r\n", 400)] {
            var connection = Connection(answering: EchoAnswering(), limits: Self.limits)
            let request = Self.head + "X-Request-ID: a7\r\n\r\n" + body
            _ = connection.receive(Array(request.utf8).span)
            guard case .close = connection.endOfInput() else {
                Issue.record("it is closed")
                return
            }
            let output = String(decoding: connection.output, as: UTF8.self)
            #expect(output.hasPrefix("HTTP/1.1 \(status) "), "\(output)")
            #expect(output.contains("\r\nX-Request-ID: a7\r\n"))
            #expect(output.matches(of: #/HTTP/1\.1 [0-9]{3}/#).count == 1)
        }
    }
}
