internal import Testing

@testable internal import EntitlementServer

/// A request that has to be refused, and how (threats G1 to G6, G15, G16, G24, G25).
struct HostileRequest: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let status: Int

    var testDescription: String { name }

    init(_ name: String, _ text: String, _ status: Int) {
        self.name = name
        self.text = text
        self.status = status
    }

    /// A GET with one more field line.
    static func field(_ name: String, _ line: String, _ status: Int = 400) -> HostileRequest {
        HostileRequest(name, "GET / HTTP/1.1\r\nHost: x\r\n\(line)\r\n\r\n", status)
    }

    /// A request line with a host.
    static func line(_ name: String, _ line: String, _ status: Int = 400) -> HostileRequest {
        HostileRequest(name, "\(line)\r\nHost: x\r\n\r\n", status)
    }
}

/// Bodies whose length is unclear (threats G1 to G3).
let hostileFraming: [HostileRequest] = [
    .field("length and chunked", "Content-Length: 3\r\nTransfer-Encoding: chunked"),
    .field("chunked and length", "Transfer-Encoding: chunked\r\nContent-Length: 3"),
    .field("chunked", "Transfer-Encoding: chunked"),
    .field("identity", "Transfer-Encoding: identity"),
    .field("malformed transfer coding", "Transfer-Encoding: ,chunked"),
    .field("folded name of transfer coding", "TRANSFER-encoding: x"),
    .field("two equal lengths", "Content-Length: 3\r\nContent-Length: 3"),
    .field("two lengths", "Content-Length: 3\r\nContent-Length: 4"),
    .field("length with sign", "Content-Length: +5"),
    .field("negative length", "Content-Length: -1"),
    .field("hexadecimal length", "Content-Length: 0x5"),
    .field("listed length", "Content-Length: 5,5"),
    .field("length of 2^64", "Content-Length: 18446744073709551616"),
    .field("empty length", "Content-Length:"),
    .field("length with a space inside", "Content-Length: 1 2"),
    .field("length in other digits", "Content-Length: \u{0665}"),
    .field("body too large", "Content-Length: 262145", 413),
]

private let lines: [HostileRequest] = [
    HostileRequest("bare LF", "GET / HTTP/1.1\nHost: x\n\n", 400),
    HostileRequest("bare LF in the fields", "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400),
    HostileRequest("bare CR", "GET / HTTP/1.1\rHost: x\r\r", 400),
    HostileRequest("CR in a value", "GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400),
    HostileRequest("two CR", "GET / HTTP/1.1\r\r\nHost: x\r\n\r\n", 400),
    HostileRequest("empty line first", "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    HostileRequest("only a space", " \r\n\r\n", 400),
    .field("NUL", "A: b\0c"),
    .field("escape", "A: b\u{1B}[0m"),
    .field("DEL", "A: b\u{7F}"),
    .field("folding", "A: b\r\n c: d"),
    .field("folding with a tab", "A: b\r\n\tc: d"),
    HostileRequest("folding first", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
    .field("space before the colon", "A : b"),
    .field("tab before the colon", "A\t: b"),
    .field("no colon", "A"),
    .field("no name", ": b"),
    .field("name with a slash", "A/B: c"),
    .field("name beyond ASCII", "\u{E9}: c"),
    .field("host twice", "Host: x"),
    HostileRequest("host twice, unlike", "GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", 400),
    HostileRequest("no host", "GET / HTTP/1.1\r\n\r\n", 400),
    HostileRequest("host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    HostileRequest("host with a slash", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    HostileRequest("host with a user", "GET / HTTP/1.1\r\nHost: u@b\r\n\r\n", 400),
    .field("expectation", "Expect: 100-continue", 417),
    .field("other expectation", "Expect: tea", 417),
    .field("upgrade", "Connection: upgrade\r\nUpgrade: h2c"),
    .field("compressed", "Content-Encoding: gzip", 415),
    .field("two content types", "Content-Type: a/b\r\nContent-Type: a/b"),
]

private let requestLines: [HostileRequest] = [
    .line("no version", "GET /"),
    .line("no target", "GET  HTTP/1.1"),
    .line("empty method", " / HTTP/1.1"),
    .line("two spaces", "GET /  HTTP/1.1"),
    .line("tab for space", "GET\t/ HTTP/1.1"),
    .line("space after", "GET / HTTP/1.1 "),
    .line("space in the target", "GET /a b HTTP/1.1"),
    .line("method with brackets", "G(T / HTTP/1.1"),
    .line("absolute form", "GET http://x/ HTTP/1.1"),
    .line("asterisk", "OPTIONS * HTTP/1.1"),
    .line("authority form", "CONNECT x:80 HTTP/1.1"),
    .line("target beyond ASCII", "GET /\u{E9} HTTP/1.1"),
    .line("fragment", "GET /#a HTTP/1.1"),
    .line("backslash", "GET /\\a HTTP/1.1"),
    .line("HTTP/1.0", "GET / HTTP/1.0", 505),
    .line("HTTP/2.0", "GET / HTTP/2.0", 505),
    .line("HTTP/1.2", "GET / HTTP/1.2", 505),
    .line("http/1.1", "GET / http/1.1"),
    .line("HTTP/1.10", "GET / HTTP/1.10"),
    .line("HTTP/11", "GET / HTTP/11"),
    .line("TRACE", "TRACE / HTTP/1.1", 501),
    .line("CONNECT", "CONNECT / HTTP/1.1", 501),
    .line("unknown method", "BREW / HTTP/1.1", 501),
    .line("lower-case method", "get / HTTP/1.1", 501),
    .line("long path", "GET /\(String(repeating: "a", count: 65_536)) HTTP/1.1", 414),
    .line("long query", "GET /?\(String(repeating: "a", count: 65_536)) HTTP/1.1", 414),
]

private let sizes: [HostileRequest] = [
    .field("long field", "A: \(String(repeating: "b", count: 8 * 1_024))", 431),
    .field("many fields", Array(repeating: "A: b", count: 64).joined(separator: "\r\n"), 431),
    .field(
        "fields of 20 KB",
        Array(repeating: "A: \(String(repeating: "b", count: 4_000))", count: 5)
            .joined(separator: "\r\n"), 431),
    .field(
        "a hundred thousand fields",
        Array(repeating: "A:", count: 100_000).joined(separator: "\r\n"), 431),
]

@Suite("Hostile requests")
struct HostileRequestTests {
    @Test("are refused once and the connection is closed", arguments: hostileFraming + lines)
    func refused(_ request: HostileRequest) {
        check(request)
    }

    @Test("with strange request lines are refused", arguments: requestLines + sizes)
    func refusedLines(_ request: HostileRequest) {
        check(request)
    }

    /// A second request behind the refused one must never be answered.
    private func check(_ request: HostileRequest) {
        let behind = "GET /behind HTTP/1.1\r\nHost: x\r\n\r\n"
        let conversation = Conversation(request.text + behind)
        #expect(conversation.statuses == [request.status])
        #expect(conversation.isClosed)
        #expect(conversation.output.contains("\r\nConnection: close\r\n"))
        #expect(conversation.output.contains("application/problem+json"))
    }

    @Test("refused alike wherever they are cut", arguments: hostileFraming + lines)
    func cutAnywhere(_ request: HostileRequest) {
        let bytes = Array(request.text.utf8)
        let whole = Conversation([bytes])
        for cut in 1..<bytes.count {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(Conversation(pieces) == whole, "cut at \(cut)")
        }
    }
}
