internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
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

@Suite("The waiting room and the App Store in a box", .timeLimit(.minutes(20)))
struct AppStoreInABoxTests {
    private static let policy = """
        usher: 1
        app: {bundle_id: com.example.reader, apple_id: 1234567890}
        trust: {roots: {jws: [{file: root.der}], receipt: [{file: receipts.der}]}}
        environments: {production: trusted, sandbox: trusted}
        entitlements: {premium: {title: Premium}}
        groups: {members: {title: Members, levels: [gold]}}
        products:
          com.example.reader.gold.monthly: {kind: auto-renewable, group: members, level: gold,
            period: 1mo, grants: [premium]}
        """

    private static func open(
        _ box: SimulatedAppStore, in folder: TemporaryFolder
    ) async throws -> EntitlementEngine {
        func url(_ path: String) throws -> ServerURL {
            try #require(ServerURL("http://localhost/" + path))
        }
        let configuration = AppStoreConfiguration(
            key: try AppStoreKey(
                issuerID: box.identity.issuerID, keyID: box.identity.keyID,
                pem: Secret(box.identity.keyPEM)),
            sharedSecret: Secret(box.identity.sharedSecret),
            bundleID: try #require(BundleID(ExampleApp.bundleID)),
            api: .init(production: try url("production"), sandbox: try url("sandbox")),
            verifyReceipt: .init(
                production: try url("production/verifyReceipt"),
                sandbox: try url("sandbox/verifyReceipt")))
        let time = BoxTime(box: box)
        var options = EngineOptions(
            ledger: TestLedger(in: folder),
            policyTexts: [
                PolicyText(path: "policy.yaml", text: policy),
                PolicyText(path: "root.der", bytes: box.root.der),
                PolicyText(path: "receipts.der", bytes: box.receiptRoot.der),
            ], clock: time)
        options.appStore = AppStoreClient(
            configuration, transport: BoxTransport(box: box), context: time)
        return try await EntitlementEngine.open(options)
    }

    private static func ask(
        _ payload: String, _ engine: EntitlementEngine
    ) async throws -> LedgerSequence {
        let reports = try await engine.submit([
            EvidenceSubmission(payload: Array(payload.utf8), account: "ana", asksApple: true)
        ])
        return try #require(reports.first?.ticket)
    }

    private static func may(
        _ entitlement: EntitlementName, _ engine: EntitlementEngine,
        in environment: StoreEnvironment = .production
    ) throws -> Bool {
        let (packed, revision) = try engine.account("ana")
        return try ToldAnswer(
            packed.answer(
                RightKey(environment, entitlement), at: engine.now(), revision: revision)
        ).decision
    }

    @Test("an old receipt gives nothing by itself, and its renewals by Apple's answer")
    func receipt() async throws {
        let box = SimulatedAppStore(SimulatedAppStoreSettings())
        try box.say("alice buys gold as G")
        let receipt = box.receipt(of: "alice")
        box.advance(to: box.now.advanced(byMilliseconds: 40 * 86_400_000))
        let engine = try await Self.open(box, in: TemporaryFolder())
        let ticket = try await Self.ask(receipt, engine)
        #expect(try !Self.may("premium", engine))
        while await engine.askApple().attempts > 0 {}
        #expect(try engine.questions.ticket(ticket)?.state == .judged)
        #expect(try Self.may("premium", engine))
    }

    @Test("a sandbox receipt of iOS 6 finds its way to the sandbox")
    func oldReceipt() async throws {
        let box = SimulatedAppStore(SimulatedAppStoreSettings())
        try box.say("alice buys gold as G", in: .sandbox)
        let id = box.transactionIDs(of: "G", in: .sandbox)[0]
        let receipt = try #require(box.transactionReceipt(of: id, in: .sandbox))
        let engine = try await Self.open(box, in: TemporaryFolder())
        let ticket = try await Self.ask(receipt, engine)
        while await engine.askApple().attempts > 0 {}
        let told = try #require(try engine.questions.ticket(ticket))
        #expect(told.state == .judged)
        #expect(told.transactions.map(\.environment) == [.sandbox])
        #expect(try Self.may("premium", engine, in: .sandbox))
        #expect(try !Self.may("premium", engine))
    }

    @Test("a transaction id waits through an outage, and brings its subscription")
    func transactionID() async throws {
        let box = SimulatedAppStore(SimulatedAppStoreSettings())
        try box.say("alice buys gold as G")
        let id = box.transactionIDs(of: "G")[0]
        box.fail(FailureRule(times: 9, .status(503, code: nil, retryAfter: nil)))
        let engine = try await Self.open(box, in: TemporaryFolder())
        let ticket = try await Self.ask(id, engine)
        _ = await engine.askApple()
        #expect(try engine.questions.ticket(ticket)?.failure?.code == .unavailable)
        for _ in 1...60 where try engine.questions.ticket(ticket)?.state == .waiting {
            box.advance(to: box.now.advanced(byMilliseconds: 20_000))
            _ = await engine.askApple()
        }
        #expect(try engine.questions.ticket(ticket)?.state == .judged)
        #expect(try engine.questions.find(SoughtID(unchecked: id)).meanings.count == 2)
        #expect(try !Self.may("premium", engine))
    }

    @Test("the order number of Apple's e-mail leads to the account, and nothing is recorded")
    func orderNumber() async throws {
        let box = SimulatedAppStore(SimulatedAppStoreSettings())
        try box.say("alice buys gold as G")
        let id = box.transactionIDs(of: "G")[0]
        let order = SoughtID(unchecked: box.orderID(of: id))
        let engine = try await Self.open(box, in: TemporaryFolder())
        let unclaimed = try await engine.find(appleOrder: order)
        #expect(unclaimed.meanings.map(\.kind) == [.appleOrder])
        #expect(unclaimed.meanings.map(\.lineages) == [[TransactionID(unchecked: id)]])
        #expect(unclaimed.meanings.allSatisfy { $0.accounts.isEmpty && $0.sequence == nil })
        _ = try await Self.ask(box.receipt(of: "alice"), engine)
        while await engine.askApple().attempts > 0 {}
        #expect(try await engine.find(appleOrder: order).meanings.map(\.accounts) == [["ana"]])
        let place = engine.revision
        // Names of accounts are not told to Apple.
        for other in ["MN0NOSUCH", "alice", "ABCDEFGHIJKLMNOPQ"] {
            let found = try await engine.find(appleOrder: SoughtID(unchecked: other))
            #expect(found.meanings.isEmpty, "\(other)")
        }
        #expect(engine.revision == place)
    }

    @Test(
        "what a hostile server signs gives nothing",
        arguments: [
            (FailureRule.Effect.otherApp("com.example.other"), TicketStanding.waiting),
            (.wrongIssuer, .refused), (.otherEnvironment, .waiting), (.wrongJSON, .waiting),
            (.truncated, .waiting), (.redirect("https://example.com/"), .waiting),
        ])
    func hostile(_ effect: FailureRule.Effect, _ state: TicketStanding) async throws {
        let box = SimulatedAppStore(SimulatedAppStoreSettings())
        try box.say("alice buys gold as G")
        let id = box.transactionIDs(of: "G")[0]
        box.fail(FailureRule(effect))
        let engine = try await Self.open(box, in: TemporaryFolder())
        let ticket = try await Self.ask(id, engine)
        _ = await engine.askApple()
        #expect(try engine.questions.ticket(ticket)?.state == state)
        #expect(try !Self.may("premium", engine))
    }
}
