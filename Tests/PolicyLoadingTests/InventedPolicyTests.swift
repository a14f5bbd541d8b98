internal import EntitlementModel
internal import Foundation
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Folders of invented apps: what is said of the mistakes in them, and that nothing is said of the
/// others.
@Suite(.timeLimit(.minutes(20)))
struct InventedPolicyTests {
    static let plain = folders(in: "fixtures/policies-plain")

    /// Ordinary names in English and Chinese that a reader of names would misread, and odd orders
    /// and prices that are meant; one file each.
    static let truthful = folders(in: "fixtures/policies-truthful")

    /// By the warning that is to be given.
    static let mistaken = folders(in: "fixtures/policies-mistaken").flatMap(folders)

    private static func folders(in root: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.sorted().map { "\(root)/\($0)" }
    }

    private func warnings(_ folder: String) throws -> [Diagnostic] {
        var options = PolicyCheckOptions()
        options.now = Instant(rfc3339: "2026-11-25")
        let report = checkPolicy(try readPolicyFolder(folder), options)
        return report.diagnostics.filter { $0.severity != .note }
    }

    @Test("folders are there")
    func count() {
        #expect(Self.plain.count > 50 && Self.truthful.count == 60 && Self.mistaken.count > 15)
    }

    @Test("what is meant as it is written is not complained about", arguments: plain)
    func isPlain(_ folder: String) throws {
        let found = try warnings(folder).map { $0.message(in: .english) }
        #expect(found == [])
    }

    @Test("nothing is guessed from names", arguments: truthful)
    func isTruthful(_ file: String) throws {
        let text = try String(contentsOf: Repository.url(file), encoding: .utf8)
        let report = checkPolicy([PolicyText(path: "policy.yaml", text: text)])
        let found = report.diagnostics.filter { $0.severity != .note }
        #expect(found.map { $0.message(in: .english) } == [])
        #expect(report.policy != nil)
    }

    @Test("a mistake of meaning is told", arguments: mistaken)
    func isTold(_ folder: String) throws {
        let id = folder.split(separator: "/").dropLast().last.map(String.init)
        #expect(try warnings(folder).map(\.id.rawValue) == [id])
    }
}
