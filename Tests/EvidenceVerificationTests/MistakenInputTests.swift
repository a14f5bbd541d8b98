internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// What is handed in instead of evidence: the refusal says what it is and what to do (spec 4.2).
@Suite(.timeLimit(.minutes(20)))
struct MistakenInputTests {
    private static let bench = TestBench.apple
    private static let jws = String(
        decoding: bench.store.sign(TestBench.transaction.payload), as: UTF8.self)
    private static let receipt: String = {
        let receipt = SimulatedReceipt(
            bundleID: TestBench.bundle, createdAt: TestBench.transaction.signedDate,
            purchases: [
                SimulatedReceiptPurchase(
                    productID: "com.example.reader.noads", transactionID: "101", typeNumber: 0,
                    purchaseDate: TestBench.transaction.purchaseDate)
            ])
        return Base64.standard.encode(ReceiptSimulator(now: TestBench.now).sign(receipt))
    }()

    private static func refusal(_ text: String) -> VerificationRefusal? {
        bench.verifier.verify([UInt8](text), at: TestBench.now).refusal
    }

    private static func base64(_ text: String) -> String { Base64.standard.encode(text.utf8) }

    /// Each with what the program that sent it did.
    private static let inputs: [(text: String, code: VerificationRefusalCode, MistakenInput)] = {
        let parts = jws.split(separator: ".").map(String.init)
        let old = "{\n\t\"signature\" = \"AhA=\";\n\t\"purchase-info\" = \"ew==\";\n}"
        return [
            (" \n", .inputKind, .empty), ("undefined", .inputKind, .unsetVariable),
            ("400000000000001", .inputKind, .id),
            ("6f9619ff-8b86-d011-b42d-00cf4fc964ff", .inputKind, .id),
            ("\u{FEFF}" + jws, .jwsMalformed, .byteOrderMark),
            ("<html><body>502</body></html>", .inputKind, .markup),
            ("abcdefghijklmnopqrstuvwx.AO-J1Oy9T4", .jwsMalformed, .googlePlay),
            (#"{"packageName":"a","purchaseToken":"b"}"#, .inputKind, .googlePlay),
            (parts[0] + "." + parts[1], .jwsMalformed, .cutJWS),
            (String(jws.dropLast(22)), .jwsSignature, .cutJWS),
            (String(parts[0].prefix(400)), .jwsMalformed, .cutJWS),
            (#"{"signedPayload":"\#(parts[0]).\#(parts[1])"}"#, .jwsMalformed, .cutJWS),
            (jws + "==", .inputEncoding, .jwsInStandardBase64),
            (parts[0] + ".a.b.c.d", .jwsMalformed, .encryptedJWS),
            ("urus.eyJvcmlnaW5hbCI6IjEifQ==", .jwsMalformed, .noJWS),
            (String(receipt.prefix(receipt.count / 8 * 4)), .receiptMalformed, .cutReceipt),
            (base64(old), .inputKind, .oldReceipt), (old, .inputKind, .oldReceiptText),
            (#"{"receipt-data":"\#(receipt)","password":"x"}"#, .inputKind, .receiptRequest),
            (#"{"status":0,"receipt":{}}"#, .evidenceUnsigned, .receiptAnswer),
            (#"{"notification_type":"CANCEL"}"#, .evidenceUnsigned, .oldNotification),
            (#"{"transactionId":"1","productId":"a"}"#, .evidenceUnsigned, .decodedPayload),
            (#"{"signedTransactions":["\#(jws)"],"hasMore":false}"#, .inputKind, .applePage),
            (#"["\#(jws)"]"#, .inputEncoding, .list),
            (
                #"{"transactionReceipt":"\#(receipt)"}"#, .inputKind,
                .wrapped(member: "transactionReceipt")
            ),
            (base64(receipt), .inputKind, .doubleBase64), (base64(jws), .inputKind, .doubleBase64),
            (base64(#"{"store":"apple"}"#), .jwsMalformed, .encodedJSON),
            (base64(#"{ "store":"apple"}"#), .inputKind, .encodedJSON),
            (receipt.replacing("+", with: "%2B") + "%3D", .inputEncoding, .percentEncoded),
            (receipt.replacing("+", with: " "), .inputEncoding, .blanksForPlus),
            (
                receipt.replacing("+", with: "-").replacing("/", with: "_"), .inputEncoding,
                .base64URL
            ),
            (receipt.replacing("/", with: "\\/"), .inputEncoding, .escaped),
            ("\"\(receipt)\"", .inputKind, .quoted),
            ("data:application/octet-stream;base64," + receipt, .inputKind, .dataURL),
            ("<30820a3b 06092a86 4886f70d 010702a0>", .inputKind, .hexadecimal),
            ("30820a3b06092a864886f70d010702a0", .inputKind, .hexadecimal),
        ]
    }()

    @Test(arguments: inputs.indices)
    func isToldByItsForm(_ index: Int) throws {
        let (text, code, input) = Self.inputs[index]
        let refusal = try #require(Self.refusal(text))
        #expect(refusal.code == code)
        #expect(refusal.detail == .mistaken(input), "\(text.prefix(60))")
        #expect(!refusal.isSigned)
    }

    /// Padding is lost only where there was some.
    @Test func tellsLostPadding() throws {
        let receipt = Self.receipt.hasSuffix("=") ? Self.receipt : ""
        guard !receipt.isEmpty else { return }
        let bare = String(receipt.prefix { $0 != "=" })
        #expect(Self.refusal(bare)?.detail == .mistaken(.paddingLost))
    }

    @Test func saysWhatToDo() throws {
        let refusal = try #require(Self.refusal("data:application/octet-stream;base64,AA"))
        #expect(
            refusal.text(.english)
                == "unrecognised evidence format: this is a data URL; submit what follows the comma"
        )
        #expect(refusal.text(.chinese) == "无法识别的凭证格式：这是 data URL；请提交逗号之后的内容")
        let sentences = Self.inputs.map(\.2).flatMap { [$0.english, $0.template(in: .chinese)] }
        #expect(sentences.allSatisfy { !$0.isEmpty && $0.last != "." && $0.last != "。" })
    }

    @Test(
        "what is missing is said to be missing, what is wrong is named with what it should be",
        arguments: [
            ("bundleId", nil, "a required member is missing: 'bundleId'"),
            ("environment", nil, "a required member is missing: 'environment'"),
            (
                "environment", "Xcode",
                "evidence from this environment is not trusted: expected 'production, sandbox', "
                    + "found 'xcode'"
            ),
            (
                "environment", "Moon",
                "evidence from this environment is not trusted: expected 'production, sandbox', "
                    + "found 'Moon'"
            ),
            (
                "bundleId", "com.example.other",
                "the evidence belongs to another app: expected 'com.example.reader', "
                    + "found 'com.example.other'"
            ),
        ] as [(String, String?, String)])
    func binding(_ member: String, _ value: String?, _ sentence: String) throws {
        let payload = TestBench.transaction.with(member, value.map { .string($0) })
        let bytes = Self.bench.store.sign(payload)
        let refusal = try #require(
            Self.bench.verifier.verify(bytes, at: TestBench.now).refusal)
        #expect(refusal.text(.english) == sentence)
        // Apple signed it, whatever it says.
        #expect(refusal.isSigned)
        let inspection = inspect(bytes, verifier: Self.bench.verifier, at: TestBench.now)
        #expect(inspection.json()["signed"] == true)
        let lines = inspection.text(.english).split(separator: "\n")
        #expect(lines.contains("fields (the signature is valid)"))
    }

    @Test(
        "a quarantined part says which member, and how",
        arguments: [
            (
                "quantity", "2",
                "a member has the wrong type: 'quantity': expected an integer, found a string"
            ),
            ("productId", nil, "a required member is missing: 'productId'"),
            ("quantity", 0, "implausible quantity: 'quantity': found '0'"),
            (
                "expiresDate", .integer(4_000_000_000_000),
                "implausible expiry date: 'expiresDate': found '2096-10-02T07:06:40.000Z'"
            ),
        ] as [(String, JSONValue?, String)])
    func quarantine(_ member: String, _ value: JSONValue?, _ sentence: String) throws {
        let bytes = Self.bench.store.sign(TestBench.transaction.with(member, value))
        guard
            case .quarantined(let evidence) = Self.bench.verifier.verify(bytes, at: TestBench.now)
        else {
            Issue.record("not quarantined")
            return
        }
        #expect(evidence.part.text(.english) == sentence)
    }

    /// Nobody would get what is handed in at the address for notifications.
    @Test func onlyNotificationsAreNotifications() throws {
        let store = Self.bench.store
        let pieces: [(kind: EvidenceKind, bytes: [UInt8])] = [
            (.transaction, [UInt8](Self.jws)),
            (.transaction, [UInt8](#"{"signedPayload":"\#(Self.jws)"}"#)),
            (.renewalInfo, store.sign(TestBench.renewal.payload)),
            (.appTransaction, store.sign(TestBench.appTransaction.payload)),
            (.receipt, [UInt8](Self.receipt)),
        ]
        for piece in pieces {
            let refusal = try #require(
                Self.bench.verifier.verify(piece.bytes, as: .notification, at: TestBench.now)
                    .refusal)
            #expect(refusal.code == .bindKind)
            #expect(refusal.detail == .notNotification(piece.kind))
        }
        let empty = Self.bench.verifier.verify([UInt8]("{}"), as: .notification, at: TestBench.now)
        #expect(empty.refusal?.text(.english) == "a required member is missing: 'signedPayload'")
    }

    @Test func takesPagesOfApplesApart() throws {
        let page: JSONValue = [
            "environment": "Production", "bundleId": "com.example.reader",
            "data": [
                [
                    "lastTransactions": [
                        ["status": 1, "signedTransactionInfo": "a", "signedRenewalInfo": "b"],
                        ["status": 2, "signedTransactionInfo": "c"],
                    ]
                ]
            ],
        ]
        let pieces = try #require(ApplePage(page.serialized())).pieces
        #expect(pieces.map { String(decoding: $0, as: UTF8.self) } == ["a", "b", "c"])
        let pages: [(String, [String])] = [
            (#"{"notificationHistory":[{"signedPayload":"a","sendAttempts":[]}]}"#, ["a"]),
            (#"[{"signedTransactions":["a","b"]},{"signedTransactions":["c"]}]"#, ["a", "b", "c"]),
            (#"{"hasMore":false,"signedTransactions":[]}"#, []),
        ]
        for (text, expected) in pages {
            let pieces = try #require(ApplePage([UInt8](text))).pieces
            #expect(pieces.map { String(decoding: $0, as: UTF8.self) } == expected)
        }
        for other in [Self.jws, Self.receipt, #"{"signedPayload":"a"}"#, "{}", "[1]", "{"] {
            #expect(ApplePage([UInt8](other)) == nil)
        }
    }
}
