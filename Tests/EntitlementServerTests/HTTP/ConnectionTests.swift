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
