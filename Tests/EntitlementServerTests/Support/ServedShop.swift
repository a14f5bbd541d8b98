internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import LedgerStore
internal import Logging
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

/// A clock that stands still until it is set.
struct SetClock: EngineClock {
    let instant: Locked<Instant>

    func now() -> Instant { instant.value }
}

/// A running service with an engine of its own, which trusts a simulated store. In it `alice`
/// has bought gold and a hundred coins, `qa` has bought gold in the sandbox, and `dora` waits for
/// a person to give her what alice has.
struct ServedShop: Sendable {
    let folder: TemporaryFolder
    let store: StoreSimulator
    var engine: EntitlementEngine
    let clock: SetClock
    /// `dora`'s, for what alice owns.
    let waitingClaim: Int64
    /// What waits for Apple; zero where Apple is not asked.
    let ticket: Int64

    /// How the ledger names whoever runs the tests.
    static var ownActor: String {
        get throws {
            let user = PeerCredentials.own.user
            return try userName(user).map { "user:\($0)" } ?? "uid:\(user)"
        }
    }

    var querySocket: String { folder.path + "/run/query.sock" }
    var operationsSocket: String { folder.path + "/run/usher.sock" }

    /// All on one list, so that a test can add a section of its own.
    static let policy = """
        usher: 1
        app: {bundle_id: com.example.shop, apple_id: 77}
        trust: {roots: {jws: [{file: root.der}]}}
        environments: {production: trusted, sandbox: trusted}
        entitlements: {premium: {title: Premium}, archive: {title: Archive}}
        credits: {coins: {title: Coins}}
        groups: {members: {title: Members, levels: [gold]}}
        products:
          gold: {kind: auto-renewable, group: members, level: gold, period: 1mo,
            grants: [premium]}
          archive: {kind: non-consumable, grants: [archive]}
          coins: {kind: consumable, grants: [{credit: coins, units: 100}]}
        account_switch:
          - {name: a person decides, when: {account: dora}, then: ask}
        """

    /// - Parameters:
    ///   - appStore: whom the service asks; `erin` waits for it.
    ///   - ledger: where it is kept; in a file if nil.
    ///   - hasSpace: Whether there is room on the ledger's disk once it was full.
    init(
        keptIn ledger: (any LedgerLocation)? = nil,
        processorClock: any ProcessorClock = ThreadClock(),
        asking appStore: (any AppStoreServers)? = nil,
        hasSpace: @escaping @Sendable () -> Bool = { true }
    ) async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01"))
        folder = try TemporaryFolder()
        store = StoreSimulator(seed: 7, now: now)
        clock = SetClock(instant: Locked(now))
        var file = LedgerFileLocation(
            folder.path + "/ledger", makeSalts: EngineOptions.randomSalts)
        file.custody.hasSpace = { _ in hasSpace() }
        var options = EngineOptions(
            ledger: ledger ?? file,
            policyTexts: [
                PolicyText(path: "policy.yaml", text: Self.policy),
                PolicyText(path: "root.der", bytes: store.root.der),
            ], clock: clock)
        options.processorClock = processorClock
        options.appStore = appStore
        options.privacyKey = PrivacyKey([UInt8](repeating: 7, count: PrivacyKey.length))
        engine = try await EntitlementEngine.open(options)
        _ = try await engine.submit([
            EvidenceSubmission(
                payload: Array(
                    try Self.purchase("gold", .autoRenewable, id: "1", from: store).utf8),
                account: AccountID("alice")),
            EvidenceSubmission(
                payload: Array(try Self.purchase("coins", .consumable, id: "2", from: store).utf8),
                account: AccountID("alice")),
            EvidenceSubmission(
                payload: Array(
                    try Self.purchase(
                        "gold", .autoRenewable, id: "3", environment: .sandbox, from: store
                    ).utf8),
                account: AccountID("qa")),
            EvidenceSubmission(
                payload: Array(
                    try Self.purchase("gold", .autoRenewable, id: "1", from: store).utf8),
                account: AccountID("dora"), moment: .restore),
        ])
        let waiting = try #require(try engine.questions.waitingClaims().claims.first)
        waitingClaim = waiting.claim.number
        guard appStore != nil else {
            ticket = 0
            return
        }
        let reports = try await engine.submit([
            EvidenceSubmission(
                payload: Array("2000000123".utf8), account: AccountID("erin"), asksApple: true)
        ])
        guard case .waiting(let number)? = reports.first else {
            preconditionFailure("what only Apple knows waits")
        }
        ticket = number.number
    }

    /// A signed purchase of 20 February 2026; what expires does so on 20 March.
    func purchase(
        _ product: String, _ kind: ProductKind, id: String,
        environment: StoreEnvironment = .production, token: String? = nil
    ) throws -> String {
        try Self.purchase(
            product, kind, id: id, environment: environment, token: token, from: store)
    }

    /// Apple's test of whether it is heard.
    func notification() throws -> String {
        let notification = SimulatedNotification(
            type: "TEST", subtype: nil, uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
            bundleID: "com.example.shop", appAppleID: 77,
            signedDate: try #require(Instant(rfc3339: "2026-02-20")))
        let jws = String(decoding: store.sign(notification.payload), as: UTF8.self)
        return #"{"signedPayload":"\#(jws)"}"#
    }

    /// What Apple posts of a purchase.
    func notification(of purchase: String) throws -> String {
        var notification = SimulatedNotification(
            type: "ONE_TIME_CHARGE", subtype: nil,
            uuid: UUID().uuidString.lowercased(), bundleID: "com.example.shop", appAppleID: 77,
            signedDate: try #require(Instant(rfc3339: "2026-02-20")))
        notification.transaction = Array(purchase.utf8)
        let jws = String(decoding: store.sign(notification.payload), as: UTF8.self)
        return #"{"signedPayload":"\#(jws)"}"#
    }

    /// Apple asks about a refund of alice's coins.
    func refundNotification() throws -> String {
        var notification = SimulatedNotification(
            type: "CONSUMPTION_REQUEST", subtype: nil,
            uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb21", bundleID: "com.example.shop",
            appAppleID: 77, signedDate: clock.now())
        notification.transaction = Array(try purchase("coins", .consumable, id: "2").utf8)
        let jws = String(decoding: store.sign(notification.payload), as: UTF8.self)
        return #"{"signedPayload":"\#(jws)"}"#
    }

    private static func purchase(
        _ product: String, _ kind: ProductKind, id: String,
        environment: StoreEnvironment = .production, token: String? = nil,
        from store: StoreSimulator
    ) throws -> String {
        let bought = try #require(Instant(rfc3339: "2026-02-20"))
        let end = try #require(Instant(rfc3339: "2026-03-20"))
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: product, kind: kind, transactionID: id,
            purchaseDate: bought, expiresDate: kind == .autoRenewable ? end : nil)
        transaction.environment = environment
        transaction.appTransactionID = "9"
        transaction.appAccountToken = token
        return String(decoding: store.sign(transaction.payload), as: UTF8.self)
    }

    /// Serves while `body` runs on a thread that may block, then stops gracefully, beside
    /// `whileStopping`.
    func serving(
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ServedShop) throws -> Void,
        whileStopping: @escaping @Sendable (ServedShop) throws -> Void = { _ in }
    ) async throws {
        var configuration = ServerConfiguration(folder: folder.path + "/run")
        configuration.version = "1.2.3"
        // However busy the machine is: a test that is about time-outs sets its own.
        configuration.timeouts.head = 3_600
        configuration.timeouts.body = 3_600
        configuration.timeouts.idle = 3_600
        configuration.timeouts.write = 3_600
        // Tests that wait for a revision say so.
        configuration.revisionSeconds = 0
        change(&configuration)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let service = UsherService(
            engine: engine, configuration: configuration, logger: logger,
            whenServing: { start.yield() })
        let stop = StopSignal()
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                try await service.run(until: stop)
                start.finish()
            }
            for await _ in starts { break }
            try await onThread { try body(self) }
            stop.give()
            try await onThread { try whileStopping(self) }
            try await tasks.waitForAll()
        }
        try engine.close()
    }

    var sockets: [String] { [querySocket, operationsSocket] }

    /// Sends bytes to a socket and reads all that comes back.
    func say(_ text: String, to socket: String) throws -> String {
        let connection = try LocalConnection(path: socket, secondsToWait: 600)
        defer { connection.close() }
        // A peer may refuse before it has taken all of it.
        let answer = try whileWriting(Array(text.utf8), to: connection) {
            try connection.readToEnd()
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Sends one request as text to a socket and reads the answer.
    func exchange(_ socket: String, _ request: WireRequest) throws -> LocalClient.Response {
        let connection = try LocalConnection(path: socket, secondsToWait: 600)
        defer { connection.close() }
        try connection.write(request.bytes)
        return try ResponseReader.read(
            connection.readToEnd(), hasBody: request.method != "HEAD")
    }
}

/// A request as it is written to a socket.
struct WireRequest: CustomTestStringConvertible, Sendable {
    var method: String
    var target: String
    var body: String?
    var contentType: String?
    var fields: [String] = []

    var testDescription: String { "\(method) \(target) \(body ?? "")" }

    /// The same, to see what it would change.
    var preview: WireRequest {
        var preview = self
        preview.target += (target.contains("?") ? "&" : "?") + "dry_run=true"
        return preview
    }

    static func get(_ target: String, fields: [String] = []) -> WireRequest {
        WireRequest(method: "GET", target: target, fields: fields)
    }

    static func delete(_ target: String, _ body: String) -> WireRequest {
        WireRequest(
            method: "DELETE", target: target, body: body, contentType: "application/json")
    }

    static func post(
        _ target: String, _ body: String, contentType: String? = "application/json"
    ) -> WireRequest {
        WireRequest(method: "POST", target: target, body: body, contentType: contentType)
    }

    var bytes: [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"]
        lines += fields
        if let contentType { lines.append("Content-Type: " + contentType) }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8)
    }
}

/// The statuses of the answers in what a socket said, without interim ones.
func statuses(in text: String) -> [Int] {
    text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst()
        .compactMap { Int($0.prefix(3)) }.filter { $0 >= 200 }
}

extension LocalClient.Response {
    var text: String { String(decoding: body, as: UTF8.self) }
}
