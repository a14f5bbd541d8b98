internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

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
    @Option(help: .value("folder", "Folder of the service's sockets."), completion: .directory)
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

extension Language: ExpressibleByArgument {
    /// `--lang`, else `LC_ALL`, `LC_MESSAGES` or `LANG`, else English.
    static func chosen(_ option: Language?, environment: [String: String]) -> Language {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        return option ?? Language(locale: locale ?? "")
    }

    /// Names one after the other.
    func list(_ names: [String]) -> String {
        names.joined(separator: Phrase.listSeparator.text(self))
    }

    /// Statements one after the other.
    func clauses(_ statements: [String]) -> String {
        statements.joined(separator: Phrase.clauseSeparator.text(self))
    }
}

/// Reads a name: for arguments that are one.
func readName<ID: Identifier>(_ text: String) throws -> ID {
    guard let id = ID(text) else {
        if ID.self == AppleIDKey.self {
            throw ValidationError(.appleIDKey)
        }
        throw ValidationError(.name, "\(ID.maximumLength)")
    }
    return id
}

/// Reads an instant: for arguments that are one.
func readInstant(_ text: String) throws -> Instant {
    guard let instant = Instant(rfc3339: text) else {
        throw ValidationError(.date)
    }
    return instant
}

extension StoreEnvironment: ExpressibleByArgument {}

/// Options of the commands that work on a ledger file itself, next to a running service or without
/// one.
struct LedgerFileOptions: ParsableArguments {
    @Option(
        help: .value(
            "file", "The ledger file, or 'database:FILE'; USHER_LEDGER or usher.ledger if omitted."),
        completion: .file())
    var ledger: String?

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var output: OutputOptions

    /// As `usher serve` chooses it.
    var path: String { ledger ?? Terminal.current.namedLedger ?? "usher.ledger" }
}

extension LedgerFileOptions {
    /// Runs what a command does with the file, with the ledger's errors as the program's.
    func working<Value>(
        _ body: () throws -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try body()
        } catch {
            throw .engine(EngineError(thrown: error))
        }
    }

    /// Prints JSON for programs, or a page for people.
    func show(
        _ json: JSONValue, as write: (inout Page) -> Void
    ) throws(CommandFailure) {
        try output.show(quiet: quiet) {
            json.serialized()
        } as: {
            write(&$0)
        }
    }
}

/// Reads `412:3fa2…`.
func readPlace(_ text: String) throws -> LedgerPosition {
    guard let place = LedgerPosition(text) else {
        throw ValidationError(.anchor)
    }
    return place
}

extension LedgerHead {
    /// `412:3fa2…`: what `--anchor` reads.
    var anchor: String { "\(LedgerPosition(self))" }

    var json: JSONValue {
        [
            "sequence": .integer(sequence.number), "hash": .string(hash.hexadecimal),
            "recorded_at": .string(recordedAt.rfc3339),
        ]
    }
}

extension ArgumentHelp {
    /// What a value is for, and what stands for it.
    static func value(_ name: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name)
    }
}
