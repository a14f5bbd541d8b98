internal import EntitlementModel

/// What the parser of the command line says, in Chinese.
enum ChineseParser {
    /// Help that was asked for; nil where the text is something else, such as a version.
    static func page(_ text: String, columns: Int) -> String? {
        guard text.hasPrefix("OVERVIEW: ") else { return nil }
        return command(in: text, after: "USAGE: ").chinesePage(columns: columns)
    }

    /// What is wrong with a command line, with how it is used.
    static func mistake(_ text: String) -> String {
        let command = command(in: text, after: "Usage: ")
        let usage = UsagePhrase.usage.english.dropLast("{0}".count)
        guard let error = values(of: text, in: UsagePhrase.error.english + "\n" + usage + "{1}")
        else { return text }
        var (sentence, rest) = (error[0], error[1])
        var lines: [String] = []
        if let start = sentence.firstRange(of: "\nHelp:  ") {
            let name = sentence[start.upperBound...].prefix { $0 != " " }
            let parameter = command.parameters.first {
                $0.names.contains(String(name)) || "<\($0.valueName)>" == name
            }
            if let parameter, let help = ChineseHelp.text(of: parameter) {
                lines.append(UsagePhrase.help.text(.chinese, "\(parameter.typed)  \(help)"))
            }
            sentence = String(sentence[..<start.lowerBound])
        }
        rest = rest.split(separator: "\n  See ")[0].description
        lines.insert(UsagePhrase.error.text(.chinese, self.sentence(sentence)), at: 0)
        lines.append(UsagePhrase.usage.text(.chinese, rest))
        lines.append(
            "  " + UsagePhrase.moreHelp.text(.chinese, command.path.joined(separator: " ")))
        return lines.joined(separator: "\n")
    }

    /// A sentence about a mistake; as it is where it is another one.
    static func sentence(_ text: String) -> String {
        for phrase in UsagePhrase.mistakes {
            guard var values = values(of: text, in: phrase.english) else { continue }
            switch phrase {
            case .notOneOf:
                values[2] = values[2].replacing(" or ", with: ", ").replacing(" and ", with: ", ")
                    .replacing("'", with: "").replacing(", ", with: "、")
            case .notOneOfList:
                values[2] = values[2].split(separator: "\n").map { $0.drop { " -".contains($0) } }
                    .joined(separator: "、")
            case .invalidBecause: values[2] = sentence(values[2])
            case .missingOneOf, .severalUnexpected:
                values[values.count - 1] = values[values.count - 1]
                    .replacing("', '", with: "”、“")
            case .overview, .usage, .arguments, .options, .subcommands, .example, .error, .help,
                .values, .standard, .moreHelp, .seeHelp, .unknownOptionMeant, .unknownOption,
                .missingValue, .takesNoValue, .unexpected, .alreadySet, .missingArgument, .invalid:
                break
            }
            return phrase.filled(with: values.map(\.safeLine), in: .chinese)
        }
        // Of several that fit, the one that says most of it itself.
        let fitting = ArgumentPhrase.allCases.compactMap { phrase in
            values(of: text, in: phrase.english).map { (phrase: phrase, values: $0) }
        }.max { $0.phrase.english.count < $1.phrase.english.count }
        guard let fitting else { return text }
        return fitting.phrase.filled(with: fitting.values.map(\.safeLine), in: .chinese)
    }

    private static func command(in text: String, after mark: String) -> CommandHelp {
        let program = CommandHelp.program()
        guard let start = text.firstRange(of: mark) else { return program }
        let words = text[start.upperBound...].split { $0 == " " || $0 == "\n" }.dropFirst()
        return program.command(at: words.map(String.init))
    }

    /// What stands in the places of a text that was made from a template; nil if it was not.
    static func values(of text: String, in template: String) -> [String]? {
        guard template.contains("{0}") else { return text == template ? [] : nil }
        let parts = template.split(separator: /\{[0-9]\}/, omittingEmptySubsequences: false)
        guard let first = parts.first, text.hasPrefix(first) else { return nil }
        var rest = text[...].dropFirst(first.count)
        var values: [String] = []
        for (index, part) in parts.enumerated().dropFirst() {
            if index == parts.count - 1 {
                guard rest.hasSuffix(part) else { return nil }
                values.append(String(rest.dropLast(part.count)))
            } else {
                guard let range = rest.firstRange(of: part) else { return nil }
                values.append(String(rest[..<range.lowerBound]))
                rest = rest[range.upperBound...]
            }
        }
        return values
    }
}
