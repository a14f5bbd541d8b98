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
