internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

private let token = #""token":"6f9619ff-8b86-d011-b42d-00cf4fc964ff""#

private let order = "/v1/orders/00000000-0000-4000-8000-000000000000"

/// A body for every call that needs the `admin` role, complete but for the reason, by endpoint.
private let actions: [String: (target: String, members: String)] = [
    "rule": ("/v1/claims/1/ruling", #""verb":"approve""#),
    "giveUnclaimed": ("/v1/transactions/1/give", #""account":"bob""#),
    "grant": ("/v1/grants", #""account":"bob","entitlement":"premium""#),
    "revokeGrant": ("/v1/grants/none", ""), "block": ("/v1/blocks", #""account":"bob""#),
    "liftBlock": ("/v1/blocks/none", ""),
    "closeAccount": ("/v1/accounts/bob/close", ""),
    "erase": ("/v1/accounts/bob/erase", #""reference":"r-1""#),
    "reopenAccount": ("/v1/accounts/bob/reopen", ""),
    "registerToken": ("/v1/account-tokens", #"\#(token),"account":"bob""#),
    "merge": ("/v1/merges", #""from":"alice","into":"bob""#), "undoMerge": ("/v1/merges/1", ""),
    "settleOrder": ("\(order)/settle", ""), "refuseOrder": ("\(order)/refuse", ""),
    "reassignOrder": ("\(order)/reassign", #""account":"bob""#),
    "undoOrder": ("\(order)/undo", ""),
    "answeredRefund": ("/v1/refunds/requests/1/answered", ""),
    "thawCredit": ("/v1/accounts/bob/credits/coins/thaw", ""),
    "resendChanges": ("/v1/changes/undelivered/resend", #""subscription":"back-end""#),
    "discardChanges": ("/v1/changes/undelivered/discard", #""subscription":"back-end""#),
    "reconcile": ("/v1/reconciliations", #""only_due":true"#),
    "reloadPolicy": ("/v1/policy/reload", ""), "rollbackPolicy": ("/v1/policy/rollback", ""),
    "schedulePolicy": ("/v1/policy/schedule", #""files":[],"due":"2026-12-01""#),
    "unschedulePolicy": ("/v1/policy/scheduled/1", ""), "backup": ("/v1/backup", ""),
]

@Suite("Who did it, and why", .timeLimit(.minutes(20)))
struct ActorTests {
    @Test("every admin action of an administrator needs a reason that says something")
    func reasons() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            for route in EndpointTable.all where route.role == .admin {
                let (target, members) = try #require(actions[route.name], "\(route.name) is tried")
                let start = members.isEmpty ? "" : members + ","
                let long = String(repeating: "a", count: 501)
                let cases = [
                    ("{\(members)}", "input.missing"), (#"{\#(start)"reason":""}"#, "input.value"),
                    (#"{\#(start)"reason":"  "}"#, "input.value"),
                    (#"{\#(start)"reason":"a\nb"}"#, "input.value"),
                    (#"{\#(start)"reason":"\#(long)"}"#, "input.value"),
                    (#"{\#(start)"reason":1}"#, "input.type"),
                    (#"{\#(start)"reason":null}"#, "input.missing"),
                ]
                for (body, code) in cases {
                    let request = WireRequest(
                        method: "\(route.method.name)", target: target, body: body,
                        contentType: "application/json")
                    let answer = try shop.exchange(shop.operationsSocket, request)
                    #expect(answer.status == 400, "\(target) \(body): \(answer.text)")
                    #expect(answer.text.contains("\"code\":\"\(code)\""), "\(answer.text)")
                    #expect(answer.text.contains("\"field\":\"reason\""), "\(answer.text)")
                }
            }
            #expect(shop.engine.revision == revision)
        }
    }

    @Test("the peer is the actor of everything that an admin action records")
    func actors() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let own = try ServedShop.ownActor
            let reason = #""reason":"as the customer asked""#
            let requests: [WireRequest] = [
                .post(
                    "/v1/claims/\(shop.waitingClaim)/ruling", #"{"verb":"refuse",\#(reason)}"#),
                .post("/v1/grants", #"{"account":"bob","entitlement":"premium",\#(reason)}"#),
                .post("/v1/blocks", #"{"account":"qa",\#(reason)}"#),
                .post("/v1/account-tokens", #"{\#(token),"account":"bob",\#(reason)}"#),
                .post("/v1/merges", #"{"from":"alice","into":"carol",\#(reason)}"#),
            ]
            for request in requests {
                let answer = try shop.exchange(shop.operationsSocket, request)
                #expect(answer.status == 200, "\(request.testDescription): \(answer.text)")
                let record = try parseJSON(answer.body)
                #expect(record["actor"]?.string == own)
                #expect(record["reason"]?.string == "as the customer asked")
            }
        }
    }
}

@Suite("Rulings and merges on usher.sock", .timeLimit(.minutes(20)))
struct RulingTests {
    private func owner(of lineage: String, in shop: ServedShop) throws -> String? {
        let answer = try shop.exchange(shop.operationsSocket, .get("/v1/accounts/alice"))
        let units = try parseJSON(answer.body)["units"]?.elements ?? []
        let unit = units.first { $0["lineage"]?.string == lineage }
        let last = unit?["owners"]?.elements?.last
        return last?["until"]?.isNull == true ? last?["account"]?.string : nil
    }

    /// Each verb with what it leads to: who owns alice's gold after it.
    @Test("go by all five verbs")
    func verbs() async throws {
        let steps: [(verb: String, more: String, status: Int, owner: String?)] = [
            ("transfer", #","account":"carol""#, 200, "carol"), ("undo", "", 200, "alice"),
            ("approve", "", 200, "dora"), ("approve", "", 409, "dora"),
            ("refuse", "", 409, "dora"), ("undo", "", 200, "alice"), ("release", "", 200, nil),
            ("release", "", 409, nil), ("undo", "", 200, "alice"),
            ("undo", #","decision":1"#, 409, "alice"), ("transfer", "", 200, "dora"),
            ("transfer", #","account":"dora""#, 409, "dora"),
        ]
        try await ServedShop().serving { (shop: ServedShop) throws in
            for (number, step) in steps.enumerated() {
                // No two moves at one instant, so that each stretch is seen.
                shop.clock.instant.set(shop.clock.now().advanced(byMilliseconds: 1_000))
                let body = #"{"verb":"\#(step.verb)"\#(step.more),"reason":"a test"}"#
                let answer = try shop.exchange(
                    shop.operationsSocket,
                    .post("/v1/claims/\(shop.waitingClaim)/ruling", body))
                #expect(answer.status == step.status, "\(number) \(body): \(answer.text)")
                #expect(try owner(of: "1", in: shop) == step.owner, "\(number) \(step.verb)")
            }
        }
    }

    @Test("list a claim until a person has ruled on it")
    func waiting() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func count() throws -> Int? {
                let answer = try shop.exchange(
                    shop.operationsSocket, .get("/v1/claims?state=waiting"))
                return try parseJSON(answer.body)["claims"]?.elements?.count
            }
            #expect(try count() == 1)
            let ruling = WireRequest.post(
                "/v1/claims/\(shop.waitingClaim)/ruling",
                #"{"verb":"refuse","reason":"a test"}"#)
            #expect(try shop.exchange(shop.operationsSocket, ruling).status == 200)
            #expect(try count() == 0)
        }
    }

    @Test("merge two accounts, and take the merge back")
    func merges() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func mayUse(_ account: String) throws -> Bool? {
                let answer = try shop.exchange(
                    shop.querySocket, .get("/v1/accounts/\(account)/entitlements/premium"))
                return try parseJSON(answer.body)["decision"]?.bool
            }
            func post(_ from: String, _ into: String) throws -> LocalClient.Response {
                try shop.exchange(
                    shop.operationsSocket,
                    .post("/v1/merges", #"{"from":"\#(from)","into":"\#(into)","reason":"a test"}"#)
                )
            }
            let merged = try post("alice", "carol")
            #expect(merged.status == 200, "\(merged.text)")
            #expect(try mayUse("alice") == false && mayUse("carol") == true)
            #expect(try post("alice", "carol").text == merged.text, "the same merge again")
            let nothing = try post("nobody", "carol")
            #expect(nothing.status == 409 && nothing.text.contains("merge.nothing-to-merge"))
            #expect(try post("bob", "bob").text.contains("merge.same-account"))
            let place = try #require(try parseJSON(merged.body)["merge"]?.int64)
            shop.clock.instant.set(shop.clock.now().advanced(byMilliseconds: 1_000))
            let undo = WireRequest.delete("/v1/merges/\(place)", #"{"reason":"a mistake"}"#)
            let undone = try shop.exchange(shop.operationsSocket, undo)
            #expect(try parseJSON(undone.body)["undoes"]?.int64 == place, "\(undone.text)")
            #expect(try mayUse("alice") == true && mayUse("carol") == false)
            #expect(try shop.exchange(shop.operationsSocket, undo).status == 409)
            for (name, status) in [("1", 404), ("x", 400), ("999999", 404)] {
                let unknown = WireRequest.delete("/v1/merges/" + name, #"{"reason":"a test"}"#)
                #expect(try shop.exchange(shop.operationsSocket, unknown).status == status)
            }
        }
    }
}
