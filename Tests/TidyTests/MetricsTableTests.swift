internal import Foundation
internal import TestSupport
internal import Testing

/// What docs/INSTALL.md says of metrics, against the page that gives them.
@Suite("Metrics in docs/INSTALL.md", .timeLimit(.minutes(20)))
struct MetricsTableTests {
    private static let file = "docs/INSTALL.md"

    @Test("are all of them, with their kinds and meanings")
    func table() throws {
        let families = try Self.families()
        #expect(families.count > 60)
        let lines = try Repository.lines(Self.file)
        let isRow = { (line: String) in line.hasPrefix("| `usher_") }
        let first = try #require(lines.firstIndex(where: isRow))
        let rest = lines.filter { !isRow($0) }
        let whole = rest[..<first] + families + rest[first...]
        #expect(try Snapshot.complaint(whole.joined(separator: "\n"), at: Self.file) == nil)
    }

    /// A row for each name that is declared with a kind and a text.
    private static func families() throws -> [String] {
        let declaration =
            /(?:"(usher_[a-z_]+)"|name),\s*"(gauge|counter|histogram)",\s*"([^"]+)"/
        var rows: [String] = []
        for path in Repository.files(under: "Sources/EntitlementServer/Status", suffix: ".swift") {
            let text = try Repository.text(path)
            for match in text.matches(of: declaration) {
                let name = match.1.map(String.init) ?? "usher_call_seconds"
                rows.append("| `\(name)` | \(match.2) | \(match.3) |")
            }
        }
        return rows.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
