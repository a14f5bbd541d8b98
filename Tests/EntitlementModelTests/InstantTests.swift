internal import EntitlementModel
internal import Testing

@Suite("Instants", .timeLimit(.minutes(20)))
struct InstantTests {
    @Test(
        "RFC 3339 is read and written back in UTC with milliseconds",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00.000Z"),
            ("2024-02-29T23:59:59.999Z", 1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            ("2020-07-22T18:33:15+0100", 1_595_439_195_000, "2020-07-22T17:33:15.000Z"),
            ("2026-11-20T10:00:00+08:00", 1_795_140_000_000, "2026-11-20T02:00:00.000Z"),
            ("2026-03-01", 1_772_323_200_000, "2026-03-01T00:00:00.000Z"),
            ("1969-12-31T23:59:59.5Z", -500, "1969-12-31T23:59:59.500Z"),
            ("2026-01-01T00:00:00.1239Z", 1_767_225_600_123, "2026-01-01T00:00:00.123Z"),
        ])
    func reads(text: String, milliseconds: Int64, written: String) throws {
        let instant = try #require(Instant(rfc3339: text))
        #expect(instant.milliseconds == milliseconds)
        #expect(instant.rfc3339 == written)
    }

    @Test(
        "what is no date is refused",
        arguments: [
            "", "2026", "2026-13-01", "2026-02-29", "2026-00-10", "2026-01-32",
            "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
            "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00Z ", "+2026-01-01", "２０２６-01-01",
            "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        ])
    func refuses(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test("every day of four centuries has one date")
    func civilDatesAreOneToOne() {
        var previous = CivilDate(daysSinceEpoch: -1)
        for day in Int64(0)..<146_097 {
            let date = CivilDate(daysSinceEpoch: day)
            #expect(date.daysSinceEpoch == day)
            let follows =
                date.day == previous.day + 1 && date.month == previous.month
                || date.day == 1
                    && previous.day
                        == CivilDate.days(inMonth: previous.month, ofYear: previous.year)
            if !follows { Issue.record("\(date) does not follow \(previous)") }
            previous = date
        }
    }

    @Test("arithmetic saturates instead of overflowing")
    func saturates() {
        #expect(Instant(milliseconds: .max).advanced(byMilliseconds: 1).milliseconds == .max)
        #expect(Instant.distantPast.advanced(byMilliseconds: -1) == .distantPast)
        #expect(Instant(milliseconds: .max).milliseconds(since: .distantPast) == .max)
    }
}

@Suite("Periods", .timeLimit(.minutes(20)))
struct PeriodTests {
    @Test(
        "a period after an instant ends at the last instant at the latest",
        arguments: [
            (.max, Period(1, .months), .max), (.max, Period(10_000, .years), .max),
            (.max - 1, Period(1, .milliseconds), .max), (.max, Period(90, .days), .max),
            // 1 January and 31 days, and the time of day.
            (.min, Period(0, .months), .min), (.min, Period(0, .years), .min),
            (0, Period(1, .months), 2_678_400_000), (-1, Period(1, .months), 2_678_399_999),
        ] as [(Int64, Period, Int64)])
    func ends(start: Int64, period: Period, end: Int64) {
        #expect(period.end(from: Instant(milliseconds: start)).milliseconds == end)
    }

    @Test(
        "a period is digits and a unit",
        arguments: [
            ("90d", Period(90, .days)), ("1mo", Period(1, .months)),
            ("250ms", Period(250, .milliseconds)),
            ("0s", Period(0, .seconds)), ("2w", Period(2, .weeks)), ("1y", Period(1, .years)),
        ])
    func reads(text: String, period: Period) {
        #expect(Period(text) == period)
        #expect(period.text == text)
    }

    @Test(
        "anything else is refused",
        arguments: ["", "d", "7", "-1d", "+1d", "01d", "1 d", "1D", "1.5h", "99999999y", "1mon"])
    func refuses(text: String) {
        #expect(Period(text) == nil)
    }

    @Test(
        "calendar steps are clamped to the month's end",
        arguments: [
            ("2026-01-31T10:00:00Z", "1mo", "2026-02-28T10:00:00Z"),
            ("2024-01-31", "1mo", "2024-02-29"),
            ("2024-02-29", "1y", "2025-02-28"),
            ("2026-11-30", "3mo", "2027-02-28"),
            ("2026-12-15", "13mo", "2028-01-15"),
            ("2026-03-01", "24h", "2026-03-02"),
        ])
    func steps(from start: String, by period: String, to end: String) throws {
        let start = try #require(Instant(rfc3339: start))
        let period = try #require(Period(period))
        #expect(period.end(from: start) == Instant(rfc3339: end))
    }
}
