internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// The rows of THREATS.md that must be refused, through the whole engine: the code, at most an
/// audit line in the ledger, and nobody's rights changed.
@Suite("What is refused changes nothing", .timeLimit(.minutes(20)))
struct ThreatTests {
    struct Threat: CustomTestStringConvertible, Sendable {
        let name: String
        let code: String
        let make: @Sendable (HostileEvidence) -> [UInt8]

        init(
            _ name: String, _ code: VerificationRefusalCode,
            _ make: @escaping @Sendable (HostileEvidence) -> [UInt8]
        ) {
            self.name = name
            self.code = code.rawValue
            self.make = make
        }

        /// A text that nobody signed.
        init(_ name: String, _ code: VerificationRefusalCode, text: String) {
            self.init(name, code) { _ in Array(text.utf8) }
        }

        var testDescription: String { "\(name): \(code)" }
    }

    static let inputs = [
        Threat("a word", .inputKind, text: "hello"),
        Threat("base64 with a blank", .inputEncoding, text: "MII BAAA"),
        Threat(
            "two payloads", .inputDuplicateKey, text: #"{"signedPayload":"a","signedPayload":"b"}"#),
        Threat("a number beyond all", .inputNumber, text: #"{"status":1e999}"#),
        Threat("larger than any evidence", .inputTooLarge) { _ in
            [UInt8](repeating: UInt8(ascii: "M"), count: 2_097_153)
        },
        Threat("H28: sequences in sequences", .inputTooComplex) { _ in
            (0..<100).reduce([]) { bytes, _ in DERText.item(0x30, bytes) }
        },
        Threat(
            "D2: an answer of verifyReceipt", .evidenceUnsigned,
            text: #"{"status":0,"receipt":{"bundle_id":"com.example.reader"}}"#),
        Threat(
            "D2: an answer of verifyReceipt with latest receipts", .evidenceUnsigned,
            text: #"{"status":0,"latest_receipt_info":[]}"#),
        Threat(
            "D18: a notification of version 1", .evidenceUnsigned,
            text: #"{"notification_type":"INITIAL_BUY","unified_receipt":{},"password":"x"}"#),
        Threat(
            "D23: dates in a body", .evidenceUnsigned,
            text: #"{"transaction_id":"666","expires_date_ms":"4102444800000"}"#),
        Threat("D17: a notification with an empty signature", .jwsSignature) { hostile in
            let jws = hostile.transaction().lastDotCut
            return hostile.body(jws + Array(".".utf8))
        },
        Threat("D17: a notification without a signature", .jwsMalformed) { hostile in
            hostile.body(hostile.transaction().lastDotCut)
        },
        Threat(
            "D17: a notification that is null", .inputKind,
            text: #"{"signedPayload":null}"#),
    ]

    static let signatures = [
        Threat("alg none", .jwsAlgorithm) { $0.header { $0["alg"] = "none" } },
        Threat("no certificate", .jwsChain) { $0.header { $0["x5c"] = [] } },
        Threat("an unknown critical extension", .jwsCritical) {
            $0.header { $0["crit"] = ["b64"] }
        },
        Threat("another payload under the signature", .jwsSignature) { hostile in
            let (own, other) = (hostile.transaction(), hostile.transaction { $0.quantity = 2 })
            return other.lastDotCut + own[own.lastDotCut.count...]
        },
        Threat("a signature with other last bytes", .jwsSignature) { hostile in
            let jws = hostile.transaction()
            return jws.dropLast(8) + Array("AAAAAAAA".utf8)
        },
        Threat("D23: grace that a stranger signed", .chainRoot) { _ in
            StoreSimulator(seed: 8, now: HostileEvidence.now).sign(HostileEvidence.grace.payload)
        },
        Threat("D23: grace under the signature of something else", .jwsSignature) { hostile in
            let own = hostile.transaction()
            let other = hostile.store.sign(HostileEvidence.grace.payload)
            return other.lastDotCut + own[own.lastDotCut.count...]
        },
        Threat("D23: grace inside a notification, signed by a stranger", .chainRoot) { hostile in
            let stranger = StoreSimulator(seed: 8, now: HostileEvidence.now)
            return hostile.notification {
                $0.renewal = stranger.sign(HostileEvidence.grace.payload)
            }
        },
        Threat("a root of one's own", .chainRoot) { _ in
            StoreSimulator(seed: 8, now: HostileEvidence.now).sign(HostileEvidence.prize.payload)
        },
        Threat("a chain without Apple's markers", .chainMarker) {
            $0.chain { $0.leaf.markers = [] }
        },
        Threat("a leaf that is an authority", .chainConstraint) {
            $0.chain { $0.leaf.isAuthority = true }
        },
        Threat("a leaf with another kind of key", .chainAlgorithm) {
            $0.chain { $0.leaf.key = .p384 }
        },
        Threat("a leaf that a stranger signed", .chainSignature) {
            $0.chain { $0.leaf.signer = .stranger }
        },
        Threat("signed in an hour", .chainTime) {
            $0.transaction { $0.signedDate = $0.signedDate.advanced(byMilliseconds: 3_600_000) }
        },
        Threat("a certificate that is none", .chainMalformed) {
            $0.header { $0["x5c"] = ["AAAA", "AAAA", "AAAA"] }
        },
    ]

    /// D7: what is nearly the bundle id.
    static let bundles = [
        "com.example.reader.", "com.example.reader2", "com.example.reade", "Com.example.reader",
        "com.example.READER", "com.example.reader ", "xcom.example.reader", ".com.example.reader",
        "com.example", "com.example.reader.pro", "com\u{FF0E}example.reader", "*",
        "com.example.reader\u{301}", "com.example.\u{212A}eader",
    ].map { bundle in
        Threat("D3, D7: the bundle '\(bundle)'", .bindBundle) {
            $0.transaction { $0.bundleID = bundle }
        }
    }

    static let bindings = [
        Threat("D3: a notification of another app", .bindBundle) {
            $0.notification { $0.bundleID = "com.example.other" }
        },
        Threat("D6: another number of the app", .bindApp) { $0.notification { $0.appAppleID = 7 } },
        Threat("D5: a transaction of Xcode's", .bindEnvironment) {
            $0.transaction { $0.environment = .xcode }
        },
        Threat("D5: a notification of local testing", .bindEnvironment) {
            $0.notification { $0.environment = .localTesting }
        },
        Threat("D5: a sandbox transaction in a production notification", .bindEnvironment) {
            let inner = $0.transaction { $0.environment = .sandbox }
            return $0.notification { $0.transaction = inner }
        },
        Threat("something signed that is none of Apple's", .bindKind) { $0.store.sign(["a": 1]) },
        Threat("D3: a receipt of another app", .bindBundle) {
            $0.receipt { $0.bundleID = "com.example.other" }
        },
        Threat("D5: a receipt of Xcode's", .bindEnvironment) {
            $0.receipt { $0.environmentName = "Xcode" }
        },
    ]

    static let receipts = [
        Threat("a receipt that is cut", .receiptMalformed) { Array($0.receipt().dropLast(40)) },
        Threat("a receipt under MD5", .receiptAlgorithm) {
            $0.receipt(HostileEvidence.shape { $0.hash = .md5 })
        },
        Threat("a receipt with signed attributes", .receiptAttributes) {
            $0.receipt(HostileEvidence.shape { $0.signedAttributes = [] })
        },
        Threat("a receipt with another signature", .receiptSignature) {
            var bytes = $0.receipt()
            bytes[bytes.count - 1] ^= 1
            return bytes
        },
        Threat("a receipt without a date", .receiptPayload) { $0.receipt { $0.createdAt = nil } },
    ]

    static let all = inputs + signatures + bundles + bindings + receipts

    @Test("with one audit line, once", arguments: all)
    func refuses(threat: Threat) async throws {
        let hostile = HostileEvidence()
        let shop = try await PlayedShop(trusting: hostile.trusted)
        let mine = hostile.transaction {
            $0.transactionID = "1"
            $0.originalTransactionID = "1"
        }
        try await shop.present(mine, as: "alice")
        let before = try (shop.grants("alice"), shop.grants("mallory"))
        let head = shop.engine.revision.number
        let evidence = threat.make(hostile)
        for account in ["mallory", "alice", nil] {
            let report = try await shop.present(evidence, as: account)
            #expect(report.refusalCode == threat.code)
        }
        #expect(shop.engine.revision.number == head + 1)
        #expect(shop.engine.refusalsLeftOut == 2)
        #expect(try shop.grants("alice") == before.0)
        #expect(try shop.grants("mallory") == before.1)
        #expect(before.0 == ["lifetime"] && before.1 == [])
    }

    @Test("D23: dates that stand beside what was signed stretch nothing")
    func unsignedDates() async throws {
        let shop = try await Shop()
        let gold = try shop.purchase("gold", .autoRenewable, id: "2", until: "2026-03-20")
        try await shop.present(gold, as: "alice")
        let honest = try shop.answer("alice", "premium")
        var notification = SimulatedNotification(
            type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD",
            uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb20", bundleID: "com.example.shop",
            appAppleID: 77, signedDate: shop.clock.now())
        notification.transaction = gold
        let jws = String(decoding: shop.store.sign(notification.payload), as: UTF8.self)
        let far = JSONValue.integer(4_102_444_800_000)
        let body: JSONValue = [
            "signedPayload": .string(jws), "gracePeriodExpiresDate": far, "expiresDate": far,
            "data": [
                "renewalInfo": ["gracePeriodExpiresDate": far, "isInBillingRetryPeriod": true]
            ],
        ]
        #expect(try await shop.present(body.serialized(), as: nil).judged != nil)
        #expect(try shop.answer("alice", "premium").until == honest.until)
        try shop.clock.set("2026-03-25")
        #expect(try !shop.answer("alice", "premium").decision)
    }

    @Test("every code of 4.2 that this policy can lead to has a case")
    func codes() {
        let missing = Set(VerificationRefusalCode.allCases.map(\.rawValue)).subtracting(
            Self.all.map(\.code))
        // Ids that are wrong are quarantined where they are signed; no key is denied here; answers of
        // verifyReceipt come in another way (`ImportedAnswerTests`).
        #expect(missing == ["input.id", "chain.denied", "answer.malformed", "answer.status"])
    }
}

extension [UInt8] {
    /// A JWS without its signature and the dot before it.
    fileprivate var lastDotCut: [UInt8] {
        lastIndex(of: UInt8(ascii: ".")).map { Array(self[..<$0]) } ?? self
    }
}

extension PlayedShop {
    /// Hands in one piece, half a year into the plays.
    @discardableResult
    func present(_ bytes: [UInt8], as account: String?) async throws -> SubmissionReport {
        let piece = PlayedEvidence(
            at: HostileEvidence.now, kind: .transaction, account: account, moment: nil, file: "",
            bytes: bytes)
        return try await handIn(piece, at: HostileEvidence.now)
    }

    /// What the account may use.
    func grants(_ account: String) throws -> [String] {
        let (packed, revision) = try engine.account(try #require(AccountID(account)))
        return packed.answers(in: .production, at: HostileEvidence.now, revision: revision)
            .filter(\.decision).map(\.key.entitlement.text)
    }
}
