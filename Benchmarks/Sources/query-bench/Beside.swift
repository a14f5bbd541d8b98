internal import Glibc

/// What questions notice of a command that runs beside them, and how long it takes meanwhile.
struct Beside {
    private let what: String
    private let loop: PacedLoop
    private let passes: Int
    private let goals: (time: Goal, p99: Goal)
    private let command: [String]
    /// In seconds.
    private static let before = 5.0
    /// How many times a second it is looked whether the command has ended.
    private static let looks = 100.0
    /// What stands for the number of the pass at the end of an argument of the command.
    private static let number = "{pass}"

    init(_ arguments: BenchArguments) throws(BenchFailure) {
        what = arguments.what
        loop = try PacedLoop(
            Party(.usher, socket: try arguments.text("usher")),
            accounts: try arguments.number("accounts"),
            connections: try arguments.number("connections", or: 8),
            perSecond: try arguments.number("per-second", or: 2_000))
        passes = try arguments.number("passes", or: 3)
        goals = (try arguments.goal("goal") ?? .none, try arguments.goal("p99") ?? .none)
        command = arguments.command
    }

    func run() throws(BenchFailure) {
        var times: [Double] = []
        var (before, during): ([Histogram], [Histogram]) = ([], [])
        for pass in 1...passes {
            let end = monotonicNanoseconds() + UInt64(Self.before * 1e9)
            before.append(try loop.run { $0 >= end })
            let start = monotonicNanoseconds()
            during.append(try runCommand(pass))
            times.append(Double(monotonicNanoseconds() - start) / 1e9)
        }
        print(BenchRow.figure(what, times, goal: goals.time) { "\(BenchRow.tenths($0)) s" })
        loop.printMeanwhile(during, beside: before, p99: goals.p99)
    }

    private func runCommand(_ pass: Int) throws(BenchFailure) -> Histogram {
        let process = try ChildProcess(
            command.map { argument in
                guard argument.hasSuffix(Self.number) else { return argument }
                return "\(argument.dropLast(Self.number.count))\(pass)"
            })
        var look = monotonicNanoseconds()
        return try loop.run { now throws(BenchFailure) in
            guard now >= look else { return false }
            look = now + UInt64(1e9 / Self.looks)
            return try process.hasEnded()
        }
    }
}
