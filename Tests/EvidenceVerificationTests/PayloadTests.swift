internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// What a rightly signed payload may say, and what happens where it says something else.
@Suite(.timeLimit(.minutes(20)))
struct PayloadTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let verdict: String
        let payload: JSONValue

        init(_ name: String, _ verdict: String, _ payload: JSONValue) {
            self.name = name
            self.verdict = verdict
            self.payload = payload
        }

        /// A good transaction with one member replaced, or removed with nil.
        init(_ name: String, _ member: String, _ value: JSONValue?, _ verdict: String) {
            self.init(name, verdict, TestBench.transaction.with(member, value))
        }

        var testDescription: String { "\(name): \(verdict)" }
    }

    private static let purchase = TestBench.transaction.purchaseDate.milliseconds
    private static let threeYears = Period(3, .years).end(
        from: TestBench.transaction.purchaseDate
    ).milliseconds

    static let binding = [
        Case("another app", "bundleId", "com.example.other", "bind.bundle"),
        Case("app id with a suffix", "bundleId", "com.example.reader.hd", "bind.bundle"),
        Case("app id cut short", "bundleId", "com.example.reade", "bind.bundle"),
        Case("app id in other case", "bundleId", "com.example.Reader", "bind.bundle"),
        Case("app id with a NUL", "bundleId", "com.example.reader\u{0}", "bind.bundle"),
        Case(
            "app id with a combining mark", "bundleId", "com.example.reader\u{301}", "bind.bundle"),
        Case("app id with a blank", "bundleId", "com.example.reader ", "bind.bundle"),
        Case("no app id", "bundleId", nil, "bind.bundle"),
        Case("no environment", "environment", nil, "bind.environment"),
        Case("environment that is not trusted", "environment", "Xcode", "bind.environment"),
        Case("local testing", "environment", "LocalTesting", "bind.environment"),
        Case("environment in other case", "environment", "production", "bind.environment"),
        Case("environment of the future", "environment", "Moon", "bind.environment"),
        Case("sandbox", "environment", "Sandbox", "accepted"),
    ]

    static let plausibility = [
        Case("subscription without an end", "expiresDate", nil, "implausible.expiry"),
        Case("end before the start", "expiresDate", .integer(purchase - 1), "implausible.expiry"),
        Case("end at the start", "expiresDate", .integer(purchase), "accepted"),
        Case("three years", "expiresDate", .integer(threeYears), "accepted"),
        Case(
            "longer than three years", "expiresDate", .integer(threeYears + 1),
            "implausible.expiry"),
        Case("end at zero", "expiresDate", 0, "implausible.date"),
        Case(
            "bought before there was a store", "purchaseDate", .integer(1_199_145_599_999),
            "implausible.date"),
        Case(
            "bought after 2100", "purchaseDate", .integer(4_133_980_800_000),
            "implausible.date"),
        Case("no quantity", "quantity", nil, "accepted"),
        Case("quantity 0", "quantity", 0, "implausible.quantity"),
        Case("quantity -1", "quantity", -1, "implausible.quantity"),
        Case("quantity 10,000,000", "quantity", 10_000_000, "accepted"),
        Case("quantity 10,000,001", "quantity", 10_000_001, "implausible.quantity"),
    ]

    static let ids = [
        Case("no transaction", "transactionId", nil, "bind.kind"),
        Case("empty id", "transactionId", "", "payload.id"),
        Case("id with a blank", "transactionId", "1 2", "payload.id"),
        Case("id with a NUL", "transactionId", "1\u{0}", "payload.id"),
        Case(
            "id of 129 bytes", "transactionId", .string(String(repeating: "1", count: 129)),
            "payload.id"),
        Case(
            "id of 128 bytes", "transactionId", .string(String(repeating: "1", count: 128)),
            "accepted"),
        Case("id that is not ASCII", "productId", "\u{212A}", "payload.id"),
        Case("no lineage", "originalTransactionId", nil, "payload.missing"),
        Case("no product", "productId", nil, "payload.missing"),
        Case("no purchase date", "purchaseDate", nil, "payload.missing"),
        Case("no line item", "webOrderLineItemId", nil, "accepted"),
        Case("token that is no UUID", "appAccountToken", "alice", "accepted"),
        Case("new kind", "type", "Lifetime Subscription", "accepted"),
        Case("new ownership", "inAppOwnershipType", "BORROWED", "accepted"),
        Case("new member", "somethingNew", ["deep": [1, 2]], "accepted"),
    ]

    /// Letters that look like others, or that a log or a terminal would act on (THREATS.md F9 to
    /// F14).
    private static let oddities = [
        "caf\u{E9}", "cafe\u{301}", "\u{212A}", "\u{212B}", "\u{2126}", "\u{430}", "1\u{200B}2",
        "\u{202E}1", "1\r\n2", "1\n", "\u{1B}[0m", "1\u{2028}2", "1\u{7F}", "1\u{0}", " ", "\t",
        "\u{FF11}", "1\u{A0}",
    ]

    /// What a database would act on is data like any other.
    private static let harmless = [
        "'OR'1'='1", "1;DROP", "%", "_", "*", "1--", "\"", "\\", "../1", "$(1)",
    ]

    static let odd: [Case] = ["transactionId", "originalTransactionId", "productId"].flatMap {
        name in
        oddities.map { Case("\(name) \($0.debugDescription)", name, .string($0), "payload.id") }
            + harmless.map {
                Case("\(name) \($0.debugDescription)", name, .string($0), "accepted")
            }
    }

    @Test(arguments: binding + plausibility + ids + odd)
    func judges(_ example: Case) {
        let bytes = TestBench.apple.store.sign(example.payload)
        #expect(TestBench.apple.verdict(bytes) == example.verdict)
    }

    @Test(
        "nobody buys more than a thousand of what is no subscription",
        arguments: [(1_000, "accepted"), (1_001, "implausible.quantity")])
    func quantityOfOthers(quantity: Int64, verdict: String) {
        var coins = TestBench.transaction
        coins.kind = .consumable
        coins.expiresDate = nil
        coins.quantity = quantity
        #expect(TestBench.apple.verdict(TestBench.apple.store.sign(coins.payload)) == verdict)
    }

    /// Numbers that are no plain integers (THREATS.md F5).
    @Test(arguments: [
        "1e3", "1.0", "1.5", "-0", "9223372036854775808", "1780000000000.5", "1E+2", "-0.0",
        "-9223372036854775809", "0.1e1",
    ])
    func quarantinesOtherNumbers(_ text: String) {
        for member in ["purchaseDate", "quantity", "price"] {
            let payload = TestBench.transaction.with(member, "⟦⟧").text
            let changed = payload.replacing("\"⟦⟧\"", with: text)
            let bytes = TestBench.apple.store.sign(payloadBytes: [UInt8](changed))
            #expect(TestBench.apple.verdict(bytes) == "payload.type")
        }
    }

    /// Dates that no calendar reaches stop nothing; those that a period is made of are impossible
    /// (THREATS.md F17, F18; spec 1.2).
    @Test(arguments: [Int64.max, Int64.min, 253_402_300_800_000, -1])
    func survivesAbsurdDates(_ milliseconds: Int64) {
        let members = [
            ("purchaseDate", "implausible.date"), ("expiresDate", "implausible.date"),
            ("originalPurchaseDate", "accepted"), ("revocationDate", "accepted"),
        ]
        for (member, expected) in members {
            let bytes = TestBench.apple.store.sign(
                TestBench.transaction.with(member, .integer(milliseconds)))
            let inspection = inspect(bytes, verifier: TestBench.apple.verifier, at: TestBench.now)
            #expect(inspection.verdict.summary == expected, "\(member)")
            #expect(inspection.json()["code"]?.string ?? "accepted" == expected)
        }
    }

    /// Rightly signed bytes that are no strict JSON object (THREATS.md A21).
    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":1,}"#, "\u{FEFF}{}", "[]", "1", #"{"a":1e999}"#,
        "{\"a\":\"\u{1}\"}",
    ])
    func quarantinesWhatIsNoStrictObject(_ text: String) {
        let bytes = TestBench.apple.store.sign(payloadBytes: [UInt8](text))
        #expect(TestBench.apple.verdict(bytes) == "payload.json")
    }

    @Test func readsEveryMember() throws {
        var given = TestBench.transaction
        given.appAccountToken = "002E14D5-51F5-4503-B5A8-C3A1AF68EB20"
        given.ownership = "FAMILY_SHARED"
        given.isUpgraded = true
        given.quantity = 3
        given.offer = Offer(
            type: 2, identifier: "promo", discountType: "PAY_UP_FRONT", period: "P3M")
        given.revocation = Revocation(
            date: given.purchaseDate, reason: 1, type: .known(.prorated), percentage: 50_000)
        given.otherFields = [
            JSONMember("additionalTransactionReason", "SEAT_ADDITION"),
            JSONMember("billingPlanType", "MONTHLY"),
            JSONMember(
                "commitmentInfo",
                [
                    "commitmentExpiresDate": 1_790_000_000_000, "billingPeriodNumber": 3,
                    "totalBillingPeriods": 12,
                ]),
            JSONMember(
                "multiSeatInfo", ["invitationManagement": "APPLE", "revokedSeatQuantity": 2]),
        ]
        let bytes = TestBench.apple.store.sign(given.payload)
        let evidence = try #require(
            TestBench.apple.verifier.verify(bytes, at: TestBench.now).accepted)
        let read = try #require(evidence.transactions.first)
        #expect(evidence.transactions.count == 1)
        #expect(evidence.kind == .transaction)
        #expect(evidence.bytes == bytes)
        #expect(evidence.judgedAt == given.signedDate)
        #expect(evidence.bundleID?.text == TestBench.bundle)
        #expect(read.transactionID.text == given.transactionID)
        #expect(read.originalTransactionID.text == given.originalTransactionID)
        #expect(read.webOrderLineItemID?.text == given.webOrderLineItemID)
        #expect(read.kind == .known(.autoRenewable))
        #expect(read.subscriptionGroupID?.text == given.subscriptionGroupID)
        #expect(read.purchaseDate == given.purchaseDate)
        #expect(read.originalPurchaseDate == given.originalPurchaseDate)
        #expect(read.expiresDate == given.expiresDate)
        #expect(read.quantity == 3)
        #expect(read.ownership == .familyShared)
        #expect(read.appAccountToken?.text == "002e14d5-51f5-4503-b5a8-c3a1af68eb20")
        #expect(read.isUpgraded)
        #expect(read.revocation == given.revocation)
        #expect(read.offer == given.offer)
        #expect(read.storefront == "USA")
        #expect(read.transactionReason == .known(.purchase))
        #expect(read.price == given.price)
        #expect(read.appTransactionID?.text == given.appTransactionID)
        #expect(read.additionalReason == .known(.seatAddition))
        #expect(read.billingPlanType == "MONTHLY")
        #expect(read.commitmentExpiresDate?.milliseconds == 1_790_000_000_000)
        #expect(read.commitmentPeriod == 3 && read.commitmentPeriods == 12)
        #expect(
            read.multiSeat == MultiSeatInfo(invitationManagement: "APPLE", revokedQuantity: 2))
        #expect(read.signedDate == given.signedDate)
        #expect(read.source.form == .jws)
        #expect(read.source.trust == .signed)
    }

    @Test(arguments: [("0", nil), ("", nil), ("7", "7")] as [(String, String?)])
    func readsNoLineItemFromZeroOrNothing(_ text: String, _ expected: String?) throws {
        let bytes = TestBench.apple.store.sign(
            TestBench.transaction.with("webOrderLineItemId", .string(text)))
        let verdict = TestBench.apple.verifier.verify(bytes, at: TestBench.now)
        let transaction = try #require(verdict.accepted?.transactions.first)
        #expect(transaction.webOrderLineItemID?.text == expected)
    }

    @Test(arguments: [
        "", "alice", "002e14d5-51f5-4503-b5a8-c3a1af68eb2", "002e14d5-51f5-4503-b5a8-c3a1af68eb20a",
        "002e14d551f54503b5a8c3a1af68eb20", "{002e14d5-51f5-4503-b5a8-c3a1af68eb20}",
    ])
    func readsNoTokenFromWhatIsNoUUID(_ text: String) throws {
        let bytes = TestBench.apple.store.sign(
            TestBench.transaction.with("appAccountToken", .string(text)))
        let verdict = TestBench.apple.verifier.verify(bytes, at: TestBench.now)
        #expect(try #require(verdict.accepted?.transactions.first).appAccountToken == nil)
    }

    /// The order of members is no part of what a payload says.
    @Test func digestsTheCanonicalForm() throws {
        let payload = TestBench.transaction.payload
        let reversed = JSONValue.object((payload.members ?? []).reversed())
        let digests = try [payload, reversed, TestBench.transaction.with("quantity", 2)].map {
            let bytes = TestBench.apple.store.sign($0)
            let verdict = TestBench.apple.verifier.verify(bytes, at: TestBench.now)
            return try #require(verdict.accepted?.transactions.first).source.canonicalDigest
        }
        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
    }
}
