internal import ArgumentParser
internal import EntitlementModel

/// A command line that the parser has rejected. The parser says why in English sentences alone, so
/// the line is read again here, by what its command declares: nothing that is accepted comes here.
struct RejectedLine {
    /// What is wrong, in any language.
    struct Mistake {
        let phrase: UsagePhrase
        let values: [String]
        /// The last value, of a sentence with several.
        let list: [String]
        /// What it is about.
        let parameter: CommandHelp.Parameter?

        init(
            _ phrase: UsagePhrase, _ values: String..., list: [String] = [],
            of parameter: CommandHelp.Parameter? = nil
        ) {
            self.phrase = phrase
            self.values = values
            self.list = list
            self.parameter = parameter
        }

        func sentence(_ language: Language) -> String {
            let last = list.isEmpty ? [] : [language.list(list.map(\.shown))]
            return phrase.filled(with: values.map(\.shown) + last, in: language)
        }
    }

    private typealias Parameter = CommandHelp.Parameter

    let command: CommandHelp
    private var given: [(parameter: Parameter, value: String?)] = []
    private var mistake: Mistake?

    init(_ arguments: [String]) {
        let named = CommandHelp.program().command(at: arguments)
        command = named.commands.first { $0.path.last == named.standardCommand } ?? named
        let words = arguments.dropFirst(named.path.count - 1)
        // Another word may be a command that no help shows.
        guard command.commands.isEmpty || words.first?.hasPrefix("-") == true else { return }
        read(words)
    }

    /// What is wrong, as far as the words of the line and its parser say it.
    func sentence(about error: any Error, in language: Language) -> String {
        guard let mistake = mistake ?? refused(error) else { return Usher.message(for: error) }
        return mistake.sentence(language)
    }

    /// The same for people, with how the command is used.
    func text(about error: any Error, in language: Language) -> String {
        let help = (mistake ?? refused(error))?.parameter.map { parameter in
            let text = language == .chinese ? ChineseHelp.text(of: parameter, of: command) : nil
            return UsagePhrase.help.text(
                language, "\(parameter.typed)  \(text ?? parameter.text)")
        }
        let lines = [
            UsagePhrase.error.text(language, sentence(about: error, in: language)), help,
            UsagePhrase.usage.text(language, command.typed),
            "  " + UsagePhrase.moreHelp.text(language, command.path.joined(separator: " ")),
        ]
        return lines.compactMap(\.self).joined(separator: "\n")
    }
}

extension RejectedLine {
    private mutating func read(_ words: ArraySlice<String>) {
        var rest = words
        var others: [String] = []
        while let word = rest.popFirst() {
            if word == "--" {
                others += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                others.append(word)
                continue
            }
            mistake = read(option: word, &rest)
            if mistake != nil { return }
        }
        for parameter in command.declared where parameter.kind == .positional {
            let count = parameter.isRepeating ? others.count : min(1, others.count)
            given += others.prefix(count).map { (parameter, $0) }
            others.removeFirst(count)
        }
        mistake = extra(others) ?? missing ?? otherValue
    }

    private mutating func read(option word: String, _ rest: inout ArraySlice<String>) -> Mistake? {
        let isLong = word.hasPrefix("--")
        // Short ones may stand together.
        let names = isLong ? [String(word.prefix { $0 != "=" })] : word.dropFirst().map { "-\($0)" }
        for name in names {
            guard let parameter = command.declared.first(where: { $0.names.contains(name) }) else {
                let known = command.parameters.flatMap(\.names).sorted()
                let meant = isLong ? suggestion(for: name, among: known) : nil
                return meant.map { Mistake(.unknownOptionMeant, name, $0) }
                    ?? Mistake(.unknownOption, name)
            }
            var value = isLong && name != word ? String(word.dropFirst(name.count + 1)) : nil
            if parameter.kind == .flag, let value { return Mistake(.takesNoValue, name, value) }
            if parameter.kind == .option, value == nil {
                let isValue = rest.first.map { !$0.hasPrefix("-") || $0 == "-" } ?? false
                guard isValue else {
                    return Mistake(
                        .missingValue, "\(name) <\(parameter.valueName)>", of: parameter)
                }
                value = rest.removeFirst()
            }
            given.append((parameter, value))
        }
        return nil
    }

    private func extra(_ words: [String]) -> Mistake? {
        guard words.count > 1 else { return words.first.map { Mistake(.unexpected, $0) } }
        return Mistake(.severalUnexpected, "\(words.count)", list: words)
    }

    private var missing: Mistake? {
        let parameter = command.declared.first { parameter in
            !parameter.isOptional && !given.contains { $0.parameter.typed == parameter.typed }
        }
        return parameter.map {
            Mistake(.missingArgument, $0.typed + ($0.isRepeating ? " ..." : ""), of: $0)
        }
    }

    /// A word that is none of a list.
    private var otherValue: Mistake? {
        given.lazy.compactMap { parameter, value in
            guard let value, !parameter.values.isEmpty, !parameter.values.contains(value) else {
                return nil
            }
            return Mistake(
                .notOneOf, value, parameter.typed, list: parameter.values, of: parameter)
        }.first
    }

    /// What a value was refused for. The parser has it in an error whose parts it does not publish;
    /// were they others, its own sentence would be said.
    private func refused(_ error: any Error) -> Mistake? {
        let (parts, kind) = (Mirror(reflecting: error), "unableToParseValue")
        guard let value = parts.descendant("parserError", kind, 2) as? String else { return nil }
        let name = parts.descendant("parserError", kind, 1, "some", "long") as? String
        let parameter = given.first { parameter, written in
            written == value && (name.map { parameter.names.contains("--" + $0) } ?? true)
        }?.parameter
        guard let parameter else { return nil }
        guard let reason = parts.descendant("parserError", kind, 4, "some") as? ValidationError
        else { return Mistake(.invalid, value, parameter.typed, of: parameter) }
        return Mistake(.invalidBecause, value, parameter.typed, reason.message, of: parameter)
    }
}
