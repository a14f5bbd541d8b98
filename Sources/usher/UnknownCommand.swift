internal import ArgumentParser
internal import EntitlementModel
internal import PolicyLoading

/// A command that there is none of, with the one that was probably meant.
struct UnknownCommand {
    let written: String
    let meant: String?
    /// The command that it should belong to: `usher`, `usher policy`.
    let parent: String

    /// Nil where the words name a command, or only options.
    static func first(in arguments: [String], of root: any ParsableCommand.Type) -> UnknownCommand?
    {
        var command = root
        var path = root._commandName
        for word in arguments {
            let choices = command.configuration.subcommands
            // What follows are its own arguments, and help names commands itself.
            guard !choices.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = choices.first(where: { $0._commandName == word }) else {
                var names: [String] = []
                for choice in choices where choice.configuration.shouldDisplay {
                    names.append(choice._commandName)
                }
                return UnknownCommand(
                    written: word, meant: suggestion(for: word, among: names.sorted()),
                    parent: path)
            }
            command = next
            path += " " + next._commandName
        }
        return nil
    }

    func sentence(_ language: Language) -> String {
        Phrase.unknownCommand.text(language, written.shown)
            + (meant.map { SettingPhrase.didYouMean.text(language, $0) } ?? "")
    }
}
