internal import EntitlementAnswers
internal import EntitlementModel

/// The stretch of time that a picture shows, and where its instants lie.
struct TimeAxis: Hashable, Sendable {
    let start: Instant
    let end: Instant

    private static let day: Int64 = 86_400_000

    /// From the first of some instants to the last, with a margin on both sides.
    init(around instants: [Instant]) {
        let first = instants.min() ?? Instant(milliseconds: 0)
        let last = instants.max() ?? first
        let margin = max(last.milliseconds(since: first) / 12, Self.day)
        start = first.advanced(byMilliseconds: -margin)
        end = last.advanced(byMilliseconds: margin)
    }

    /// From the first instant at which anything changes, or the one that is asked about, to the
    /// last one and a little further. What lies further ahead than twice the
    /// history, and than 800 days, is omitted: one grant until 2099 must not make everything
    /// else invisible.
    init(_ report: TimelineReport, from: Instant? = nil, until: Instant? = nil) {
        let changes = report.changes + [report.frame.at]
        let first = from ?? changes.min() ?? report.frame.at
        let history = report.frame.at.milliseconds(since: first)
        let horizon = report.frame.at.advanced(byMilliseconds: max(2 * history, 800 * Self.day))
        let last = until ?? changes.filter { $0 <= horizon }.max() ?? report.frame.at
        let length = max(last.milliseconds(since: first), 0)
        let margin = length == 0 ? Self.day : length / 40 + 1
        start = first
        end = max(
            until ?? last.advanced(byMilliseconds: margin), first.advanced(byMilliseconds: 1))
    }

    var milliseconds: Int64 { end.milliseconds(since: start) }

    /// 0 at the start, 1 at the end; what lies outside is moved to the nearer one.
    func fraction(_ instant: Instant) -> Double {
        if instant <= start { return 0 }
        if instant >= end { return 1 }
        return Double(instant.milliseconds(since: start)) / Double(milliseconds)
    }

    func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }

    /// The part of an interval that is shown, as fractions; nil where none is.
    func fractions(_ interval: Interval) -> ClosedRange<Double>? {
        guard interval.start < end, interval.end.map({ $0 > start }) ?? true else { return nil }
        return fraction(interval.start)...(interval.end.map(fraction) ?? 1)
    }
}

/// A round instant on the axis, and how it is written there.
struct AxisTick: Hashable, Sendable {
    let at: Instant
    let label: String
}

extension TimeAxis {
    /// Round instants in equal steps, as many as have room to be written.
    ///
    /// - Parameter room: in characters.
    func ticks(room: Int) -> [AxisTick] {
        let step = AxisStep.all.first { step in
            milliseconds / step.milliseconds * Int64(step.labelLength + 2) < room
        }
        return ticks(by: step ?? .largest)
    }

    private func ticks(by step: AxisStep) -> [AxisTick] {
        var ticks: [AxisTick] = []
        var instant = step.first(notBefore: start)
        while instant < end {
            ticks.append(AxisTick(at: instant, label: step.label(instant)))
            instant = step.period.end(from: instant)
        }
        return ticks
    }
}

/// A distance between ticks.
private struct AxisStep {
    let period: Period

    static let largest = AxisStep(period: Period(100, .years))

    static let all: [AxisStep] = [
        Period(1, .minutes), Period(5, .minutes), Period(15, .minutes), Period(1, .hours),
        Period(3, .hours), Period(6, .hours), Period(12, .hours), Period(1, .days),
        Period(2, .days), Period(1, .weeks), Period(2, .weeks), Period(1, .months),
        Period(2, .months), Period(3, .months), Period(6, .months), Period(1, .years),
        Period(2, .years), Period(5, .years), Period(10, .years), Period(100, .years),
    ].map(AxisStep.init)

    /// About that long: calendar steps vary.
    var milliseconds: Int64 {
        period.fixedMilliseconds ?? months * 2_629_800_000
    }

    private var months: Int64 { period.unit == .years ? period.count * 12 : period.count }

    func first(notBefore start: Instant) -> Instant {
        guard let length = period.fixedMilliseconds else { return firstMonth(notBefore: start) }
        // Weeks begin on Mondays, and 1970-01-05 was one.
        let origin: Int64 = period.unit == .weeks ? 4 * 86_400_000 : 0
        let steps = -(-(start.milliseconds - origin)).flooredQuotient(by: length)
        return Instant(milliseconds: origin + steps * length)
    }

    private func firstMonth(notBefore start: Instant) -> Instant {
        let date = CivilDate(
            daysSinceEpoch: start.milliseconds.flooredQuotient(by: 86_400_000))
        let month = (date.year * 12 + date.month - 1).flooredQuotient(by: months) * months
        let day = CivilDate(year: month / 12, month: month % 12 + 1, day: 1)
        let instant = Instant(milliseconds: day.daysSinceEpoch * 86_400_000)
        return instant < start ? period.end(from: instant) : instant
    }

    var labelLength: Int {
        switch period.unit {
        case .years: 4
        case .months: 7
        case .weeks, .days: 10
        case .hours, .minutes, .seconds, .milliseconds: 5
        }
    }

    func label(_ instant: Instant) -> String {
        let text = instant.rfc3339
        switch period.unit {
        case .years: return String(text.prefix(4))
        case .months: return String(text.prefix(7))
        case .weeks, .days: return String(text.prefix(10))
        case .hours, .minutes, .seconds, .milliseconds:
            let time = text.dropFirst(11).prefix(5)
            return String(time == "00:00" ? text.dropFirst(5).prefix(5) : time)
        }
    }
}

extension TimelineReport {
    /// Every instant at which something begins or ends.
    fileprivate var changes: [Instant] {
        let intervals =
            rights.flatMap { $0.spans.map(\.interval) }
            + units.flatMap { $0.states.map(\.interval) + $0.owners.map(\.interval) }
        let marks = orders.flatMap { $0.marks.map(\.at) }
        let ends = intervals.flatMap { interval in
            (interval.hasBeginning ? [interval.start] : []) + (interval.end.map { [$0] } ?? [])
        }
        return marks + ends
    }
}
