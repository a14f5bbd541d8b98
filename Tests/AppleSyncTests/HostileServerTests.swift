internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

/// What a hostile or broken server may answer.
@Suite("Hostile servers", .timeLimit(.minutes(5)))
struct HostileServerTests {
    /// What asking for a transaction, a page and the statuses ends with when this is the answer.
    private func kinds(
        _ answer: Result<TransportResponse, TransportFailure>
    ) async throws -> [AppStoreFailure.Kind?] {
        let client = try Sample.client(ScriptedServers(always: answer))
        return [
            await Sample.failure { () async throws(AppStoreFailure) in
                try await client.transaction(Sample.id, in: .production)
            }?.kind,
            await Sample.failure { () async throws(AppStoreFailure) in
                try await client.history(of: Sample.id, in: .production, after: nil)
            }?.kind,
            await Sample.failure { () async throws(AppStoreFailure) in
                try await client.statuses(of: Sample.id, in: .production)
            }?.kind,
        ]
    }

    @Test(
        "what is not strict JSON is a bad answer",
        arguments: [
            "", "{", "[]", "null", "<html>maintenance</html>", "{\"hasMore\":true,}",
            "{\"revision\":\"a\",\"revision\":\"b\"}", "\u{FEFF}{}", "{\"data\":[[[",
            String(repeating: "[", count: 100), "{\"signedTransactions\":[\"a\"",
        ])
    func wrongJSON(text: String) async throws {
        let kinds = try await kinds(.status(200, text))
        #expect(kinds == [.badAnswer, .badAnswer, .badAnswer])
    }

    @Test(
        "so are members of other types",
        arguments: [
            ["signedTransactions": "a", "data": "a", "signedTransactionInfo": 1],
            ["signedTransactions": [1], "data": [["lastTransactions": [1]]]],
            ["hasMore": "true", "data": [["lastTransactions": [["status": "1"]]]]],
            ["revision": 7, "data": ["lastTransactions": []]],
        ] as [JSONValue])
    func wrongTypes(body: JSONValue) async throws {
        let kinds = try await kinds(.json(body))
        #expect(kinds == [.badAnswer, .badAnswer, .badAnswer])
    }

    @Test(
        "and answers for another app or environment",
        arguments: [
            ["bundleId": "com.example.reade"], ["bundleId": "com.example.Reader"],
            ["bundleId": "com.example.reader2"], ["environment": "Sandbox"],
            ["environment": "production"], ["appAppleId": 7], ["bundleId": 7],
        ] as [JSONValue])
    func otherApp(members: JSONValue) async throws {
        var body: JSONValue = [
            "revision": "r", "hasMore": false, "bundleId": .string(Sample.bundleID.text),
            "environment": "Production", "appAppleId": 1_234_567_890, "data": [],
            "signedTransactions": [],
        ]
        body["signedTransactionInfo"] = Sample.transaction()["signedTransactionInfo"]
        let good = try await kinds(.json(body))
        #expect(good == [nil, nil, nil])
        for member in members.members ?? [] { body[member.key] = member.value }
        let bad = try await kinds(.json(body))
        #expect(bad == [.badAnswer, .badAnswer, .badAnswer])
    }

    @Test(
        "and another transaction than was asked for",
        arguments: [
            Sample.transaction(id: "2000000000000011"),
            Sample.transaction(bundle: "com.example.other"),
            Sample.transaction(environment: .sandbox),
            ["signedTransactionInfo": "a.b"], ["signedTransactionInfo": "a.b.c.d"],
            ["signedTransactionInfo": "e30.====.c2ln"], ["signedTransactionInfo": ""],
        ] as [JSONValue])
    func otherTransaction(body: JSONValue) async throws {
        let kind = try await kinds(.json(body))[0]
        #expect(kind == .badAnswer)
    }

    @Test("and an answer of verifyReceipt for the other environment")
    func otherEnvironmentOfReceipt() async throws {
        let servers = ScriptedServers(always: .json(["status": 0, "environment": "Sandbox"]))
        let client = try Sample.client(servers)
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.verifyReceipt("AAAA")
        }
        #expect(failure?.kind == .badAnswer)
    }

    @Test("redirects are not followed", arguments: [300, 301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
        let servers = ScriptedServers(always: .status(status))
        let client = try Sample.client(servers)
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.transaction(Sample.id, in: nil)
        }
        #expect(failure == AppStoreFailure(.badAnswer, httpStatus: status))
        #expect(servers.requests.count == 1)
    }

    @Test("every request says how many bytes and how much time its answer may take")
    func bounds() async throws {
        let servers = ScriptedServers(always: .json(["status": 0]))
        let client = try Sample.client(servers)
        try await client.finish(Sample.id, in: .production)
        _ = try await client.verifyReceipt("AAAA")
        #expect(servers.requests.map(\.answerLimit) == [4 << 20, 16 << 20])
        #expect(servers.requests.map(\.timeout) == [30_000, 30_000])
    }

    @Test("a page with too many items is a bad answer", arguments: [(200, true), (201, false)])
    func longPages(count: Int, isGood: Bool) async throws {
        let items = JSONValue.array(Array(repeating: "a.b.c", count: count))
        let client = try Sample.client(
            ScriptedServers(always: .json(["revision": "r", "signedTransactions": items])))
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.refunds(of: Sample.id, in: .production, after: nil)
        }
        #expect((failure == nil) == isGood)
    }

    @Test("pages that lead back to one another end, as do pages without an end")
    func endlessPages() async throws {
        for (revisions, pages) in [
            (["a"], 2), (["a", "b"], 3), (["a", "b", "c", "b"], 4), ([""], 1),
            ((1...50).map { "\($0)" }, 20),
        ] {
            let servers = ScriptedServers { _, number in
                .json([
                    "revision": .string(revisions[(number - 1) % revisions.count]),
                    "hasMore": true, "signedTransactions": [],
                ])
            }
            let client = try Sample.client(servers)
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await client.walkHistory(of: Sample.id, in: .production, limit: 20) { _ in
                    true
                }
            }
            #expect(failure?.kind == .badAnswer)
            #expect(servers.requests.count == pages, "\(revisions)")
        }
    }

    @Test("notifications too")
    func endlessNotifications() async throws {
        for (tokens, pages) in [
            (["a"], 2), (["a", "b"], 3), ((1...50).map { "\($0)" }, 20), ([""], 1),
        ] {
            let servers = ScriptedServers { _, number in
                .json([
                    "paginationToken": .string(tokens[(number - 1) % tokens.count]),
                    "hasMore": true, "notificationHistory": [],
                ])
            }
            let client = try Sample.client(servers)
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await client.walkNotifications(
                    in: .production, from: Sample.now, to: Sample.now, limit: 20
                ) { _ in true }
            }
            #expect(failure?.kind == .badAnswer)
            #expect(servers.requests.count == pages, "\(tokens)")
        }
    }
}
