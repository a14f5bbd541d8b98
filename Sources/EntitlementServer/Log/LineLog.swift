internal import Glibc
internal import Synchronization

/// Where log lines go: a descriptor that is never waited for. A reader who has fallen asleep, or
/// a full disk, costs lines, which are counted, and no answers (threats, H16).
package final class LineLog: Sendable {
    private let descriptor: Int32
    private let lost = Atomic<Int>(0)
    private let turn = Mutex(())

    package init(descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
    }

    /// Lines that could not be written so far.
    package var linesLost: Int { lost.load(ordering: .relaxed) }

    /// Writes the line, which has its end, or counts it as lost.
    func write(_ line: [UInt8]) {
        // One line at a time, so that lines stay whole.
        let isWritten = turn.withLock { _ in
            isWritable() && Glibc.write(descriptor, line, line.count) == line.count
        }
        if !isWritten { lost.wrappingAdd(1, ordering: .relaxed) }
    }

    private func isWritable() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLOUT) != 0
    }
}
