internal import Glibc

/// Two ways to do one thing, timed in turns: A B A B.
///
/// Next to the elapsed time it prints the processor time of the whole process, without waiting for
/// the disk: a figure that other programs on the machine disturb less.
struct Comparison {
    struct Party {
        let name: String
        /// What is to be there before, which is not timed.
        var prepare: () async throws -> Void = {}
        /// Does the thing and says how many times.
        let run: () async throws -> Int
    }

    static let title = """
        | what | ours | yardstick | ours per s | yardstick per s | \
        ours / yardstick (lowest, highest) | processor µs, ours and yardstick |
        |---|---|---|---|---|---|---|
        """

    private let what: String
    private let parties: (ours: Party, yardstick: Party)
    private let runs: [(ours: Run, yardstick: Run)]

    /// How one pass went.
    private struct Run {
        /// In a second.
        let rate: Double
        /// Microseconds for each.
        let processorTime: Double
    }

    /// One pass of each is not counted.
    init(
        _ what: String, ours: Party, yardstick: Party, passes: Int
    ) async throws {
        self.what = what
        parties = (ours, yardstick)
        var runs: [(ours: Run, yardstick: Run)] = []
        for pass in 0...passes {
            let run = try await (Self.run(ours), Self.run(yardstick))
            if pass > 0 { runs.append(run) }
        }
        self.runs = runs
    }

    var row: String {
        let ratios = runs.map { $0.ours.rate / $0.yardstick.rate }.sorted()
        let columns = [
            what, parties.ours.name, parties.yardstick.name,
            whole(median(runs.map(\.ours.rate))), whole(median(runs.map(\.yardstick.rate))),
            "**\(hundredths(ratios[ratios.count / 2]))** "
                + "(\(hundredths(ratios[0])), \(hundredths(ratios[ratios.count - 1])))",
            "\(hundredths(median(runs.map(\.ours.processorTime)))), "
                + "\(hundredths(median(runs.map(\.yardstick.processorTime))))",
        ]
        return "| " + columns.joined(separator: " | ") + " |"
    }

    private static func run(_ party: Party) async throws -> Run {
        try await party.prepare()
        let clock = ContinuousClock()
        let (start, processorStart) = (clock.now, processorTime())
        let count = Double(try await party.run())
        return Run(
            rate: count / ((clock.now - start) / .seconds(1)),
            processorTime: (processorTime() - processorStart) / count)
    }

    /// Microseconds, of all threads.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    private func whole(_ value: Double) -> String { "\(Int(value.rounded()))" }
    private func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
