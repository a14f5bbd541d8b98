internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

/// Options of the commands that work on a ledger file itself, beside a running service or without
/// one.
struct LedgerFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The ledger file; USHER_LEDGER or usher.ledger if omitted.", valueName: "file"),
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
        throw ValidationError("an anchor is a number, a colon and 64 hexadecimal digits")
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
