internal import Glibc
internal import Synchronization

/// Where log lines go: a descriptor that is never waited for. A reader who has fallen asleep, or
/// a full disk, costs lines, which are counted, and no answers (THREATS.md H16).
package final class LineLog: Sendable {
    private let descriptor: Int32
    private let lost = Atomic<Int>(0)
    /// Whether the last line was cut short.
    private let isMidLine = Mutex(false)

    package init(descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
    }

    /// Lines that could not be written so far.
    package var linesLost: Int { lost.load(ordering: .relaxed) }

    /// Writes the line, which has its end, or counts it as lost.
    func write(_ line: [UInt8]) {
        // One line at a time, so that lines stay whole; what was cut short gets its end first.
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
            // What a pipe that can be written to takes at once, whoever reads it.
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
