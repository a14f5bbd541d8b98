internal import CLinux
internal import Glibc

/// What one pass found.
struct Pass {
    /// Answers to questions, however many of them came in one.
    let answersPerSecond: Double
    /// Of a write: from sending it to its last answer.
    let latencies: Histogram
    /// What the server spent on one answer, in seconds.
    let processorTime: Double
}

/// A closed loop on one thread: every connection has one write of questions under way, and sends
/// the next when all of its answers have come.
struct LoadLoop {
    private let party: Party
    private let poll: Poll
    private let lanes: [Lane]
    private let server: ServerProcess

    /// One connection's place in the loop.
    private final class Lane {
        let socket: Socket
        var outstanding = 0
        var sentAt: UInt64 = 0

        init(_ socket: Socket) {
            self.socket = socket
        }
    }

    init(_ party: Party, connections: Int) throws(BenchFailure) {
        self.party = party
        poll = try Poll(connections)
        var lanes: [Lane] = []
        for index in 0..<connections {
            let lane = Lane(try Socket(party))
            try poll.add(lane.socket, index)
            lanes.append(lane)
        }
        guard let first = lanes.first else { throw .usage("--connections") }
        server = try ServerProcess(first.socket)
        self.lanes = lanes
    }

    /// Runs for the time and a tenth of it before, which is not counted.
    func run(_ writes: Writes, seconds: Double) throws(BenchFailure) -> Pass {
        for lane in lanes { try send(writes, on: lane) }
        _ = try turn(writes, seconds: seconds / 10)
        return try turn(writes, seconds: seconds)
    }

    private func turn(_ writes: Writes, seconds: Double) throws(BenchFailure) -> Pass {
        var latencies = Histogram()
        var finished = 0
        let spent = try server.processorTime()
        let start = monotonicNanoseconds()
        let end = start + UInt64(seconds * 1e9)
        var now = start
        while now < end {
            let ready = try poll.wait(nanoseconds: 1_000_000_000)
            guard !ready.isEmpty else { throw .closed(party.name) }
            for index in ready {
                let lane = lanes[index]
                var arrived = 0
                try lane.socket.receive { _ in arrived += 1 }
                lane.outstanding -= arrived
                guard lane.outstanding == 0 else { continue }
                finished += 1
                now = monotonicNanoseconds()
                latencies.insert(now - lane.sentAt)
                try send(writes, on: lane)
            }
            now = monotonicNanoseconds()
        }
        let answers = Double(finished * writes.questions)
        return Pass(
            answersPerSecond: answers * 1e9 / Double(now - start), latencies: latencies,
            processorTime: (try server.processorTime() - spent) / max(answers, 1))
    }

    private func send(_ writes: Writes, on lane: Lane) throws(BenchFailure) {
        lane.outstanding = party.answers(to: writes.questions)
        lane.sentAt = monotonicNanoseconds()
        try lane.socket.send(writes.next())
    }
}
