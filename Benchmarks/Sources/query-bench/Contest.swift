/// Two parties that are asked the same in turns (A B A B), and how they compare.
struct Contest {
    private let what: String
    private let ours: Contender
    private let yardstick: Contender
    private let connections: Int
    private let passes: Int
    private let seconds: Double
    private let goals: (rate: Goal?, p99: Goal?, time: Goal?, cpu: Goal?)

    init(_ arguments: BenchArguments) throws(BenchFailure) {
        what = arguments.what
        let accounts = try arguments.number("accounts")
        let questions = try arguments.number("questions", or: 1)
        ours = Contender(try arguments.party("ours"), accounts: accounts, questions: questions)
        yardstick = Contender(
            try arguments.party("yardstick"),
            accounts: try arguments.number("yardstick-accounts", or: accounts),
            questions: questions)
        connections = try arguments.number("connections", or: 1)
        passes = try arguments.number("passes", or: 5)
        seconds = Double(try arguments.number("milliseconds", or: 1_000)) / 1_000
        goals = (
            try arguments.goal("rate"), try arguments.goal("p99"), try arguments.goal("time"),
            try arguments.goal("cpu")
        )
    }

    /// Prints a row for each figure that was asked for.
    func run() throws(BenchFailure) {
        var mine: [Pass] = []
        var theirs: [Pass] = []
        try ours.check()
        try yardstick.check()
        for _ in 1...passes {
            theirs.append(try yardstick.pass(connections, seconds))
            mine.append(try ours.pass(connections, seconds))
        }
        report(goals.rate, what, mine, theirs, BenchRow.thousands) { $0.answersPerSecond }
        report(goals.time, what, mine, theirs, Self.tenths) { 1e6 / $0.answersPerSecond }
        report(goals.cpu, what + ": work of the server", mine, theirs, Self.tenths) {
            $0.processorTime * 1e6
        }
        report(goals.p99, what + ": p99", mine, theirs, Self.whole) { $0.latencies.percentile(99) }
    }

    private func report(
        _ goal: Goal?, _ what: String, _ mine: [Pass], _ theirs: [Pass],
        _ show: (Double) -> String, _ figure: (Pass) -> Double
    ) {
        guard let goal else { return }
        print(
            BenchRow.ratio(
                what, ours: mine.map(figure), yardstick: theirs.map(figure), goal: goal,
                show: show))
    }

    private static func tenths(_ microseconds: Double) -> String {
        "\(BenchRow.tenths(microseconds)) µs"
    }

    private static func whole(_ microseconds: Double) -> String {
        "\(Int(microseconds.rounded())) µs"
    }
}

/// A party, and what it is asked in every pass.
struct Contender {
    private let party: Party
    private let writes: Writes

    init(_ party: Party, accounts: Int, questions: Int) {
        self.party = party
        writes = Writes(party, accounts: accounts, questions: questions)
    }

    /// Every party holds the same answers, so whoever is measured must say yes to all of a write.
    func check() throws(BenchFailure) {
        var granted = 0
        try Socket(party).ask(writes.next(), answers: party.answers(to: writes.questions)) {
            granted += $0.grants
        }
        guard granted == writes.questions else { throw .wrongAnswer(party.name) }
    }

    func pass(_ connections: Int, _ seconds: Double) throws(BenchFailure) -> Pass {
        try LoadLoop(party, connections: connections).run(writes, seconds: seconds)
    }
}
