internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import PolicyTools

/// `usher policy lsp`: the language server, for editors to start.
struct PolicyLanguageServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Language server for policy files: editors start it.",
        discussion: """
            Speaks the Language Server Protocol 3.17 on standard input and output; standard error \
            is its log. It checks the folder of each open policy file as one types, completes, \
            explains, finds definitions, and offers repairs. The language of messages is that of \
            the editor, or that of LANG. See docs/EDITORS.md. Exit codes: 0 after 'shutdown', 1 \
            ended without it.

            Example: usher policy lsp
            """)

    @Option(
        help: .value(
            "url", "Address of DIAGNOSTICS.md, to which editors link; the installed one if omitted."
        ))
    var manual: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        var server = LanguageServer(options)
        var reader = MessageReader()
        var batches = 0
        while server.exitCode == nil {
            let bytes = readAvailable()
            if bytes.isEmpty { server.end() }
            reader.append(bytes)
            var messages: [[UInt8]] = []
            var failure: MessageReader.Failure?
            do throws(MessageReader.Failure) {
                while let message = try reader.next() { messages.append(message) }
            } catch {
                failure = error
            }
            server.receive(messages)
            if let failure, server.exitCode == nil { server.fail(failure) }
            batches += 1
            // Many changes in a row are checked once, but a client that never pauses is answered.
            if server.exitCode == nil, batches >= Self.patience || !hasInput {
                server.settle()
                batches = 0
            }
            try send(&server)
        }
        if let code = server.exitCode, code != 0 { throw ExitCode(code) }
    }

    /// Reads without a check between them.
    private static let patience = 64

    /// Where the package installs it.
    private static let installedManual = "/usr/share/doc/usher/docs/DIAGNOSTICS.md"

    private var options: LanguageServerOptions {
        let isInstalled = access(Self.installedManual, R_OK) == 0
        return LanguageServerOptions(
            language: output.language, version: ProgramVersion.text,
            manual: manual ?? (isInstalled ? "file://" + Self.installedManual : nil),
            now: { SystemClock().now() }, check: { loadNewPolicy($0, $1) })
    }

    private func send(_ server: inout LanguageServer) throws {
        for line in server.takeLog() { Terminal.current.printError(line) }
        for message in server.takeOutgoing() {
            guard writesWhole(framed(message), to: STDOUT_FILENO) else { throw ExitCode.no }
        }
    }

    /// What has arrived, at least one byte; nothing at the end of the stream.
    private func readAvailable() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            var read: Int
            repeat {
                read = Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            } while read < 0 && errno == EINTR
            count = max(0, read)
        }
    }

    private var hasInput: Bool {
        var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }
}
