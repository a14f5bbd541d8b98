internal import EntitlementModel
internal import Glibc
internal import Logging
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// A pipe with a log at one end.
private final class LogPipe {
    let log: LineLog
    private let ends: (reading: Int32, writing: Int32)

    /// - Parameter journal: of what the log is told that systemd connects with its journal, the
    ///   inode less that of the pipe; nil where it is told of nothing.
    init(journal: UInt64? = nil) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        self.ends = (ends[0], ends[1])
        var file = stat()
        try #require(fstat(ends[1], &file) == 0)
        let stream = journal.map { "\(file.st_dev):\(UInt64(file.st_ino) + $0)" }
        log = LineLog(descriptor: ends[1], journal: stream)
    }

    deinit {
        close(ends.reading)
        close(ends.writing)
    }

    /// All that has been written since the last look.
    func text() -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(ends.reading, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}

@Suite("The log", .timeLimit(.minutes(20)))
struct LineLogTests {
    private func logger(_ log: LineLog, _ format: LogFormat) throws -> Logger {
        let now = try #require(Instant(rfc3339: "2026-03-01T12:00:00.500Z"))
        return Logger(label: "test") { _ in
            LineLogHandler(log: log, format: format, now: { now })
        }
    }

    @Test("is text for people: instant, level, message, values by name")
    func text() throws {
        let pipe = try LogPipe()
        let logger = try logger(pipe.log, .text)
        logger.notice("serving", metadata: ["sockets": "/run/usher", "because": "it was asked"])
        logger.debug("not at this level")
        #expect(
            pipe.text() == """
                2026-03-01T12:00:00.500Z notice serving because="it was asked" sockets=/run/usher

                """)
    }

    @Test("is one JSON object a line for programs")
    func json() throws {
        let pipe = try LogPipe()
        try logger(pipe.log, .json).error("call", metadata: ["status": "500", "code": "x"])
        #expect(
            pipe.text() == #"""
                {"at":"2026-03-01T12:00:00.500Z","level":"error","message":"call","code":"x",\#
                "status":"500"}

                """#)
    }

    /// Threats, F12: whatever a value holds, it is one line, and a terminal shows all of it.
    @Test(
        "is one line an event, whatever stands in it",
        arguments: [
            "a\r\nb", "a\nb", "a\rb", "\u{1B}[31m", "\u{2028}", "\u{2029}", "\u{85}", "\u{7F}",
            "\u{202E}txt", "\u{200B}", "\0", "\u{FEFF}", "\"", "\\", "a=b c", "",
        ])
    func oneLine(value: String) throws {
        for format in LogFormat.allCases {
            let pipe = try LogPipe()
            try logger(pipe.log, format).notice("deed", metadata: ["reason": "\(value)"])
            let line = pipe.text()
            #expect(line.utf8.count { $0 == ASCII.lineFeed } == 1)
            #expect(line.utf8.last == ASCII.lineFeed)
            let isPlain = line.unicodeScalars.dropLast().allSatisfy { scalar in
                ![.control, .format, .lineSeparator, .paragraphSeparator]
                    .contains(scalar.properties.generalCategory)
            }
            #expect(isPlain, "\(line)")
            if format == .json { #expect(throws: Never.self) { try parseJSON(Array(line.utf8)) } }
        }
    }

    /// Threats, H16: a reader that has fallen asleep.
    @Test("waits for nobody: what does not fit is counted, and what comes later is whole")
    func fullPipe() throws {
        let pipe = try LogPipe()
        let line = Array(String(repeating: "a", count: 9_999).utf8) + [ASCII.lineFeed]
        for _ in 0..<20 { pipe.log.write(line) }
        let lost = pipe.log.linesLost
        #expect(lost > 0 && lost < 20)
        let first = pipe.text().split(separator: "\n")
        #expect(first.count { $0.utf8.count == 9_999 } == 20 - lost)
        pipe.log.write(Array("later\n".utf8))
        #expect(pipe.text().split(separator: "\n") == ["later"])
        #expect(pipe.log.linesLost == lost)
    }

    @Test("has a level in front of each line where it goes to systemd's journal, and only there")
    func journal() throws {
        let levels: [(Logger.Level, Int)] = [
            (.critical, 2), (.error, 3), (.warning, 4), (.notice, 5), (.info, 6),
        ]
        for (level, number) in levels {
            let pipe = try LogPipe(journal: 0)
            try logger(pipe.log, .text).log(level: level, "refused:\n  line 2\n\n  line 4")
            let start = "2026-03-01T12:00:00.500Z \(level)"
            let mark = "<\(number)>"
            #expect(
                pipe.text().split(separator: "\n") == [
                    "\(mark)\(start) refused:", "\(mark)  line 2", "\(mark)", "\(mark)  line 4",
                ])
            try logger(pipe.log, .json).log(level: level, "served")
            #expect(pipe.text().hasPrefix("\(mark){\"at\":"))
        }
        for other in try [LogPipe(journal: 1), LogPipe()] {
            try logger(other.log, .text).warning("served")
            #expect(other.text() == "2026-03-01T12:00:00.500Z warning served\n")
        }
    }

    @Test("loses lines where there is nothing to write to, and nothing else")
    func noDescriptor() {
        let log = LineLog(descriptor: -1)
        log.write([ASCII.lineFeed])
        #expect(log.linesLost == 1)
    }
}
