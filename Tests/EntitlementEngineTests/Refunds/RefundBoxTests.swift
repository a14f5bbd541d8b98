internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// The client of Apple's servers and the App Store in a box, joined without a network.
private struct BoxTransport: AppStoreTransport {
    let box: SimulatedAppStore

    func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        var headers: [String: String] = [:]
        headers["authorization"] = request.authorization?.revealed
        let answer = box.answer(
            AppStoreRequest(
                method: request.method,
                target: String(request.url.dropFirst("http://localhost".count)),
                headers: headers, body: request.body ?? []))
        guard answer.cut == nil else { throw .brokenOff }
        return TransportResponse(
            status: answer.status, retryAfter: answer.headers["retry-after"], body: answer.body)
    }
}

/// The box's clock is everybody's; who waits moves it.
private struct BoxTime: ClientContext, EngineClock {
    let box: SimulatedAppStore

    func now() -> Instant { box.now }
    func wait(until instant: Instant) async throws(CancellationError) {
        if instant > box.now { box.advance(to: instant) }
    }
    func random() -> Double { 0.5 }
}

/// From the customer's wish to the answer in Apple's hands, with the App Store in a box (spec 1.12).
@Suite("Refund requests and the App Store in a box", .timeLimit(.minutes(20)))
struct RefundBoxTests {
    private static let policy = """
        usher: 1
        app: {bundle_id: com.example.reader, apple_id: 1234567890}
        trust: {roots: {jws: [{file: root.der}]}}
        environments: {production: trusted, sandbox: trusted}
        entitlements: {archive: {title: Archive}}
        products:
          com.example.reader.archive.2025: {kind: non-renewing, duration: 100d, grants: [archive]}
        refund_answers:
          - {name: the days that are left, when: {kind: non-renewing}, then: prorate}
        """

    private let box = SimulatedAppStore(SimulatedAppStoreSettings())
    private let ledger = FailingLedger()

    private func open() async throws -> EntitlementEngine {
        func url(_ path: String) throws -> ServerURL {
            try #require(ServerURL("http://localhost/" + path))
        }
        let configuration = AppStoreConfiguration(
            key: try AppStoreKey(
                issuerID: box.identity.issuerID, keyID: box.identity.keyID,
                pem: Secret(box.identity.keyPEM)),
            sharedSecret: nil, bundleID: try #require(BundleID(ExampleApp.bundleID)),
            api: .init(production: try url("production"), sandbox: try url("sandbox")),
            verifyReceipt: .init(
                production: try url("production/verifyReceipt"),
                sandbox: try url("sandbox/verifyReceipt")))
        let time = BoxTime(box: box)
        var options = EngineOptions(
            ledger: ledger,
            policyTexts: [
                PolicyText(path: "policy.yaml", text: Self.policy),
                PolicyText(path: "root.der", bytes: box.root.der),
            ], clock: time)
        options.appStore = AppStoreClient(
            configuration, transport: BoxTransport(box: box), context: time)
        return try await EntitlementEngine.open(options)
    }

    /// What the box was told of a purchase.
    private func told(of name: String) throws -> JSONValue? {
        let answer = box.answer(
            AppStoreRequest(method: "GET", target: "/box/purchases/\(name)"))
        return try parseJSON(answer.body)["consumption"]
    }

    @Test(
        "an answer arrives, with the customer's consent, also after a crash before it is recorded")
    func arrives() async throws {
        try box.say("alice buys archive as P")
        let engine = try await open()
        let bought = try #require(box.signedPurchase("P")).transaction
        _ = try await engine.submit([
            EvidenceSubmission(payload: Array(bought.utf8), account: "alice")
        ])
        box.advance(to: box.now.advanced(byMilliseconds: 25 * 86_400_000))
        try box.say("P refund is asked for")
        for payload in box.notifications() {
            _ = try await engine.submit([EvidenceSubmission(payload: Array(payload.utf8))])
        }
        _ = await engine.answerRefunds()
        #expect(try told(of: "P") == nil)
        _ = try await engine.record(
            RefundConsent(account: "alice", isGiven: true, actor: "uid:7", reason: "terms"))
        ledger.failsNextWrites(1, after: 1)
        let step = await engine.answerRefunds()
        #expect(step.error != nil)
        let body: JSONValue = [
            "customerConsented": true, "deliveryStatus": "DELIVERED",
            "sampleContentProvided": false, "refundPreference": "GRANT_PRORATED",
            "consumptionPercentage": 25_000,
        ]
        #expect(try told(of: "P") == body)
        box.advance(to: box.now.advanced(byMilliseconds: 3_600_000))
        let after = try await open()
        while await after.answerRefunds().looks > 0 {}
        #expect(try told(of: "P") == body)
        let list = try after.questions.refundRequests(
            after: .zero, onlyOpen: false, at: after.now(), limit: 10)
        #expect(list.requests.map(\.state) == [.sent])
    }
}
