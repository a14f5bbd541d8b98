internal import Foundation
internal import Testing

/// The program as its users run it.
enum Program {
    /// Built beside the test bundle.
    static let path: String = {
        let bundle = URL(filePath: CommandLine.arguments[0])
        return bundle.deletingLastPathComponent().appending(path: "usher").path
    }()

    struct Output {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs it to its end, with nothing of the caller's environment.
    ///
    /// - Parameter meanwhile: done once it runs.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        folder: String? = nil, meanwhile: (RunningProgram) throws -> Void = { _ in }
    ) throws -> Output {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = standardInput
        try process.run()
        let running = RunningProgram(
            id: process.processIdentifier, errors: errors.fileHandleForReading)
        if let input { try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try standardInput.fileHandleForWriting.close()
        do {
            try meanwhile(running)
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        let outputBytes = try output.fileHandleForReading.readToEnd() ?? Data()
        let errorBytes = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Output(
            status: process.terminationStatus,
            output: String(decoding: outputBytes, as: UTF8.self),
            errors: running.said + String(decoding: errorBytes, as: UTF8.self))
    }
}

/// A program that has not come to its end.
final class RunningProgram {
    let id: pid_t
    private let errors: FileHandle
    /// What was read of its standard error.
    private(set) var said = ""

    init(id: pid_t, errors: FileHandle) {
        self.id = id
        self.errors = errors
    }

    /// Waits until it has said something on standard error.
    func wait(for text: String) throws {
        while !said.contains(text) {
            let bytes = errors.availableData
            try #require(!bytes.isEmpty, "it ended without saying '\(text)'")
            said += String(decoding: bytes, as: UTF8.self)
        }
    }
}

/// A folder that is gone when the test is over.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "usher-" + UUID().uuidString.prefix(8).lowercased())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
    }
}
