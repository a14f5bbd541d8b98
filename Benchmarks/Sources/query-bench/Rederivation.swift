internal import Glibc

/// A change of policy under questions: how long until all that follows from it is done, and what the
/// questions notice of it.
struct Rederivation {
    private let loop: PacedLoop
    private let probe: StatusProbe
    private let accounts: Int
    /// The members of the status page that tell the end, and their values then.
    private let done: [(member: String, value: String)]
    private let file: String
    private let texts: [String]
    private let goals: (ready: Goal, p99: Goal)
    /// In seconds.
    private static let before = 5.0
    private static let patience = 600.0

    init(_ arguments: BenchArguments) throws(BenchFailure) {
        accounts = try arguments.number("accounts")
        loop = try PacedLoop(
            Party(.usher, socket: try arguments.text("usher")), accounts: accounts,
            connections: try arguments.number("connections", or: 8),
            perSecond: try arguments.number("per-second", or: 2_000))
        probe = try StatusProbe(socket: try arguments.text("status"))
        done = try arguments.text("done").split(separator: ",").map { pair throws(BenchFailure) in
            let parts = pair.split(separator: "=").map(String.init)
            guard parts.count == 2 else { throw .usage("--done") }
            return (parts[0], parts[1])
        }
        goals = (try arguments.goal("goal") ?? .none, try arguments.goal("p99") ?? .none)
        file = try arguments.text("into")
        texts = try arguments.text("texts").split(separator: ",").map(String.init)
    }

    /// One change for each text, which is moved into its place.
    func run() throws(BenchFailure) {
        var times: [Double] = []
        var (before, during): ([Histogram], [Histogram]) = ([], [])
        for text in texts {
            let end = monotonicNanoseconds() + UInt64(Self.before * 1e9)
            before.append(try loop.run { $0 >= end })
            let start = monotonicNanoseconds()
            during.append(try change(to: text))
            times.append(Double(monotonicNanoseconds() - start) / 1e9)
        }
        print(
            BenchRow.figure(
                "\(accounts) accounts derived again after a change of policy", times,
                goal: goals.ready
            ) { "\(BenchRow.tenths($0)) s" })
        loop.printMeanwhile(during, beside: before, p99: goals.p99)
    }

    private func change(to text: String) throws(BenchFailure) -> Histogram {
        let old = probe.value("policy")
        let end = monotonicNanoseconds() + UInt64(Self.patience * 1e9)
        guard rename(text, file) == 0 else { throw .system("rename", errno) }
        return try loop.run { now throws(BenchFailure) in
            guard now < end else { throw .late("the derivation of all accounts") }
            try probe.look(at: now)
            return probe.value("policy") != old
                && done.allSatisfy { probe.value($0.member) ?? "" == $0.value }
        }
    }
}
