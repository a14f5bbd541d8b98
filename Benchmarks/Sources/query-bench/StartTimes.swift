internal import Glibc

/// How long a service takes from its start to its first answer, each time about an account that
/// nobody has asked about.
struct StartTimes {
    private let what: String
    private let usher: Party
    private let accounts: Int
    private let passes: Int
    private let goal: Goal
    private let command: [String]
    /// In seconds.
    private static let patience = 120.0

    init(_ arguments: BenchArguments) throws(BenchFailure) {
        what = arguments.what
        usher = Party(.usher, socket: try arguments.text("usher"))
        accounts = try arguments.number("accounts")
        passes = try arguments.number("passes", or: 5)
        goal = try arguments.goal("goal") ?? .none
        command = arguments.command
    }

    func run() throws(BenchFailure) {
        var times: [Double] = []
        for pass in 1...passes {
            let service = try ChildProcess(command)
            let answered = Result { () throws(BenchFailure) in
                try seconds { () throws(BenchFailure) in
                    try firstAnswer(ofAccount: accounts * pass / passes)
                }
            }
            service.terminate()
            try service.wait()
            times.append(try answered.get())
        }
        print(BenchRow.figure(what, times, goal: goal) { "\(BenchRow.hundredths($0)) s" })
    }

    private func firstAnswer(ofAccount account: Int) throws(BenchFailure) {
        var question: [UInt8] = []
        usher.append([account], to: &question)
        try connect().ask(question, answers: 1) { _ in }
    }

    /// Tries a thousand times a second.
    private func connect() throws(BenchFailure) -> Socket {
        let end = monotonicNanoseconds() + UInt64(Self.patience * 1e9)
        while monotonicNanoseconds() < end {
            if let socket = try? Socket(usher) { return socket }
            usleep(1_000)
        }
        throw .late("the first answer")
    }
}
