#if PostgreSQL
    internal import Glibc
    internal import LedgerModel

    /// Ends a wait of a thread, for the database or for a time, from another one.
    final class Waker: Sendable {
        /// What is waited for becomes readable.
        let descriptor: Int32
        private let other: Int32

        /// - Throws: `.unreachable` where the process may not open two more descriptors.
        init() throws(FleetError) {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw .unreachable(String(cString: strerror(errno))) }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            (descriptor, other) = (ends[0], ends[1])
        }

        deinit {
            close(descriptor)
            close(other)
        }

        /// Where the pipe is full, somebody is about to be woken.
        func wake() {
            var byte: UInt8 = 1
            _ = write(other, &byte, 1)
        }

        /// Until it is woken, or the time is over: by the machine's steady clock.
        func wait(milliseconds: Int32) {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, milliseconds) > 0 { clear() }
        }

        func clear() {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(descriptor, &bytes, bytes.count) == bytes.count {}
        }
    }
#endif
