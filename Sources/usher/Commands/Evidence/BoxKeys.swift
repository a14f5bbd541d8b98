internal import EntitlementModel
internal import SimulatedAppStore
internal import StoreSimulator
internal import StrictJSON

/// What a box keeps between runs, in `keys.json` of the folder of `--keys` (docs/BOX.md): the seed
/// of its keys, those that follow from no seed, and how often it has run, so that two runs give no
/// id twice.
struct BoxKeys {
    private var seed: UInt64
    private var runs: UInt64
    private let receipts: RSAKeys
    private let file: String

    /// Those of a folder, or new ones for one that has none.
    /// - Parameter seed: as the caller named it.
    init(in folder: String, seed: UInt64?, _ language: Language) throws(CommandFailure) {
        file = folder + "/keys.json"
        guard InputFile.size(of: file) != nil else {
            (self.seed, runs) = (seed ?? SimulatedAppStoreSettings().seed, 0)
            receipts = .ofProcess
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
    }

    /// Has a box sign with them.
    func apply(to settings: inout SimulatedAppStoreSettings) {
        settings.seed = seed
        settings.run = runs
        settings.receiptKeys = receipts
    }

    /// Keeps them for the next run; after the root of receipts was asked for.
    func keep() throws(CommandFailure) {
        let pems = receipts.kept.sorted { $0.key < $1.key }.map { key in
            JSONMember(key.key, .string(key.value))
        }
        let kept: JSONValue = [
            "seed": .string("\(seed)"), "runs": .string("\(runs &+ 1)"),
            "receipts": .object(pems),
        ]
        try OutputFile.write(Array((kept.text + "\n").utf8), to: file)
    }
}
