internal import ArgumentParser
internal import EntitlementModel

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
        return type.parsedAlone(Array(arguments))
    }
}

extension ParsableCommand {
    fileprivate static func parsedAlone(_ arguments: [String]) -> Self? {
        (try? CommandAlone<Self>.parseAsRoot(arguments) as? CommandAlone<Self>)?.command
    }
}

/// A command as the parser reads it fastest: below another one it is asked for no completions,
/// which the parser looks for by parsing the line two times more.
private struct CommandAlone<Command: ParsableCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(_superCommandName: Usher._commandName)
    }

    @OptionGroup var command: Command
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
