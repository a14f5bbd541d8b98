internal import EntitlementModel
internal import EntitlementServer
internal import Glibc
internal import Logging
internal import Synchronization

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

    /// Whether a person reads the output and can answer.
    var canAsk: Bool { isInteractive && isatty(STDIN_FILENO) == 1 }

    /// Whether the person says yes.
    func ask(_ question: String) -> Bool {
        Terminal.write(question.safeLine, to: STDOUT_FILENO)
        return ["y", "yes", "是"].contains((readLine() ?? "").lowercased())
    }

    /// The columns of the terminal that standard output is; nil if it is none or does not tell.
    var columns: Int? {
        var size = winsize()
        let isTold = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isTold ? Int(size.ws_col) : nil
    }

    /// Whether progress on standard error is seen by a person.
    var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    // Text is made safe here, at the one place where it goes out, whoever wrote it.

    func printLine(_ text: String) { printText(text + "\n") }

    /// Text that ends its own lines.
    func printText(_ text: String) {
        Terminal.write(text.safeText(keepsColours: isColoured), to: STDOUT_FILENO)
    }

    func printError(_ text: String) { printErrorText(text + "\n") }

    /// Why a command ends: in systemd's journal, of the level of an error (sd-daemon(3)).
    func printFailure(_ text: String) {
        guard LineLog.isJournal(STDERR_FILENO, environment["JOURNAL_STREAM"]) else {
            return printError(text)
        }
        printError(String(decoding: LineLog.marked(Array(text.utf8), .error), as: UTF8.self))
    }

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

/// How far something is, on a line of standard error that is written over and goes away at last.
final class ProgressLine: Sendable {
    private let isShown: Bool
    private let lastPercent = Atomic<Int64>(-1)

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Written when the number changes.
    func show(_ phrase: LedgerPhrase, _ done: Int64, of total: Int64, _ language: Language) {
        show(phrase.text(language), done, of: total)
    }

    func show(_ label: String, _ done: Int64, of total: Int64) {
        let percent = total > 0 ? done * 100 / total : 100
        guard isShown, lastPercent.exchange(percent, ordering: .relaxed) != percent else { return }
        let filled = Int(percent) * 24 / 100
        Terminal.current.printProgress(
            String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
                + " \(percent)%  " + label)
    }

    func clear() {
        if lastPercent.load(ordering: .relaxed) >= 0 { Terminal.current.printProgress("") }
    }
}

/// Writes all of the bytes, in as many steps as it takes; false where that is not possible, on a
/// full disk say.
func writesWhole(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

/// Ctrl-C and SIGTERM, held back once so that work under way is finished first: whoever has
/// called `holdBack` asks `isPending` now and then. The second time they end the program at once.
enum Interruption {
    private static let wasAsked = Atomic(false)
    /// The address of what is said then: made before, because a handler may make nothing.
    private static let notice = Atomic<UInt>(0)

    /// Whether the user wants it to end.
    static var isPending: Bool { wasAsked.load(ordering: .sequentiallyConsistent) }

    /// - Parameter notice: told on standard error once the user wants it to end.
    static func holdBack(saying notice: String) {
        // Kept for as long as the program runs.
        Interruption.notice.store(
            UInt(bitPattern: strdup(notice)), ordering: .sequentiallyConsistent)
        var action = sigaction()
        // A closure without captures, and all that it does is safe in a handler.
        action.__sigaction_handler.sa_handler = { _ in
            Interruption.wasAsked.store(true, ordering: .sequentiallyConsistent)
            let address = Interruption.notice.load(ordering: .sequentiallyConsistent)
            guard let notice = UnsafePointer<CChar>(bitPattern: address) else { return }
            _ = write(STDERR_FILENO, notice, strlen(notice))
        }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART) | UInt32(SA_RESETHAND))
        // Made before a signal can ask for it: its making is not safe in a handler.
        _ = isPending
        for signal in [SIGINT, SIGTERM] { sigaction(signal, &action, nil) }
    }
}
