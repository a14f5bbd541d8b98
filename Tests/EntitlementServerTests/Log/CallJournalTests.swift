internal import EntitlementAnswers
internal import Logging
internal import Testing

@testable internal import EntitlementServer

/// Keeps what is logged.
private struct KeepingHandler: LogHandler {
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    let lines: Locked<[String]>

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).filter { $0.key != "milliseconds" }
            .sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let line = (["\(event.level)", "\(event.message)"] + values).joined(separator: " ")
        lines.set(lines.value + [line])
    }
}

@Suite("What the log tells of calls", .timeLimit(.minutes(20)))
struct CallJournalTests {
    /// What is logged while `requests` are made, but for the start and the stop.
    private func lines(
        of requests: [WireRequest], standing: PeerStanding = .role(.admin)
    ) async throws -> [String] {
        let lines = Locked<[String]>([])
        let own = PeerCredentials.own.user
        try await ServedShop().serving(
            logger: Logger(label: "test") { _ in KeepingHandler(lines: lines) }
        ) {
            $0.access = PeerAccess(entries: [.init(.user(own), standing)])
        } _: { (shop: ServedShop) throws in
            for request in requests { _ = try shop.exchange(shop.operationsSocket, request) }
        }
        return lines.value.filter { $0.contains(" call ") || $0.contains(" upkeep ") }
    }

    @Test("is who called what, and what came of it, by what weight it has")
    func levels() async throws {
        let own = "actor=\(try ServedShop.ownActor)"
        let reason = #""reason":"a customer's letter""#
        let calls: [(request: WireRequest, lines: [String])] = [
            (
                .get("/v1/accounts/alice/entitlements?at=2026-01-01"),
                ["debug call \(own) method=GET route=question status=200"]
            ),
            (
                .get("/v1/accounts/alice/timeline"),
                ["debug call \(own) method=GET route=/v1/accounts/{account}/timeline status=200"]
            ),
            (
                .get("/v1/alice"),
                ["debug call \(own) code=http.not-found method=GET route=unknown status=404"]
            ),
            (
                .post("/v1/evidence", #"{"account":"alice","payload":"a.b.c"}"#),
                ["debug call \(own) method=POST route=/v1/evidence status=422"]
            ),
            (
                .post("/v1/blocks", #"{"account":"alice",\#(reason)}"#),
                ["notice call \(own) method=POST route=/v1/blocks status=200"]
            ),
            (
                .post("/v1/blocks", #"{"account":"alice"}"#),
                [
                    "debug call \(own) code=input.missing method=POST route=/v1/blocks status=400"
                ]
            ),
        ]
        let logged = try await lines(of: calls.map(\.request))
        #expect(logged == calls.flatMap(\.lines))
    }

    @Test("warns of what somebody tried who may not")
    func forbidden() async throws {
        let request = WireRequest.post("/v1/grants", #"{"account":"alice"}"#)
        // One line a minute for all that are alike.
        let logged = try await lines(of: [request, request, request], standing: .role(.ingest))
        let own = "actor=\(try ServedShop.ownActor)"
        #expect(
            logged == ["warning call \(own) code=peer.role method=POST route=/v1/grants status=403"]
        )
    }

    @Test("warns of who says for whom it asks and is no delegate, and names both where one is")
    func delegates() async throws {
        var request = WireRequest.get("/v1/claims")
        request.fields = ["Usher-Actor: mei", "Usher-Role: ingest"]
        let own = try ServedShop.ownActor
        let end = "method=GET route=/v1/claims status"
        #expect(
            try await lines(of: [request]) == [
                "warning call actor=\(own) code=peer.not-delegate \(end)=403"
            ])
        #expect(
            try await lines(of: [request, .get("/v1/claims")], standing: .delegate) == [
                "debug call actor=person:mei,via:\(own) \(end)=200",
                "debug call actor=\(own) code=peer.delegation \(end)=400",
            ])
    }

    @Test("tells what anybody can have written once a minute, and how much was left out")
    func repeated() {
        let (lines, now) = (RepeatedLines(), ContinuousClock.now)
        let line = RepeatedLines.Line(user: "uid:7", code: .role)
        #expect(lines.admit(line, at: now) == 0)
        for second in 1...59 { #expect(lines.admit(line, at: now + .seconds(second)) == nil) }
        #expect(lines.admit(.init(user: "uid:8", code: .role), at: now + .seconds(59)) == 0)
        #expect(lines.admit(.init(user: "uid:7", code: .fault), at: now + .seconds(59)) == 0)
        #expect(lines.admit(line, at: now + .seconds(60)) == 59)
        #expect(lines.admit(line, at: now + .seconds(61)) == nil)
    }

    @Test("is never an account, a token or evidence")
    func secrets() async throws {
        let secret = "8f14e45fceea167a"
        let requests: [WireRequest] = [
            .get("/v1/accounts/\(secret)"), .get("/v1/accounts/\(secret)/entitlements/\(secret)"),
            .get("/v1/apple-ids/\(secret)/entitlements"), .get("/\(secret)?\(secret)=\(secret)"),
            .get("/v1/accounts/a/explain/\(secret)", fields: ["X-Request-ID: \(secret)"]),
            .post("/v1/evidence", #"{"account":"\#(secret)","payload":"\#(secret)"}"#),
            .post("/v1/notifications", secret), .delete("/v1/grants/\(secret)", "{}"),
            .post("/v1/account-tokens", #"{"token":"\#(secret)","reason":"a"}"#),
            WireRequest(method: "BREW", target: "/\(secret)"),
        ]
        let logged = try await lines(of: requests)
        #expect(logged.count >= requests.count - 1)
        #expect(logged.filter { $0.contains(secret) } == [])
    }
}
