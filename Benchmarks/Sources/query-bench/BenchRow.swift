/// What a figure should be: `≥ 1.5`, `≤ 5 s`.
struct Goal {
    private let text: String
    private let limit: Double?

    /// A figure that is reported and has no goal.
    static let none = Goal(text: "", limit: nil)
    private init(text: String, limit: Double?) {
        (self.text, self.limit) = (text, limit)
    }

    /// Nil where it is not written like one.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count > 1, ["≥", "≤"].contains(words[0]), let limit = Double(words[1]) else {
            return nil
        }
        self.init(text: text, limit: limit)
    }

    /// The goal's two columns: what it is, and whether it is met.
    func columns(_ figure: Double) -> [String] {
        guard let limit else { return ["", ""] }
        let isMet = text.hasPrefix("≥") ? figure >= limit : figure <= limit
        return [text, isMet ? "yes" : "**no**"]
    }
}

/// One line of the table. Every figure is a median, with the lowest and the highest.
enum BenchRow {
    static let title = """
        | what | usher | beside it | ratio | goal | met |
        |---|---|---|---|---|---|
        """

    /// What both did in turns, and the median of the ratios of neighbours.
    static func ratio(
        _ what: String, ours: [Double], yardstick: [Double],
        goal: Goal, show: (Double) -> String
    ) -> String {
        let ratios = zip(ours, yardstick).map { $0 / $1 }
        return row(
            [
                what, show(median(ours)), show(median(yardstick)),
                spread(ratios) { "\(hundredths($0))" },
            ] + goal.columns(hundredths(median(ratios))))
    }

    /// A figure that stands alone.
    static func figure(
        _ what: String, _ values: [Double], goal: Goal, show: (Double) -> String
    ) -> String {
        row([what, spread(values, show), "", ""] + goal.columns(median(values)))
    }

    static func thousands(_ value: Double) -> String {
        "\((value / 100).rounded() / 10)k/s"
    }

    static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private static func row(_ columns: [String]) -> String {
        "| " + columns.joined(separator: " | ") + " |"
    }

    private static func spread(_ values: [Double], _ show: (Double) -> String) -> String {
        guard let lowest = values.min(), let highest = values.max() else { return "" }
        return "**\(show(median(values)))** (\(show(lowest)) to \(show(highest)))"
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let upper = sorted.dropFirst(sorted.count / 2).first else { return 0 }
        guard sorted.count.isMultiple(of: 2) else { return upper }
        return (sorted[sorted.count / 2 - 1] + upper) / 2
    }
}
