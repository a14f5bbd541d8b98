internal import ArgumentParser
internal import EntitlementModel
internal import Glibc
internal import LedgerModel
internal import StrictJSON

/// `usher ledger key FILE`: makes the key by which what was erased is known again.
struct LedgerKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Make the key that erasures need, in a new file.",
        discussion: """
            The file has mode 0600 and is never replaced. Name it in the setting \
            'privacy.key-file', and keep it apart from the ledger and its backups: \
            docs/PRIVACY.md. Nothing is printed of it.

            Example: usher ledger key /etc/usher/privacy.key
            """)

    @Argument(help: "The file to make.", completion: .file())
    var file: String

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            var generator = SystemRandomNumberGenerator()
            let key = (0..<PrivacyKey.length).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            guard write(Array((key.hexadecimal + "\n").utf8)) else {
                throw .said(LedgerPhrase.keyNotMade.text(output.language, file.shown))
            }
            let json: JSONValue = ["file": .string(file)]
            try output.show(quiet: quiet) {
                json.serialized()
            } as: { page in
                page.add(whole: LedgerPhrase.keyMade.text(page.language, file.shown))
            }
        }
    }

    /// Into a file that was not there.
    private func write(_ bytes: [UInt8]) -> Bool {
        guard let descriptor = OutputFile.openNew(file) else { return false }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        return count == bytes.count && fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0
    }
}
