package import EntitlementModel

extension AccountChart {
    /// Every stretch, and what happened to orders, on a line of its own, in columns that are set
    /// apart by tabs: for programs, the same in every language. `-` stands for what is not there;
    /// ends with a line break.
    package func table() -> String {
        var rows = [["what", "name", "environment", "from", "until", "value", "source", "reason"]]
        for right in rights {
            rows += right.spans.filter { $0.isGranted || $0.source != nil }.map { span in
                ["right", right.entitlement, right.environment] + columns(span.interval) + [
                    span.isBehindRenewal ? "renews" : span.isGranted ? "yes" : "no",
                    span.source.map(word) ?? "-", span.rule,
                ]
            }
        }
        for unit in units {
            rows += unit.states.map { span in
                ["state", unit.number, unit.environment] + columns(span.interval) + [
                    span.isBehindRenewal ? "renews" : span.state.rawValue,
                    "\(span.product) \(span.transaction)",
                    span.reason?.rawValue ?? "-",
                ]
            }
            rows += unit.owners.map { owner in
                ["owner", unit.number, unit.environment] + columns(owner.interval) + [
                    owner.account, "-", "-",
                ]
            }
        }
        for order in orders {
            let source = [order.product, order.transaction].compactMap(\.self)
            rows += order.marks.map { mark in
                ["order", order.id, order.environment, mark.at.rfc3339, "-"] + [
                    mark.kind.rawValue, source.joined(separator: " "), "-",
                ]
            }
        }
        return rows.map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    private func columns(_ interval: Interval) -> [String] {
        [interval.hasBeginning ? interval.start.rfc3339 : "-", interval.end?.rfc3339 ?? "-"]
    }

    private func word(_ source: Source) -> String {
        switch source {
        case .product(let product): product
        case .grant(let grant): "grant \(grant)"
        }
    }
}

/// How a picture is drawn.
package struct PictureOptions: Sendable {
    package var language: Language
    /// Columns of the terminal.
    package var width: Int
    package var usesColour: Bool
    /// Where the picture begins and ends; what is nil follows from the chart.
    package var from: Instant?
    package var until: Instant?

    package init(
        language: Language, width: Int = 100, usesColour: Bool = false,
        from: Instant? = nil, until: Instant? = nil
    ) {
        self.language = language
        self.width = width
        self.usesColour = usesColour
        self.from = from
        self.until = until
    }
}

/// The bars of a track in columns of characters: which bar each column shows.
struct TrackCells {
    private let bars: [Bar]
    private var shown: [Int?]

    /// A column shows the bar that fills most of it. One that fills no column most takes the
    /// column in which it begins from a bar that has others: a grace of two days is seen in a
    /// picture of two years.
    init(_ bars: [Bar], on axis: TimeAxis, columns: Int) {
        self.bars = bars
        shown = [Int?](repeating: nil, count: columns)
        var filled = [Double](repeating: 0, count: columns)
        var places: [Int?] = []
        for (index, bar) in bars.enumerated() {
            guard let part = axis.fractions(bar.interval) else {
                places.append(nil)
                continue
            }
            let (start, end) = (
                part.lowerBound * Double(columns), part.upperBound * Double(columns)
            )
            places.append(min(Int(start), columns - 1))
            for column in min(Int(start), columns - 1)..<min(Int(end.rounded(.up)), columns) {
                let part = min(end, Double(column + 1)) - max(start, Double(column))
                guard part > filled[column] else { continue }
                filled[column] = part
                shown[column] = index
            }
        }
        for (index, place) in places.enumerated() {
            guard let place, !shown.contains(index) else { continue }
            let holder = shown[place]
            if holder == nil || shown.count(where: { $0 == holder }) > 1 { shown[place] = index }
        }
    }

    func bar(at column: Int) -> Bar? { shown[column].map { bars[$0] } }

    /// Whether the next column shows another bar that looks the same.
    func endsPeriod(at column: Int) -> Bool {
        guard column + 1 < shown.count, let own = shown[column], let next = shown[column + 1]
        else { return false }
        return own != next && bars[own].look == bars[next].look
    }
}
