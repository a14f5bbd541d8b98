internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("Failures on demand", .timeLimit(.minutes(5)))
struct FailureTests {
    private struct Bought {
        let bench: BoxBench
        let target: String
        let history: String

        init() throws {
            bench = try BoxBench()
            for number in 1...30 { try bench.box.say("alice buys coins as C\(number)") }
            let id = bench.box.transactionIDs(of: "C1")[0]
            target = "/production/inApps/v1/transactions/\(id)"
            history = "/production/inApps/v2/history/\(id)"
        }

        func get(_ rule: FailureRule? = nil) throws -> AppStoreResponse {
            if let rule { bench.box.fail(rule) }
            return try bench.send("GET", target)
        }
    }

    @Test("a status with a code, as often as it is said and where it is said")
    func status() throws {
        let shop = try Bought()
        let rule = FailureRule(
            path: "/v1/transactions", times: 2, delay: 5,
            .status(429, code: 4_290_000, retryAfter: 7_000))
        let answer = try shop.get(rule)
        #expect(answer.status == 429 && answer.delay == 5)
        #expect(answer.headers["retry-after"] == "\(shop.bench.box.now.milliseconds + 7_000)")
        #expect(try shop.bench.send("GET", shop.history).status == 200)
        #expect(try shop.get().status == 429)
        #expect(try shop.get().status == 200)
        #expect(
            try shop.get(FailureRule(times: 1, .status(503, code: nil, retryAfter: nil))).body == []
        )
    }

    @Test("connections that break, bodies that are none, addresses elsewhere")
    func transport() throws {
        let shop = try Bought()
        #expect(try shop.get(FailureRule(times: 1, .cut)).cut == .beforeHead)
        let half = try shop.get(FailureRule(times: 1, .truncated))
        #expect(half.cut == .afterBytes(half.body.count / 2))
        let odd = try shop.get(FailureRule(times: 1, .wrongJSON))
        #expect(odd.status == 200 && (try? parseJSON(odd.body)) == nil)
        let moved = try shop.get(FailureRule(times: 1, .redirect("http://127.0.0.1:1/")))
        #expect(moved.status == 302 && moved.headers["location"] == "http://127.0.0.1:1/")
        #expect(try shop.get(FailureRule(times: 1, .padded(1_000))).body.count > 1_000)
        #expect(try shop.get().status == 200)
    }

    @Test("answers for another app, another environment, from a stranger, from another time")
    func content() throws {
        let shop = try Bought()
        func read(_ effect: FailureRule.Effect) throws -> (JSONValue, String) {
            let answer = try shop.get(FailureRule(times: 1, effect))
            let jws = try #require(try parseJSON(answer.body)["signedTransactionInfo"]?.string)
            let parts = jws.utf8.split(separator: UInt8(ascii: "."))
            let payload = try parseJSON(try #require(Base64.url.decode(Array(parts[1])[...])))
            let verdict = shop.bench.verifier.verify(Array(jws.utf8), at: shop.bench.box.now)
            guard case .refused(let refusal) = verdict else { return (payload, "") }
            return (payload, refusal.code.rawValue)
        }
        let (payload, code) = try read(.otherApp("com.example.other"))
        #expect(payload["bundleId"]?.string == "com.example.other" && code == "bind.bundle")
        #expect(try read(.otherEnvironment).0["environment"]?.string == "Sandbox")
        #expect(try read(.wrongIssuer).1 == "chain.root")
        #expect(try read(.skew(600_000)).1 == "chain.time")
        #expect(try read(.delayed).1 == "")
    }

    @Test("pages that never end")
    func pages() throws {
        let shop = try Bought()
        shop.bench.box.fail(FailureRule(times: 3, .samePage))
        var revisions = try (0..<3).map { _ in
            let page = try shop.bench.json("GET", shop.history)
            #expect(page["hasMore"]?.bool == true)
            return page["revision"]?.string
        }
        #expect(Set(revisions).count == 1)
        shop.bench.box.fail(FailureRule(times: 3, .endlessPages))
        revisions = []
        for _ in 0..<3 {
            let last = revisions.last?.map { "?revision=" + $0 } ?? ""
            let page = try shop.bench.json("GET", shop.history + last)
            #expect(page["signedTransactions"]?.elements?.count == 20)
            revisions.append(page["revision"]?.string)
        }
        #expect(Set(revisions).count == 3)
    }

    @Test("a percentage fails by the seed")
    func percentage() throws {
        let outcomes = { (seed: UInt64) in
            let bench = try BoxBench(seed: seed)
            bench.box.fail(
                FailureRule(percent: 30, .status(500, code: 5_000_000, retryAfter: nil)))
            return try (0..<100).map { _ in
                try bench.send("GET", "/production/inApps/v1/transactions/1").status
            }
        }
        let first = try outcomes(3)
        #expect(try outcomes(3) == first)
        #expect(try outcomes(4) != first)
        #expect((15...45).contains(first.count { $0 == 500 }))
    }

    @Test("statuses of verifyReceipt on demand")
    func receipts() throws {
        let bench = try BoxBench()
        bench.box.fail(
            FailureRule(path: "verifyReceipt", times: 1, .receiptStatus(21_100, isRetryable: true)))
        let answer = bench.box.answer(
            AppStoreRequest(method: "POST", target: "/production/verifyReceipt"))
        #expect(
            String(decoding: answer.body, as: UTF8.self) == #"{"status":21100,"is_retryable":true}"#
        )
    }

    @Test("notifications that get lost, come twice and come late")
    func notifications() throws {
        let bench = try BoxBench { $0.notifies = true }
        let posted = { () -> Int in
            var count = 0
            while !bench.box.advance(to: bench.box.now.advanced(byMilliseconds: 1_000)) {
                for delivery in bench.box.deliveries {
                    count += 1
                    bench.box.report(.success, of: delivery)
                }
            }
            return count
        }
        var chaos = NotificationChaos()
        chaos.repeatPercent = 100
        bench.box.disturbNotifications(chaos)
        try bench.box.say("alice buys coins as A")
        #expect(posted() == 2)
        chaos = NotificationChaos()
        chaos.dropPercent = 100
        bench.box.disturbNotifications(chaos)
        try bench.box.say("alice buys coins as B")
        #expect(posted() == 0)
        chaos = NotificationChaos()
        chaos.lateMilliseconds = 3_600_000
        bench.box.disturbNotifications(chaos)
        for number in 1...5 { try bench.box.say("alice buys coins as D\(number)") }
        #expect(posted() < 5)
        #expect(bench.box.notifications().count == 7)
    }

    @Test("control calls say what is wrong, and change nothing then")
    func control() throws {
        let bench = try BoxBench()
        let call = { (method: String, path: String, body: String) in
            let answer = bench.box.answer(
                AppStoreRequest(method: method, target: "/box" + path, body: Array(body.utf8)))
            return (answer.status, try parseJSON(answer.body))
        }
        for (method, path, body, code) in [
            ("POST", "/say", "{", "box.not-json"), ("POST", "/say", "{}", "box.missing"),
            ("POST", "/say", #"{"line": "alice flies"}"#, "box.line"),
            ("POST", "/say", #"{"line": "alice buys air as X"}"#, "box.line"),
            ("POST", "/say", #"{"line": "x", "environment": "xcode"}"#, "box.unknown-word"),
            ("POST", "/failures", #"{"failure": "flood"}"#, "box.unknown-word"),
            ("POST", "/failures", #"{"failure": "cut", "percent": 0}"#, "box.bad-value"),
            ("POST", "/failures", #"{"failure": "cut", "odd": 0}"#, "box.unknown-member"),
            ("PUT", "/products", #"{"x": {"kind": "auto-renewable"}}"#, "box.missing"),
            ("DELETE", "/products/air", "", "box.not-found"),
            ("PUT", "/notifications", #"{"drop_percent": 101}"#, "box.bad-value"),
            ("GET", "/purchases/X", "", "box.not-found"), ("GET", "/air", "", "box.not-found"),
        ] {
            let (status, answer) = try call(method, path, body)
            #expect(status == (code == "box.not-found" ? 404 : 400))
            #expect(answer["code"]?.string == code, "\(path) \(body)")
        }
        #expect(bench.box.notifications().isEmpty)
        #expect(try call("POST", "/reset", #"{"seed": "x"}"#).0 == 400)
        _ = try call("PUT", "/products", #"{"tea": {"kind": "consumable", "price": "1.50 EUR"}}"#)
        let (_, said) = try call("POST", "/say", #"{"lines": ["bob buys tea as T"]}"#)
        let evidence = try #require(said["said"]?.elements?.first?["evidence"]?.elements)
        #expect(try bench.payload(evidence[0]["jws"]?.string)["price"]?.int64 == 1_500)
        #expect(try call("GET", "/purchases/T", "").1["account"]?.string == "bob")
        _ = try call("DELETE", "/products/tea", "")
        #expect(try call("POST", "/say", #"{"line": "bob buys tea as T2"}"#).0 == 400)
        let root = bench.box.root.der
        _ = try call("POST", "/reset", #"{"start": "2026-06-01"}"#)
        #expect(bench.box.now == Instant.day(2026, 6, 1) && bench.box.notifications().isEmpty)
        #expect(try call("POST", "/reset", #"{"seed": "99"}"#).1["seed"]?.string == "99")
        #expect(bench.box.root.der != root)
    }
}
