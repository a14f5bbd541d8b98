internal import Glibc

/// An open loop: questions go out when they are due, whether or not the ones before them are
/// answered, and an answer's time counts from when its question was due. So a service that stops
/// for a moment is charged with every question that would have come meanwhile.
final class PacedLoop {
    private let poll: Poll
    private let lanes: [Lane]
    private let writes: Writes
    private let period: UInt64
    private let perSecond: Int
    private var asked = 0

    /// One connection, and when its unanswered questions were due.
    private final class Lane {
        let socket: Socket
        var due: [UInt64] = []

        init(_ socket: Socket) {
            self.socket = socket
        }
    }

    init(
        _ party: Party, accounts: Int, connections: Int, perSecond: Int
    ) throws(BenchFailure) {
        Self.wakeOnTime()
        poll = try Poll(connections)
        var lanes: [Lane] = []
        for index in 0..<connections {
            let lane = Lane(try Socket(party))
            try poll.add(lane.socket, index)
            lanes.append(lane)
        }
        self.lanes = lanes
        writes = Writes(party, accounts: accounts, questions: 1)
        period = 1_000_000_000 / UInt64(perSecond)
        self.perSecond = perSecond
    }

    /// What its questions noticed of something else, beside those before it.
    func printMeanwhile(_ during: [Histogram], beside before: [Histogram], p99: Goal) {
        for (percent, goal) in [(50.0, Goal.none), (99.0, p99)] {
            print(
                BenchRow.ratio(
                    "\(perSecond) questions a second meanwhile, beside before: p\(Int(percent))",
                    ours: during.map { $0.percentile(percent) },
                    yardstick: before.map { $0.percentile(percent) }, goal: goal,
                    show: { "\(Int($0.rounded())) µs" }))
        }
    }

    /// Runs until `isOver`, which is asked after every question, and returns when the last
    /// question is answered.
    func run(
        until isOver: (_ now: UInt64) throws(BenchFailure) -> Bool
    ) throws(BenchFailure) -> Histogram {
        var latencies = Histogram()
        var due = monotonicNanoseconds()
        var now = due
        while try !isOver(now) {
            due += period
            while now < due {
                try receive(waiting: due - now, &latencies)
                now = monotonicNanoseconds()
            }
            let lane = lanes[asked % lanes.count]
            asked += 1
            lane.due.append(due)
            try lane.socket.send(writes.next())
        }
        while lanes.contains(where: { !$0.due.isEmpty }) {
            try receive(waiting: 1_000_000, &latencies)
        }
        return latencies
    }

    private func receive(
        waiting nanoseconds: UInt64, _ latencies: inout Histogram
    ) throws(BenchFailure) {
        for index in try poll.wait(nanoseconds: nanoseconds) {
            let lane = lanes[index]
            var arrived = 0
            try lane.socket.receive { _ in arrived += 1 }
            let now = monotonicNanoseconds()
            for due in lane.due.prefix(arrived) { latencies.insert(now - due) }
            lane.due.removeFirst(arrived)
        }
    }

    /// Linux lets a thread oversleep by fifty microseconds unless told otherwise.
    private static func wakeOnTime() {
        let file = open("/proc/self/timerslack_ns", O_WRONLY)
        guard file >= 0 else { return }
        _ = write(file, "1", 1)
        close(file)
    }
}
