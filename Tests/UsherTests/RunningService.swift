internal import EntitlementServer
internal import Foundation
internal import Testing

/// The service in a process of its own, on a folder that outlives it.
final class RunningService: Sendable {
    private let process: ChildProcess
    /// Kept open: a service that cannot log is not the same.
    private let errors: FileHandle
    let sockets: String

    /// Starts the service and returns once it says that it serves.
    ///
    /// - Parameters:
    ///   - ledger: the name of its file in the folder.
    ///   - openFiles: how many it may have; nil for as many as we may.
    ///   - mask: its umask, in octal; nil for ours.
    init(
        folder: String, policies: String, ledger: String = "ledger", openFiles: Int? = nil,
        mask: String? = nil, environment: [String: String] = [:], arguments more: [String] = []
    ) throws {
        sockets = folder + "/run"
        let limit =
            (openFiles.map { "ulimit -n \($0); " } ?? "") + (mask.map { "umask \($0); " } ?? "")
        let arguments =
            [
                "-c", limit + "exec \"$0\" \"$@\"", Program.path, "serve", "--ledger",
                folder + "/" + ledger, "--policies", policies, "--sockets", sockets, "--log-level",
                "error", "--lang", "en",
            ] + more
        let pipe = try ChildPipe()
        process = try ChildProcess(
            "/bin/sh", arguments, environment: environment,
            streams: .init(errors: pipe.writing.fileDescriptor))
        try pipe.writing.close()
        errors = pipe.reading
        var line = ""
        while !line.contains("serving on") {
            let bytes = errors.availableData
            if bytes.isEmpty { throw ServiceFailure(said: line) }
            line += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// A test that fails before it stops the service must not leave it running.
    deinit {
        if process.isRunning { kill() }
    }

    struct ServiceFailure: Error {
        let said: String
    }

    var query: LocalClient { LocalClient(socketPath: sockets + "/query.sock") }
    var operations: LocalClient { LocalClient(socketPath: sockets + "/usher.sock") }

    var processID: pid_t { process.id }

    /// SIGKILL: no chance to tidy up.
    func kill() {
        process.send(SIGKILL)
        process.waitUntilExit()
    }

    /// What it said on standard error since it began to serve; once it has ended.
    func said() throws -> String {
        String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// SIGTERM, and the exit code.
    func stop() -> Int32 {
        process.send(SIGTERM)
        return process.waitUntilExit()
    }
}
