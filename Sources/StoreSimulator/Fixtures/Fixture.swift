package import EntitlementModel

/// One file of evidence for the example policy's app.
package struct Fixture: Sendable {
    /// Relative to the folder of fixtures.
    package let path: String
    package let kind: EvidenceKind
    package let environment: StoreEnvironment
    /// Whose purchase it is.
    package let account: String
    /// What it is, in one line.
    package let what: String
    package let bytes: [UInt8]
}

/// All fixtures with the root that stands behind them.
package struct FixtureSet: Sendable {
    package let seed: UInt64
    package let root: SimulatedCertificate
    /// Behind the receipts; its key is random.
    package let receiptRoot: SimulatedCertificate
    /// Behind the receipt that is made as Xcode makes them; its key is random.
    package let xcodeCertificate: SimulatedCertificate
    package let fixtures: [Fixture]

    /// The name of the root's file beside the manifest.
    package static let rootPath = "simulator-root.pem"
    package static let receiptRootPath = "simulator-receipt-root.pem"
    package static let xcodeCertificatePath = "simulator-xcode.pem"

    /// The `manifest.yaml` that says what each file is.
    package var manifest: String {
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

/// The app, and what it sells, in the example policy.
package enum ExampleApp {
    package static let bundleID = "com.example.reader"
    package static let appleID: Int64 = 1_234_567_890
    package static let monthly = "com.example.reader.gold.monthly"
    package static let archive = "com.example.reader.archive.2025"
    package static let coins = "com.example.reader.coins.100"
    package static let weekly = "com.example.reader.weekly"
    package static let forever = "com.example.reader.noads"
}
