internal import ArgumentParser
internal import EntitlementModel
internal import PolicyTools

/// What commands say of themselves in Chinese. In English they say it beside their code.
enum ChineseHelp {
    /// By the words that lead to a command, without the program: its sentence, then paragraphs.
    static let commands: [String: [String]] = {
        var commands: [String: [String]] = [:]
        for record in (questions + "\n" + tools).split(separator: "##") {
            let lines = record.split(separator: "\n", omittingEmptySubsequences: false)
            commands[String(lines[0].trimmingSpaces)] = lines.dropFirst()
                .filter { !$0.isEmpty }.map(String.init)
        }
        return commands
    }()

    /// What an argument or an option is about, by its name; before that, the command or the group of
    /// commands that it is of, where others take another of that name.
    private static let texts = Dictionary(
        uniqueKeysWithValues: parameters.split(separator: "\n").map { line in
            let sides = line.split(separator: " = ", maxSplits: 1)
            return (sides[0], sides[1])
        })

    /// Nil where the table has none.
    static func text(of parameter: CommandHelp.Parameter, of command: CommandHelp) -> String? {
        let names = parameter.names.isEmpty ? ["<\(parameter.valueName)>"] : parameter.names
        for count in stride(from: command.path.count, to: 0, by: -1) {
            let words = command.path[1..<count]
            for name in names {
                let key = (words + [name]).joined(separator: " ")
                if let text = texts[key[...]] { return String(text) }
            }
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring { drop { $0 == " " } }
}

extension CommandHelp {
    /// The command below this one that the words lead to, as far as they do.
    func command(at words: some Sequence<String>) -> CommandHelp {
        var command = self
        for word in words {
            guard let next = command.commands.first(where: { $0.path.last == word }) else { break }
            command = next
        }
        return command
    }

    /// What it says in Chinese: nil where the table has nothing.
    var chinese: [String]? { ChineseHelp.commands[path.dropFirst().joined(separator: " ")] }

    /// How it is typed, as the parser has it.
    var typed: String {
        var type: any ParsableCommand.Type = Usher.self
        for word in path.dropFirst() {
            let next = type.configuration.subcommands.first { $0._commandName == word }
            guard let next else { break }
            type = next
        }
        return Usher.usageString(for: type)
    }

    /// As `--help` shows it, in lines of at most so many columns.
    func chinesePage(columns: Int) -> String {
        func line(_ phrase: UsagePhrase, _ values: String...) -> String {
            phrase.filled(with: values, in: .chinese)
        }
        let texts = chinese ?? [abstract]
        var lines = line(.overview, texts[0]).wrapped(to: columns)
        for paragraph in texts.dropFirst() { lines += [""] + paragraph.wrapped(to: columns) }
        if let example = paragraphs.last(where: { $0.hasPrefix(UsagePhrase.example.english) }) {
            let use = example.dropFirst(UsagePhrase.example.english.count)
            lines += ["", UsagePhrase.example.template(in: .chinese) + use]
        }
        lines += ["", line(.usage, typed)]
        let parts: [UsagePhrase: [Parameter]] = [
            .arguments: parameters.filter(\.names.isEmpty),
            .options: parameters.filter { !$0.names.isEmpty },
        ]
        for phrase in [UsagePhrase.arguments, .options] {
            let parameters = parts[phrase] ?? []
            if parameters.isEmpty { continue }
            lines += ["", phrase.template(in: .chinese)]
            for parameter in parameters {
                var text = ChineseHelp.text(of: parameter, of: self) ?? parameter.text
                if !parameter.values.isEmpty {
                    text += line(.values, parameter.values.joined(separator: "、"))
                }
                if let standard = parameter.standard { text += line(.standard, standard) }
                lines += Self.row(parameter.typed, text, columns: columns)
            }
        }
        if !commands.isEmpty {
            lines += ["", UsagePhrase.subcommands.template(in: .chinese)]
            for command in commands {
                let text = command.chinese?.first ?? command.abstract
                lines += Self.row(command.path.last ?? "", text, columns: columns)
            }
            lines += ["", "  " + line(.seeHelp, path[0])]
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ lead: String, _ text: String, columns: Int) -> [String] {
        let start = 26
        let texts = text.wrapped(to: max(columns - start, 20))
            .map { String(repeating: " ", count: start) + $0 }
        let first = "  " + lead
        guard first.columns + 2 <= start else { return [first] + texts }
        return [first.padded(to: start) + texts[0].dropFirst(start)] + texts.dropFirst()
    }
}

extension CommandHelp.Parameter {
    /// `-q, --quiet`, `--at <date>`, `<account>`.
    var typed: String {
        let value = kind == .flag ? nil : "<\(valueName)>"
        return [names.joined(separator: ", "), value ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}
