/// A stretch of ages of a state, in which a purchase gives a right.
package struct AgeStretch: Hashable, Sendable {
    /// Milliseconds since the state began.
    package let start: Int64
    /// Nil for as long as the state lasts.
    package let end: Int64?

    package init(from start: Int64, until end: Int64?) {
        self.start = start
        self.end = end
    }
}

/// How long a right lasts in a state by two policies, for the purchase of a cell's example: by the
/// rules about ages (spec 2.4). Empty for never.
package struct CellLength: Hashable, Sendable {
    package let before: [AgeStretch]
    package let after: [AgeStretch]

    package init(before: [AgeStretch], after: [AgeStretch]) {
        self.before = before
        self.after = after
    }
}

extension CellExample {
    /// The ages of the state at which it is so, everything else being as in the example. What is
    /// unpaid is taken to be so since the state began.
    ///
    /// - Parameter lengths: at which it may begin or end to be so. Milliseconds.
    func ages(
        bounds lengths: [Int64], where isSo: (CellExample) -> Bool
    ) -> [AgeStretch] {
        var stretches: [AgeStretch] = []
        let bounds = Set(lengths.filter { $0 > 0 } + [0]).sorted()
        for (index, start) in bounds.enumerated() {
            var example = self
            if stateAge != nil { example.stateAge = start }
            if unpaidFor != nil { example.unpaidFor = start }
            guard isSo(example) else { continue }
            let end = index + 1 < bounds.count ? bounds[index + 1] : nil
            if let last = stretches.last, last.end == start {
                stretches[stretches.count - 1] = AgeStretch(from: last.start, until: end)
            } else {
                stretches.append(AgeStretch(from: start, until: end))
            }
        }
        return stretches
    }
}
