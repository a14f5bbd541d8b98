package import EntitlementModel

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

/// A window of `at`, as a policy writes it.
package struct CellWindow: Hashable, Sendable {
    /// Nil where it has no beginning.
    package let start: Instant?
    /// Nil where it has no end.
    package let end: Instant?

    var text: String {
        switch (start, end) {
        case (let start?, let end?): "from \(Self.day(start)) until \(Self.day(end))"
        case (let start?, nil): "from \(Self.day(start))"
        case (nil, let end?): "before \(Self.day(end))"
        case (nil, nil): "always"
        }
    }

    private static func day(_ instant: Instant) -> String {
        instant.milliseconds % 86_400_000 == 0
            ? String(instant.rfc3339.prefix(10)) : instant.rfc3339
    }
}

extension CellExample {
    /// The same with how long around its instant it is so; without an instant where it is always so.
    ///
    /// - Parameter dates: at which it may begin or end to be so.
    func inWindow(of dates: [Instant], where isSo: (CellExample) -> Bool) -> CellExample {
        guard let at else { return self }
        let dates = Set(dates).sorted()
        func holds(at instant: Instant) -> Bool {
            var example = self
            example.at = instant
            return isSo(example)
        }
        let before = dates.prefix { $0 <= at }
        let after = dates.dropFirst(before.count)
        var start: Instant?
        for (index, date) in before.enumerated().reversed() {
            start = date
            let earlier = index > 0 ? before[index - 1] : date.advanced(byMilliseconds: -1)
            guard holds(at: earlier) else { break }
            start = nil
        }
        var example = self
        example.window = CellWindow(start: start, end: after.first { !holds(at: $0) })
        if example.window == CellWindow(start: nil, end: nil) {
            (example.at, example.window) = (nil, nil)
        }
        return example
    }

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
