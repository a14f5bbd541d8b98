internal import ArgumentParser
internal import EntitlementModel
internal import Glibc
internal import LedgerStore
internal import StoreSimulator
internal import StrictJSON

/// `usher simulate …`: the App Store in a box.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Sign evidence as the App Store would, under a root of your own.",
        discussion: "Example: usher simulate play fixtures/plays/a-year-of-gold.yaml --out played",
        subcommands: [SimulatePlay.self, SimulateFixtures.self, SimulatePurchases.self])
}

/// `usher simulate fixtures FOLDER`.
struct SimulateFixtures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fixtures",
        abstract: "Write a set of signed purchases of all five kinds for the example app.",
        discussion: """
            Writes one file for each item of evidence, the root certificates to trust, a manifest, \
            and purchases.jsonl for 'usher ingest'.

            Example: usher simulate fixtures fixtures/evidence --seed 2026
            """)

    @Argument(help: "The folder to write to; created if missing.")
    var folder: String

    @Option(help: "Determines keys and contents.")
    var seed: UInt64 = 2026

    @OptionGroup var output: OutputOptions

    func run() throws {
        let set = makeFixtures(seed: seed)
        try output.attempt { () throws(CommandFailure) in
            for fixture in set.fixtures { try write(fixture.bytes, to: fixture.path) }
            try write(Array(set.root.pem.utf8), to: FixtureSet.rootPath)
            try write(Array(set.receiptRoot.pem.utf8), to: FixtureSet.receiptRootPath)
            try write(Array(set.xcodeCertificate.pem.utf8), to: FixtureSet.xcodeCertificatePath)
            try write(Array(set.manifest.utf8), to: "manifest.yaml")
            try write(Array(purchases(set).utf8), to: "purchases.jsonl")
        }
    }

    /// What each account presents, in the form that `usher ingest` reads; the example policy does
    /// not trust Xcode.
    private func purchases(_ set: FixtureSet) -> String {
        set.fixtures.filter { $0.environment != .xcode }.map { fixture in
            let line: JSONValue =
                fixture.kind == .notification
                ? ["file": .string(fixture.path)]
                : ["account": .string(fixture.account), "file": .string(fixture.path)]
            return line.text + "\n"
        }.joined()
    }

    private func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        try OutputFile.write(bytes, to: folder + "/" + path)
    }
}

/// Writes whole files.
enum OutputFile {
    /// Makes the folders above it; replaces a file that is there.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        var folder = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += part + "/"
            mkdir(folder, 0o755)
        }
        guard let descriptor = FileAccess().open(path, O_WRONLY | O_TRUNC) else {
            throw .unwritableFile(path)
        }
        defer { close(descriptor) }
        guard writesWhole(bytes, to: descriptor) else { throw .unwritableFile(path) }
    }
}
