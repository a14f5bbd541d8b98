internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// What `usher inspect` has to print (spec 3.2).
@Suite(.timeLimit(.minutes(20)))
struct InspectionTests {
    private static let bench = TestBench.apple

    private static func inspection(_ bytes: [UInt8]) -> Inspection {
        inspect(bytes, verifier: bench.verifier, at: TestBench.now)
    }

    @Test func printsAnAcceptedTransaction() throws {
        let payload = TestBench.transaction.payload
        let json = Self.inspection(Self.bench.store.sign(payload)).json(file: "a.jws")
        #expect(json["file"]?.string == "a.jws")
        #expect(json["kind"]?.string == "transaction")
        #expect(json["verdict"]?.string == "accepted")
        #expect(json["code"]?.isNull == true)
        #expect(json["judged_at"]?.string == TestBench.transaction.signedDate.rfc3339)
        #expect(json["bundle_id"]?.string == TestBench.bundle)
        #expect(json["environment"]?.string == "production")
        #expect(json["transactions"] == .array([payload]))
        #expect(json["renewals"] == [])
        #expect(json["notification"] == nil)
        let chain = try #require(json["chain"]?.elements)
        #expect(
            chain.compactMap { $0["sha256"]?.string }
                == [
                    Self.bench.store.leaf, Self.bench.store.intermediate, Self.bench.store.root,
                ].map(\.fingerprint.hexadecimal))
        let keys = chain.compactMap { $0["key_sha256"]?.string }
        #expect(keys.count == 3 && Set(keys).count == 3)
        let subject = try #require(chain.first?["subject"]?.string)
        #expect(subject.contains("CN=Usher Simulator App Store Receipt Signing"))
    }

    @Test func printsWhatARefusedOneSays() {
        let payload = TestBench.transaction.with("bundleId", "com.example.other")
        let json = Self.inspection(Self.bench.store.sign(payload)).json()
        #expect(json["verdict"]?.string == "refused")
        #expect(json["code"]?.string == "bind.bundle")
        #expect(json["bundle_id"]?.string == "com.example.other")
        #expect(json["transactions"] == .array([payload]))
        // Apple signed it, though not for this app.
        #expect(json["signed"] == true)
        let forged = StoreSimulator(seed: 2, now: TestBench.now).sign(payload)
        #expect(Self.inspection(forged).json()["signed"] == false)
    }

    @Test func printsTheInnerVerdictsOfANotification() throws {
        var notification = Self.bench.fullNotification()
        notification.transaction = StoreSimulator(seed: 2, now: TestBench.now)
            .sign(TestBench.transaction.payload)
        let json = Self.inspection(Self.bench.store.sign(notification.payload)).json()
        #expect(json["kind"]?.string == "notification")
        #expect(json["verdict"]?.string == "refused")
        #expect(json["code"]?.string == "chain.root")
        #expect(json["notification"]?["notificationType"]?.string == "SUBSCRIBED")
        let transaction = try #require(json["transactions"]?.elements?.first)
        #expect(transaction["verdict"]?.string == "refused")
        #expect(transaction["code"]?.string == "chain.root")
        #expect(transaction["transactionId"]?.string == "100")
        let renewal = try #require(json["renewals"]?.elements?.first)
        #expect(renewal["verdict"]?.string == "accepted")
        #expect(renewal["autoRenewStatus"]?.int64 == 1)
    }

    @Test func printsWhatHasNoEffect() {
        let bytes = Self.bench.store.sign(TestBench.transaction.with("quantity", 0))
        let json = Self.inspection(bytes).json()
        #expect(json["verdict"]?.string == "quarantined")
        #expect(json["code"]?.string == "implausible.quantity")
        let lines = Self.inspection(bytes).text(.english).split(separator: "\n")
        #expect(lines[1] == "verdict: quarantined: genuine, but without effect")
        #expect(
            lines[2] == "  [implausible.quantity] implausible quantity: 'quantity': found '0'")
    }

    /// A part that is kept apart is seen on the whole, and is not the whole.
    @Test func printsAPartWithoutEffect() throws {
        var notification = Self.bench.fullNotification()
        notification.transaction = Self.bench.store.sign(TestBench.transaction.with("quantity", 0))
        let inspection = Self.inspection(Self.bench.store.sign(notification.payload))
        let json = inspection.json()
        #expect(json["verdict"]?.string == "quarantined")
        #expect(json["code"]?.string == "implausible.quantity")
        #expect(json["transactions"]?.elements?.first?["verdict"]?.string == "quarantined")
        #expect(json["renewals"]?.elements?.first?["verdict"]?.string == "accepted")
        let lines = inspection.text(.english).split(separator: "\n")
        #expect(lines[1] == "verdict: quarantined: genuine, but a part has no effect")
    }

    @Test func printsWhatCannotBeRead() {
        let inspection = Self.inspection([UInt8]("hello"))
        #expect(
            inspection.json().text
                == #"{"kind":null,"verdict":"refused","code":"input.kind","signed":false,"#
                + #""judged_at":null,"bundle_id":null,"environment":null,"chain":[],"transactions":[],"#
                + #""renewals":[]}"#)
        #expect(
            inspection.text(.english) == """
                kind: unknown
                verdict: refused [input.kind]
                  unrecognised evidence format
                """)
        #expect(
            inspection.text(.chinese) == """
                类型：未知
                结论：拒绝 [input.kind]
                  无法识别的凭证格式
                """)
    }

    @Test func printsForPeople() {
        let payload = TestBench.transaction.with("storefront", "U\u{1B}[2J\u{202E}A\n")
        let inspection = Self.inspection(Self.bench.store.sign(payload))
        let lines = inspection.text(.english).split(separator: "\n")
        #expect(lines[0] == "kind: transaction")
        #expect(lines[1] == "verdict: accepted: genuine and bound to the app")
        let unbound = inspection.text(.english, allowsAnyBundle: true).split(separator: "\n")
        #expect(unbound[1] == "verdict: accepted: genuine; app and environment were not checked")
        #expect(lines.contains("  transactionId: 100"))
        let bought = TestBench.transaction.purchaseDate.rfc3339
        #expect(lines.contains("  purchaseDate: \(bought)"))
        #expect(lines.contains("fields"))
        #expect(lines.contains("  storefront: UU+001B[2JU+202EAU+000A"))
    }

    @Test func leavesTheBindingUncheckedOnRequest() {
        let bench = TestBench { settings, _ in
            settings.bundleID = nil
            settings.trustedEnvironments = []
            settings.allowsAnyBundle = true
        }
        #expect(bench.verdictOnTransaction() == "accepted")
        let bytes = bench.store.sign(TestBench.transaction.with("environment", nil))
        let genuine = inspect(bytes, verifier: bench.verifier, at: TestBench.now)
        #expect(genuine.verdictWord == "accepted")
        #expect(genuine.code == nil)
        #expect(Self.inspection(bytes).code == "bind.environment")
        let forged = StoreSimulator(seed: 2, now: TestBench.now)
            .sign(TestBench.transaction.payload)
        let inspection = inspect(forged, verifier: bench.verifier, at: TestBench.now)
        #expect(inspection.verdictWord == "refused")
    }

    @Test(arguments: VerificationRefusalCode.allCases)
    func hasASentenceForEveryCode(_ code: VerificationRefusalCode) {
        let english = code.text(.english)
        #expect(english.first?.isLowercase == true)
        #expect(english.last != ".")
        #expect(!code.text(.chinese).isEmpty)
        let others = VerificationRefusalCode.allCases.filter { $0 != code }
        #expect(!others.contains { $0.text(.english) == english })
    }

    @Test func quotesWhatWasFound() throws {
        let bytes = Self.bench.store.sign(
            TestBench.transaction.with("bundleId", "com.example.other"))
        let refusal = try #require(
            Self.bench.verifier.verify(bytes, at: TestBench.now).refusal)
        #expect(
            refusal.text(.english)
                == "the evidence belongs to another app: expected 'com.example.reader', "
                + "found 'com.example.other'")
        #expect(
            refusal.text(.chinese)
                == "凭证属于另一个应用：应为“com.example.reader”，实为“com.example.other”")
    }
}
