internal import ArgumentParser

/// Options that every command has.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, a stable format for scripts.")
    var json = false

    @Option(help: "Language of text for people; that of LANG if omitted.")
    var lang: Language?

    var language: Language {
        Language.chosen(lang, environment: Terminal.current.environment)
    }
}

/// Where the service's sockets are.
struct SocketOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Folder of the service's sockets.", valueName: "folder"),
        completion: .directory)
    var sockets: String?

    var folder: String {
        sockets ?? SocketOptions.standardFolder(environment: Terminal.current.environment)
    }

    var querySocket: String { folder + "/query.sock" }
    var usherSocket: String { folder + "/usher.sock" }

    /// `USHER_SOCKETS`, else what the service is told by the setting's own variable, else
    /// `$XDG_RUNTIME_DIR/usher`, else `/run/usher` (spec 3.1).
    static func standardFolder(environment: [String: String]) -> String {
        for name in ["USHER_SOCKETS", Setting.socketFolder.variable] {
            if let folder = environment[name], !folder.isEmpty { return folder }
        }
        if let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty {
            return folder + "/usher"
        }
        return "/run/usher"
    }
}

extension ExitCode {
    /// The answer is no.
    static let no = ExitCode(1)
    /// The question could not be answered.
    static let unanswered = ExitCode(2)
    /// The ledger is not what it was, or in use: `examples/systemd/usher.service` starts no service
    /// again that ends so.
    static let needsPerson = ExitCode(3)
}
