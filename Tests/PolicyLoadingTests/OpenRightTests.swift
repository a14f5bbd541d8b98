internal import EntitlementModel
internal import Testing

@testable internal import PolicyLoading

/// Rights for everybody in a window, and the time zone that a file's dates are in (spec 2.1).
@Suite(.timeLimit(.minutes(20)))
struct OpenRightTests {
    private static func report(_ text: String) -> PolicyReport {
        loadPolicy([PolicyExample.base, PolicyText(path: "more.yaml", text: text)])
    }

    private static func weekend(in zone: String?, at windows: String) -> String {
        (zone.map { "time_zone: \($0)\n" } ?? "") + "open:\n  - name: anniversary weekend\n"
            + "    entitlements: [premium]\n    at: \(windows)\n"
    }

    @Test func everyField() throws {
        let windows = "[from 2026-12-05 until 2026-12-07, from 2027-12-05 until 2027-12-07]"
        let text = Self.weekend(in: nil, at: windows)
        let right = try #require(Self.report(text).policy?.openRights.first)
        #expect(
            right.reference
                == RuleReference(name: "anniversary weekend", file: "more.yaml", line: 2))
        #expect(right.entitlements.map(\.text) == ["premium"])
        let dates = right.windows.map { [$0.start.rfc3339, $0.end?.rfc3339] }
        #expect(
            dates == [
                ["2026-12-05T00:00:00.000Z", "2026-12-07T00:00:00.000Z"],
                ["2027-12-05T00:00:00.000Z", "2027-12-07T00:00:00.000Z"],
            ])
    }

    /// Midnight in Shanghai is eight hours before that in UTC. New York changes its clocks on 8
    /// March 2026 at two; São Paulo did at midnight, so that 4 November 2018 began at one.
    @Test(arguments: [
        ("Asia/Shanghai", "2026-12-05", "2026-12-04T16:00:00.000Z"),
        ("UTC", "2026-12-05", "2026-12-05T00:00:00.000Z"),
        ("America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z"),
        ("America/New_York", "2026-03-09", "2026-03-09T04:00:00.000Z"),
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"),
        ("Asia/Shanghai", "2026-12-05T00:00:00Z", "2026-12-05T00:00:00.000Z"),
    ])
    func midnight(zone: String, date: String, instant: String) throws {
        let text = Self.weekend(in: zone, at: "from \(date) until 2030-01-01")
        let right = try #require(Self.report(text).policy?.openRights.first)
        #expect(right.windows.first?.start.rfc3339 == instant)
    }

    /// A zone is that of its file; the dates of another file are in UTC.
    @Test func zoneOfOneFile() throws {
        let other = PolicyText(
            path: "other.yaml",
            text: "access:\n  - {name: old, when: {at: before 2026-12-05}, then: grant}\n")
        let more = PolicyText(
            path: "more.yaml",
            text: Self.weekend(in: "Asia/Shanghai", at: "from 2026-12-05 until 2026-12-07"))
        let policy = try #require(loadPolicy([PolicyExample.base, other, more]).policy)
        #expect(
            policy.accessRules.first?.when.at
                == [.before(try #require(Instant(rfc3339: "2026-12-05")))])
    }

    @Test(arguments: [
        (
            "open:\n  - {name: a, entitlements: [gold], at: from 2026-12-05 until 2026-12-07}",
            DiagnosticID.unknownEntitlement
        ),
        ("open:\n  - {name: a, entitlements: [premium]}", .missingKey),
        (
            "open:\n  - {name: a, entitlements: [], at: from 2026-12-05 until 2026-12-07}",
            .emptyList
        ),
        (
            "open:\n  - {name: a, entitlements: [premium], at: from 2026-12-07 until 2026-12-05}",
            .emptyInterval
        ),
        ("open:\n  - {name: a, entitlements: [premium], at: before 2026-12-07}", .openWithoutEnd),
        (
            "open:\n  - {name: a, when: {kind: free}, entitlements: [premium], "
                + "at: from 2026-12-05 until 2026-12-07}", .fieldNotHere
        ),
        ("time_zone: Asia/Shanghia", .unknownTimeZone), ("time_zone: GMT+8", .unknownTimeZone),
        ("time_zone: UTC", .unusedTimeZone),
    ])
    func mistakes(text: String, id: DiagnosticID) {
        #expect(Self.report(text).diagnostics.map(\.id) == [id])
    }

    @Test func nearestZone() {
        let help = Self.report("time_zone: Asia/Shanghia").diagnostics.first?.help
        #expect("\(help as Any)".contains("Asia/Shanghai"))
    }

    /// An entitlement that is only opened is given by something.
    @Test func opensWhatNothingElseGives() {
        let text =
            "time_zone: UTC\nentitlements: {lounge: {title: Lounge}}\nopen:\n"
            + "  - {name: a, entitlements: [lounge], at: from 2026-12-05 until 2026-12-07}"
        #expect(Self.report(text).diagnostics.isEmpty)
    }

    /// Each once, and neither for an instant nor for what a zone is written for.
    @Test(arguments: [
        ("from 2026-12-05 until 2026-12-07", [DiagnosticID.openInUTC]),
        ("from 2026-12-05T00:00:00Z until 2026-12-07T00:00:00Z", []),
    ])
    func windowsThatAreHardlyMeant(_ windows: String, _ ids: [DiagnosticID]) {
        let text = Self.weekend(in: nil, at: windows)
        let found = Self.report(text).diagnostics.map(\.id)
        #expect(Set(found) == Set(ids) && found.count == ids.count, "\(found)")
        let zoned = Self.report(Self.weekend(in: "Asia/Shanghai", at: windows)).diagnostics
        #expect(!zoned.contains { $0.id == .openInUTC })
    }
}
