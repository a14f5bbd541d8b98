/// When an account, or an Apple ID, was a paying member of a subscription group (spec 1.5).
package struct MemberTime: Hashable, Sendable {
    /// Ascending and without contact.
    package let stretches: [Interval]

    package init(joined stretches: [Interval]) {
        self.stretches = stretches
    }

    /// How long it was one up to an instant. Milliseconds.
    package func length(until instant: Instant) -> Int64 {
        stretches.reduce(0) { length, stretch in
            let end = stretch.end.map { min($0, instant) } ?? instant
            return length + max(0, end.milliseconds(since: stretch.start))
        }
    }

    /// The first instant at which it has been one for so long; nil where what is known is shorter.
    package func instant(reaching length: Int64) -> Instant? {
        var left = length
        for stretch in stretches {
            let reached = stretch.start.advanced(byMilliseconds: left)
            guard let end = stretch.end, end < reached else { return reached }
            left -= end.milliseconds(since: stretch.start)
        }
        return nil
    }

    /// The stretches between its first day and an instant in which it was none.
    package func gaps(until instant: Instant) -> [Interval] {
        let starts = stretches.dropFirst().map(\.start) + [instant]
        return zip(stretches, starts).compactMap { stretch, next in
            stretch.end.flatMap { Interval(from: $0, to: min(next, instant)) }
        }
    }
}

/// A group in an environment.
package struct MemberKey: Hashable, Sendable {
    package let environment: StoreEnvironment
    package let group: GroupName

    package init(_ environment: StoreEnvironment, _ group: GroupName) {
        self.environment = environment
        self.group = group
    }
}
