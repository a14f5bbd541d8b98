internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import PolicyLoading
internal import StrictJSON

/// `usher inspect FILE…`: decode and verify evidence, without a ledger (spec 3.2).
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Decode and verify evidence, without a ledger.",
        discussion: """
            An answer of the App Store Server API, saved as a file, is taken apart. The expected \
            app and environment come from a policy folder, or from --bundle-id and --environment. \
            Exit codes: 0 all accepted, 1 some refused or quarantined, 2 unreadable.

            Example: usher inspect transaction.jws --bundle-id com.example.reader \
            --environment sandbox
            """)

    @Argument(
        help: "Files with one item of evidence each; - for standard input.", completion: .file())
    var files: [String]

    @Option(
        help: .value("folder", "Read app, environments and roots from this policy folder."),
        completion: .directory)
    var policies: String?

    @Option(help: .value("id", "The app's bundle id."), transform: readName)
    var bundleID: BundleID?

    @Option(help: "The trusted environment.")
    var environment: StoreEnvironment?

    @Option(
        name: .customLong("app-apple-id"),
        help: .value("number", "The app's Apple ID (appAppleId)."))
    var appAppleID: Int64?

    /// The same under its former name: elsewhere that is the customer's key.
    @Option(name: .customLong("apple-id"), help: .hidden)
    var formerAppAppleID: Int64?

    @Option(
        help: .value(
            "file",
            """
            Root certificate to trust instead of Apple's (a PEM or DER file); with \
            --environment, for that environment only.
            """),
        completion: .file())
    var root: String?

    @Flag(help: "Do not check the bundle id and environment.")
    var anyBundle = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try require(
            policies != nil || anyBundle || (bundleID != nil && environment != nil), or: .inspected)
    }

    func run() throws {
        var refused = 0
        var isUnreadable = false
        try output.attempt { () throws(CommandFailure) in
            let verifier = EvidenceVerifier(try readSettings())
            for file in files {
                guard let bytes = try? InputFile.read(file) else {
                    _ = output.tell(.unreadableFile(file))
                    isUnreadable = true
                    continue
                }
                for (name, inspection) in inspections(of: bytes, in: file, by: verifier) {
                    refused += inspection.verdictWord == "accepted" ? 0 : 1
                    try tell(inspection, of: name)
                }
            }
        }
        if isUnreadable { throw ExitCode.unanswered }
        if refused > 0 { throw ExitCode.no }
    }

    /// Those of the pieces of a page of Apple's; else that of the file itself.
    private func inspections(
        of bytes: [UInt8], in file: String, by verifier: EvidenceVerifier
    ) -> [(name: String, inspection: Inspection)] {
        let now = SystemClock().now()
        let whole = inspect(bytes, verifier: verifier, at: now)
        guard whole.mayBePage, let page = ApplePage(bytes) else { return [(file, whole)] }
        return page.pieces.enumerated().map {
            ("\(file)#\($0 + 1)", inspect($1, verifier: verifier, at: now))
        }
    }

    private func tell(_ inspection: Inspection, of file: String) throws(CommandFailure) {
        if output.json {
            try Terminal.current.printWhole(json: inspection.json(file: file).text + "\n")
        } else {
            let text = inspection.text(output.language, allowsAnyBundle: anyBundle)
            try Terminal.current.printWhole(file.shown + "\n" + text + "\n")
        }
    }

    private func readSettings() throws(CommandFailure) -> VerificationSettings {
        var settings: VerificationSettings
        if let policies {
            let policy = try CheckedFolder(policies).required(policies)
            settings = VerificationSettings(policy: policy)
        } else {
            settings = VerificationSettings()
            settings.jwsAnchors = [.appleRootCAG3]
            settings.receiptAnchors = [.appleIncRoot]
            settings.bundleID = bundleID
            settings.appAppleID = appAppleID ?? formerAppAppleID
            settings.trustedEnvironments = Set(
                environment.map { [$0] }
                    ?? StoreEnvironment.allCases)
        }
        settings.allowsAnyBundle = anyBundle
        if let root {
            let anchor = try TrustAnchor(file: root, environments: environment.map { [$0] })
            settings.jwsAnchors = [anchor]
            settings.receiptAnchors = [anchor]
        }
        return settings
    }
}

extension TrustAnchor {
    /// A root from a PEM or DER file.
    init(
        file: String, environments: Set<StoreEnvironment>?
    ) throws(CommandFailure) {
        guard let bytes = try? InputFile.read(file, limit: 65_536),
            let certificate = certificateBytes(bytes).map(TrustAnchor.Root.certificate),
            certificate.isReadable
        else { throw .unreadableFile(file) }
        self.init(root: certificate, environments: environments)
    }
}
