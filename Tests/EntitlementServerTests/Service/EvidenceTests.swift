internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

@Suite("Evidence over usher.sock", .timeLimit(.minutes(20)))
struct EvidenceTests {
    private static func body(_ members: JSONValue) -> [UInt8] { members.serialized() }

    @Test("is judged, and the account's rights after it are told")
    func judged() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            let purchase = try shop.purchase("archive", .nonConsumable, id: "10")
            let response = try client.post(
                "/v1/evidence",
                json: Self.body(["account": "bob", "payload": .string(purchase)]))
            #expect(response.status == 200)
            let answer = try parseJSON(response.body)
            #expect(answer["verdict"] == "judged")
            #expect(answer["kind"] == "transaction")
            let transaction = try #require(answer["transactions"]?.elements?.first)
            #expect(transaction["verdict"] == "owned")
            #expect(transaction["finish"] == true)
            #expect(transaction["owners"] == ["bob"])
            let rights = try #require(answer["entitlements"]?.elements)
            #expect(rights.map { $0["decision"]?.bool } == [true, false])
            let after = try LocalClient(socketPath: shop.querySocket, secondsToWait: 600)
                .get("/v1/accounts/bob/entitlements/archive")
            #expect(try parseJSON(after.body)["decision"] == true)
        }
    }

    @Test("of another's purchase is recorded, and its owner is masked")
    func keptByOther() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let purchase = try shop.purchase("gold", .autoRenewable, id: "1")
            let response = try LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
                .post(
                    "/v1/evidence",
                    json: Self.body([
                        "account": "mallory", "payload": .string(purchase), "moment": "restore",
                    ]))
            #expect(response.status == 200)
            let transaction = try parseJSON(response.body)["transactions"]?.elements?.first
            #expect(transaction?["verdict"] == "refused")
            #expect(transaction?["code"] == "kept")
            #expect(transaction?["owners"] == ["al***"])
        }
    }

    @Test("presented twice alike is answered alike, though a rule would move it by then")
    func again() async throws {
        let shop = try await ServedShop()
        let token = "00000000-0000-4000-8000-00000000000a"
        _ = try await shop.engine.activate([
            PolicyText(
                path: "policy.yaml",
                text: ServedShop.policy
                    + "\n  - {name: move, when: {moment: restore}, then: transfer}"),
            PolicyText(path: "root.der", bytes: shop.store.root.der),
        ])
        try await shop.serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            let registration: JSONValue = [
                "token": .string(token), "account": "alice", "reason": "a test",
            ]
            _ = try client.post("/v1/account-tokens", json: Self.body(registration))
            let purchase = try shop.purchase("archive", .nonConsumable, id: "12", token: token)
            let body = Self.body(["account": "bob", "payload": .string(purchase)])
            let first = try client.post("/v1/evidence", json: body)
            let second = try client.post("/v1/evidence", json: body)
            #expect(first.status == 200)
            #expect(first.text == second.text)
            let transaction = try parseJSON(first.body)["transactions"]?.elements?.first
            #expect(transaction?["code"] == "token")
            let asked = try LocalClient(socketPath: shop.querySocket, secondsToWait: 600)
                .get("/v1/accounts/alice/entitlements/archive")
            #expect(try parseJSON(asked.body)["decision"] == true)
        }
    }

    @Test("for a merged account is the other one's, and the answer says so")
    func merged() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            _ = try client.post(
                "/v1/merges",
                json: Self.body(["from": "alice", "into": "carol", "reason": "a test"]))
            let purchase = try shop.purchase("archive", .nonConsumable, id: "13")
            let response = try client.post(
                "/v1/evidence",
                json: Self.body(["account": "alice", "payload": .string(purchase)]))
            let answer = try parseJSON(response.body)
            #expect(answer["merged_into"] == "carol", "\(response.text)")
            #expect(answer["account"] == "carol")
            let transaction = answer["transactions"]?.elements?.first
            #expect(transaction?["owners"] == ["carol"])
        }
    }

    @Test("that is not genuine is refused with its code, in the caller's language")
    func refused() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            var request = WireRequest.post("/v1/evidence", #"{"payload":"a.b.c"}"#)
            request.fields = ["Accept-Language: zh"]
            let response = try shop.exchange(shop.operationsSocket, request)
            #expect(response.status == 422)
            #expect(response.mediaType == "application/problem+json")
            let problem = try parseJSON(response.body)
            #expect(problem["status"] == 422)
            #expect(problem["code"]?.string?.isEmpty == false)
            let detail = try #require(problem["detail"]?.string)
            #expect(detail.unicodeScalars.contains { $0.value > 0x4E00 })
        }
    }

    @Test("in a list is answered piece by piece")
    func list() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let purchase = try shop.purchase("archive", .nonConsumable, id: "11")
            let list: JSONValue = [
                ["payload": .string(purchase), "account": "bob"], ["payload": "nonsense"],
                ["payload": .string(purchase), "account": "b b"], "no object",
                ["payload": .string(purchase), "acount": "bob"],
            ]
            let response = try LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
                .post("/v1/evidence", json: Self.body(list))
            #expect(response.status == 200)
            let codes = try #require(try parseJSON(response.body).elements)
                .map { $0["code"]?.string }
            #expect(codes.count == 5)
            #expect(codes[0] == nil)
            #expect(codes[1] != nil)
            #expect(Array(codes[2...]) == ["input.id", "input.type", "input.unknown-member"])
        }
    }

    @Test(
        "is refused where it cannot be read",
        arguments: [
            ("", 400, "input.malformed"), ("1", 400, "input.type"),
            ("{}", 400, "input.missing"), (#"{"payload":1}"#, 400, "input.type"),
            (#"{"payload":"x","account":"a b"}"#, 400, "input.id"),
            (#"{"payload":"x","moment":"later"}"#, 400, "input.value"),
            (#"{"payload":"x","order":""}"#, 400, "input.id"),
            (#"{"payload":"x","acount":"bob"}"#, 400, "input.unknown-member"),
            (#"{"payload":"x","payload":"x"}"#, 400, "input.duplicate-key"),
        ])
    func unreadable(body: String, status: Int, code: String) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let response = try shop.exchange(
                shop.operationsSocket, .post("/v1/evidence", body))
            #expect(response.status == status)
            #expect(try parseJSON(response.body)["code"]?.string == code)
        }
    }

    @Test("of an App Store notification is taken as Apple posts it")
    func notification() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let path = "/v1/notifications"
            let refused = try shop.exchange(
                shop.operationsSocket, .post(path, #"{"signedPayload":"a.b.c"}"#))
            #expect(refused.status == 422)
            let purchase = try shop.purchase("gold", .autoRenewable, id: "12")
            let taken = try shop.exchange(
                shop.operationsSocket,
                .post(path, try shop.notification(of: purchase), contentType: nil))
            #expect(taken.status == 200)
            // Nobody would get what is handed in here by mistake.
            for body in [purchase, #"{"signedPayload":"\#(purchase)"}"#] {
                let wrong = try shop.exchange(
                    shop.operationsSocket, .post(path, body, contentType: nil))
                #expect(wrong.status == 422)
                let problem = try parseJSON(wrong.body)
                #expect(problem["code"] == "bind.kind")
                #expect(problem["detail"]?.string?.contains("/v1/evidence") == true)
            }
            let empty = try shop.exchange(shop.operationsSocket, .post(path, "{}"))
            #expect(empty.status == 422)
            #expect(try parseJSON(taken.body)["account"] == nil)
        }
    }

    @Test("larger than the limit is refused before it is read, and so is what is no JSON")
    func limits() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            let large = [UInt8](repeating: 0x20, count: 2 * 1_024 * 1_024 + 1)
            #expect(try client.post("/v1/evidence", json: large).status == 413)
            #expect(try client.post("/access/v1/evaluation", json: large).status == 413)
            let text = WireRequest.post("/v1/evidence", "{}", contentType: "text/plain")
            #expect(try shop.exchange(shop.operationsSocket, text).status == 400)
            var compressed = WireRequest.post("/v1/evidence", "{}")
            compressed.fields = ["Content-Encoding: gzip"]
            #expect(try shop.exchange(shop.operationsSocket, compressed).status == 415)
        }
    }

    @Test("may be handed in by those with the role for it only")
    func roles() async throws {
        for (role, evidence, question) in [
            (PeerRole?.none, 403, 403), (.query, 403, 200), (.ingest, 422, 200),
            (.admin, 422, 200),
        ] {
            try await ServedShop().serving {
                let own = PeerAccess.Entry.Who.user(PeerCredentials.own.user)
                $0.access = PeerAccess(entries: role.map { [PeerAccess.Entry(own, $0)] } ?? [])
            } _: { (shop: ServedShop) throws in
                let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
                let body = Self.body(["payload": "nonsense"])
                #expect(try client.post("/v1/evidence", json: body).status == evidence)
                #expect(try client.get("/livez").status == question)
                #expect(try client.get("/status").status == question)
            }
        }
    }

    @Test("that nobody signed is taken from an administrator only, who says that it is imported")
    func imported() async throws {
        for (role, status) in [(PeerRole.ingest, 403), (.admin, 200)] {
            try await ServedShop().serving {
                let own = PeerAccess.Entry.Who.user(PeerCredentials.own.user)
                $0.access = PeerAccess(entries: [PeerAccess.Entry(own, role)])
            } _: { (shop: ServedShop) throws in
                let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
                let answer: JSONValue = [
                    "status": 0, "environment": "Production",
                    "receipt": [
                        "bundle_id": "com.example.shop", "in_app": [],
                        "request_date_ms": "1772236800000",
                    ],
                    "latest_receipt_info": [
                        [
                            "transaction_id": "77", "product_id": "archive",
                            "purchase_date_ms": "1772150400000",
                        ]
                    ],
                ]
                var piece: JSONValue = ["account": "zoe", "payload": .string(answer.text)]
                let unsigned = try client.post("/v1/evidence", json: Self.body(piece))
                #expect(unsigned.status == 422)
                #expect(try parseJSON(unsigned.body)["code"] == "evidence.unsigned")
                piece["imported"] = true
                let told = try client.post("/v1/evidence", json: Self.body(piece))
                #expect(told.status == status)
                let json = try parseJSON(told.body)
                if role == .admin {
                    #expect(json["kind"] == "imported-answer")
                    #expect(json["transactions"]?.elements?.first?["verdict"] == "owned")
                } else {
                    #expect(json["code"] == "peer.role")
                    #expect(json["field"] == "imported")
                }
            }
        }
    }

    @Test("that only Apple can judge waits, durable and visible, and is the same ticket again")
    func waiting() async throws {
        try await ServedShop(asking: DownAppStore()).serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            let body = Self.body(["account": "erin", "payload": "2000000123", "verify": "remote"])
            let revision = shop.engine.revision
            let told = try client.post("/v1/evidence", json: body)
            #expect(told.status == 202)
            let json = try parseJSON(told.body)
            #expect(json["verdict"] == "waiting")
            #expect(json["ticket"]?["ticket"] == .integer(shop.ticket))
            #expect(json["ticket"]?["state"] == "waiting")
            #expect(json["judged"] == nil)
            #expect(shop.engine.revision == revision)
            let ticket = try parseJSON(client.get("/v1/evidence/\(shop.ticket)").body)
            #expect(ticket["account"] == "erin")
            #expect(ticket["transaction_id"] == "2000000123")
            #expect(ticket["next_attempt"] == "2026-03-01T00:00:00.000Z")
            let list = try parseJSON(client.get("/v1/evidence").body)
            #expect(list["asks"] == true)
            #expect(list["tickets"]?.elements?.count == 1)
            let status = try parseJSON(client.get("/status").body)
            #expect(status["waiting"]?["tickets"] == 1)
            let metrics = try client.get("/metrics").text
            #expect(metrics.contains("usher_tickets{form=\"transaction\"} 1\n"))
            #expect(metrics.contains("usher_tickets_oldest_seconds 0\n"))
            #expect(metrics.contains("usher_app_store_attempts_total{outcome=\"answered\"} 0\n"))
        }
    }

    @Test("that only Apple can judge is rejected where nobody asks Apple, and leaves nothing")
    func notConfigured() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            let revision = shop.engine.revision
            let id: JSONValue = ["payload": "2000000123", "verify": "remote"]
            let told = try client.post("/v1/evidence", json: Self.body(id))
            #expect(told.status == 501)
            let json = try parseJSON(told.body)
            #expect(json["code"] == "app-store.not-configured")
            #expect(json["field"] == "verify")
            let list = try client.post("/v1/evidence", json: Self.body([id]))
            #expect(list.status == 200)
            #expect(
                try parseJSON(list.body).elements?.first?["code"] == "app-store.not-configured")
            #expect(shop.engine.revision == revision)
            let purchase = try shop.purchase("archive", .nonConsumable, id: "21")
            let judged = try client.post(
                "/v1/evidence",
                json: Self.body([
                    "account": "bob", "payload": .string(purchase), "verify": "remote",
                ]))
            #expect(judged.status == 200)
            #expect(try parseJSON(judged.body)["apple_not_asked"] == true)
            let wrong = try client.post(
                "/v1/evidence", json: Self.body(["payload": "1", "verify": "local"]))
            #expect(wrong.status == 400)
        }
    }

    @Test("is counted")
    func counted() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            _ = try client.post("/v1/evidence", json: Self.body(["payload": "a.b.c"]))
            let again = try client.post("/v1/evidence", json: Self.body(["payload": "a.b.c"]))
            let code = try parseJSON(again.body)["code"]
            let metrics = try client.get("/metrics")
            #expect(metrics.mediaType == "text/plain; version=0.0.4; charset=utf-8")
            let line = "usher_evidence_total{verdict=\"\(code?.string ?? "")\"} 2\n"
            #expect(metrics.text.contains(line))
            #expect(metrics.text.contains("usher_ready 1\n"))
        }
    }

    @Test("leaves its mark on the status")
    func status() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            let before = try parseJSON(client.get("/status").body)
            #expect(before["status"] == "ready")
            #expect(before["version"] == "1.2.3")
            #expect(before["accepts_writes"] == true)
            #expect(before["policy"]?.string == shop.engine.policy.digest.hexadecimal)
            let purchase = try shop.purchase("archive", .nonConsumable, id: "13")
            _ = try client.post(
                "/v1/evidence",
                json: Self.body(["account": "bob", "payload": .string(purchase)]))
            let after = try parseJSON(client.get("/status").body)
            let old = try #require(before["revision"]?.int64)
            let new = try #require(after["revision"]?.int64)
            #expect(new > old)
        }
    }

    @Test("waits for nothing when the caller asks before it sends")
    func expectation() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let connection = try LocalConnection(path: shop.operationsSocket, secondsToWait: 600)
            defer { connection.close() }
            var request = WireRequest.post("/v1/evidence", "{}")
            request.fields = ["Expect: 100-continue"]
            try connection.write(Array(request.bytes.dropLast(2)))
            let first = String(decoding: try connection.readSome(), as: UTF8.self)
            #expect(first.hasPrefix("HTTP/1.1 100 Continue\r\n"))
            try connection.write(Array("{}".utf8))
            let rest = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(rest.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    @Test("beyond what is worked on at once is put off, and so is nothing else")
    func overload() async throws {
        try await ServedShop().serving {
            $0.inFlightLimit = 0
        } _: { (shop: ServedShop) throws in
            let request = WireRequest.post("/v1/evidence", "{}")
            let response = try shop.exchange(shop.operationsSocket, request)
            #expect(response.status == 503)
            #expect(response.text.contains("service.overloaded"))
            #expect(
                try LocalClient(socketPath: shop.querySocket, secondsToWait: 600).get("/livez")
                    .status == 200)
        }
    }
}
