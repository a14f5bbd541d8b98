internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// Notifications, and that each JWS inside is judged on its own (THREATS.md A22, A25, D6).
@Suite(.timeLimit(.minutes(20)))
struct NotificationTests {
    private static let bench = TestBench.apple

    private static func verdict(_ notification: SimulatedNotification) -> EvidenceVerdict {
        bench.verifier.verify(bench.store.sign(notification.payload), at: TestBench.now)
    }

    private static func change(
        _ change: (inout SimulatedNotification) -> Void
    ) -> SimulatedNotification {
        var notification = bench.fullNotification()
        change(&notification)
        return notification
    }

    @Test func yieldsWhatItCarries() throws {
        let evidence = try #require(Self.verdict(Self.bench.fullNotification()).accepted)
        #expect(evidence.kind == .notification)
        #expect(evidence.environment == .production)
        #expect(evidence.transactions.map(\.transactionID.text) == ["100"])
        #expect(evidence.renewals.map(\.originalTransactionID.text) == ["100"])
        let head = try #require(evidence.notification)
        #expect(head.type == "SUBSCRIBED")
        #expect(head.subtype == "INITIAL_BUY")
        #expect(head.uuid == "002e14d5-51f5-4503-b5a8-c3a1af68eb20")
        #expect(head.signedDate == TestBench.notification.signedDate)
    }

    @Test func isTheSameAsApplePostsIt() throws {
        let jws = Self.bench.store.sign(Self.bench.fullNotification().payload)
        let body: JSONValue = ["signedPayload": .string(String(decoding: jws, as: UTF8.self))]
        let evidence = try #require(
            Self.bench.verifier.verify(body.serialized(), at: TestBench.now).accepted)
        #expect(evidence.transactions.count == 1)
        #expect(
            Self.bench.verifier.verify(body.serialized(), as: .transaction, at: TestBench.now)
                .summary == "bind.kind")
    }

    @Test(arguments: [
        "SUBSCRIBED", "DID_RENEW", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
        "OFFER_REDEEMED", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "EXPIRED",
        "PRICE_INCREASE", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED", "CONSUMPTION_REQUEST",
        "REVOKE", "RENEWAL_EXTENDED", "ONE_TIME_CHARGE", "METADATA_UPDATE", "MIGRATION",
        "PRICE_CHANGE", "TEST", "SOMETHING_NEW",
    ])
    func takesEveryType(_ type: String) {
        #expect(Self.verdict(Self.change { $0.type = type }).summary == "accepted")
    }

    @Test(arguments: [
        SimulatedNotification.Subject.summary, .appData, .externalPurchaseToken,
    ])
    func bindsEverySubject(_ subject: SimulatedNotification.Subject) {
        var notification = TestBench.notification
        notification.subject = subject
        #expect(Self.verdict(notification).summary == "accepted")
        notification.bundleID = "com.example.other"
        #expect(Self.verdict(notification).summary == "bind.bundle")
    }

    @Test(arguments: [1_234_567_891, nil] as [Int64?])
    func needsItsAppInProduction(_ appleID: Int64?) {
        let other = Self.change { $0.appAppleID = appleID }
        #expect(Self.verdict(other).summary == "bind.app")
        var app = TestBench.appTransaction
        app.appAppleID = appleID
        #expect(TestBench.apple.verdict(Self.bench.store.sign(app.payload)) == "bind.app")
    }

    @Test func needsNoAppInSandbox() {
        var notification = TestBench.notification
        notification.environment = .sandbox
        notification.appAppleID = nil
        #expect(Self.verdict(notification).summary == "accepted")
    }

    struct Inner: CustomTestStringConvertible, Sendable {
        let name: String
        let verdict: String
        let change: @Sendable (inout SimulatedNotification) -> Void

        init(
            _ name: String, _ verdict: String,
            _ change: @escaping @Sendable (inout SimulatedNotification) -> Void
        ) {
            self.name = name
            self.verdict = verdict
            self.change = change
        }

        var testDescription: String { "\(name): \(verdict)" }
    }

    static let inner = [
        Inner("transaction of another app", "bind.bundle") {
            $0.transaction = bench.store.sign(
                TestBench.transaction.with("bundleId", "com.example.other"))
        },
        Inner("transaction of another environment", "bind.environment") {
            $0.transaction = bench.store.sign(
                TestBench.transaction.with("environment", "Sandbox"))
        },
        Inner("renewal info of another environment", "bind.environment") {
            var renewal = TestBench.renewal
            renewal.environment = .sandbox
            $0.renewal = bench.store.sign(renewal.payload)
        },
        Inner("transaction of an environment that is not trusted", "bind.environment") {
            $0.transaction = bench.store.sign(TestBench.transaction.with("environment", "Xcode"))
        },
        Inner("transaction under another root", "chain.root") {
            $0.transaction = StoreSimulator(seed: 2, now: TestBench.now)
                .sign(TestBench.transaction.payload)
        },
        Inner("transaction with a broken signature", "jws.signature") {
            $0.transaction = $0.transaction.map {
                $0.dropLast(86) + [UInt8](repeating: UInt8(ascii: "A"), count: 86)
            }
        },
        Inner("renewal info in the transaction's place", "bind.kind") {
            $0.transaction = $0.renewal
        },
        Inner("transaction in the renewal info's place", "bind.kind") {
            $0.renewal = $0.transaction
        },
        Inner("transaction that is no JWS", "jws.malformed") { $0.transaction = [UInt8]("x") },
        Inner("transaction that is null", "accepted") {
            $0.otherFields = [JSONMember("signedTransactionInfo", .null)]
        },
        Inner("transaction that is impossible", "accepted") {
            $0.transaction = bench.store.sign(TestBench.transaction.with("quantity", 0))
        },
        Inner("no identity", "accepted") { $0.uuid = "" },
    ]

    @Test(arguments: inner)
    func judgesEachPart(_ inner: Inner) {
        #expect(Self.verdict(Self.change(inner.change)).summary == inner.verdict)
    }

    /// What is odd about the envelope: the member, its value, the code under which it is kept.
    static let envelopes: [(member: String, isOfData: Bool, value: JSONValue, code: String)] = [
        ("subtype", false, 1, "payload.type"), ("subtype", false, [], "payload.type"),
        ("version", false, 2, "payload.type"), ("notificationUUID", false, 7, "payload.type"),
        ("notificationUUID", false, "", "payload.id"),
        ("notificationUUID", false, nil, "payload.missing"),
        ("notificationType", false, true, "payload.type"),
        ("notificationType", false, "a b", "payload.id"),
        ("signedDate", false, "now", "payload.type"),
        ("status", true, "1", "payload.type"), ("appAppleId", true, "1", "payload.type"),
        ("bundleId", true, 1, "payload.type"), ("environment", true, 1, "payload.type"),
        ("bundleVersion", true, 1, "payload.type"),
    ]

    /// One odd member of the envelope keeps the notification apart, and takes nothing from the
    /// transaction and the renewal info, which Apple signed for themselves.
    @Test(arguments: envelopes.indices)
    func takesWhatAnOddEnvelopeCarries(_ index: Int) throws {
        let odd = Self.envelopes[index]
        var payload = Self.bench.fullNotification().payload
        if odd.isOfData {
            var data = try #require(payload["data"])
            data[odd.member] = odd.value
            payload["data"] = data
        } else {
            payload[odd.member] = odd.value
        }
        let bytes = Self.bench.store.sign(payload)
        let evidence = try #require(
            Self.bench.verifier.verify(bytes, at: TestBench.now).accepted, "\(odd.member)")
        #expect(evidence.kind == .notification)
        #expect(evidence.notification == nil)
        #expect(evidence.environment == .production)
        #expect(evidence.transactions.map(\.transactionID.text) == ["100"])
        #expect(evidence.renewals.map(\.originalTransactionID.text) == ["100"])
        #expect(evidence.implausible.map(\.code.rawValue) == [odd.code])
        #expect(evidence.implausible.map(\.field) == [odd.member])
    }

    /// An envelope that carries nothing is kept apart as a whole, and one that is of another app or
    /// carries what is forged gives nothing away.
    @Test func trustsNoOddEnvelopeMore() throws {
        var empty = TestBench.notification.payload
        empty["subtype"] = 1
        #expect(Self.bench.verdict(Self.bench.store.sign(empty)) == "payload.type")
        for (member, value, code) in [
            ("bundleId", "com.example.other", "bind.bundle"),
            ("environment", "Xcode", "bind.environment"),
            ("environment", "Sandbox", "bind.environment"),
        ] {
            var payload = Self.bench.fullNotification().payload
            payload["subtype"] = 1
            var data = try #require(payload["data"])
            data[member] = .string(value)
            payload["data"] = data
            #expect(Self.bench.verdict(Self.bench.store.sign(payload)) == code, "\(member)")
        }
        let forged = Self.change {
            $0.transaction = StoreSimulator(seed: 2, now: TestBench.now)
                .sign(TestBench.transaction.payload)
        }
        var payload = forged.payload
        payload["subtype"] = 1
        #expect(Self.bench.verdict(Self.bench.store.sign(payload)) == "chain.root")
    }

    /// What is null is not there.
    @Test func takesNoSubtypeForNone() throws {
        var payload = Self.bench.fullNotification().payload
        payload["subtype"] = JSONValue.null
        let bytes = Self.bench.store.sign(payload)
        let evidence = try #require(Self.bench.verifier.verify(bytes, at: TestBench.now).accepted)
        let head = try #require(evidence.notification)
        #expect(head.subtype == nil)
        #expect(evidence.implausible.isEmpty)
        #expect(evidence.transactions.count == 1)
    }

    @Test func keepsAnImpossiblePartApart() throws {
        let notification = Self.change {
            $0.transaction = Self.bench.store.sign(TestBench.transaction.with("quantity", 0))
        }
        let evidence = try #require(Self.verdict(notification).accepted)
        #expect(evidence.transactions.isEmpty)
        #expect(evidence.renewals.count == 1)
        #expect(evidence.implausible.map(\.code) == [.implausibleQuantity])
        #expect(evidence.implausible.first?.transaction?.transactionID.text == "100")
    }

    @Test func isJudgedNowWithoutASigningTime() throws {
        var payload = Self.bench.fullNotification().payload
        payload["signedDate"] = .none
        let bytes = Self.bench.store.sign(payload)
        let evidence = try #require(Self.bench.verifier.verify(bytes, at: TestBench.now).accepted)
        #expect(evidence.judgedAt == TestBench.now)
        #expect(evidence.notification?.signedDate == TestBench.now)
        let late = TestBench.now.advanced(byMilliseconds: 2 * 366 * 86_400_000)
        #expect(Self.bench.verdict(bytes, at: late) == "chain.time")
    }
}
