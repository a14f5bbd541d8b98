internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementAnswers
@testable internal import PolicyTools

private func instant(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: text))
}

@Suite("The axis of a timeline", .timeLimit(.minutes(20)))
struct TimeAxisTests {
    @Test(
        "ticks are round instants, as many as have room",
        arguments: [
            ("2026-09-01T10:00:00Z", "2026-09-01T11:00:00Z", 60, "10:00 10:15 10:30 10:45"),
            ("2026-08-31T20:00:00Z", "2026-09-01T08:00:00Z", 40, "21:00 09-01 03:00 06:00"),
            ("2026-02-27", "2026-03-03", 50, "2026-02-27 2026-02-28 2026-03-01 2026-03-02"),
            ("2026-01-06", "2026-02-06", 60, "2026-01-12 2026-01-19 2026-01-26 2026-02-02"),
            ("2025-11-05", "2026-03-02", 60, "2025-12 2026-01 2026-02 2026-03"),
            ("2019-05-05", "2026-03-02", 60, "2020 2021 2022 2023 2024 2025 2026"),
            ("1999-05-05", "2300-03-02", 30, "2000 2100 2200 2300"),
        ])
    func ticks(from: String, until: String, room: Int, labels: String) throws {
        let axis = TimeAxis(
            try Input.nobody.report, from: try instant(from), until: try instant(until))
        #expect(axis.ticks(room: room).map(\.label).joined(separator: " ") == labels)
    }

    @Test("it shows all changes and the instant that is asked about")
    func extent() throws {
        let report = try Input.gold.report
        let axis = TimeAxis(report)
        #expect(axis.start == (try instant("2026-01-01")))
        #expect(axis.contains(report.frame.at))
        #expect(axis.fraction(report.frame.at) > 0.9)
    }

    @Test("an end far ahead does not push the rest together")
    func farAhead() throws {
        var report = try Input.nobody.report
        let begin = try instant("2026-09-01")
        let span = RightStretch(
            interval: try #require(Interval(from: begin, to: instant("2099-01-01"))),
            decision: true, state: nil, source: SourceAnswer(.grant(GrantID(unchecked: "g"))),
            rule: RuleReference(name: "granted by hand", file: "", line: 0), facts: [])
        report.rights = [
            RightHistory(
                entitlement: EntitlementName(unchecked: "gift"), environment: .production,
                spans: [span])
        ]
        let axis = TimeAxis(report)
        #expect(axis.start == begin)
        #expect(axis.end < (try instant("2026-10-01")))
    }
}

@Suite("Columns of a track", .timeLimit(.minutes(20)))
struct TrackCellsTests {
    private func cells(_ bars: [(String, String, Look)], columns: Int) throws -> String {
        let axis = TimeAxis(
            try Input.nobody.report, from: try instant("2026-01-01"),
            until: try instant("2026-01-11"))
        let bars = try bars.map { from, until, look in
            Bar(
                interval: try #require(Interval(from: instant(from), to: instant(until))),
                look: look, label: "", sentence: "")
        }
        let cells = TrackCells(bars, on: axis, columns: columns)
        return (0..<columns).map { column in
            cells.bar(at: column).map { String($0.look.name.prefix(1)) } ?? "."
        }.joined()
    }

    @Test("a column shows what fills most of it, and nothing outside the bars")
    func majority() throws {
        let bars: [(String, String, Look)] = [
            ("2026-01-02", "2026-01-05T16:00:00Z", .active),
            ("2026-01-05T16:00:00Z", "2026-01-08", Look(.grace)),
        ]
        #expect(try cells(bars, columns: 10) == ".aaaagg...")
    }

    @Test("a stretch shorter than a column is seen")
    func shortStretch() throws {
        let bars: [(String, String, Look)] = [
            ("2026-01-01", "2026-01-06", .active),
            ("2026-01-06", "2026-01-06T01:00:00Z", Look(.renewing)),
            ("2026-01-06T01:00:00Z", "2026-01-11", Look(.expired)),
        ]
        #expect(try cells(bars, columns: 10) == "aaaaareeee")
        #expect(try cells(bars, columns: 2) == "ae")
    }

    @Test("what lies outside the picture is left out")
    func outside() throws {
        let bars: [(String, String, Look)] = [
            ("2025-01-01", "2026-01-01", .active), ("2026-01-11", "2026-02-01", Look(.grace)),
        ]
        #expect(try cells(bars, columns: 5) == ".....")
    }
}

@Suite("Looks", .timeLimit(.minutes(20)))
struct LookTests {
    @Test("every state has its own, also without colours")
    func states() {
        let looks = EntitlementState.allCases.map { Look($0) }
        let marks = OrderMark.Kind.allCases.map { Look($0) }
        #expect(Set((looks + marks).map(\.glyph)).count == looks.count + marks.count)
        #expect(Set(marks.map(\.name)).count == marks.count && marks.allSatisfy { $0.point != nil })
        #expect(Set(looks.map(\.glyph)).count == looks.count)
        #expect(Set(looks.map(\.pattern)).count == looks.count - 1, "active and expired have none")
        #expect(Set(Look.all.map(\.name)).count == looks.count + marks.count + 4)
    }
}

@Suite("Reading a timeline", .timeLimit(.minutes(20)))
struct ReadingTests {
    @Test(
        "what is missing is named",
        arguments: ["account", "at", "policy", "revision", "rights", "units", "orders"])
    func missingMember(name: String) throws {
        var json = try Input.gold.json
        json[name] = nil
        #expect(throws: ShapeError(.missing, member: name)) { try TimelineReport.read(json) }
    }

    @Test("a stretch that ends before it begins is none")
    func backwards() throws {
        var json = try Input.gold.json
        let owner: JSONValue = [
            "account": "alice", "from": "2026-02-01T00:00:00.000Z",
            "until": "2026-01-01T00:00:00.000Z",
        ]
        var unit = try #require(json["units"]?.elements?.first)
        unit["owners"] = .array([owner])
        json["units"] = .array([unit])
        #expect(throws: ShapeError(.value, member: "units[0].owners[0].until")) {
            try TimelineReport.read(json)
        }
    }

    @Test("the answer at an instant says since when and until when")
    func answer() throws {
        let report = try Input.moving.report
        let right = try #require(
            report.rights.first {
                $0.entitlement.text == "premium" && $0.environment == .production
            })
        let now = try #require(RightAnswer(right, at: report.frame.at))
        #expect(now.stretch.decision)
        #expect(now.since == (try instant("2026-08-30")))
        #expect(now.until == (try instant("2027-07-22T01:00:00Z")))
        let before = try #require(RightAnswer(right, at: instant("2020-01-01")))
        #expect(before.since == nil)
    }
}

@Suite("Texts of a picture", .timeLimit(.minutes(20)))
struct VisibleTextTests {
    @Test("instants are as short as they may be")
    func instants() throws {
        #expect(try instant("2026-02-10").brief == "2026-02-10")
        #expect(try instant("2026-02-10T14:05:00Z").brief == "2026-02-10 14:05")
        #expect(try instant("2026-02-10T14:05:09.123Z").brief == "2026-02-10 14:05:09")
    }

    @Test(
        "every phrase says something else than the other language", arguments: ChartPhrase.allCases)
    func phrases(phrase: ChartPhrase) {
        let same: [ChartPhrase] = [.appleID]
        let (english, chinese) = (phrase.text(.english), phrase.text(.chinese))
        #expect(!english.isEmpty && !chinese.isEmpty)
        #expect((english == chinese) == same.contains(phrase))
    }
}
