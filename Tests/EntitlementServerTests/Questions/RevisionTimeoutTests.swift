internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

private let reason = #""reason":"a test""#

/// Questions about what the caller has seen already and the ledger has not reached.
private func questions(after revision: Int64) -> [WireRequest] {
    let entities = """
        "subject":{"type":"account","id":"alice"},"action":{"name":"use"},\
        "resource":{"type":"entitlement","id":"premium"}
        """
    let context = #""context":{"min_revision":\#(revision)}"#
    return [
        .get("/v1/accounts/alice/entitlements?min_revision=\(revision)"),
        .get("/v1/accounts/alice/entitlements/premium?min_revision=\(revision)"),
        .get("/v1/accounts/alice/credits?min_revision=\(revision)"),
        .get("/v1/apple-ids/atx:production:9/entitlements?min_revision=\(revision)"),
        .post("/access/v1/evaluation", "{\(entities),\(context)}"),
        .post("/access/v1/evaluations", #"{"evaluations":[{\#(entities),\#(context)}]}"#),
    ]
}

/// The same of usher.sock alone.
private func operations(after revision: Int64) -> [WireRequest] {
    [
        .get("/v1/accounts/alice?min_revision=\(revision)"),
        .get("/v1/accounts/alice/timeline?min_revision=\(revision)"),
        .get("/v1/accounts/alice/findings?min_revision=\(revision)"),
        .get("/v1/accounts/alice/catalog?min_revision=\(revision)"),
        .get("/v1/accounts/alice/explain/premium?min_revision=\(revision)"),
        .post(
            "/access/v1/search/resource",
            """
            {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},\
            "resource":{"type":"entitlement"},"context":{"min_revision":\(revision)}}
            """),
    ]
}

extension ServedShop {
    /// Returns once so many questions wait, asking something else meanwhile.
    fileprivate func waitForWaiters(_ count: Int) throws {
        while engine.revisionWaiters.count < count {
            _ = try LocalClient(socketPath: querySocket, secondsToWait: 600).get("/livez")
        }
    }
}

@Suite("A revision that is not reached", .timeLimit(.minutes(20)))
struct RevisionTimeoutTests {
    @Test("is waited for on both sockets, by every question, without a thread")
    func waited() async throws {
        try await ServedShop().serving {
            $0.revisionSeconds = 3_600
        } _: { (shop: ServedShop) throws in
            let next = shop.engine.revision.number + 1
            let asked =
                questions(after: next).flatMap { request in
                    shop.sockets.map { (socket: $0, request: request) }
                } + operations(after: next).map { (shop.operationsSocket, $0) }
            let connections = try asked.map { socket, request in
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                try connection.write(request.bytes)
                return connection
            }
            try shop.waitForWaiters(asked.count)
            // Others are answered meanwhile.
            let now = questions(after: next - 1)[0]
            for socket in shop.sockets { #expect(try shop.exchange(socket, now).status == 200) }
            let grant = WireRequest.post(
                "/v1/grants", #"{"account":"bob","entitlement":"premium",\#(reason)}"#)
            #expect(try shop.exchange(shop.operationsSocket, grant).status == 200)
            for (connection, (socket, request)) in zip(connections, asked) {
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 200 "), "\(socket) \(request): \(text)")
                #expect(!text.contains("service.revision-not-reached"), "\(request): \(text)")
                connection.close()
            }
            #expect(shop.engine.revisionWaiters.count == 0)
        }
    }

    @Test("is 503 once the time is over, for those that wait and for those that cannot")
    func notReached() async throws {
        try await ServedShop().serving {
            $0.revisionSeconds = 3_600
            $0.inFlightLimit = 8
        } _: { (shop: ServedShop) throws in
            let request = questions(after: shop.engine.revision.number + 1)[0]
            for socket in shop.sockets {
                // There is room for a quarter of what is worked on.
                let waiting = try (0..<2).map { _ in
                    let connection = try LocalConnection(path: socket, secondsToWait: 600)
                    try connection.write(request.bytes)
                    return connection
                }
                try shop.waitForWaiters(2)
                let late = try shop.wireAnswer(socket, request)
                #expect(late.response.status == 503)
                #expect(late.response.text.contains("service.revision-not-reached"))
                #expect(late.has("Retry-After: 1"))
                shop.engine.revisionWaiters.giveUpAll()
                for connection in waiting {
                    let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                    #expect(text.hasPrefix("HTTP/1.1 503 "), "\(socket): \(text)")
                    #expect(text.contains("service.revision-not-reached"))
                    connection.close()
                }
            }
        }
    }

    @Test("is given up after the seconds of the setting, or when the service stops")
    func givenUp() async throws {
        let shop = try await ServedShop()
        let scheduled = Locked<[(seconds: Int, wake: @Sendable () -> Void)]>([])
        let patience = RevisionTimeout(engine: shop.engine, seconds: 7, limit: 2) {
            scheduled.set(scheduled.value + [($0, $1)])
        }
        let revision = shop.engine.revision
        #expect(patience.wait(for: revision) == nil)
        let wait = try #require(patience.wait(for: LedgerSequence(revision.number + 1)))
        let woken = Locked(0)
        for _ in 0..<2 { wait { woken.set(woken.value + 1) } }
        #expect(scheduled.value.map(\.seconds) == [7, 7])
        #expect(woken.value == 0)
        scheduled.value[0].wake()
        #expect(woken.value == 1)
        shop.engine.revisionWaiters.giveUpAll()
        #expect(woken.value == 2)
        scheduled.value[1].wake()
        #expect(woken.value == 2)
        let never = RevisionTimeout(engine: shop.engine, seconds: 0, limit: 2) { _, _ in }
        #expect(never.wait(for: LedgerSequence(revision.number + 1)) == nil)
        try shop.engine.close()
    }

    @Test("ends with the service")
    func stopping() async throws {
        let connections = Locked<[LocalConnection]>([])
        try await ServedShop().serving {
            $0.revisionSeconds = 3_600
        } _: { (shop: ServedShop) throws in
            let request = questions(after: shop.engine.revision.number + 1)[0]
            for socket in shop.sockets {
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                try connection.write(request.bytes)
                connections.set(connections.value + [connection])
            }
            try shop.waitForWaiters(2)
        }
        for connection in connections.value {
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 503 "), "\(text)")
            connection.close()
        }
    }
}
