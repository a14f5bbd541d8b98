internal import Testing

/// A request that has to be refused, and how query.sock does it (THREATS.md G1 to G6, G15 to G17,
/// G24, G25).
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

/// Bodies whose length is said twice (THREATS.md G1).
private let twoLengths: [HostileRequest] = [
    .field("length and chunked", "Content-Length: 3\r\nTransfer-Encoding: chunked"),
    .field("chunked and length", "Transfer-Encoding: chunked\r\nContent-Length: 3"),
    .field("no length and chunked", "Content-Length: 0\r\nTransfer-Encoding: chunked"),
    HostileRequest(
        "chunks in HTTP/1.0",
        "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    .field("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
    .field("capitals", "CONTENT-LENGTH: 3\r\ntransfer-encoding: Chunked"),
]

/// Transfer codings that are none (THREATS.md G2).
private let transferCodings: [HostileRequest] =
    [
        "identity", ",chunked", "x", "xchunked", "chunkedx", "chunked, identity", "chunked;q=1",
        "chunked,", "\"chunked\"", "chunked chunked", "", "gzip", "identity, gzip",
    ].map { .field("transfer coding '\($0)'", "Transfer-Encoding: \($0)") } + [
        .field("two codings", "Transfer-Encoding: gzip\r\nTransfer-Encoding: deflate"),
        .field("coding with a tab in it", "Transfer-Encoding: chun\tked"),
        .field("coding with NUL", "Transfer-Encoding: chunked\0"),
    ]

/// Lengths that are no number (THREATS.md G3).
private let lengths: [HostileRequest] = [
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
    .field("body of nearly 2^60", "Content-Length: 999999999999999999", 413),
]

/// Lines that are none (THREATS.md G4).
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
]

/// Two spaces, and lines that begin with one.
private let spaces: [HostileRequest] = [
    .line("two spaces after the method", "GET  / HTTP/1.1"),
    .line("two spaces before the version", "GET /  HTTP/1.1"),
    .line("space first", " GET / HTTP/1.1"),
    .line("vertical tab", "GET /\u{0B}HTTP/1.1"),
]

/// Hosts, versions and expectations (THREATS.md G16).
private let manners: [HostileRequest] = [
    .field("host twice", "Host: x"),
    HostileRequest("host twice, unlike", "GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", 400),
    HostileRequest("no host", "GET / HTTP/1.1\r\n\r\n", 400),
    HostileRequest("host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    HostileRequest("host with a slash", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    HostileRequest("host with a user", "GET / HTTP/1.1\r\nHost: u@b\r\n\r\n", 400),
    .field("expectation", "Expect: 100-continue", 417),
    .field("other expectation", "Expect: tea", 417),
    .field("compressed", "Content-Encoding: gzip", 415),
    .field("two content types", "Content-Type: a/b\r\nContent-Type: a/b"),
]

/// Request targets (THREATS.md G15).
private let targets: [HostileRequest] = [
    .line("no target", "GET  HTTP/1.1"),
    .line("two spaces", "GET /  HTTP/1.1"),
    .line("tab for space", "GET\t/ HTTP/1.1"),
    .line("space after", "GET / HTTP/1.1 "),
    .line("space in the target", "GET /a b HTTP/1.1"),
    .line("absolute form", "GET http://x/ HTTP/1.1"),
    .line("asterisk", "OPTIONS * HTTP/1.1"),
    .line("authority form", "CONNECT x:80 HTTP/1.1"),
    .line("target beyond ASCII", "GET /\u{E9} HTTP/1.1"),
    .line("fragment", "GET /#a HTTP/1.1"),
    .line("backslash", "GET /\\a HTTP/1.1"),
]

/// Versions (THREATS.md G16).
private let versions: [HostileRequest] = [
    .line("no version", "GET /"),
    .line("HTTP/0.9", "GET / HTTP/0.9", 505),
    .line("HTTP/1.", "GET / HTTP/1."),
    .line("HTTP/2.0", "GET / HTTP/2.0", 505),
    .line("HTTP/1.2", "GET / HTTP/1.2", 505),
    .line("http/1.1", "GET / http/1.1"),
    .line("HTTP/1.10", "GET / HTTP/1.10"),
    .line("HTTP/11", "GET / HTTP/11"),
]

/// Methods (THREATS.md G24).
private let methods: [HostileRequest] = [
    .line("empty method", " / HTTP/1.1"),
    .line("method with brackets", "G(T / HTTP/1.1"),
    .line("TRACE", "TRACE / HTTP/1.1", 501),
    .line("CONNECT", "CONNECT / HTTP/1.1", 501),
    .line("unknown method", "BREW / HTTP/1.1", 501),
    .line("lower-case method", "get / HTTP/1.1", 501),
]

/// Request lines that go on and on (THREATS.md G25).
private let longLines: [HostileRequest] = [
    .line("long path", "GET /\(String(repeating: "a", count: 65_536)) HTTP/1.1", 414),
    .line("long query", "GET /?\(String(repeating: "a", count: 65_536)) HTTP/1.1", 414),
]

/// Fields that are too much (THREATS.md G6).
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

/// By the row of THREATS.md.
let hostileRequests: [(row: String, requests: [HostileRequest])] = [
    ("G1", twoLengths), ("G2", transferCodings), ("G3", lengths), ("G4", lines), ("G6", sizes),
    ("G15", targets + spaces), ("G16", manners + versions), ("G24", methods), ("G25", longLines),
]
