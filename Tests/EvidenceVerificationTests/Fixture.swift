internal import EntitlementModel
internal import StoreBox
internal import StrictJSON

/// One file of evidence for the example policy's app.
struct Fixture: Sendable {
    /// Relative to the folder of fixtures.
    let path: String
    let kind: EvidenceKind
    let environment: StoreEnvironment
    /// Whose purchase it is.
    let account: String
    /// What it is, in one line.
    let what: String
    let bytes: [UInt8]
}

/// All fixtures with the root that stands behind them.
struct FixtureSet: Sendable {
    let seed: UInt64
    let root: SimulatedCertificate
    /// Behind the receipts; its key is random.
    let receiptRoot: SimulatedCertificate
    /// Behind the receipt that is made as Xcode makes them; its key is random.
    let xcodeCertificate: SimulatedCertificate
    let fixtures: [Fixture]

    /// The name of the root's file beside the manifest.
    static let rootPath = "simulator-root.pem"
    static let receiptRootPath = "simulator-receipt-root.pem"
    static let xcodeCertificatePath = "simulator-xcode.pem"

    /// What each account presents, in the form that `usher ingest` reads; the example policy does
    /// not trust Xcode.
    static let purchasesPath = "purchases.jsonl"
    var purchases: String {
        fixtures.filter { $0.environment != .xcode }.map { fixture in
            let line: JSONValue =
                fixture.kind == .notification
                ? ["file": .string(fixture.path)]
                : ["account": .string(fixture.account), "file": .string(fixture.path)]
            return line.text + "\n"
        }.joined()
    }

    /// The `manifest.yaml` that says what each file is.
    var manifest: String {
        let head = """
            # Evidence for the app of the example policy, signed by the store simulator.
            # Keys and contents follow from the seed; signatures are random by nature.
            seed: \(seed)
            bundle_id: \(ExampleApp.bundleID)
            apple_id: \(ExampleApp.appleID)
            root: \(Self.rootPath)
            receipt_root: \(Self.receiptRootPath)
            xcode_certificate: \(Self.xcodeCertificatePath)
            files:

            """
        return head + fixtures.map(\.manifestEntry).joined()
    }
}

extension Fixture {
    fileprivate var manifestEntry: String {
        """
          - file: \(path)
            kind: \(kind.rawValue)
            environment: \(environment.rawValue)
            account: \(account)
            what: \(what)

        """
    }
}
