/// How long a command takes, from its start to its end.
struct ProcessTimes {
    private let what: String
    private let passes: Int
    private let goal: Goal
    private let command: [String]

    init(_ arguments: BenchArguments) throws(BenchFailure) {
        what = arguments.what
        passes = try arguments.number("passes", or: 50)
        goal = try arguments.goal("goal") ?? .none
        command = arguments.command
    }

    /// One pass before the others is not counted.
    func run() throws(BenchFailure) {
        var times: [Double] = []
        for _ in 0...passes {
            times.append(
                try seconds { () throws(BenchFailure) in
                    try ChildProcess(command).wait()
                } * 1e3)
        }
        print(
            BenchRow.figure(what, Array(times.dropFirst()), goal: goal) {
                "\(BenchRow.tenths($0)) ms"
            })
    }
}
