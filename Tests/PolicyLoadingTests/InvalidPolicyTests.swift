internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// `fixtures/policies-invalid`: one broken folder per diagnostic with what is said of it.
@Suite(.timeLimit(.minutes(20)))
struct InvalidPolicyTests {
    private static let root = "fixtures/policies-invalid"

    @Test(arguments: DiagnosticID.ofPolicies, Language.allCases)
    func outputIsAsRecorded(_ id: DiagnosticID, _ language: Language) throws {
        let (diagnostics, sources) = try InvalidFolder.diagnose(id)
        #expect(diagnostics.contains { $0.id == id })
        let options = RenderOptions(
            language: language, folder: "policies", outcome: .unchanged)
        #expect(
            try Snapshot.complaint(
                render(diagnostics, sources: sources, as: options),
                at: "\(Self.root)/\(id.rawValue)/expected.\(language.rawValue).txt") == nil)
    }

    @Test func everyFixtureBelongsToADiagnostic() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Repository.path(Self.root))
        let expected = DiagnosticID.ofPolicies.map(\.rawValue) + ["README.md"]
        #expect(Set(folders) == Set(expected))
        let right = try FileManager.default.contentsOfDirectory(
            atPath: Repository.path("fixtures/policies-right"))
        #expect(Set(right).isSubset(of: DiagnosticID.ofTexts.map(\.rawValue)))
    }
}
