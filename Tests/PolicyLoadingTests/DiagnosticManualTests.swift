internal import EntitlementModel
internal import Foundation
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Every diagnostic's page: its example has that mistake and no other, and its correction none.
@Suite(.timeLimit(.minutes(20)))
struct DiagnosticManualTests {
    @Test(arguments: DiagnosticID.ofTexts)
    func wrongExampleHasExactlyThisMistake(_ id: DiagnosticID) throws {
        let folder = try PolicyExample(of: id).wrong
        let report = checkPolicy(folder, id.exampleOptions, isCertificate: { _ in false })
        #expect(
            Set(report.diagnostics.map(\.id)) == [id],
            "\(render(report.diagnostics, sources: folder))")
        #expect((report.policy == nil) == (id.severity == .error))
    }

    @Test(arguments: DiagnosticID.ofTexts)
    func rightExampleHasNoSuchMistake(_ id: DiagnosticID) throws {
        let folder = try PolicyExample(of: id).right
        let report = checkPolicy(folder, id.exampleOptions)
        let left = report.diagnostics.filter { $0.id == id || $0.severity == .error }
        #expect(left.isEmpty, "\(render(report.diagnostics, sources: folder))")
    }

    @Test(arguments: DiagnosticID.allCases)
    func sentencesFollowTheHouseStyle(_ id: DiagnosticID) {
        for text in [id.message.english, id.advice.english] {
            #expect(!text.hasSuffix("."))
            #expect(text.first?.isUppercase != true || text.hasPrefix("Apple"))
        }
        for text in [id.message.template(in: .chinese), id.advice.template(in: .chinese)] {
            #expect(!text.hasSuffix("。"))
        }
        #expect(id.meaning.english.hasSuffix("."))
        #expect(id.meaning.template(in: .chinese).hasSuffix("。"))
    }

    @Test func idsAreWordsWithHyphens() {
        for id in DiagnosticID.allCases {
            #expect(id.rawValue.utf8.allSatisfy { $0 == 0x2D || $0 == 0x38 || $0 > 0x60 })
        }
    }

    @Test func allThatAreStatedAreListed() throws {
        let folder = Repository.path("Sources/PolicyLoading/Diagnostics")
        let stated = try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { file in
            try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                .matches(of: /static let \w+ = (?:error|warning|note)\(\s+"([a-z0-9-]+)"/)
                .map { String($0.output.1) }
        }
        #expect(stated.sorted() == DiagnosticID.allCases.map(\.rawValue).sorted())
    }

    @Test func manualIsCurrent() throws {
        #expect(try Snapshot.complaint(try renderManual(), at: "docs/DIAGNOSTICS.md") == nil)
    }
}
