internal import EntitlementEngine
internal import EntitlementModel
internal import Testing

@Suite("When a folder has stood still", .timeLimit(.minutes(20)))
struct FolderQuietPeriodTests {
    /// Each look: what was seen (a letter, or `-` for nothing), at how many milliseconds, whether
    /// a watcher had heard a change (`~`), and whether the folder has just settled (`!`).
    @Test(
        arguments: [
            ("a second of stillness settles, once", "a0 a500 a999 a1000! a2000 a9000"),
            ("a change begins the second anew", "a0 a900 b950 b1900 b1950! b3000"),
            ("back to what it was is a change too", "a0 a1000! b1500 a1600 a2500 a2700"),
            ("what cannot be seen settles nothing", "a0 -500 a600 a1500 a1600!"),
            ("a clock that goes back begins the second anew", "a1000 a0 a500 a999 a1000!"),
            ("each content settles by itself", "a0 a1000! b1100 b2100! c2200 c3300!"),
            ("a change taken back between two looks was one", "a0 a900~ a1000 a1899 a1900!"),
            ("a stir in what has settled settles nothing", "a0 a1000! a1500~ a2500 a3500"),
        ])
    func settles(name: String, looks: String) throws {
        var stillness = FolderQuietPeriod()
        for look in looks.split(separator: " ") {
            let settles = look.last == "!"
            let number = look.dropFirst().filter(\.isNumber)
            let instant = Instant(milliseconds: try #require(Int64(number)))
            let seen = try #require(look.utf8.first)
            let fingerprint =
                seen == UInt8(ascii: "-") ? nil : Digest256(repeatElement(seen, count: 32))
            let hasSettled = stillness.look(
                fingerprint, hasChanged: look.contains("~"), at: instant)
            #expect(hasSettled == settles, "\(name): \(look)")
        }
    }
}
