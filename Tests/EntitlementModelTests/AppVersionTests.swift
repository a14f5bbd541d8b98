internal import EntitlementModel
internal import Testing

@Suite("Versions of the app", .timeLimit(.minutes(20)))
struct AppVersionTests {
    @Test(
        "are numbers and dots",
        arguments: [
            ("3", true), ("3.0", true), ("20240501.1530.2", true), ("0", true), ("007", true),
            ("18446744073709551615", true), ("18446744073709551616", false), ("", false),
            (".", false), ("3.", false), (".3", false), ("3..0", false), ("3.0b1", false),
            ("-1", false), ("+1", false), ("3 0", false), ("\u{663}", false), ("v3", false),
        ])
    func texts(_ text: String, isVersion: Bool) {
        #expect((AppVersion(text) != nil) == isVersion)
        #expect(AppVersion(text)?.text == (isVersion ? text : nil))
    }

    @Test("are ordered number by number, and zeros at the end do not count")
    func order() {
        let groups = [
            ["0", "0.0", "00"], ["0.1"], ["1", "1.0", "1.0.0"], ["1.0.1"], ["1.9"],
            ["1.10", "1.010"], ["2"], ["9.9.9"], ["10"], ["20240501.1530"],
        ].map { $0.compactMap { AppVersion($0) } }
        for (place, group) in groups.enumerated() {
            for version in group {
                #expect(group.allSatisfy { $0 == version && !($0 < version) })
                #expect(Set(group).count == 1)
                let later = groups[(place + 1)...].joined()
                #expect(later.allSatisfy { version < $0 && $0 != version })
            }
        }
    }

    @Test("meet bounds that exclude the version after 'until' and 'before'")
    func bounds() throws {
        let (two, three) = (try #require(AppVersion("2.0")), try #require(AppVersion("3.0")))
        let bounds: [(VersionBound, [String])] = [
            (.before(three), ["0", "2", "2.99"]), (.from(three), ["3", "3.0.1", "10"]),
            (.within(two, three), ["2", "2.0.1", "2.99"]),
        ]
        let all = ["0", "2", "2.0.1", "2.99", "3", "3.0.1", "10"]
        for (bound, met) in bounds {
            let meeting = all.filter { AppVersion($0).map(bound.contains) ?? false }
            let expected = bound == .before(three) ? met + ["2.0.1"] : met
            #expect(Set(meeting) == Set(expected), "\(bound.text)")
        }
        #expect(bounds.map(\.0.text) == ["before 3.0", "from 3.0", "from 2.0 until 3.0"])
    }
}
