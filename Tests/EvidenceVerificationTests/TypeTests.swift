internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// Each documented member of each kind with each JSON type: only its own is accepted, null is as
/// good as nothing, and all else is quarantined under the member's name (THREATS.md A23).
@Suite(.timeLimit(.minutes(20)))
struct TypeTests {
    /// A kind of payload, and members beyond those that the simulator writes by itself.
    struct Kind: CustomTestStringConvertible, Sendable {
        let name: String
        /// Whether the payload is the `data` of a notification.
        var isData = false
        let payload: JSONValue

        var testDescription: String { name }

        /// The payload to sign around this one.
        func wrap(_ payload: JSONValue) -> JSONValue {
            guard isData else { return payload }
            var notification = TestBench.notification.payload
            notification["data"] = payload
            return notification
        }
    }

    static let kinds = [
        Kind(name: "transaction", payload: transaction),
        Kind(name: "renewal info", payload: renewal),
        Kind(name: "app transaction", payload: appTransaction),
        Kind(name: "notification", payload: TestBench.notification.payload),
        Kind(name: "data of a notification", isData: true, payload: data),
    ]

    private static func extend(_ payload: JSONValue, with others: JSONValue) -> JSONValue {
        var payload = payload
        for member in others.members ?? [] { payload[member.key] = member.value }
        return payload
    }

    private static let transaction = extend(
        TestBench.transaction.payload,
        with: [
            "revocationDate": .date(TestBench.transaction.purchaseDate), "revocationReason": 1,
            "revocationType": "REFUND_FULL", "revocationPercentage": 100_000, "isUpgraded": true,
            "offerType": 1, "offerIdentifier": "x", "offerDiscountType": "FREE_TRIAL",
            "offerPeriod": "P1M", "appAccountToken": "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
            "storefrontId": "143441", "billingPlanType": "MONTHLY", "commitmentInfo": [:],
            "advancedCommerceInfo": [:], "previousOriginalTransactionId": "1",
        ])

    private static let renewal = extend(
        TestBench.renewal.payload,
        with: [
            "expirationIntent": 2, "isInBillingRetryPeriod": true, "priceIncreaseStatus": 1,
            "gracePeriodExpiresDate": .date(TestBench.now), "renewalPrice": 9_990,
            "currency": "USD", "offerType": 1, "offerIdentifier": "x",
            "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1M",
            "eligibleWinBackOfferIds": ["x"], "renewalBillingPlanType": "MONTHLY",
            "recentSubscriptionStartDate": .date(TestBench.transaction.purchaseDate),
            "appAccountToken": "002e14d5-51f5-4503-b5a8-c3a1af68eb20", "appTransactionId": "7",
            "commitmentInfo": [:], "advancedCommerceInfo": [:],
        ])

    private static let appTransaction = extend(
        TestBench.appTransaction.payload,
        with: [
            "versionExternalIdentifier": 1, "deviceVerification": "AA", "originalPlatform": "iOS",
            "deviceVerificationNonce": "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
            "preorderDate": .date(TestBench.transaction.purchaseDate),
        ])

    private static let data = extend(
        TestBench.notification.payload["data"] ?? [:],
        with: ["bundleVersion": "1", "status": 1, "consumptionRequestReason": "OTHER"])

    private static let samples: [JSONValue] = [true, 1, "1", [], [:]]

    @Test(arguments: kinds)
    func quarantinesOtherTypes(_ kind: Kind) throws {
        let bench = TestBench.apple
        #expect(bench.verdict(bench.store.sign(kind.wrap(kind.payload))) == "accepted")
        var tried = 0
        for member in kind.payload.members ?? [] where !Self.decidesKind(member.key, in: kind) {
            for sample in Self.samples where !sample.hasType(of: member.value) {
                var payload = kind.payload
                payload[member.key] = sample
                let verdict = bench.verifier.verify(
                    bench.store.sign(kind.wrap(payload)), at: TestBench.now)
                #expect(verdict.summary == "payload.type", "\(member.key): \(sample.text)")
                #expect(verdict.quarantined?.part.field == member.key)
                tried += 1
            }
        }
        #expect(tried >= 20)
    }

    /// Whatever a payload is without a member, it is where the member is null.
    @Test(arguments: kinds)
    func takesNullForNothing(_ kind: Kind) throws {
        let bench = TestBench.apple
        var accepted = 0
        for member in kind.payload.members ?? [] {
            var (null, none) = (kind.payload, kind.payload)
            null[member.key] = JSONValue.null
            none[member.key] = .none
            let verdicts = [null, none].map {
                bench.verifier.verify(bench.store.sign(kind.wrap($0)), at: TestBench.now)
            }
            #expect(verdicts[0].summary == verdicts[1].summary, "\(member.key)")
            #expect(
                verdicts[0].quarantined?.part.field == verdicts[1].quarantined?.part.field,
                "\(member.key)")
            accepted += verdicts[0].accepted == nil ? 0 : 1
        }
        #expect(accepted >= 3)
    }

    /// Ids that a payload need not have.
    @Test(arguments: [
        ("transaction", "subscriptionGroupIdentifier"), ("transaction", "appTransactionId"),
        ("transaction", "webOrderLineItemId"), ("transaction", "appAccountToken"),
        ("renewal info", "productId"), ("renewal info", "autoRenewProductId"),
        ("renewal info", "appTransactionId"), ("renewal info", "appAccountToken"),
        ("app transaction", "appTransactionId"),
    ])
    func takesAnEmptyIDForNothing(_ name: String, _ member: String) throws {
        let kind = try #require(Self.kinds.first { $0.name == name })
        let bench = TestBench.apple
        var payload = kind.payload
        payload[member] = ""
        #expect(bench.verdict(bench.store.sign(payload)) == "accepted")
        payload[member] = " "
        let verdict = member == "appAccountToken" ? "accepted" : "payload.id"
        #expect(bench.verdict(bench.store.sign(payload)) == verdict)
    }

    /// Members that say what a payload is: without them it is nothing that is known.
    private static func decidesKind(_ name: String, in kind: Kind) -> Bool {
        name == "data" && !kind.isData
    }
}

extension JSONValue {
    fileprivate func hasType(of other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string),
            (.array, .array), (.object, .object):
            true
        default: false
        }
    }
}
