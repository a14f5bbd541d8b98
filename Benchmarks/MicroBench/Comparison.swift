/// Two ways to do one thing, timed in turns: A B A B.
struct Comparison {
    struct Party {
        let name: String
        /// Does the thing and says how many times.
        let run: () async throws -> Int
    }

    static let title = """
        | what | ours | yardstick | ours per s | yardstick per s | ours / yardstick (lowest, highest) |
        |---|---|---|---|---|---|
        """

    private let what: String
    private let parties: (ours: Party, yardstick: Party)
    private let rates: [(ours: Double, yardstick: Double)]

    /// One pass of each is not counted.
    init(
        _ what: String, ours: Party, yardstick: Party, passes: Int
    ) async throws {
        self.what = what
        parties = (ours, yardstick)
        var rates: [(ours: Double, yardstick: Double)] = []
        for pass in 0...passes {
            let rate = try await (Self.rate(of: ours), Self.rate(of: yardstick))
            if pass > 0 { rates.append(rate) }
        }
        self.rates = rates
    }

    var row: String {
        let ratios = rates.map { $0.ours / $0.yardstick }.sorted()
        let columns = [
            what, parties.ours.name, parties.yardstick.name, whole(median(rates.map(\.ours))),
            whole(median(rates.map(\.yardstick))),
            "**\(hundredths(ratios[ratios.count / 2]))** "
                + "(\(hundredths(ratios[0])), \(hundredths(ratios[ratios.count - 1])))",
        ]
        return "| " + columns.joined(separator: " | ") + " |"
    }

    private static func rate(of party: Party) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let count = try await party.run()
        return Double(count) / ((clock.now - start) / .seconds(1))
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    private func whole(_ value: Double) -> String { "\(Int(value.rounded()))" }
    private func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
