internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import MemoryLedger
internal import PolicyLoading
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// The simulated App Store, asked through the client that asks Apple's.
@Suite("Reconciliation with the App Store in a box", .timeLimit(.minutes(20)))
struct BoxReconciliationTests {
    @Test("finds exactly the notifications that were dropped, and what they did to rights")
    func dropped() async throws {
        let world = try await BoxedShop(customers: 120)
        let head = world.engine.revision
        let real = try await world.run()
        #expect(real.answer.state == .finished, "\(real.answer.code ?? "")")
        #expect(real.answer.tally.unanswered == 0)
        #expect(Set(real.drift.compactMap(\.notification)) == world.dropped)
        #expect(real.drift.compared == world.expected)
        #expect(real.answer.tally.written == Int64(world.dropped.count))
        #expect(world.engine.revision > head)
        let written = world.engine.revision
        let second = try await world.run()
        #expect(second.drift == [])
        #expect(second.answer.isComplete)
        #expect(world.engine.revision == written)
    }

    @Test("finds the same at the customers, where notifications are not asked for")
    func customers() async throws {
        let world = try await BoxedShop(customers: 40)
        for (account, causes) in [
            ("user0", [.renewalUnknown, .stateUnknown, .missingRight]),
            ("user20", [.refundUnknown, .extraRight]), ("user1", []),
        ] as [(AccountID, Set<DriftCause>)] {
            let (answer, drift) = try await world.run { $0.scope = .account(account) }
            #expect(answer.isComplete)
            // A refund turns auto-renew off.
            let found = Set(drift.map(\.cause)).subtracting(
                account == "user20" ? [.stateUnknown] : [])
            #expect(found == causes, "\(account)")
        }
    }
}

/// Subscribers of the box, an engine that heard of them but for a few notifications, and the client
/// between the two.
private struct BoxedShop {
    let box: SimulatedAppStore
    let engine: EntitlementEngine
    private(set) var expected: Set<ReconciledShop.Expected> = []
    /// `notificationUUID` of those that the engine did not get.
    private(set) var dropped: Set<String> = []
    private let clock: SetClock
    private let client: AppStoreClient
    private let kept = KeptInMemory()
    private let temporary: TemporaryFolder

    /// What the box sells without a play.
    private static let policy = """
        usher: 1
        app: {bundle_id: \(ExampleApp.bundleID), apple_id: \(ExampleApp.appleID)}
        trust: {roots: {jws: [{file: root.pem}]}}
        environments: {production: trusted, sandbox: trusted}
        entitlements: {premium: {title: Premium}}
        groups: {members: {title: Members, levels: [gold]}}
        products:
          \(ExampleApp.monthly):
            {kind: auto-renewable, group: members, level: gold, period: 1mo, grants: [premium]}
        """

    init(customers: Int) async throws {
        var settings = SimulatedAppStoreSettings()
        settings.seed = 7
        box = SimulatedAppStore(settings)
        clock = SetClock(box.now)
        temporary = try TemporaryFolder()
        let texts = [
            PolicyText(path: "policy.yaml", text: Self.policy),
            PolicyText(path: "root.pem", text: box.root.pem),
        ]
        engine = try await EntitlementEngine.open(
            EngineOptions(
                ledger: TestLedger(.file, in: temporary), policyTexts: texts, clock: clock))
        client = try Self.client(of: box, clock)
        try await buy(customers)
        try await renew(customers)
    }

    private func buy(_ customers: Int) async throws {
        var submissions: [EvidenceSubmission] = []
        for number in 0..<customers {
            try box.say("user\(number) buys gold as G\(number)")
            let signed = try #require(box.signedPurchase("G\(number)"))
            submissions.append(
                EvidenceSubmission(
                    payload: Array(signed.transaction.utf8),
                    account: AccountID(unchecked: "user\(number)")))
        }
        submissions += box.notifications().map { EvidenceSubmission(payload: Array($0.utf8)) }
        clock.set(box.now)
        for report in try await engine.submit(submissions) { #expect(report.judged != nil) }
    }

    /// A month later all have renewed, and some are refunded; a few notifications get lost.
    private mutating func renew(_ customers: Int) async throws {
        let first = box.notifications().count
        let later = box.now.advanced(byMilliseconds: 35 * 86_400_000)
        box.advance(to: later)
        var causes: [String: (kind: String, right: DriftCause)] = [:]
        for number in stride(from: 0, to: customers, by: 20) {
            let lineage = try #require(box.transactionIDs(of: "G\(number)").first)
            let isRefunded = number % 40 == 20
            if isRefunded { try box.say("G\(number) is refunded") }
            causes[lineage] =
                isRefunded ? ("REFUND", .extraRight) : ("DID_RENEW", .missingRight)
        }
        box.advance(to: later.advanced(byMilliseconds: 3_600_000))
        clock.set(box.now)
        var submissions: [EvidenceSubmission] = []
        for text in box.notifications(from: first) {
            let told = try Self.payload(text)
            let inner = try Self.payload(
                #require(told["data"]?["signedTransactionInfo"]?.string))
            let lineage = try #require(inner["originalTransactionId"]?.string)
            if let cause = causes[lineage], told["notificationType"]?.string == cause.kind {
                dropped.insert(try #require(told["notificationUUID"]?.string).lowercased())
                for cause in [.missedNotification, cause.right] {
                    expected.insert(.init(cause: cause, lineage: lineage))
                }
            } else {
                submissions.append(EvidenceSubmission(payload: Array(text.utf8)))
            }
        }
        for report in try await engine.submit(submissions) { #expect(report.judged != nil) }
    }

    private static func payload(_ jws: String) throws -> JSONValue {
        let part = jws.split(separator: ".")[1]
        return try parseJSON(#require(Base64.url.decode(Array(part.utf8)[...])))
    }

    private static func client(
        of box: SimulatedAppStore, _ clock: SetClock
    ) throws -> AppStoreClient {
        let identity = box.identity
        let servers = try AppStoreConfiguration.Servers(
            production: #require(ServerURL(BoxTransport.host + "/production")),
            sandbox: #require(ServerURL(BoxTransport.host + "/sandbox")))
        var configuration = AppStoreConfiguration(
            key: try AppStoreKey(
                issuerID: identity.issuerID, keyID: identity.keyID,
                pem: Secret(identity.keyPEM)),
            sharedSecret: nil, bundleID: BundleID(unchecked: ExampleApp.bundleID), api: servers,
            verifyReceipt: servers)
        configuration.appAppleID = ExampleApp.appleID
        configuration.callsPerSecond = 100_000
        return AppStoreClient(
            configuration, transport: BoxTransport(box: box),
            context: ClockContext(clock: clock))
    }

    func run(
        changing change: (inout ReconciliationRequest) -> Void = { _ in }
    ) async throws -> (answer: ReconciliationAnswer, drift: [DriftItem]) {
        let reconciler = Reconciler(
            engine: engine, servers: client, store: kept,
            context: ClockContext(clock: clock),
            callsPerSecond: 1_000)
        var request = ReconciliationRequest(callsPerSecond: 1_000)
        change(&request)
        let asked = try #require(reconciler.request(request))
        #expect(await reconciler.runPending())
        let answer = try #require(reconciler.last)
        let page = try #require(reconciler.drift(ofRun: asked.run, after: 0, limit: 1_000))
        return (answer, page.drift)
    }
}

/// The box in the place of the network.
private struct BoxTransport: AppStoreTransport {
    static let host = "https://box.example.com"
    let box: SimulatedAppStore

    func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        guard request.url.hasPrefix(Self.host) else { throw .unreachable }
        let answer = box.answer(
            AppStoreRequest(
                method: request.method, target: String(request.url.dropFirst(Self.host.count)),
                headers: request.authorization.map { ["authorization": $0.revealed] } ?? [:],
                body: request.body ?? []))
        return TransportResponse(
            status: answer.status, retryAfter: answer.headers["retry-after"], body: answer.body)
    }
}
