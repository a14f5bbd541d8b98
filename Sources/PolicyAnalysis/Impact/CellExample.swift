package import EntitlementModel

/// A purchase of one product in one state, as far as rules ask about it.
///
/// What no rule of a comparison asks about is left out.
package struct CellExample: Hashable, Sendable {
    var values: [ConditionField: CellValue] = [:]
    /// Around `at`, how long it is so; nil where nothing asks about `at`.
    package var window: CellWindow?

    /// Milliseconds; of what is not paid for, since the paid end.
    subscript(number field: ConditionField) -> Int64? {
        get {
            if case .range(let range)? = values[field] { range?.lower } else { nil }
        }
        set { values[field] = newValue.map { .number($0) } }
    }

    /// By the words of policies, what is not as usual in the example.
    package var facts: [(field: String, value: String)] {
        CellAxis.facts.compactMap { field in
            text(of: field).map { (field.rawValue, $0) }
        }
    }

    private func text(of field: ConditionField) -> String? {
        if field == .at, let window { return window.text }
        guard let value = values[field] else { return nil }
        return switch (value, field.slot.form) {
        case (.word(let word), .words(_, let usual)): word == usual ? nil : word
        case (.range(let range), .date):
            range.map { Instant(milliseconds: $0.lower).rfc3339 }
        case (.range(let range), _): range.map { Self.age($0.lower) }
        case (.name(let name), _): name
        case (.account(let account), _): account?.text
        case (.word(let word), _): word
        case (.standing(let standing), _): standing.state.rawValue
        }
    }

    /// In the largest unit that says it exactly.
    package static func age(_ milliseconds: Int64) -> String {
        let units: [(Int64, String)] = [
            (86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s"),
        ]
        for (length, name) in units where milliseconds % length == 0 {
            return "\(milliseconds / length)\(name)"
        }
        return "\(milliseconds)ms"
    }

    /// Whether a purchase can be so: the first purchase is not after this one, nor this one after
    /// the instant, nor is a state older than its purchase.
    var isPossible: Bool {
        let (bought, at) = (self[number: .purchased], self[number: .at])
        if let first = self[number: .firstPurchased], let latest = bought ?? at, first > latest {
            return false
        }
        guard let bought, let at else { return true }
        return bought <= at
            && ([.stateAge, .unpaidFor] as [ConditionField]).allSatisfy {
                self[number: $0].map { $0 <= at - bought } ?? true
            }
    }

    /// Whether all of a condition holds for it, as far as it is not about product and state.
    func meets(_ tests: [CellTest]) -> Bool {
        tests.allSatisfy { $0.holds(values[$0.field]) }
    }
}

extension CellValue {
    /// One length or instant. Milliseconds.
    static func number(_ number: Int64) -> CellValue {
        .range(CellRange(lower: number, upper: number + 1))
    }
}

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
        guard let at = self[number: .at].map(Instant.init(milliseconds:)) else { return self }
        let dates = Set(dates).sorted()
        func holds(at instant: Instant) -> Bool {
            var example = self
            example[number: .at] = instant.milliseconds
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
            (example.values[.at], example.window) = (nil, nil)
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
            for field in [ConditionField.stateAge, .unpaidFor] where values[field] != nil {
                example[number: field] = start
            }
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
