internal import ArgumentParser
internal import StrictJSON

/// `usher policy reload`: has the running service read its policy folder now.
struct PolicyReload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have the running service take its policy folder over now.",
        discussion: """
            It does so by itself a second after the folder was last changed. A folder with errors \
            changes nothing. Exit codes: 0 in force, 1 refused, 2 could not run.

            Example: usher policy reload --reason 'spring prices'
            """)

    @OptionGroup var deed: DeedOptions

    func run() throws {
        do {
            try deed.carryOut { call throws(CommandFailure) in
                try call.ask("/v1/policy/reload", ["reason": .string(deed.reason)])
            } telling: {
                $0.reload
            }
        } catch let code as ExitCode where code == .no {
            if !deed.quiet {
                Terminal.current.printError(DeedPhrase.checkFolder.text(deed.output.language))
            }
            throw code
        }
    }
}
