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
