/// Instants as people and wires write them: RFC 3339.
extension Instant {
    static let millisecondsPerDay: Int64 = 86_400_000

    /// `2026-01-31T09:05:00.000Z`: always UTC, always milliseconds (spec 3.1).
    package var rfc3339: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the 24 bytes of `rfc3339`. Instants outside the years 0 to 9999 are written as
    /// the nearest one inside, since RFC 3339 has no others.
    package func appendRFC3339(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 24) { appendRFC3339(to: &$0) }
    }

    /// The same, where there is room for them.
    package func appendRFC3339(to text: inout OutputSpan<UInt8>) {
        let bounded = min(
            max(milliseconds, Instant.writable.lowerBound.milliseconds),
            Instant.writable.upperBound.milliseconds - 1)
        let day = bounded.flooredQuotient(by: Instant.millisecondsPerDay)
        let rest = bounded - day * Instant.millisecondsPerDay
        let date = CivilDate(daysSinceEpoch: day)
        text.appendTwoDigits(date.year / 100)
        text.appendTwoDigits(date.year % 100)
        text.append(UInt8(ascii: "-"))
        text.appendTwoDigits(date.month)
        text.append(UInt8(ascii: "-"))
        text.appendTwoDigits(date.day)
        text.append(UInt8(ascii: "T"))
        text.appendTwoDigits(rest / 3_600_000)
        text.append(UInt8(ascii: ":"))
        text.appendTwoDigits(rest / 60_000 % 60)
        text.append(UInt8(ascii: ":"))
        text.appendTwoDigits(rest / 1_000 % 60)
        text.append(UInt8(ascii: "."))
        text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 1_000 / 100))
        text.appendTwoDigits(rest % 100)
        text.append(UInt8(ascii: "Z"))
    }

    /// Reads an RFC 3339 date-time with any offset (`Z`, `+08:00`, or `+0800` as Xcode writes
    /// it), or a bare date, which is its UTC midnight. Fractions beyond milliseconds are cut off.
    /// Nil for anything else, for days that do not exist, for leap seconds, and for what an offset
    /// moves out of the years 0 to 9999.
    package init?(rfc3339 text: some StringProtocol) {
        var reader = RFC3339Reader(text.utf8)
        guard let instant = reader.readInstant() else { return nil }
        self = instant
    }
}

extension Int64 {
    package func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

extension OutputSpan<UInt8> {
    /// Appends a number from 0 to 99.
    @inline(__always)
    fileprivate mutating func appendTwoDigits(_ value: Int64) {
        let value = UInt8(truncatingIfNeeded: value)
        append(UInt8(ascii: "0") + value / 10)
        append(UInt8(ascii: "0") + value % 10)
    }
}

private struct RFC3339Reader {
    private var bytes: ArraySlice<UInt8>

    init(_ utf8: some Sequence<UInt8>) {
        bytes = Array(utf8)[...]
    }

    mutating func readInstant() -> Instant? {
        guard let midnight = readDate() else { return nil }
        if bytes.isEmpty { return Instant(milliseconds: midnight) }
        guard take("T") || take("t") || take(" "), let time = readTime() else { return nil }
        guard let offset = readOffset(), bytes.isEmpty else { return nil }
        let instant = Instant(milliseconds: midnight + time - offset)
        return Instant.writable.contains(instant) ? instant : nil
    }

    private mutating func readDate() -> Int64? {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"),
            let day = digits(2), (1...12).contains(month),
            (1...CivilDate.days(inMonth: month, ofYear: year)).contains(day)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        return date.daysSinceEpoch * Instant.millisecondsPerDay
    }

    private mutating func readTime() -> Int64? {
        guard let hour = digits(2), take(":"), let minute = digits(2), take(":"),
            let second = digits(2), hour < 24, minute < 60, second < 60
        else { return nil }
        let whole = (hour * 3_600 + minute * 60 + second) * 1_000
        guard take(".") else { return whole }
        var fraction: Int64 = 0
        var count = 0
        while let digit = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            if count < 3 { fraction = fraction * 10 + Int64(digit - UInt8(ascii: "0")) }
            count += 1
            bytes.removeFirst()
        }
        guard count > 0 else { return nil }
        while count < 3 {
            fraction *= 10
            count += 1
        }
        return whole + fraction
    }

    private mutating func readOffset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = digits(2) else { return nil }
        _ = take(":")
        guard let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes) * 60_000
    }

    private mutating func digits(_ count: Int) -> Int64? {
        guard bytes.count >= count else { return nil }
        var value: Int64 = 0
        for byte in bytes.prefix(count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        bytes = bytes.dropFirst(count)
        return value
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: scalar) else { return false }
        bytes.removeFirst()
        return true
    }
}

extension Instant {
    /// A date for people, as `--at` reads it: without milliseconds, which are zero nearly always.
    package var date: String {
        let text = rfc3339
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }
}
