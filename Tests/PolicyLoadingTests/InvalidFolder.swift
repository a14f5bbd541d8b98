internal import Foundation
internal import PolicyLoading
internal import Testing

/// A folder with one mistake, read as the program reads it.
enum InvalidFolder {
    static func diagnose(_ id: DiagnosticID) throws -> ([Diagnostic], [PolicyText]) {
        guard case .fileSystem = id.page.example else {
            let texts = id.page.example.wrongFolder
            // No example holds a certificate that could be read.
            return (loadPolicy(texts, isCertificate: { _ in false }).diagnostics, texts)
        }
        if id == .folderMissing { return (refusal("/no/such/folder"), []) }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
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
            try folder.write("rules.yaml", bytes: [UInt8](repeating: 0x23, count: (8 << 20) + 1))
        case .tooManyFiles:
            for number in 0...1_000 { try folder.write("rules-\(number).yaml", bytes: [0x23]) }
        default: Issue.record("no way to make \(id.rawValue)")
        }
    }
}

/// A folder that is gone when the test is over.
struct TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "policy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ name: String, bytes: [UInt8]) throws {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func write(_ name: String, _ text: String) throws {
        try write(name, bytes: Array(text.utf8))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path + "/" + name, withDestinationPath: target)
    }
}
