internal import TestSupport
internal import Testing

@Suite("Time limits", .timeLimit(.minutes(20)))
struct TimeLimitTests {
    /// A test that hangs fails and is named, instead of holding up the whole run.
    @Test("every suite has a time limit")
    func everySuite() throws {
        var count = 0
        for path in Repository.files(under: "Tests", suffix: "Tests.swift") {
            let parts = try Repository.text(path).split(separator: "\nstruct ")
            for (above, below) in zip(parts, parts.dropFirst())
            where below.prefix(while: \.isLetter).hasSuffix("Tests") {
                let attributes = above.split(separator: "\n}\n").last ?? ""
                #expect(attributes.contains(".timeLimit("), "a suite of \(path) has no limit")
                count += 1
            }
        }
        #expect(count > 150)
    }
}
