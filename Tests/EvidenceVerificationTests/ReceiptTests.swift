internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// App receipts: what they yield, and the attacks on them (THREATS.md C1 to C16).
@Suite(.timeLimit(.minutes(20)))
struct ReceiptTests {
    private static let signer = ReceiptSimulator(now: TestBench.now)
    private static let bench = bench(trusting: signer)

    private static func bench(trusting signer: ReceiptSimulator) -> TestBench {
        TestBench { settings, _ in
            settings.receiptAnchors = [TrustAnchor(root: .fingerprint(signer.root.fingerprint))]
        }
    }

    /// Whole seconds, as receipts have them.
    private static let createdAt = TestBench.now
    private static let bought = TestBench.now.advanced(byMilliseconds: -86_400_000)

    private static var purchase: SimulatedReceiptPurchase {
        var purchase = SimulatedReceiptPurchase(
            productID: "com.example.reader.gold.monthly", transactionID: "101", typeNumber: 3,
            purchaseDate: bought, expiresDate: bought.advanced(byMilliseconds: 2_592_000_000))
        purchase.originalTransactionID = "100"
        purchase.webOrderLineItemID = 2_000_000_000_302_832
        return purchase
    }

    private static var receipt: SimulatedReceipt {
        SimulatedReceipt(bundleID: TestBench.bundle, createdAt: createdAt, purchases: [purchase])
    }

    private static func verdict(_ der: [UInt8]) -> String { bench.verdict(der) }

    /// The app itself, by the number of its download (spec 1.13).
    @Test(
        arguments: [
            (77, "2012-05-01T08:00:00Z", true), (0, "2012-05-01T08:00:00Z", false), (77, "", false),
            (77, "1999-05-01T08:00:00Z", false),
        ] as [(Int64, String, Bool)])
    func yieldsTheApp(_ download: Int64, _ bought: String, isKnown: Bool) throws {
        var receipt = Self.receipt
        receipt.otherAttributes = [
            (15, DERText.integer(download)), (18, DERText.ia5(bought)),
            (19, DERText.utf8("2.0")),
        ]
        let evidence = try #require(
            Self.bench.verifier.verify(Self.signer.sign(receipt), at: TestBench.now).accepted)
        let app = evidence.appPurchase
        #expect((app != nil) == isKnown)
        guard isKnown else { return }
        #expect(app?.transactionID.text == "app-download-77")
        #expect(app?.productID == .app)
        #expect(app?.purchaseDate == Instant(rfc3339: bought))
        // The first of two, as everywhere in a receipt.
        #expect(app?.firstVersion == "1.0")
        #expect(app?.source.receipt == evidence.transactions.first?.source.receipt)
        #expect(!evidence.transactions.contains { $0.productID == .app })
    }

    @Test func yieldsItsPurchases() throws {
        var coins = SimulatedReceiptPurchase(
            productID: "com.example.reader.coins.100", transactionID: "102", typeNumber: 1,
            purchaseDate: Self.bought)
        coins.quantity = 3
        var free = SimulatedReceiptPurchase(
            productID: "com.example.reader.weekly", transactionID: "103", typeNumber: 4,
            purchaseDate: Self.bought)
        free.cancellationDate = Self.bought.advanced(byMilliseconds: 1_000)
        free.cancellationReason = 1
        var receipt = Self.receipt
        receipt.purchases += [coins, free]
        let der = Self.signer.sign(receipt)
        let evidence = try #require(
            Self.bench.verifier.verify(der, at: TestBench.now).accepted)
        #expect(evidence.kind == .receipt)
        #expect(evidence.judgedAt == Self.createdAt)
        #expect(evidence.environment == .production)
        #expect(evidence.implausible.isEmpty)
        #expect(
            evidence.transactions.map(\.kind)
                == [.known(.autoRenewable), .known(.consumable), .known(.free)])
        let first = try #require(evidence.transactions.first)
        #expect(first.transactionID.text == "101")
        #expect(first.originalTransactionID.text == "100")
        #expect(first.productID.text == "com.example.reader.gold.monthly")
        #expect(first.webOrderLineItemID?.text == "2000000000302832")
        #expect(first.purchaseDate == Self.bought)
        #expect(first.expiresDate == Self.purchase.expiresDate)
        #expect(first.signedDate == Self.createdAt)
        #expect(first.ownership == .notStated)
        #expect(first.revocation == nil)
        #expect(first.source.form == .receipt)
        #expect(Set(evidence.transactions.map(\.source.receipt)).count == 1)
        #expect(first.source.receipt != nil)
        #expect(evidence.transactions[1].quantity == 3)
        #expect(evidence.transactions[1].webOrderLineItemID == nil)
        #expect(
            evidence.transactions[2].revocation
                == Revocation(date: Self.bought.advanced(byMilliseconds: 1_000), reason: 1))
    }

    @Test func readsOffers() throws {
        var trial = Self.purchase
        trial.isTrial = true
        var introductory = Self.purchase
        introductory.isIntroductory = true
        var promotional = Self.purchase
        promotional.promotionalOfferID = "x"
        var receipt = Self.receipt
        receipt.purchases = [trial, introductory, promotional, Self.purchase]
        let verdict = Self.bench.verifier.verify(Self.signer.sign(receipt), at: TestBench.now)
        #expect(
            try #require(verdict.accepted).transactions.map(\.offer) == [
                Offer(type: 1, discountType: "FREE_TRIAL"), Offer(type: 1),
                Offer(type: 2, identifier: "x"), nil,
            ])
    }

    @Test func isTheSameInBase64() {
        let text = Base64.standard.encode(Self.signer.sign(Self.receipt))
        #expect(Self.verdict([UInt8](text)) == "accepted")
        #expect(Self.verdict([UInt8](text + "\n")) == "accepted")
    }

    /// Lines end in LF or CR LF, and nothing else stands between them.
    @Test(arguments: [
        ("\n", "accepted"), ("\r\n", "accepted"), ("\r", "input.encoding"), (" ", "input.encoding"),
        ("\r\r\n", "input.encoding"), ("\t\n", "input.encoding"), ("=\n", "input.encoding"),
    ])
    func mayComeInLines(_ end: String, _ verdict: String) {
        let text = Base64.standard.encode(Self.signer.sign(Self.receipt))
        let lines = stride(from: 0, to: text.utf8.count, by: 76).map { start in
            String(text.dropFirst(start).prefix(76))
        }
        #expect(Self.verdict([UInt8](lines.joined(separator: end))) == verdict)
    }

    @Test func isTakenForAReceiptOnly() {
        let der = Self.signer.sign(Self.receipt)
        for kind in EvidenceKind.allCases {
            let verdict = Self.bench.verifier.verify(der, as: kind, at: TestBench.now).summary
            #expect(verdict == (kind == .receipt ? "accepted" : "bind.kind"))
        }
    }

    struct Container: CustomTestStringConvertible, Sendable {
        let name: String
        let verdict: String
        let change: @Sendable (inout ReceiptShape) -> Void

        init(
            _ name: String, _ verdict: String,
            _ change: @escaping @Sendable (inout ReceiptShape) -> Void
        ) {
            self.name = name
            self.verdict = verdict
            self.change = change
        }

        var testDescription: String { "\(name): \(verdict)" }
    }

    static let containers = [
        Container("SHA-1", "accepted") { $0.hash = .sha1 },
        Container("RSA with SHA-256", "accepted") { $0.signatureArc = 11 },
        Container("SHA-1 signed as SHA-256", "receipt.algorithm") {
            $0.hash = .sha1
            $0.signatureArc = 11
        },
        Container("MD5", "receipt.algorithm") { $0.hash = .md5 },
        Container("RSA-PSS", "receipt.algorithm") { $0.signatureArc = 10 },
        Container("signed attributes", "receipt.attributes") { $0.signedAttributes = [] },
        Container("no signer", "receipt.malformed") { $0.signers = 0 },
        Container("two signers", "receipt.malformed") { $0.signers = 2 },
        Container("certificates the other way round", "accepted") {
            $0.certificates = [.root, .intermediate, .leaf]
        },
        Container("certificates twice", "accepted") {
            $0.certificates = [.leaf, .leaf, .intermediate, .intermediate, .root, .root]
        },
        Container("no leaf", "receipt.malformed") { $0.certificates = [.intermediate, .root] },
        Container("no intermediate", "chain.malformed") { $0.certificates = [.leaf, .root] },
        Container("no root", "chain.root") { $0.certificates = [.leaf, .intermediate] },
        Container("no certificate", "receipt.malformed") { $0.certificates = [] },
        Container("many certificates", "input.too-complex") {
            $0.certificates = [ReceiptShape.Role](repeating: .leaf, count: 17)
        },
    ]

    @Test(arguments: containers)
    func judgesContainers(_ container: Container) {
        var shape = ReceiptShape()
        container.change(&shape)
        #expect(Self.verdict(Self.signer.sign(Self.receipt, as: shape)) == container.verdict)
    }

    static let chains = [
        ChainAttackTests.Shape("SHA-1 chain", "accepted") {
            $0.leaf.usesSHA1 = true
            $0.intermediate.usesSHA1 = true
        },
        ChainAttackTests.Shape("leaf without its marker", "chain.oid") { $0.leaf.markers = [] },
        ChainAttackTests.Shape("intermediate without its marker", "chain.oid") {
            $0.intermediate.markers = []
        },
        ChainAttackTests.Shape("intermediate that is no authority", "chain.constraint") {
            $0.intermediate.isAuthority = false
        },
        ChainAttackTests.Shape("elliptic intermediate", "chain.algorithm") {
            $0.intermediate.key = .p384
        },
        ChainAttackTests.Shape("leaf signed by a stranger", "chain.signature") {
            $0.leaf.signer = .stranger
        },
        ChainAttackTests.Shape("expired leaf", "chain.time") {
            $0.leaf.valid.to = createdAt.advanced(byMilliseconds: -1_000)
        },
    ]

    @Test(arguments: chains)
    func judgesChains(_ shape: ChainAttackTests.Shape) {
        var chain = ChainShape.appleReceipts(around: TestBench.now)
        shape.change(&chain)
        let signer = ReceiptSimulator(now: TestBench.now, shape: chain)
        #expect(Self.bench(trusting: signer).verdict(signer.sign(Self.receipt)) == shape.verdict)
    }

    /// Two certificates under one issuer: the signer is the one with the serial number.
    @Test func findsTheSignerBySerialNumber() throws {
        let leaf = Self.signer.leaf.der
        let serial: [UInt8] = [0x02, 0x02, 0x00, 0x93]
        let start = try #require(leaf.indices.first { leaf[$0...].starts(with: serial) })
        var shape = ReceiptShape()
        shape.otherCertificates = [leaf]
        shape.otherCertificates[0][start + 3] = 0x94
        #expect(Self.verdict(Self.signer.sign(Self.receipt, as: shape)) == "accepted")
    }

    @Test(
        arguments: [
            (300_000, "accepted"), (301_000, "chain.time"), (nil, "receipt.payload"),
        ] as [(Int64?, String)])
    func needsACreationDateThatHasCome(_ ahead: Int64?, _ expected: String) {
        var receipt = Self.receipt
        receipt.createdAt = ahead.map(TestBench.now.advanced(byMilliseconds:))
        #expect(Self.verdict(Self.signer.sign(receipt)) == expected)
    }

    /// The same names and the same keys in another root, which nobody pinned.
    @Test func refusesAnotherRoot() {
        var chain = ChainShape.appleReceipts(around: TestBench.now)
        chain.root.valid.to = chain.root.valid.to.advanced(byMilliseconds: 86_400_000)
        let namesake = ReceiptSimulator(now: TestBench.now, shape: chain)
        #expect(Self.verdict(namesake.sign(Self.receipt)) == "chain.root")
    }

    @Test(arguments: [
        ("com.example.other", "Production", "bind.bundle"),
        ("com.example.reader", "Xcode", "bind.environment"),
        ("com.example.reader", "Moon", "bind.environment"),
        ("com.example.reader", "", "bind.environment"),
        ("com.example.reader", "ProductionSandbox", "accepted"),
        ("com.example.reader", "ProductionVPP", "accepted"),
    ])
    func binds(_ bundle: String, _ environment: String, _ expected: String) {
        var receipt = Self.receipt
        receipt.bundleID = bundle
        receipt.environmentName = environment
        #expect(Self.verdict(Self.signer.sign(receipt)) == expected)
    }

    static let payloads: [(name: String, type: Int64, value: [UInt8], verdict: String)] = [
        ("bundle id twice", 2, [0x0C, 0x01, 0x78], "receipt.malformed"),
        ("environment twice", 0, [0x0C, 0x01, 0x78], "receipt.malformed"),
        ("creation date twice", 12, [0x16, 0x00], "receipt.malformed"),
        ("purchase that is no set", 17, [0x0C, 0x00], "receipt.payload"),
        ("unknown attribute", 9_999, [0xFF], "accepted"),
    ]

    @Test(arguments: payloads.indices)
    func judgesAttributes(_ index: Int) {
        let example = Self.payloads[index]
        var receipt = Self.receipt
        receipt.otherAttributes = [(example.type, example.value)]
        #expect(Self.verdict(Self.signer.sign(receipt)) == example.verdict)
    }

    @Test(arguments: [[], [0x31], [0x31, 0x80, 0, 0], [0x31, 0x02, 0x30, 0x00], [0x0C, 0x00]])
    func refusesPayloadsThatAreNoSet(_ payload: [UInt8]) {
        #expect(Self.verdict(Self.signer.sign(payload: payload)) == "receipt.payload")
    }

    static let purchases: [(name: String, type: Int64, value: [UInt8], code: QuarantineCode)] = [
        ("no transaction", 1_703, [0x0C, 0x00], .payloadMissing),
        ("id with a blank", 1_703, [0x0C, 0x03, 0x31, 0x20, 0x32], .payloadID),
        ("no purchase date", 1_704, [0x16, 0x00], .payloadMissing),
        ("date that is none", 1_704, [0x16, 0x01, 0x78], .payloadType),
        ("end that is no date", 1_708, [0x16, 0x01, 0x78], .payloadType),
        ("no end", 1_708, [0x16, 0x00], .implausibleExpiry),
        ("no quantity at all", 1_701, [0x02, 0x01, 0x00], .implausibleQuantity),
        (
            "bought in 1970", 1_704,
            [0x16, 0x14] + Array("1970-01-01T00:00:00Z".utf8), .implausibleDate
        ),
    ]

    /// One purchase that cannot be leaves the others alone.
    @Test(arguments: purchases.indices)
    func quarantinesPurchasesAlone(_ index: Int) throws {
        let example = Self.purchases[index]
        var broken = Self.purchase
        broken.otherAttributes = [(example.type, example.value)]
        var receipt = Self.receipt
        receipt.purchases.append(broken)
        let evidence = try #require(
            Self.bench.verifier.verify(Self.signer.sign(receipt), at: TestBench.now).accepted)
        #expect(evidence.transactions.count == 1)
        #expect(evidence.implausible.map(\.code) == [example.code])
    }

    @Test func refusesTrailingBytes() {
        #expect(Self.verdict(Self.signer.sign(Self.receipt) + [0]) == "receipt.malformed")
    }

    /// Every sixty-first bit of payload, signature, certificates and the container around them; all
    /// places within a byte in turn.
    @Test func refusesEveryFlippedBit() {
        let der = Self.signer.sign(Self.receipt)
        var accepted: [Int] = []
        for bit in stride(from: 0, to: der.count * 8, by: 61) {
            var flipped = der
            flipped[bit / 8] ^= 1 << (bit % 8)
            if Self.verdict(flipped) == "accepted" { accepted.append(bit / 8) }
        }
        #expect(accepted == [])
    }

    @Test func isInspectedUnderTheNamesOfVerifyReceipt() throws {
        let inspection = inspect(
            Self.signer.sign(Self.receipt), verifier: Self.bench.verifier, at: TestBench.now)
        let json = inspection.json()
        #expect(json["kind"]?.string == "receipt")
        #expect(json["verdict"]?.string == "accepted")
        let purchase = try #require(json["transactions"]?.elements?.first)
        #expect(purchase["transaction_id"]?.string == "101")
        #expect(purchase["web_order_line_item_id"]?.int64 == 2_000_000_000_302_832)
        #expect(json["chain"]?.elements?.count == 3)
    }
}
