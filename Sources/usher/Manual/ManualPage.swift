internal import ArgumentParser
internal import EntitlementModel
internal import StrictJSON

/// What a command says of itself, as `--help` shows it and the manual prints it.
struct CommandHelp {
    /// An argument, an option or a flag.
    struct Parameter {
        enum Kind: String {
            case positional
            case option
            case flag
        }

        let kind: Kind
        /// As they are typed, `-q` before `--quiet`; none of an argument.
        let names: [String]
        let valueName: String
        let isOptional: Bool
        let isRepeating: Bool
        let text: String
        /// What may be written for it, where that is a list.
        let values: [String]
        let standard: String?
        let isShown: Bool
    }

    /// `["usher", "claims", "approve"]`.
    let path: [String]
    /// One sentence.
    let abstract: String
    /// The paragraphs below it.
    let paragraphs: [String]
    /// All that it takes; help does not show everything.
    let declared: [Parameter]
    let commands: [CommandHelp]
    /// The one of these that is meant where none is named.
    let standardCommand: String?

    var parameters: [Parameter] { declared.filter(\.isShown) }
}

extension CommandHelp {
    /// The whole program, without hidden commands.
    static func program() -> CommandHelp {
        let dump = Array(Usher._dumpHelp().utf8)
        guard let command = (try? parseJSON(dump))?["command"] else {
            preconditionFailure("the parser of the command line describes itself in JSON")
        }
        return CommandHelp(command, below: [])
    }

    private init(_ command: JSONValue, below path: [String]) {
        let path = path + [command.text("commandName")]
        self.path = path
        abstract = command.text("abstract")
        paragraphs = command.text("discussion").split(separator: "\n\n").map { String($0) }
        declared = command.list("arguments").map(Parameter.init)
        standardCommand = command["defaultSubcommand"]?.string
        commands = command.list("subcommands")
            .filter { $0.isShown && $0.text("commandName") != "help" }
            .map { CommandHelp($0, below: path) }
    }
}

extension CommandHelp.Parameter {
    fileprivate init(_ argument: JSONValue) {
        guard let kind = Kind(rawValue: argument.text("kind")) else {
            preconditionFailure("the parser of the command line knows three kinds of arguments")
        }
        self.kind = kind
        names = argument.list("names")
            .map { ($0.text("kind") == "short" ? "-" : "--") + $0.text("name") }
            .sorted { $0.count < $1.count }
        valueName = argument.text("valueName")
        isOptional = argument["isOptional"]?.bool ?? false
        isRepeating = argument["isRepeating"]?.bool ?? false
        text = argument.text("abstract")
        values = argument.list("allValues").compactMap(\.string)
        standard = argument["defaultValue"]?.string
        isShown = argument.isShown
    }
}

extension JSONValue {
    fileprivate func text(_ key: String) -> String { self[key]?.string ?? "" }
    fileprivate func list(_ key: String) -> [JSONValue] { self[key]?.elements ?? [] }
    fileprivate var isShown: Bool { self["shouldDisplay"]?.bool ?? true }
}

/// Text in the language of man pages, line by line (man(7)).
struct RoffText {
    private(set) var text = ""

    /// A request with its arguments.
    mutating func request(_ name: String, _ arguments: String...) {
        text += ([".\(name)"] + arguments).joined(separator: " ") + "\n"
    }

    /// Text that is filled into lines; what is marked in it is kept.
    mutating func line(_ marked: String) {
        // A line that begins with a dot or a quote would be a request.
        let needsShield = marked.hasPrefix(".") || marked.hasPrefix("'")
        text += (needsShield ? "\\&" : "") + marked + "\n"
    }

    /// Text that keeps its lines.
    mutating func verbatim(_ lines: [String]) {
        request("nf")
        for line in lines { self.line(Self.plain(line)) }
        request("fi")
    }

    static func bold(_ text: String) -> String { "\\fB" + plain(text) + "\\fR" }

    static func italic(_ text: String) -> String { "\\fI" + plain(text) + "\\fR" }

    /// Text with every character meaning itself: a hyphen stays one that can be copied.
    static func plain(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case _ where scalar.isASCII: String(scalar)
            // At least four digits, as groff wants them.
            default: "\\[u" + scalar.value.hexadecimal(width: 4, uppercase: true) + "]"
            }
        }.joined()
    }
}

/// `usher manual FOLDER`: writes the manual pages from what the commands say of themselves.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the manual pages, for packaging.",
        discussion: """
            Writes one page for the program and one for each command; 'man -l FILE' displays one.

            Example: usher manual docs/man
            """,
        shouldDisplay: false)

    @Argument(help: "The folder to write to; created if missing.", completion: .directory)
    var folder: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.attempt { () throws(CommandFailure) in
            for page in ManualPage.all() {
                try OutputFile.write(
                    Array(page.text.utf8), to: folder + "/" + page.fileName)
            }
        }
    }
}

/// The manual page of the program, or of one of its commands with everything below it.
struct ManualPage {
    let command: CommandHelp

    /// All of them: the program's own first.
    static func all() -> [ManualPage] {
        let program = CommandHelp.program()
        return ([program] + program.commands).map(ManualPage.init)
    }

    /// `usher-check`, as `man` is asked for it.
    var name: String { command.path.joined(separator: "-") }

    var fileName: String { name + ".1" }

    var text: String {
        var page = RoffText()
        page.request(#"\""#, "Made by 'usher manual'; not edited by hand.")
        page.request("TH", RoffText.plain(name.uppercased()), "1", "\"\"", "usher", "Usher")
        // Words are neither hyphenated nor spread out: what is shown is to be typed.
        page.request("nh")
        page.request("ad", "l")
        page.request("SH", "NAME")
        page.line(RoffText.plain("\(name) - \(Self.withoutStop(command.abstract))"))
        page.request("SH", "SYNOPSIS")
        page.line(synopsis)
        page.request("SH", "DESCRIPTION")
        page.line(RoffText.plain(command.abstract))
        page.write(command.parts.description, between: "PP")
        if !ownParameters.isEmpty {
            page.request("SH", "OPTIONS")
            page.write(ownParameters)
        }
        writeCommands(to: &page)
        for (title, paragraphs) in command.parts.sections {
            page.request("SH", title)
            if title == CommandHelp.examples {
                page.verbatim(paragraphs)
            } else {
                page.write(paragraphs, between: "PP")
            }
        }
        writeReferences(to: &page)
        return page.text
    }

    private var isProgram: Bool { command.path.count == 1 }

    /// Every command has `--help` and `--version`; the page of the program says so.
    private var ownParameters: [CommandHelp.Parameter] {
        isProgram ? command.parameters : command.ownParameters
    }

    private var synopsis: String {
        command.commands.isEmpty
            ? command.usage
            : RoffText.bold(command.path.joined(separator: " ")) + " "
                + RoffText.italic("command") + " ..."
    }

    private func writeCommands(to page: inout RoffText) {
        guard !command.commands.isEmpty else { return }
        page.request("SH", "COMMANDS")
        for command in command.commands {
            if isProgram {
                page.request("TP")
                page.line(RoffText.bold(command.path.joined(separator: " ")))
                page.line(RoffText.plain(command.abstract))
            } else {
                page.write(part: command)
            }
        }
    }

    private func writeReferences(to page: inout RoffText) {
        page.request("SH", "SEE ALSO")
        let names =
            isProgram
            ? command.commands.map { $0.path.joined(separator: "-") }
            : [command.path.first ?? ""]
        page.line(names.map { RoffText.bold($0) + "(1)" }.joined(separator: ", "))
    }

    private static func withoutStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}

extension CommandHelp {
    /// The section that keeps its lines.
    static let examples = "EXAMPLES"

    /// Paragraphs that begin with one of these words have a section of their own.
    private static let titles = [
        ("Exit codes: ", "EXIT STATUS"), ("Environment: ", "ENVIRONMENT"),
        ("Completions: ", "COMPLETIONS"), ("Example: ", examples),
    ]

    var parts: (description: [String], sections: [(title: String, paragraphs: [String])]) {
        var description: [String] = []
        var sections: [(title: String, paragraphs: [String])] = []
        for paragraph in paragraphs {
            if let (word, title) = Self.titles.first(where: { paragraph.hasPrefix($0.0) }) {
                let text = paragraph.dropFirst(word.count)
                sections.append((title, title == Self.examples ? text.lines : [String(text)]))
            } else {
                description.append(paragraph)
            }
        }
        return (description, sections)
    }

    var ownParameters: [Parameter] {
        parameters.filter { !$0.names.contains("--help") && !$0.names.contains("--version") }
    }

    /// How it is typed.
    var usage: String {
        ([RoffText.bold(path.joined(separator: " "))] + ownParameters.map(\.usage))
            .joined(separator: " ")
    }
}

extension CommandHelp.Parameter {
    fileprivate var usage: String {
        let text = ([names.last.map(RoffText.bold), value].compactMap(\.self))
            .joined(separator: " ")
        return (isOptional ? "[" + text + "]" : text) + (isRepeating ? " ..." : "")
    }

    /// What stands before its description.
    fileprivate var heading: String {
        let name = names.map(RoffText.bold).joined(separator: ", ")
        return [name, value].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private var value: String? { kind == .flag ? nil : RoffText.italic(valueName) }

    fileprivate var description: String {
        let notes = [
            values.isEmpty ? nil : "One of " + values.joined(separator: ", ") + ".",
            standard.map { "Default: \($0)." },
        ].compactMap(\.self)
        return ([text] + notes).joined(separator: " ")
    }
}

extension RoffText {
    fileprivate mutating func write(_ paragraphs: [String], between request: String) {
        for paragraph in paragraphs {
            self.request(request)
            for line in paragraph.lines { self.line(Self.plain(line)) }
        }
    }

    fileprivate mutating func write(_ parameters: [CommandHelp.Parameter]) {
        for parameter in parameters {
            request("TP")
            line(parameter.heading)
            line(Self.plain(parameter.description))
        }
    }

    /// A command on the page of the one above it.
    fileprivate mutating func write(part command: CommandHelp) {
        request("SS", Self.plain(command.path.joined(separator: " ")))
        line(Self.plain(command.abstract))
        request("PP")
        line(command.usage)
        write(command.parts.description, between: "PP")
        write(command.ownParameters)
        for (_, paragraphs) in command.parts.sections {
            request("PP")
            verbatim(paragraphs)
        }
    }
}

extension StringProtocol {
    fileprivate var lines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
}
