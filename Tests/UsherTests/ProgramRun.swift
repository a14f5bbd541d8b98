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
    /// - Parameters:
    ///   - program: another one than ours.
    ///   - meanwhile: done once it runs.
    static func run(
        _ arguments: [String], program: String = path, environment: [String: String] = [:],
        input: String? = nil,
        folder: String? = nil, meanwhile: (RunningProgram) throws -> Void = { _ in }
    ) throws -> Output {
        let (output, errors, standardInput) = (
            try ChildPipe(), try ChildPipe(), try ChildPipe()
        )
        let process = try ChildProcess(
            program, arguments, environment: environment, folder: folder,
            streams: .init(
                input: standardInput.reading.fileDescriptor,
                output: output.writing.fileDescriptor, errors: errors.writing.fileDescriptor))
        try standardInput.reading.close()
        try output.writing.close()
        try errors.writing.close()
        let running = RunningProgram(id: process.id, errors: errors.reading)
        if let input { try standardInput.writing.write(contentsOf: Data(input.utf8)) }
        try standardInput.writing.close()
        do {
            try meanwhile(running)
        } catch {
            process.send(SIGTERM)
            process.waitUntilExit()
            throw error
        }
        let outputBytes = try output.reading.readToEnd() ?? Data()
        let errorBytes = try errors.reading.readToEnd() ?? Data()
        return Output(
            status: process.waitUntilExit(),
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
