internal import Glibc

/// What the program prints on, and how.
struct Terminal {
    let environment: [String: String]

    static let current = Terminal(environment: readEnvironment())

    /// The ledger that `USHER_LEDGER` names; a variable that is empty names none.
    var namedLedger: String? { environment["USHER_LEDGER"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether standard output is a terminal that wants colours.
    var isColoured: Bool {
        isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Whether standard output is a terminal that can draw.
    var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb" }

    /// Whether progress on standard error is seen by a person.
    var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    // Text is made safe here, at the one place where it goes out, whoever wrote it.

    func printLine(_ text: String) { printText(text + "\n") }

    /// Text that ends its own lines.
    func printText(_ text: String) {
        Terminal.write(text.safeText(keepsColours: isColoured), to: STDOUT_FILENO)
    }

    func printError(_ text: String) { printErrorText(text + "\n") }

    /// Text that ends its own lines.
    func printErrorText(_ text: String) {
        Terminal.write(text.safeText(keepsColours: false), to: STDERR_FILENO)
    }

    func printProgress(_ text: String) {
        Terminal.write(progressEraser + text.safeLine, to: STDERR_FILENO)
    }

    /// Wipes the line that progress was shown on.
    var progressEraser: String { showsProgress ? "\r\u{1B}[K" : "" }

    /// An answer, which is whole or none: what a script keeps of it must not be a part.
    ///
    /// - Throws: `.unwritableFile` where not all of it could be written, on a full disk say.
    func printWhole(_ bytes: [UInt8]) throws(CommandFailure) {
        guard writesWhole(bytes, to: STDOUT_FILENO) else { throw .unwritableFile("-") }
    }

    /// The same for text, which ends its own lines.
    func printWhole(_ text: String) throws(CommandFailure) {
        try printWhole(Array(text.safeText(keepsColours: isColoured).utf8))
    }

    /// The same for JSON, in lines.
    func printWhole(json text: String) throws(CommandFailure) {
        try printWhole(Array(text.safeJSON.utf8))
    }

    private static func write(_ text: String, to descriptor: Int32) {
        _ = writesWhole(Array(text.utf8), to: descriptor)
    }

    private static func readEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        var pointer = environ
        while let entry = pointer.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            pointer += 1
        }
        return variables
    }
}
