/// The result as a table of medians.
enum BenchTable {
    static let title = """
        | connections | pipeline | redis GET/s | usher answers/s | ratio (lowest, highest) | \
        redis p50/p99 µs | usher p50/p99 µs |
        |---|---|---|---|---|---|---|
        """

    static func row(_ cell: Cell, redis: [Pass], usher: [Pass]) -> String {
        let ratios = zip(usher, redis).map { $0.requestsPerSecond / $1.requestsPerSecond }.sorted()
        let columns = [
            "\(cell.connections)", "\(cell.pipeline)", thousands(median(redis)),
            thousands(median(usher)),
            "**\(hundredths(ratios[ratios.count / 2]))** "
                + "(\(hundredths(ratios[0])), \(hundredths(ratios[ratios.count - 1])))",
            latencies(redis), latencies(usher),
        ]
        return "| " + columns.joined(separator: " | ") + " |"
    }

    private static func median(_ passes: [Pass]) -> Double {
        passes.map(\.requestsPerSecond).sorted()[passes.count / 2]
    }

    private static func latencies(_ passes: [Pass]) -> String {
        var all = Histogram()
        for pass in passes { all.merge(pass.latencies) }
        return [50, 99].map { "\(Int(all.percentile($0).rounded()))" }.joined(separator: "/")
    }

    private static func thousands(_ value: Double) -> String {
        "\((value / 100).rounded() / 10)k"
    }

    private static func hundredths(_ value: Double) -> String {
        "\((value * 100).rounded() / 100)"
    }
}
