internal import Crypto
internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import Testing

/// Attacks on the container of a receipt (THREATS.md C1, C4 to C8, C11, C12).
@Suite(.timeLimit(.minutes(20)))
struct ContainerAttackTests {
    private static let signer = ReceiptSimulator(now: TestBench.now)
    private static let xcode = ReceiptSimulator(xcodeAt: TestBench.now)
    private static let bench = TestBench { settings, _ in
        settings.receiptAnchors = [TrustAnchor(root: .fingerprint(signer.root.fingerprint))]
    }
    /// Trusts the Xcode certificate too, so that BER is read at all.
    private static let localBench = TestBench { settings, _ in
        settings.trustedEnvironments = Set(StoreEnvironment.allCases)
        settings.receiptAnchors = [
            TrustAnchor(root: .fingerprint(signer.root.fingerprint)),
            TrustAnchor(root: .certificate(xcode.root.der), environments: [.xcode]),
        ]
    }

    private static func purchase(_ number: Int) -> SimulatedReceiptPurchase {
        SimulatedReceiptPurchase(
            productID: "com.example.reader.noads", transactionID: "\(number)", typeNumber: 0,
            purchaseDate: TestBench.now.advanced(byMilliseconds: -86_400_000))
    }

    private static func receipt(
        _ purchases: Int = 1, in environment: String = "Production"
    ) -> SimulatedReceipt {
        SimulatedReceipt(
            bundleID: TestBench.bundle, environmentName: environment, createdAt: TestBench.now,
            purchases: (0..<purchases).map { purchase(100_000 + $0) })
    }

    private static func shape(_ change: (inout ReceiptShape) -> Void) -> ReceiptShape {
        var shape = ReceiptShape()
        change(&shape)
        return shape
    }

    // MARK: Attributes

    private static func attribute(_ arc: UInt8, _ value: [UInt8]) -> [UInt8] {
        let identifier: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, arc]
        return DERText.sequence(DERText.item(0x06, identifier), DERText.set([value]))
    }

    private static let contentType = attribute(
        3, DERText.item(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]))
    private static let messageDigest = attribute(
        4, DERText.octets(Array(SHA256.hash(data: receipt().payload))))

    static let attributes: [(name: String, content: [UInt8])] = [
        ("as CMS wants them", contentType + messageDigest),
        ("no digest", contentType),
        ("no content type", messageDigest),
        ("another digest", contentType + attribute(4, DERText.octets([1, 2, 3]))),
        ("another content type", attribute(3, DERText.item(0x06, [0x2A])) + messageDigest),
        ("the digest twice", contentType + messageDigest + messageDigest),
        ("none in the set", []),
    ]

    /// However good they are: Apple's receipts have none, and what is in them is what is signed.
    @Test(arguments: attributes.indices)
    func refusesSignedAttributes(_ index: Int) {
        let shape = Self.shape { $0.signedAttributes = Self.attributes[index].content }
        let der = Self.signer.sign(Self.receipt(), as: shape)
        #expect(Self.bench.verdict(der) == "receipt.attributes")
    }

    @Test func refusesUnsignedAttributes() {
        let shape = Self.shape { $0.unsignedAttributes = Self.contentType }
        let der = Self.signer.sign(Self.receipt(), as: shape)
        #expect(Self.bench.verdict(der) == "receipt.attributes")
    }

    /// Attributes that were signed once, offered as a payload: the signature holds, and what it
    /// holds over is no receipt.
    @Test(arguments: attributes.indices.dropLast())
    func refusesAttributesForAPayload(_ index: Int) {
        let payload = DERText.set([Self.attributes[index].content])
        #expect(Self.bench.verdict(Self.signer.sign(payload: payload)) == "receipt.payload")
    }

    // MARK: Signers and content

    static let containers: [(name: String, verdict: String, shape: ReceiptShape)] = [
        ("no content", "receipt.malformed", shape { $0.isDetached = true }),
        (
            "a second signer that is genuine too", "receipt.malformed",
            shape { $0.signers = 2 }
        ),
        (
            "a second signer that signed something else", "receipt.malformed",
            shape {
                $0.otherSigners = [DERText.item(0x30, signer.signerInfo(over: [1, 2, 3]))]
            }
        ),
        (
            "only a signer that signed something else", "receipt.signature",
            shape {
                $0.signers = 0
                $0.otherSigners = [DERText.item(0x30, signer.signerInfo(over: [1, 2, 3]))]
            }
        ),
        ("another hash announced", "receipt.algorithm", shape { $0.announcedHash = .sha1 }),
        ("a signer that is empty", "receipt.malformed", shape { $0.otherSigners = [[0x30, 0]] }),
        ("indefinite lengths", "receipt.malformed", shape { $0.isIndefinite = true }),
    ]

    @Test(arguments: containers.indices)
    func judgesContainers(_ index: Int) {
        let container = Self.containers[index]
        let der = Self.signer.sign(Self.receipt(), as: container.shape)
        #expect(Self.bench.verdict(der) == container.verdict, "\(container.name)")
    }

    /// One attribute that nobody knows, of so many bytes.
    private static func spare(_ count: Int) -> [UInt8] {
        let content = [UInt8](repeating: 0, count: count - 10)
        return DERText.sequence(
            DERText.integer(99), DERText.integer(1), DERText.octets(content))
    }

    /// Payloads that the signature holds over and that are no receipt.
    static let payloads: [(name: String, bytes: [UInt8])] = [
        ("empty", []), ("a string in the string", DERText.octets(receipt().payload)),
        ("a byte too much", receipt().payload + [0]),
        ("two sets", receipt().payload + receipt().payload),
        ("a set that ends too early", receipt().payload.dropLast()),
        ("a length of two bytes for one", [0x31, 0x81, 0x00]),
        ("a length with a zero before it", [0x31, 0x82, 0x00, 0x80] + spare(0x80)),
        ("a length that is not there", [0x31]),
        ("a length that is cut", [0x31, 0x82, 0x01]),
        ("a length in five bytes", [0x31, 0x85, 0, 0, 0, 0, 0]),
        ("a long tag", [0x3F, 0x31, 0x00]),
        ("an attribute too short", DERText.set([DERText.sequence(DERText.integer(2))])),
        (
            "an attribute too long",
            DERText.set([
                DERText.sequence(
                    DERText.integer(2), DERText.integer(1), DERText.octets([]),
                    DERText.octets([]))
            ])
        ),
        (
            "a version that is no number",
            DERText.set([
                DERText.sequence(DERText.integer(2), DERText.octets([]), DERText.octets([]))
            ])
        ),
    ]

    @Test(arguments: payloads.indices)
    func refusesOtherPayloads(_ index: Int) {
        let payload = Self.payloads[index]
        let verdict = Self.bench.verdict(Self.signer.sign(payload: payload.bytes))
        #expect(verdict == "receipt.payload", "\(payload.name)")
    }

    @Test(arguments: [2, 0, 12])
    func refusesWhatIsSaidTwice(_ type: Int64) {
        var receipt = Self.receipt()
        receipt.otherAttributes = [(type, DERText.utf8("com.example.other"))]
        #expect(Self.bench.verdict(Self.signer.sign(receipt)) == "receipt.malformed")
    }

    // MARK: Xcode's encoding

    /// One certificate, indefinite lengths, the payload whole or in pieces.
    @Test(arguments: [Int.max, 100, 1])
    func takesXcodesForXcodeOnly(_ pieceSize: Int) {
        var shape = ReceiptShape.xcode
        shape.pieceSize = pieceSize
        let local = Self.xcode.sign(Self.receipt(in: "Xcode"), as: shape)
        #expect(Self.localBench.verdict(local) == "accepted")
        // Not for its encoding: nobody could make it good by another one.
        #expect(Self.bench.verdict(local) == "bind.environment")
        let production = Self.xcode.sign(Self.receipt(), as: shape)
        #expect(Self.localBench.verdict(production) == "chain.root")
    }

    /// A chain of three does not become better in BER.
    @Test func takesNoChainInBER() {
        let shape = Self.shape { $0.isIndefinite = true }
        let ber = Self.signer.sign(Self.receipt(), as: shape)
        #expect(Self.localBench.verdict(ber) == "chain.root")
    }

    @Test func refusesAnotherXcodeCertificate() {
        var shape = ReceiptShape.xcode
        shape.certificates = []
        shape.otherCertificates = [Self.signer.leaf.der]
        let ber = Self.xcode.sign(Self.receipt(in: "Xcode"), as: shape)
        #expect(Self.localBench.verdict(ber) == "receipt.malformed")
    }

    // MARK: Remembered chains

    /// A chain that is remembered is as good as it was, for the same times and environments.
    @Test func remembersChainsWithoutWideningTrust() throws {
        var settings = Self.bench.settings
        settings.receiptAnchors = [
            TrustAnchor(
                root: .fingerprint(Self.signer.root.fingerprint), environments: [.production])
        ]
        let verifier = EvidenceVerifier(settings)
        func verdict(_ receipt: SimulatedReceipt, by signer: ReceiptSimulator) -> String {
            verifier.verify(signer.sign(receipt), at: TestBench.now).summary
        }
        var chain = ChainShape.appleReceipts(around: TestBench.now)
        chain.leaf.signer = .stranger
        let stranger = ReceiptSimulator(now: TestBench.now, shape: chain)
        #expect(verdict(Self.receipt(), by: stranger) == "chain.signature")
        #expect(verifier.rememberedChains == 0)
        #expect(verdict(Self.receipt(), by: Self.signer) == "accepted")
        #expect(verdict(Self.receipt(), by: Self.signer) == "accepted")
        #expect(verifier.rememberedChains == 1)
        #expect(verdict(Self.receipt(in: "ProductionSandbox"), by: Self.signer) == "chain.root")
        var old = Self.receipt()
        old.createdAt = TestBench.now.advanced(byMilliseconds: -5 * 31_557_600_000)
        #expect(verdict(old, by: Self.signer) == "chain.time")
        #expect(verdict(Self.receipt(), by: stranger) == "chain.signature")
        var edited = Self.signer.sign(Self.receipt())
        edited[edited.count - 9] ^= 1
        #expect(verifier.verify(edited, at: TestBench.now).summary == "receipt.signature")
    }

    // MARK: Size

    @Test func takesManyPurchases() throws {
        let der = Self.signer.sign(Self.receipt(5_000))
        let evidence = try #require(Self.bench.verifier.verify(der, at: TestBench.now).accepted)
        #expect(evidence.transactions.count == 5_000)
        #expect(Set(evidence.transactions.map(\.transactionID.text)).count == 5_000)
    }

    @Test func refusesTooManyPurchases() {
        let der = Self.signer.sign(Self.receipt(20_000))
        #expect(der.count > 2_097_152)
        #expect(Self.bench.verdict(der) == "input.too-large")
    }

    /// What a receipt cannot say is not made up: whose purchase it is stays open, and the
    /// snapshot says what it came from (THREATS.md C13; spec 4.1).
    @Test func saysThatItIsAReceipt() throws {
        let der = Self.signer.sign(Self.receipt())
        let evidence = try #require(Self.bench.verifier.verify(der, at: TestBench.now).accepted)
        let snapshot = try #require(evidence.transactions.first)
        #expect(evidence.kind == .receipt)
        #expect(snapshot.source.form == .receipt)
        #expect(snapshot.ownership == .notStated)
        #expect(snapshot.appAccountToken == nil)
        #expect(snapshot.appTransactionID == nil)
    }
}
