internal import CLinux
internal import Glibc

/// Which of several sockets have something to read.
final class Poll {
    private let descriptor: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>

    init(_ sockets: Int) throws(BenchFailure) {
        descriptor = epoll_create1(0)
        events = .allocate(capacity: sockets)
        guard descriptor >= 0 else { throw .system("epoll_create1", errno) }
    }

    deinit {
        close(descriptor)
        events.deallocate()
    }

    /// - Parameter index: what `wait` will call the socket.
    func add(_ socket: Socket, _ index: Int) throws(BenchFailure) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(index)
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, socket.descriptor, &event) == 0 else {
            throw .system("epoll_ctl", errno)
        }
    }

    /// Those that are ready; none if the time has passed.
    func wait(nanoseconds: UInt64) throws(BenchFailure) -> some Sequence<Int> & Collection {
        var time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        var count: Int32
        // A debugger or a profiler that comes or goes is no failure.
        repeat {
            count = epoll_pwait2(
                descriptor, events.baseAddress, Int32(events.count), &time, nil)
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw .system("epoll_pwait2", errno) }
        return events[..<Int(count)].lazy.map { Int($0.data.u64) }
    }
}
