internal import ArgumentParser

/// `usher`: the service, and the commands for people and scripts (spec 3.2).
@main
struct Usher: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usher",
        abstract: "Who may use what, and why: entitlements from App Store purchases.",
        discussion: """
            Exit codes: 0 yes or done, 1 no, 2 could not be answered, 64 wrong usage.

            Environment: USHER_SOCKETS names the folder of the service's sockets, USHER_LEDGER \
            the ledger that is read where no service answers. NO_COLOR turns colours off. With \
            LANG=zh texts for people are in Chinese.

            Completions: 'usher --generate-completion-script bash' (zsh, fish) prints what the \
            shell is to load.

            Example: usher check alice premium
            """,
        version: ProgramVersion.text,
        subcommands: [
            Serve.self, Check.self, Show.self, Explain.self, Findings.self, Credits.self,
            Claims.self,
            GrantCommand.self, Revoke.self, BlockCommand.self, Unblock.self,
            MergeCommand.self, Unmerge.self,
            PreflightCommand.self, Ingest.self, Inspect.self, PolicyCommand.self,
            Simulate.self, Timeline.self, LedgerCommand.self, Status.self, Version.self,
            Manual.self,
        ])

    /// What is wrong with the arguments quotes them, so it goes out like any other text.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            let code = exitCode(for: error)
            if code == .success { exit(withError: error) }
            let message = fullMessage(for: error)
            if !message.isEmpty { Terminal.current.printError(message.showingArguments) }
            exit(withError: code)
        }
    }
}

extension String {
    /// With everything of the command line that it quotes on the line that quotes it.
    fileprivate var showingArguments: String {
        var text = self
        for argument in CommandLine.arguments.dropFirst() {
            let parts: [String] = [argument] + argument.split(separator: "=").map { String($0) }
            for part in parts where part != part.shown {
                text = text.replacing(part, with: part.shown)
            }
        }
        return text
    }
}
