internal import CLinux
internal import Glibc

/// What one pass found.
struct Pass {
    let requestsPerSecond: Double
    let latencies: Histogram
}

/// A closed loop on one thread: every connection has one write of requests under way, and sends
/// the next when all of its answers have come.
struct LoadLoop {
    private let party: Party
    private let cell: Cell
    private let epoll: Int32
    private let lanes: [Lane]

    /// One connection's place in the loop.
    private final class Lane {
        let socket: Socket
        var outstanding = 0
        var sentAt: UInt64 = 0

        init(_ socket: Socket) {
            self.socket = socket
        }
    }

    init(_ party: Party, _ cell: Cell) throws(BenchFailure) {
        self.party = party
        self.cell = cell
        epoll = epoll_create1(0)
        guard epoll >= 0 else { throw .system("epoll_create1", errno) }
        var lanes: [Lane] = []
        for index in 0..<cell.connections {
            let lane = Lane(try Socket(party))
            var event = epoll_event()
            event.events = EPOLLIN.rawValue
            event.data.u64 = UInt64(index)
            guard epoll_ctl(epoll, EPOLL_CTL_ADD, lane.socket.descriptor, &event) == 0 else {
                throw .system("epoll_ctl", errno)
            }
            lanes.append(lane)
        }
        self.lanes = lanes
    }

    /// Runs for the time and a tenth of it before, which is not counted.
    func run(seconds: Double) throws(BenchFailure) -> Pass {
        defer { close(epoll) }
        let writes = Writes(party, pipeline: cell.pipeline)
        for lane in lanes { try send(writes, on: lane) }
        _ = try turn(writes, seconds: seconds / 10)
        return try turn(writes, seconds: seconds)
    }

    private func turn(_ writes: Writes, seconds: Double) throws(BenchFailure) -> Pass {
        let scanner = AnswerScanner(framing: party.framing)
        var events = [epoll_event](repeating: epoll_event(), count: lanes.count)
        var latencies = Histogram()
        var answered = 0
        let start = monotonicNanoseconds()
        let end = start + UInt64(seconds * 1e9)
        var now = start
        while now < end {
            let count = epoll_wait(epoll, &events, Int32(events.count), 1_000)
            guard count > 0 else { throw .closed(party.name) }
            for event in events.prefix(Int(count)) {
                let lane = lanes[Int(event.data.u64)]
                var arrived = 0
                try lane.socket.receive(scanner) { _ in arrived += 1 }
                answered += arrived
                lane.outstanding -= arrived
                guard lane.outstanding == 0 else { continue }
                now = monotonicNanoseconds()
                latencies.insert(now - lane.sentAt)
                try send(writes, on: lane)
            }
            now = monotonicNanoseconds()
        }
        let elapsed = Double(now - start) / 1e9
        return Pass(requestsPerSecond: Double(answered) / elapsed, latencies: latencies)
    }

    private func send(_ writes: Writes, on lane: Lane) throws(BenchFailure) {
        lane.outstanding = cell.pipeline
        lane.sentAt = monotonicNanoseconds()
        try lane.socket.send(writes.next())
    }
}

func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
