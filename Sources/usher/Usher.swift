internal import ArgumentParser
internal import EntitlementModel
internal import Glibc
internal import PolicyLoading
internal import StrictJSON

/// `usher`: the service, and the commands for people and scripts (spec 3.2).
@main
struct Usher: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usher",
        abstract: "Who may use what, and why: entitlements from App Store purchases.",
        discussion: """
            Exit codes: 0 yes or done, 1 no, 2 no answer, 64 usage error.

            Environment: USHER_SOCKETS is the folder of the service's sockets; USHER_LEDGER is the \
            ledger to read if no service answers. NO_COLOR disables colour. LANG=zh selects \
            Chinese for text meant for people.

            Completions: 'usher --generate-completion-script bash' (or zsh, fish) prints a script \
            for the shell to load.

            Example: usher check alice premium
            """,
        version: ProgramVersion.text,
        subcommands: [
            Serve.self, Check.self, Show.self, Explain.self, HistoryCommand.self,
            ReplayCommand.self, Find.self, Findings.self,
            CreditsCommand.self, Claims.self, OrdersCommand.self, RefundsCommand.self,
            Changes.self,
            GrantCommand.self, Revoke.self, BlockCommand.self, Unblock.self, Close.self,
            Reopen.self, MergeCommand.self, Unmerge.self, EraseCommand.self,
            PreflightCommand.self, Catalog.self, Ingest.self, EvidenceCommand.self, Inspect.self,
            PolicyCommand.self, Reconcile.self, Simulate.self, AppStoreCommand.self,
            Timeline.self, LedgerCommand.self, Status.self, Console.self,
            Version.self,
            Manual.self,
        ])

    /// As the library has it, with four things more: the command is parsed alone where its words
    /// name one, those that are misspelt are known, a variable that is misspelt is told, and wrong
    /// usage is told programs as everything else is.
    static func main() async {
        // Without the right to it, each thread that cannot take its priority again says so.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        let arguments = FormerSpelling.current(Array(CommandLine.arguments.dropFirst()))
        // The standard library reads them from /proc; without it, every command would print help.
        guard !CommandLine.arguments.isEmpty else {
            Terminal.current.printError(Phrase.noArguments.text(language))
            exit(withError: ExitCode.validationFailure)
        }
        do throws(UnknownCommand) {
            let named = try NamedCommand(in: arguments, of: Usher.self)
            await run(named?.parsed(), arguments)
        } catch {
            let help = Phrase.seeHelp.text(language, error.parent)
            tell(error.sentence(language), as: "usage.command", beside: help, arguments)
            exit(withError: ExitCode.validationFailure)
        }
    }

    /// - Parameter named: nil to have the whole program parse the line.
    private static func run(_ named: (any ParsableCommand)?, _ arguments: [String]) async {
        do {
            var command = try named ?? parseAsRoot(arguments)
            warnOfVariable(command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(on: error, arguments)
        }
    }

    /// Says why, or what was asked for, and ends.
    private static func end(on error: any Error, _ arguments: [String]) -> Never {
        let code = exitCode(for: error)
        if code == .validationFailure {
            let line = RejectedLine(arguments)
            if isForPrograms(arguments) {
                tell(line.sentence(about: error, in: language), as: "usage", beside: nil, arguments)
            } else {
                Terminal.current.printError(
                    line.text(about: error, in: language).showing(arguments))
            }
        } else if code == .success, language == .chinese, isAboutUse(arguments) {
            let words = arguments.drop { $0 == "help" }
            let page = CommandHelp.program().command(at: words)
                .chinesePage(columns: Terminal.current.columns ?? 80)
            Terminal.current.printLine(page)
        } else {
            exit(withError: error)
        }
        exit(withError: code)
    }

    /// Whether help was asked for, and nothing else that is printed in place of what a command does.
    private static func isAboutUse(_ arguments: [String]) -> Bool {
        let others = ["--version", "--experimental-dump-help", "--generate-completion-script"]
        let own = arguments.prefix { $0 != "--" }
        return own.contains("--help") || own.contains("-h")
            || !own.contains { word in others.contains { word.hasPrefix($0) } }
    }

    /// The reader's: that of `--lang`, which the parser may not have come to, or of the environment.
    static let language: Language = {
        let own = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
        let spelt = own.last { $0.hasPrefix("--lang=") }?.dropFirst("--lang=".count)
        let next = own.firstIndex(of: "--lang").map { own[($0 + 1)...].first ?? "" }
        let named = (spelt.map(String.init) ?? next).flatMap(Language.init(rawValue:))
        return .chosen(named, environment: Terminal.current.environment)
    }()

    private static func isForPrograms(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--json")
    }

    private static func tell(
        _ sentence: String, as code: String, beside help: String?, _ arguments: [String]
    ) {
        if isForPrograms(arguments) {
            Terminal.current.printLine(
                JSONValue.problem(code: code, detail: sentence).text.safeJSON)
        } else {
            Terminal.current.printError(
                ([sentence.showing(arguments)] + (help.map { [$0] } ?? []))
                    .joined(separator: "\n"))
        }
    }

    /// The service refuses to start with one; for the others it is worth a line.
    private static func warnOfVariable(_ command: any ParsableCommand) {
        guard !(command is Serve),
            let (name, meant) = KnownVariables.stranger(in: Terminal.current.environment),
            meant != nil
        else { return }
        let failure = SettingProblem.unknownVariable(name, meant: meant)
        Terminal.current.printError(failure.text(language))
    }
}

extension String {
    /// With everything of the command line that it quotes on the line that quotes it.
    fileprivate func showing(_ arguments: [String]) -> String {
        var text = self
        for argument in arguments {
            let parts: [String] = [argument] + argument.split(separator: "=").map { String($0) }
            for part in parts where part != part.shown {
                text = text.replacing(part, with: part.shown)
            }
        }
        return text
    }
}

/// The version that `usher version`, `/status` and the metadata show.
enum ProgramVersion {
    static let text = "0.2.0"
}

/// The command that the first words of a line name, found by its names alone: the parser of the
/// command line would make the tree of all commands to find one.
struct NamedCommand {
    /// Without subcommands.
    let type: any ParsableCommand.Type
    /// What follows its name.
    let arguments: ArraySlice<String>

    /// Parses the arguments for this command alone.
    ///
    /// - Returns: nil for whatever the whole program has to answer: that something is wrong, help,
    ///   the version, completions.
    func parsed() -> (any ParsableCommand)? {
        if type == Check.self, let check = Check(plain: arguments) { return check }
        guard let command = try? type.parseAsRoot(Array(arguments)),
            Swift.type(of: command) == type
        else { return nil }
        return command
    }
}

extension NamedCommand {
    /// - Returns: nil where no words name a command, or those of a group alone.
    /// - Throws: for a word where only the name of a command may stand.
    init?(
        in line: [String], of root: any ParsableCommand.Type
    ) throws(UnknownCommand) {
        var type = root
        var path = root._commandName
        var rest = line[...]
        while !type.configuration.subcommands.isEmpty {
            // Help names commands itself.
            guard let word = rest.first, !word.hasPrefix("-"), word != "help" else { return nil }
            let choices = type.configuration.subcommands
            guard let next = choices.first(where: { $0._commandName == word }) else {
                // It may be an argument of the command that is meant where none is named.
                if type.configuration.defaultSubcommand != nil { return nil }
                let names = choices.filter { $0.configuration.shouldDisplay }
                    .map { $0._commandName }
                throw UnknownCommand(
                    written: word, meant: suggestion(for: word, among: names.sorted()),
                    parent: path)
            }
            type = next
            path += " " + word
            rest.removeFirst()
        }
        (self.type, arguments) = (type, rest)
    }
}

/// A command that there is none of, with the one that was probably meant.
struct UnknownCommand: Error {
    let written: String
    let meant: String?
    /// The command that it should belong to: `usher`, `usher policy`.
    let parent: String

    func sentence(_ language: Language) -> String {
        Phrase.unknownCommand.text(language, written.shown)
            + (meant.map { SettingPhrase.didYouMean.text(language, $0) } ?? "")
    }
}

/// How lines were written before: understood for one version more.
enum FormerSpelling {
    /// The line as it is written now.
    static func current(_ line: [String]) -> [String] {
        guard line.count > 1, line[0] == AppStoreCommand._commandName,
            AppStoreReading(rawValue: line[1]) != nil
        else { return line }
        return [line[0], AppStoreShow._commandName] + line[1...]
    }
}
