internal import Foundation
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// A folder with one mistake, read as the program reads it.
enum InvalidFolder {
    static func diagnose(_ id: DiagnosticID) throws -> ([Diagnostic], [PolicyText]) {
        if DiagnosticID.ofTexts.contains(id) {
            let texts = try PolicyExample(of: id).wrong
            // No example holds a certificate that could be read.
            let report = checkPolicy(texts, id.exampleOptions, isCertificate: { _ in false })
            return (report.diagnostics, texts)
        }
        if id == .fileNotRead {
            let texts = [PolicyExample.base]
            return (checkPolicy(texts, id.exampleOptions).diagnostics, texts)
        }
        if id == .folderMissing { return (refusal("/no/such/folder"), []) }
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try make(id, in: folder)
        return (refusal(folder.path), [])
    }

    static func refusal(_ path: String) -> [Diagnostic] {
        do throws(PolicyFolderError) {
            _ = try readPolicyFolder(path)
            return []
        } catch {
            return error.diagnostics
        }
    }

    private static func make(_ id: DiagnosticID, in folder: TemporaryFolder) throws {
        switch id {
        case .pathNotAFile: #expect(mkfifo(folder.path + "/rules.yaml", 0o600) == 0)
        case .pathOutside: try folder.link("rules.yaml", to: "/etc/passwd")
        case .pathUnreadable: try folder.link("rules.yaml", to: "nothing.yaml")
        case .fileTooLarge:
            try folder.write([UInt8](repeating: 0x23, count: (8 << 20) + 1), to: "rules.yaml")
        case .tooManyFiles:
            for number in 0...1_000 { try folder.write("#", to: "rules-\(number).yaml") }
        default: Issue.record("no way to make \(id.rawValue)")
        }
    }
}
