package import EntitlementModel
internal import Glibc
internal import LedgerModel
package import Logging
internal import StrictJSON
internal import Synchronization

/// Where log lines go: a descriptor that is never waited for. A slow reader or a full disk costs
/// lines, which are counted, and no answers (THREATS.md H16).
package final class LineLog: Sendable {
    private let descriptor: Int32
    /// Whether lines go to systemd's journal, which takes a level in front of each (sd-daemon(3)).
    let isJournal: Bool
    private let lost = Atomic<Int>(0)
    /// Whether the last line was cut short.
    private let isMidLine = Mutex(false)

    /// - Parameter journal: device and inode of the stream to systemd's journal, from
    ///   `JOURNAL_STREAM`; nil if there is none.
    package init(descriptor: Int32 = STDERR_FILENO, journal: String? = nil) {
        self.descriptor = descriptor
        isJournal = Self.isJournal(descriptor, journal)
    }

    /// - Parameter stream: what `JOURNAL_STREAM` says.
    package static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
        var file = stat()
        return fstat(descriptor, &file) == 0 && stream == "\(file.st_dev):\(file.st_ino)"
    }

    /// With the level in front of each line, since the journal takes each for an entry.
    package static func marked(_ text: [UInt8], _ level: Logger.Level) -> [UInt8] {
        let mark = Array("<\(level.journalLevel)>".utf8)
        return Array(
            text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
                .map { mark + $0 }.joined(separator: [ASCII.lineFeed]))
    }

    /// Lines that could not be written so far.
    package var linesLost: Int { lost.load(ordering: .relaxed) }

    /// Writes the line, which has its end, or counts it as lost.
    func write(_ line: [UInt8]) {
        // One line at a time, so that lines stay whole; a line that was cut short is ended first.
        let isWritten = isMidLine.withLock { isMidLine in
            let bytes = isMidLine ? [ASCII.lineFeed] + line : line
            let count = writePieces(bytes)
            if count > 0 { isMidLine = count < bytes.count }
            return count == bytes.count
        }
        if !isWritten { lost.wrappingAdd(1, ordering: .relaxed) }
    }

    /// How many of the bytes could be written without waiting.
    private func writePieces(_ bytes: [UInt8]) -> Int {
        var count = 0
        while count < bytes.count, isWritable() {
            // A writable pipe takes this much at once.
            let piece = bytes[count..<min(bytes.count, count + Int(PIPE_BUF))]
            let written = piece.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { break }
            count += written
        }
        return count
    }

    private func isWritable() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLOUT) != 0
    }
}

/// How log lines are written.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people: instant, level, message, `name=value`.
    case text
    /// For programs: one JSON object a line.
    case json
}

/// Writes log events as lines, one event a line whatever is in it.
package struct LineLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let log: LineLog
    private let format: LogFormat
    private let now: @Sendable () -> Instant

    package init(log: LineLog, format: LogFormat, now: @escaping @Sendable () -> Instant) {
        self.log = log
        self.format = format
        self.now = now
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { _, new in new }
            .sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)".shown) }
        let line =
            switch format {
            case .json: json(event, values)
            case .text: text(event, values)
            }
        let text = log.isJournal ? LineLog.marked(line, event.level) : line
        log.write(text + [ASCII.lineFeed])
    }

    private func json(_ event: LogEvent, _ values: [(String, String)]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("at", now().rfc3339)
        writer.member("level", event.level.rawValue)
        writer.member("message", "\(event.message)")
        for (name, value) in values {
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        return writer.bytes
    }

    /// A message may have several lines, such as diagnostics, which are the program's own. Text
    /// from elsewhere is in the values, and never breaks a line.
    private func text(_ event: LogEvent, _ values: [(String, String)]) -> [UInt8] {
        var line: [UInt8] = []
        now().appendRFC3339(to: &line)
        line += Array(" \(event.level.rawValue) \(event.message)".utf8)
        for (name, value) in values {
            line += Array(" \(name)=".utf8)
            line += Self.escaped(value)
        }
        return line
    }

    /// In quotes where a reader could lose its end.
    private static func escaped(_ value: String) -> [UInt8] {
        let isPlain =
            !value.isEmpty
            && value.utf8.allSatisfy { ASCII.visible.contains($0) && $0 != ASCII.quote }
        guard !isPlain else { return Array(value.utf8) }
        var bytes: [UInt8] = []
        bytes.appendJSONString(value)
        return bytes
    }
}

extension Logger.Level {
    /// As syslog(3) counts: the lower the worse.
    fileprivate var journalLevel: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}

extension Logger {
    /// One line of what an operator should know of the ledger.
    func note(_ notice: any LedgerNotice) {
        log(
            level: notice.isCritical ? .critical : .warning,
            "\(notice.text(.english))", metadata: ["code": "\(notice.code)"])
    }
}
