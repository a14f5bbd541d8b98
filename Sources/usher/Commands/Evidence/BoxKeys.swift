internal import EntitlementModel
internal import StoreBox
internal import StrictJSON

/// What a box keeps between runs, in `keys.json` of the folder of `--keys` (docs/BOX.md): the seed
/// of its keys, those that follow from no seed, the root, and how often it has run, so that two runs
/// give no id twice.
struct BoxKeys {
    private var seed: UInt64
    private var runs: UInt64
    private let receipts: RSAKeys
    /// Nil before the first run, and in a file that was written before roots were kept.
    private let root: SimulatedCertificate?
    private let file: String

    /// Those of a folder, or new ones for one that has none.
    /// - Parameter seed: as the caller named it.
    init(in folder: String, seed: UInt64?, _ language: Language) throws(CommandFailure) {
        file = folder + "/keys.json"
        guard InputFile.size(of: file) != nil else {
            (self.seed, runs) = (seed ?? SimulatedAppStoreSettings().seed, 0)
            receipts = .ofProcess
            root = nil
            return
        }
        guard let bytes = try? InputFile.read(file, limit: 65_536),
            let kept = try? parseJSON(bytes),
            let keptSeed = kept["seed"]?.string.flatMap(UInt64.init),
            let runs = kept["runs"]?.string.flatMap(UInt64.init),
            let receipts = RSAKeys(
                kept: Dictionary(
                    (kept["receipts"]?.members ?? []).map { ($0.key, $0.value.string ?? "") },
                    uniquingKeysWith: { first, _ in first }))
        else { throw .said(BoxPhrase.badKeys.text(language, file.shown)) }
        guard seed == nil || seed == keptSeed else {
            throw .said(BoxPhrase.otherSeed.text(language, file.shown, "\(keptSeed)"))
        }
        (self.seed, self.runs, self.receipts) = (keptSeed, runs, receipts)
        root = kept["root"]?.string.flatMap(SimulatedCertificate.init(pem:))
    }

    /// Has a box sign with them.
    func apply(to settings: inout SimulatedAppStoreSettings) {
        settings.seed = seed
        settings.run = runs
        settings.root = root
        settings.receiptKeys = receipts
    }

    /// Keeps them and the root that a box has made for the next run; after the root of receipts was
    /// asked for.
    func keep(root: SimulatedCertificate) throws(CommandFailure) {
        let pems = receipts.kept.sorted { $0.key < $1.key }.map { key in
            JSONMember(key.key, .string(key.value))
        }
        let kept: JSONValue = [
            "seed": .string("\(seed)"), "runs": .string("\(runs &+ 1)"),
            "root": .string(root.pem),
            "receipts": .object(pems),
        ]
        try OutputFile.write(Array((kept.text + "\n").utf8), to: file)
    }
}
