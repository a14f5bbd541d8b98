internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// What evidence is recognised as, and that one kind is never taken for another: the same chain
/// signs all of them (THREATS.md A24, D2, D17, D18, C16).
@Suite(.timeLimit(.minutes(20)))
struct KindTests {
    static let signed: [(kind: EvidenceKind?, bytes: [UInt8])] = {
        let store = TestBench.apple.store
        return [
            (.transaction, store.sign(TestBench.transaction.payload)),
            (.renewalInfo, store.sign(TestBench.renewal.payload)),
            (.appTransaction, store.sign(TestBench.appTransaction.payload)),
            (.notification, store.sign(TestBench.notification.payload)),
            (nil, store.sign(Self.retentionRequest)),
            (nil, store.sign(["signedDate": .date(TestBench.now)])),
        ]
    }()

    private static let retentionRequest: JSONValue = [
        "originalTransactionId": "100", "productId": "com.example.reader.gold.monthly",
        "userLocale": "en-US", "requestIdentifier": "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
        "environment": "Production", "signedDate": .date(TestBench.now),
    ]

    @Test(arguments: signed.indices)
    func isTakenForItsOwnKindOnly(_ index: Int) {
        let (kind, bytes) = Self.signed[index]
        let verifier = TestBench.apple.verifier
        let any = verifier.verify(bytes, at: TestBench.now)
        #expect(any.summary == (kind == nil ? "bind.kind" : "accepted"))
        #expect(any.accepted?.kind == kind)
        for expected in EvidenceKind.allCases {
            let verdict = verifier.verify(bytes, as: expected, at: TestBench.now)
            #expect(verdict.summary == (expected == kind ? "accepted" : "bind.kind"))
        }
    }

    /// Each kind in each place that a notification has for a JWS.
    @Test(arguments: signed.indices)
    func isTakenInItsOwnPlaceOnly(_ index: Int) {
        let (kind, bytes) = Self.signed[index]
        let places: [(name: String, kind: EvidenceKind)] = [
            ("signedTransactionInfo", .transaction), ("signedRenewalInfo", .renewalInfo),
            ("signedAppTransactionInfo", .appTransaction),
        ]
        for place in places {
            var notification = TestBench.notification
            let text = String(decoding: bytes, as: UTF8.self)
            notification.otherFields = [JSONMember(place.name, .string(text))]
            let verdict = TestBench.apple.verdict(
                TestBench.apple.store.sign(notification.payload))
            #expect(verdict == (kind == place.kind ? "accepted" : "bind.kind"), "\(place.name)")
        }
    }

    @Test(arguments: [
        ("nothing", "", "input.kind"),
        ("a word", "hello", "input.kind"),
        ("an empty object", "{}", "input.kind"),
        ("half an object", "{\"signedPayload\":", "input.kind"),
        ("an old receipt", "{\n\t\"signature\" = \"AhA=\";\n}", "input.kind"),
        ("an old receipt in base64", "ewoJInNpZ25hdHVyZSIgPSAiQWg9IjsKfQ==", "input.kind"),
        ("a verifyReceipt answer", #"{"status":0,"receipt":{}}"#, "evidence.unsigned"),
        ("a notification of version 1", #"{"notification_type":"CANCEL"}"#, "evidence.unsigned"),
        ("a decoded transaction", #"{"transactionId":"1"}"#, "evidence.unsigned"),
        ("a null payload", #"{"signedPayload":null}"#, "input.kind"),
        ("an empty payload", #"{"signedPayload":""}"#, "jws.malformed"),
        ("two payloads", #"{"signedPayload":"a","signedPayload":"b"}"#, "input.duplicate-key"),
        ("a body in no UTF-8", "{\u{A0}}", "input.encoding"),
        ("base64 that is cut", "MIIB", "receipt.malformed"),
        ("base64 with a blank", "MII BAAA", "input.encoding"),
    ])
    func recognisesOrRefuses(_ name: String, _ text: String, _ expected: String) {
        #expect(TestBench.apple.verdict([UInt8](text)) == expected)
    }

    @Test func takesLineEndsAroundAJWS() {
        let bytes = TestBench.apple.store.sign(TestBench.transaction.payload)
        #expect(TestBench.apple.verdict([UInt8]("\r\n ") + bytes + [UInt8]("\n")) == "accepted")
    }

    @Test func namesTheDigestOfWhatWasHandedIn() throws {
        let refusal = TestBench.apple.verifier.verify([UInt8]("hello"), at: TestBench.now)
            .refusal
        #expect(
            try #require(refusal).digest.hexadecimal
                == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
    }
}
