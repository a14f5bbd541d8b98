internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

@testable internal import EvidenceVerification

/// Structures that are cheap to send and dear to read are refused before anything is built of
/// them (THREATS.md B19 to B21, H28).
@Suite(.timeLimit(.minutes(20)))
struct ComplexityTests {
    private static let signer = ReceiptSimulator(now: TestBench.now)
    private static let bench = TestBench { settings, _ in
        settings.trustedEnvironments = Set(StoreEnvironment.allCases)
        settings.receiptAnchors = [
            TrustAnchor(root: .fingerprint(signer.root.fingerprint)),
            // So that BER is read too.
            TrustAnchor(root: .certificate(signer.leaf.der), environments: [.xcode]),
        ]
        settings.limits.evidenceBytes = 8 << 20
    }

    private static func item(_ tag: UInt8, _ count: Int, _ part: [UInt8]) -> [UInt8] {
        DERText.item(tag, repeated(part, count))
    }

    private static func repeated(_ part: [UInt8], _ count: Int) -> [UInt8] {
        Array([[UInt8]](repeating: part, count: count).joined())
    }

    private static func nested(_ tag: UInt8, _ depth: Int, around core: [UInt8]) -> [UInt8] {
        (0..<depth).reduce(core) { bytes, _ in DERText.item(tag, bytes) }
    }

    /// A receipt whose bag holds these certificates before the genuine ones.
    private static func receipt(bringing certificates: [[UInt8]]) -> [UInt8] {
        var shape = ReceiptShape()
        shape.otherCertificates = certificates
        return signer.sign(payload: DERText.set([]), as: shape)
    }

    /// A relative distinguished name with a common name.
    private static let namePart = DERText.set([
        DERText.sequence(DERText.item(0x06, [0x55, 0x04, 0x03]), DERText.utf8("a"))
    ])

    static let shapes: [(name: String, bytes: [UInt8])] = [
        ("empty values", item(0x30, 600_000, [0x05, 0x00])),
        ("empty sequences", item(0x30, 600_000, [0x30, 0x00])),
        ("empty strings", item(0x30, 600_000, [0x04, 0x00])),
        ("sequences of one value", item(0x30, 300_000, [0x30, 0x02, 0x05, 0x00])),
        ("sequences of fifty levels", item(0x30, 10_000, nested(0x30, 40, around: []))),
        ("depth 10,000", nested(0x30, 10_000, around: [])),
        ("indefinite depth", repeated([0x30, 0x80], 100_000) + repeated([0, 0], 100_000)),
        ("indefinite sequences", item(0x30, 200_000, [0x30, 0x80, 0, 0])),
        (
            "a string in small pieces",
            nested(0x30, 1, around: item(0x24, 300_000, [0x04, 0x01, 0x61]))
        ),
        (
            "an identifier of a megabyte",
            item(0x30, 1, DERText.item(0x06, repeated([0x81], 1 << 20)))
        ),
        ("a number of a megabyte", item(0x30, 1, DERText.item(0x02, repeated([0x7F], 1 << 20)))),
        ("a key of a megabyte", item(0x30, 1, DERText.item(0x03, repeated([0], 1 << 20)))),
        (
            "a certificate of a megabyte",
            receipt(bringing: [item(0x30, 1 << 10, repeated([4, 0], 512))])
        ),
        ("80,000 parts of a name", receipt(bringing: [item(0x30, 80_000, namePart)])),
        ("a name of 65 parts", receipt(bringing: [item(0x30, 65, namePart)])),
        ("a certificate of 1,025 nodes", receipt(bringing: [item(0x30, 1_025, [0x05, 0x00])])),
        ("a certificate of 17 levels", receipt(bringing: [nested(0x30, 17, around: [])])),
        ("17 certificates", receipt(bringing: repeatedCertificates(14))),
        ("1,000 certificates", receipt(bringing: repeatedCertificates(1_000))),
        ("long tags", item(0x30, 200_000, [0x1F, 0x81, 0x01, 0x00])),
    ]

    private static func repeatedCertificates(_ count: Int) -> [[UInt8]] {
        [[UInt8]](repeating: signer.leaf.der, count: count)
    }

    @Test(arguments: shapes.indices)
    func refusesReceiptsThatAreTooComplex(_ index: Int) {
        let shape = Self.shapes[index]
        #expect(shape.bytes.count <= 2_097_152)
        #expect(Self.bench.verdict(shape.bytes) == "input.too-complex", "\(shape.name)")
    }

    /// Where what is wrong comes before what is too much, that is what is told; nothing behind
    /// it is looked at.
    @Test(
        arguments: [
            [0x30, 0x84, 0x80, 0x00, 0x00, 0x00], [0x30, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0],
            [0x30, 0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            [0x30, 0x03, 0x30, 0x02, 0x05], [0x30, 0x80, 0x05, 0x00], [0x30, 0x02, 0x04, 0x80],
            [0x30, 0x00, 0x00], [0x30], [0x30, 0x82, 0x01],
        ] as [[UInt8]])
    func refusesWhatIsNoDER(_ bytes: [UInt8]) {
        #expect(DERBudget.container.check(bytes[...], allowsBER: true) == .malformed)
        #expect(Self.bench.verdict(bytes) == "receipt.malformed")
    }

    /// The budget ends where it says, not near it.
    @Test func endsWhereItSays() {
        let budget = DERBudget(bytes: 100, nodes: 4, depth: 3, sets: 1, valueBytes: 5)
        func finding(_ bytes: [UInt8]) -> DERBudget.Finding { budget.check(bytes[...]) }
        let value: [UInt8] = [0x05, 0x00]
        #expect(finding(DERText.item(0x30, value + value + value)) == .within)
        #expect(finding(DERText.item(0x30, value + value + value + value)) == .exceeded)
        #expect(finding(Self.nested(0x30, 2, around: value)) == .within)
        #expect(finding(Self.nested(0x30, 3, around: value)) == .exceeded)
        #expect(finding(DERText.item(0x30, DERText.set([]))) == .within)
        #expect(finding(DERText.item(0x30, DERText.set([]) + DERText.set([]))) == .exceeded)
        #expect(finding(DERText.item(0x02, [1, 2, 3, 4, 5])) == .within)
        #expect(finding(DERText.item(0x02, [1, 2, 3, 4, 5, 6])) == .exceeded)
        #expect(finding(DERText.octets([UInt8](repeating: 0, count: 98))) == .within)
        #expect(finding(DERText.octets([UInt8](repeating: 0, count: 99))) == .exceeded)
    }

    /// What stands in the payload is looked through without keeping any of it: an attacker's own
    /// certificate signs it well.
    @Test(
        arguments: [
            ([0x05, 0x00], "receipt.payload"), ([0x30, 0x00], "receipt.payload"),
            (
                DERText.sequence(
                    DERText.integer(17), DERText.integer(1), DERText.octets([0x31, 0x00])),
                "chain.root"
            ),
            (
                DERText.sequence(DERText.integer(99), DERText.integer(1), DERText.octets([])),
                "chain.root"
            ),
        ] as [([UInt8], String)])
    func looksThroughAForgedPayload(_ part: [UInt8], _ verdict: String) {
        let created = DERText.sequence(
            DERText.integer(12), DERText.integer(1),
            DERText.octets(DERText.ia5(TestBench.now.rfc3339)))
        let count = 1_400_000 / part.count
        let forger = ReceiptSimulator(now: TestBench.now, shape: .forged)
        let payload = DERText.set([created, Self.repeated(part, count)])
        #expect(Self.bench.verdict(forger.sign(payload: payload)) == verdict)
    }

    /// Ten thousand purchases are many, and no attack (THREATS.md C12).
    @Test func takesTenThousandPurchases() throws {
        let purchases = (0..<10_000).map { number in
            SimulatedReceiptPurchase(
                productID: "a", transactionID: "\(100_000 + number)", typeNumber: 0,
                purchaseDate: TestBench.now.advanced(byMilliseconds: -86_400_000))
        }
        let receipt = SimulatedReceipt(
            bundleID: TestBench.bundle, createdAt: TestBench.now, purchases: purchases)
        let der = Self.signer.sign(receipt)
        let evidence = try #require(Self.bench.verifier.verify(der, at: TestBench.now).accepted)
        #expect(evidence.transactions.count == 10_000)
    }

    /// The header of a JWS is read before its signature too.
    @Test func refusesHeadersThatAreTooComplex() {
        var header = TestBench.apple.store.header
        header["x"] = .array([JSONValue](repeating: [], count: 300))
        let bytes = TestBench.apple.store.sign(
            payloadBytes: TestBench.transaction.payload.serialized(), header: header)
        #expect(TestBench.apple.verdict(bytes) == "input.too-complex")
    }

    /// So is JSON around a JWS.
    @Test(arguments: [
        String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
        "[0" + String(repeating: ",0", count: 100_000) + "]",
    ])
    func refusesBodiesThatAreTooComplex(_ part: String) {
        let body = #"{"signedPayload":"a.b.c","x":\#(part)}"#
        #expect(Self.bench.verdict([UInt8](body.utf8)) == "input.too-complex")
        let long = #"{"signedPayload":"\#(String(repeating: "a", count: 2_097_152))"}"#
        #expect(Self.bench.verdict([UInt8](long.utf8)) == "input.too-large")
    }

    /// And so is a payload that nobody has vouched for; one that Apple signed is kept.
    @Test func refusesPayloadsThatAreTooComplex() {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let payload = [UInt8](#"{"transactionId":"1","x":\#(deep)}"#.utf8)
        let header = TestBench.apple.store.header
        let genuine = TestBench.apple.store.sign(payloadBytes: payload, header: header)
        #expect(TestBench.apple.verdict(genuine) == "payload.json")
        let forger = StoreSimulator(seed: 2, now: TestBench.now)
        let forged = forger.sign(payloadBytes: payload, header: forger.header)
        #expect(TestBench.apple.verdict(forged) == "input.too-complex")
    }
}

extension ChainShape {
    /// Apple's in everything but who made it.
    fileprivate static var forged: ChainShape {
        var shape = ChainShape.appleReceipts(around: TestBench.now)
        shape.root.commonName = "Apple Root CA"
        return shape
    }
}
