internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("The client", .timeLimit(.minutes(20)))
struct LocalClientTests {
    @Test(
        "encodes what could end a path segment",
        arguments: [
            ("alice", "alice"), ("a-b.c_d~E9", "a-b.c_d~E9"), ("a/b?c#d", "a%2Fb%3Fc%23d"),
            ("100%", "100%25"), ("a b", "a%20b"), ("\u{E9}", "%C3%A9"), ("", ""),
        ])
    func encodes(text: String, encoded: String) {
        #expect(LocalClient.encoded(text) == encoded)
    }

    @Test("says that nobody answers")
    func nobody() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/none.sock"
        #expect(throws: LocalClientError.notRunning(path: path)) {
            try LocalClient(socketPath: path, secondsToWait: 600).get("/")
        }
        let folder = try SocketFolder(path: temporary.path + "/run")
        let socket = try folder.listen("a.sock", mode: 0o600, group: nil)
        close(socket.descriptor)
        #expect(throws: LocalClientError.notRunning(path: socket.path)) {
            try LocalClient(socketPath: socket.path, secondsToWait: 600).get("/")
        }
    }

    /// Where nobody takes calls any more, they queue up; then a call waits to get into the queue.
    @Test("waits no longer for its turn than for an answer", .timeLimit(.minutes(10)))
    func fullQueue() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/full.sock"
        var address = try UnixAddress(path: path)
        let listener = try UnixAddress.makeSocket()
        defer { close(listener) }
        try #require(address.bind(listener) == 0 && listen(listener, 0) == 0)
        var queued: [Int32] = []
        defer { for descriptor in queued { close(descriptor) } }
        repeat {
            queued.append(try UnixAddress.makeSocket())
            try #require(fcntl(queued.last ?? -1, F_SETFL, O_NONBLOCK) == 0)
        } while address.connect(queued.last ?? -1) == 0
        #expect(throws: LocalClientError.timedOut) {
            try LocalClient(socketPath: path, secondsToWait: 1).get("/")
        }
    }

    @Test("reads an answer")
    func reads() throws {
        let text = "HTTP/1.1 422 Unprocessable Content\r\nCONTENT-type: a/b\r\n\r\nx\r\n\r\ny"
        let response = try ResponseReader.read(Array(text.utf8))
        #expect(response.status == 422)
        #expect(response.mediaType == "a/b")
        #expect(response.text == "x\r\n\r\ny")
    }

    @Test(
        "does not take half an answer for a whole one",
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nhello",
        ])
    func halves(text: String) {
        #expect(throws: LocalClientError.malformed) {
            try ResponseReader.read(Array(text.utf8))
        }
    }
}
