internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerStore
internal import PolicyLoading
internal import StoreBox
internal import StrictJSON

extension MicroBench {
    /// Ten thousand notifications from 64 callers, each acknowledged when it is durable, beside
    /// bare SQLite writing the same rows, 64 notifications in a commit.
    static func notifications(in folder: BenchFolder, passes: Int) async throws -> Comparison {
        let bench = NotificationBench(folder)
        let first = try await bench.record()
        let copy = try LedgerCopy(of: first)
        return try await Comparison(
            "10,000 notifications",
            ours: .init(name: "engine, 64 callers") {
                _ = try await bench.record()
                return bench.bodies.count
            },
            yardstick: .init(name: "bare SQLite, same rows, FULL") {
                let target = try copy.makeTarget(at: bench.newPath())
                try copy.write(
                    to: target, transactions: bench.bodies.count / NotificationBench.callers)
                return bench.bodies.count
            }, passes: passes)
    }
}

/// Signed notifications, and a service's engine to hand them to.
final class NotificationBench {
    static let callers = 64
    private static let now = Instant(milliseconds: 1_780_000_000_000)

    /// As Apple posts them.
    let bodies: [[UInt8]]
    private let folder: BenchFolder
    private let policy: [PolicyText]

    init(_ folder: BenchFolder) {
        self.folder = folder
        let store = StoreSimulator(seed: 1, now: Self.now)
        bodies = (1...10_000).map { Self.body(number: $0, signedBy: store) }
        policy = Self.policyTexts(trusting: store)
    }

    /// A shop with one subscription.
    static func policyTexts(trusting store: StoreSimulator) -> [PolicyText] {
        [
            PolicyText(path: "policy.yaml", text: policy),
            PolicyText(path: "root.der", bytes: store.root.der),
        ]
    }

    func newPath() -> String { folder.newPath() }

    /// - Returns: the path of the ledger.
    func record() async throws -> String {
        let path = newPath()
        let engine = try await EntitlementEngine.open(
            EngineOptions(
                ledger: LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts),
                policyTexts: policy, clock: StoppedClock(Self.now)))
        let bodies = bodies
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<Self.callers {
                group.addTask {
                    for index in stride(from: caller, to: bodies.count, by: Self.callers) {
                        let reports = try await engine.submit([
                            EvidenceSubmission(payload: bodies[index])
                        ])
                        guard case .judged? = reports.first else {
                            throw BenchFailure.refused("a genuine notification")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try engine.close()
        return path
    }

    private static func body(number: Int, signedBy store: StoreSimulator) -> [UInt8] {
        let digits = String(1_000_000 + number)
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "gold", kind: .autoRenewable,
            transactionID: digits, purchaseDate: now,
            expiresDate: now.advanced(byMilliseconds: 30 * 86_400_000))
        transaction.signedDate = now
        var notification = SimulatedNotification(
            type: "SUBSCRIBED", uuid: "002e14d5-51f5-4503-b5a8-c3a1a\(digits)",
            bundleID: "com.example.shop", appAppleID: 77, signedDate: now)
        notification.subtype = "INITIAL_BUY"
        notification.transaction = store.sign(transaction.payload)
        let signed = String(decoding: store.sign(notification.payload), as: UTF8.self)
        let body: JSONValue = ["signedPayload": .string(signed)]
        return body.serialized()
    }

    private static let policy = """
        usher: 1
        app: {bundle_id: com.example.shop, apple_id: 77}
        trust: {roots: {jws: [{file: root.der}]}}
        environments: {production: trusted}
        entitlements: {premium: {title: Premium}}
        groups: {members: {title: Members, levels: [gold]}}
        products:
          gold: {kind: auto-renewable, group: members, level: gold, period: 1mo,
            grants: [premium]}
        """
}

/// Evidence is handed in at the instant at which it was signed.
struct StoppedClock: EngineClock {
    private let instant: Instant

    init(_ instant: Instant) { self.instant = instant }

    func now() -> Instant { instant }
}
