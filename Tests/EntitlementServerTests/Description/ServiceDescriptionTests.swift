internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

private let evaluation = """
    {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},\
    "resource":{"type":"entitlement","id":"premium"}}
    """

/// For each call of the description, requests that show its answers.
private func examples(in shop: ServedShop) throws -> [String: [WireRequest]] {
    try questionExamples(in: shop).merging(reportExamples) { first, _ in first }
        .merging(accountExamples) { first, _ in first }
        .merging(reconciliationExamples) { first, _ in first }
        .merging(pushExamples) { first, _ in first }
        .merging(try orderExamples(in: shop)) { first, _ in first }
        .merging(try refundExamples(in: shop)) { first, _ in first }
        .merging(try creditExamples(in: shop)) { first, _ in first }
        .merging(try scheduleExamples(in: shop)) { first, _ in first }
        .merging(try adminActionExamples(in: shop)) { first, _ in first }
}

private let reason = #""reason":"a test""#
private let empty = "{\(reason)}"

private let reportExamples: [String: [WireRequest]] = [
    "subjectSearch": [
        .post(
            "/access/v1/search/subject",
            #"{"subject":{"type":"account"},"action":{"name":"use"},"#
                + #""resource":{"type":"entitlement","id":"premium"}}"#),
        .post("/access/v1/search/subject", "{}"),
    ],
    "resourceSearch": [
        .post(
            "/access/v1/search/resource",
            #"{"subject":{"type":"account","id":"alice"},"action":{"name":"use"},"#
                + #""resource":{"type":"entitlement"},"page":{"limit":1}}"#),
        .post("/access/v1/search/resource", "{}"),
    ],
    "actionSearch": [
        .post(
            "/access/v1/search/action",
            #"{"subject":{"type":"account","id":"alice"},"#
                + #""resource":{"type":"entitlement","id":"premium"}}"#),
        .post("/access/v1/search/action", "{}"),
    ],
    "account": [
        .get("/v1/accounts/alice"), .get("/v1/accounts/nobody"), .get("/v1/accounts/dora"),
        .get("/v1/accounts/alice?min_revision=1000000"), .get("/v1/accounts/a%20b"),
    ],
]

private let accountExamples: [String: [WireRequest]] = [
    "accountTimeline": [
        .get("/v1/accounts/alice/timeline"), .get("/v1/accounts/nobody/timeline"),
    ],
    "accountFindings": [
        .get("/v1/accounts/alice/findings"), .get("/v1/accounts/dora/findings"),
    ],
    "accountCatalogue": [
        .get("/v1/accounts/alice/catalog"), .get("/v1/accounts/nobody/catalog"),
        .get("/v1/accounts/dora/catalog?apple_id=atx:production:9&storefront=CHN"),
        .get("/v1/accounts/dora/catalog?storefront=chn"),
    ],
    "reportStore": storeReportExamples,
    "explain": [
        .get("/v1/accounts/alice/explain/premium"),
        .get("/v1/accounts/alice/explain/premium?at=2026-04-01"),
        .get("/v1/accounts/dora/explain/premium"),
        .get("/v1/accounts/nobody/explain/none?environment=sandbox"),
    ],
    "answerHistory": [
        .get("/v1/accounts/alice/history/premium"),
        .get("/v1/accounts/alice/history/premium?at=2026-04-01&limit=1"),
        .get("/v1/accounts/alice/history/premium?at=2026-04-01&expected=no"),
        .get("/v1/accounts/nobody/history/none?environment=sandbox"),
    ],
    "preflight": [
        .post("/v1/preflight", #"{"account":"alice","product":"gold"}"#),
        .post("/v1/preflight", #"{"account":"bob","product":"boat"}"#),
        .post(
            "/v1/preflight",
            #"{"account":"bob","product":"gold","apple_id":"atx:production:9"}"#),
        .post("/v1/preflight", "{}"),
    ],
    "waitingClaims": [.get("/v1/claims"), .get("/v1/claims?state=waiting")],
    "reviewClaims": [.get("/v1/claims/review"), .get("/v1/claims/review?limit=1")],
    "find": [
        .get("/v1/find/1"), .get("/v1/find/atx:production:9"), .get("/v1/find/alice"),
        .get("/v1/find/nothing"), .get("/v1/find/a%20b"), .get("/v1/find/1?at=2026-03-01"),
    ],
]

/// A request with an `Idempotency-Key`.
private func keyed(_ key: String, _ target: String, _ members: String) -> WireRequest {
    var request = WireRequest.post(target, "{\(members),\(reason)}")
    request.fields = ["Idempotency-Key: " + key]
    return request
}

/// Makes an order and gives its id.
private func order(of account: String, in shop: ServedShop) throws -> String {
    let order = WireRequest.post("/v1/orders", #"{"account":"\#(account)","product":"coins"}"#)
    let answer = try parseJSON(shop.exchange(shop.operationsSocket, order).body)
    return try #require(answer["order"]?.string)
}

private func orderExamples(in shop: ServedShop) throws -> [String: [WireRequest]] {
    let none = "/v1/orders/00000000-0000-4000-8000-000000000000"
    let one = "/v1/orders/" + (try order(of: "olga", in: shop))
    let two = "/v1/orders/" + (try order(of: "olga", in: shop))
    let three = "/v1/orders/" + (try order(of: "olga", in: shop))
    let body =
        #"{"account":"olga","product":"coins","quantity":2,"#
        + #""price":{"milliunits":990,"currency":"USD"},"apple_id":"atx:production:9"}"#
    func made(_ key: String, _ body: String) -> WireRequest {
        var request = WireRequest.post("/v1/orders", body)
        request.fields = ["Idempotency-Key: " + key]
        return request
    }
    return [
        "makeOrder": [
            made("o", body), made("o", body), made("o", #"{"account":"olga","product":"coins"}"#),
            .post("/v1/orders", #"{"account":"olga","product":"surfboard"}"#),
            .post("/v1/orders", #"{"account":"olga","product":"coins","quantity":0}"#),
            .post("/v1/orders", #"{"account":"olga"}"#),
            .post(
                "/v1/orders",
                #"{"account":"olga","product":"coins","price":{"milliunits":-1}}"#),
            .post(
                "/v1/orders",
                #"{"account":"olga","product":"coins","price":{"milliunits":1,"currency":"$"}}"#),
        ],
        "order": [
            .get(one), .get(one.uppercased().replacing("/V1/ORDERS", with: "/v1/orders")),
            .get(none), .get("/v1/orders/none"), .get(one + "?at=2026-03-01"),
        ],
        "accountOrders": [
            .get("/v1/accounts/olga/orders"), .get("/v1/accounts/nobody/orders?limit=1"),
            .get("/v1/accounts/olga/orders?limit=0"),
        ],
        "reportOrder": [
            .post(one + "/events", #"{"event":"paying","transaction_id":"77"}"#),
            .post(one + "/events", #"{"event":"failed","store_code":"2"}"#),
            .post(one + "/events", #"{"event":"finished"}"#),
            .post(one + "/events", #"{"event":"deferred"}"#),
            .post(three + "/events", #"{"event":"already-owned"}"#),
            .post(one + "/events", #"{"event":"settled"}"#),
            .post(none + "/events", #"{"event":"paying"}"#),
        ],
        "lostOrders": [.get("/v1/orders/lost"), .get("/v1/orders/lost?after_entry=1&limit=2")],
        "settleOrder": [
            .post(two + "/settle", #"{"transaction_id":"404",\#(reason)}"#),
            .post(two + "/settle", empty),
            .post(two + "/settle", #"{"transaction_id":"404",\#(reason)}"#),
            .post(three + "/settle", empty), .post(none + "/settle", empty),
        ],
        "undoOrder": [
            .post(two + "/undo", empty), .post(two + "/undo", empty),
            .post(none + "/undo", empty),
        ],
        "reassignOrder": [
            .post(one + "/reassign", #"{"account":"bob",\#(reason)}"#),
            .post(two + "/reassign", #"{"account":"bob",\#(reason)}"#),
            .post(none + "/reassign", #"{"account":"bob",\#(reason)}"#),
        ],
        "refuseOrder": [
            .post(one + "/refuse", empty), .post(two + "/refuse", empty),
            .post(three + "/refuse", empty), .post(none + "/refuse", empty),
        ],
    ]
}

/// The place of a merge that is there to be undone.
private func merge(in shop: ServedShop) throws -> Int64 {
    let grant = keyed("frank-1", "/v1/grants", #""account":"frank","entitlement":"archive""#)
    #expect(try shop.exchange(shop.operationsSocket, grant).status == 200)
    let merge = WireRequest.post("/v1/merges", #"{"from":"frank","into":"erin",\#(reason)}"#)
    let answer = try parseJSON(shop.exchange(shop.operationsSocket, merge).body)
    return try #require(answer["merge"]?.int64)
}

private func adminActionExamples(in shop: ServedShop) throws -> [String: [WireRequest]] {
    let merge = try merge(in: shop)
    let payment = try shop.purchase("coins", .consumable, id: "21")
    let evidence: JSONValue = ["payload": .string(payment)]
    let handedIn = try shop.exchange(
        shop.operationsSocket, .post("/v1/evidence", evidence.text))
    #expect(handedIn.status == 200)
    return [
        "rule": [
            .post("/v1/claims/\(shop.waitingClaim)/ruling", #"{"verb":"approve",\#(reason)}"#),
            .post("/v1/claims/\(shop.waitingClaim)/ruling", #"{"verb":"approve",\#(reason)}"#),
            .post("/v1/claims/1/ruling", #"{"verb":"approve",\#(reason)}"#),
        ],
        "giveUnclaimed": [
            .post("/v1/transactions/404/give", #"{"account":"bob",\#(reason)}"#),
            .post("/v1/transactions/21/give", #"{"account":"alice",\#(reason)}"#),
            .post("/v1/transactions/1/give", #"{"account":"bob",\#(reason)}"#),
        ],
        "grant": [
            .post("/v1/grants", #"{"account":"bob","entitlement":"premium",\#(reason)}"#),
            .post(
                "/v1/grants",
                #"{"account":"bob","credit":"coins","units":5,"until":"2026-06-01",\#(reason)}"#),
            .post("/v1/grants", #"{"account":"bob","entitlement":"none",\#(reason)}"#),
            .post("/v1/grants", #"{"account":"bob","entitlement":"premium"}"#),
            keyed("gift", "/v1/grants", #""account":"bob","entitlement":"archive""#),
            keyed("gift", "/v1/grants", #""account":"carol","entitlement":"archive""#),
        ],
        "revokeGrant": [.delete("/v1/grants/none", empty), .delete("/v1/grants/gift", empty)],
        "block": [
            .post("/v1/blocks", #"{"account":"bob",\#(reason)}"#),
            keyed("fraud", "/v1/blocks", #""account":"bob""#),
            keyed("fraud", "/v1/blocks", #""account":"carol""#),
            keyed("fraud-2", "/v1/blocks", #""account":"bob","entitlements":["nope"]"#),
        ],
        "liftBlock": [.delete("/v1/blocks/none", empty), .delete("/v1/blocks/fraud", empty)],
        "closeAccount": [
            .post("/v1/accounts/frank/close", "{\(reason)}"),
            .post("/v1/accounts/zoe/close", "{\(reason)}"),
        ],
        "reopenAccount": [
            .post("/v1/accounts/zoe/reopen", "{\(reason)}"),
            .post("/v1/accounts/zoe/reopen", "{\(reason)}"),
        ],
        "erase": [
            .post(
                "/v1/accounts/qa/erase",
                #"{"reference":"r-1","hold_days":0,"new_account":true,\#(reason)}"#),
            .post("/v1/accounts/yan/erase", #"{"reference":"r-2","hold_days":31,\#(reason)}"#),
            .post("/v1/accounts/zoe/erase", #"{"reference":"r-2",\#(reason)}"#),
            .post("/v1/accounts/zoe/erase", #"{"reference":"r-3",\#(reason)}"#),
            .post("/v1/accounts/nobody/erase", #"{"reference":"r-4",\#(reason)}"#),
        ],
        "registerToken": [
            .post(
                "/v1/account-tokens",
                #"{"token":"6f9619ff-8b86-d011-b42d-00cf4fc964ff","account":"bob",\#(reason)}"#),
            .post(
                "/v1/account-tokens",
                #"{"token":"6f9619ff-8b86-d011-b42d-00cf4fc964ff","account":"qa",\#(reason)}"#),
        ],
        "merge": [
            .post("/v1/merges", #"{"from":"qa","into":"carol",\#(reason)}"#),
            .post("/v1/merges", #"{"from":"qa","into":"qa",\#(reason)}"#),
        ],
        "undoMerge": [
            .delete("/v1/merges/1", empty), .delete("/v1/merges/\(merge)", empty),
            .delete("/v1/merges/\(merge)", empty),
        ],
        "reloadPolicy": [.post("/v1/policy/reload", empty)],
        "rollbackPolicy": [.post("/v1/policy/rollback", empty)],
        "backup": [.post("/v1/backup", empty)],
    ]
}

/// The policy in force, to be compared with itself.
private func impactBody(of shop: ServedShop) throws -> String {
    let files = try #require(try shop.engine.questions.policyInForce()).files
    let body = PolicyImpactBody(files: files, oldFiles: nil)
    return String(decoding: body.json, as: UTF8.self)
}

private func questionExamples(in shop: ServedShop) throws -> [String: [WireRequest]] {
    let purchase = try shop.purchase("archive", .nonConsumable, id: "20")
    let evidence: JSONValue = ["account": "bob", "payload": .string(purchase)]
    let list: JSONValue = [evidence, ["payload": "a.b.c"], ["payload": 1]]
    return [
        "evaluate": [
            .post("/access/v1/evaluation", evaluation), .post("/access/v1/evaluation", "{}"),
        ],
        "evaluateAll": [
            .post(
                "/access/v1/evaluations",
                #"{"evaluations":[{},\#(evaluation),{"subject":{"type":"x","id":"y"}}]}"#),
            .post("/access/v1/evaluations", #"{"evaluations":1}"#),
        ],
        "metadata": [.get("/.well-known/authzen-configuration")],
        "accountEntitlements": [
            .get("/v1/accounts/alice/entitlements"),
            .get("/v1/accounts/alice/entitlements?at=2027-01-01&environment=sandbox"),
        ],
        "accountEntitlement": [
            .get("/v1/accounts/alice/entitlements/premium"),
            .get("/v1/accounts/alice/entitlements/premium?at=2026-06-01"),
            .get("/v1/accounts/a%20b/entitlements/premium"),
        ],
        "accountCredits": [.get("/v1/accounts/alice/credits")],
        "appleIDEntitlements": [
            .get("/v1/apple-ids/atx:production:9/entitlements"),
            .get("/v1/apple-ids/none/entitlements"),
        ],
        "live": [.get("/livez")],
        "ready": [.get("/readyz")],
        "submitEvidence": [
            .post("/v1/evidence", evidence.text), .post("/v1/evidence", list.text),
            .post("/v1/evidence", #"{"payload":"a.b.c"}"#),
            .post("/v1/evidence", #"{"payload":"2000000456","verify":"remote"}"#),
        ],
        "waitingEvidence": [.get("/v1/evidence"), .get("/v1/evidence?limit=1&after_entry=1")],
        "evidenceTicket": [
            .get("/v1/evidence/\(shop.ticket)"), .get("/v1/evidence/1"), .get("/v1/evidence/x"),
        ],
        "submitNotification": [
            .post("/v1/notifications", try shop.notification(of: purchase)),
            .post("/v1/notifications", "{}"),
        ],
        "status": [.get("/status")],
        "policy": [.get("/v1/policy")],
        "policyCounts": [.get("/v1/policy/counts")],
        "waitingPolicy": [.get("/v1/policy/waiting")],
        "policyImpact": [
            .post("/v1/policy/impact", #"{"files":[{"path":"a.yaml","text":"usher: 1"}]}"#),
            .post("/v1/policy/impact", try impactBody(of: shop)),
        ],
        "metrics": [.get("/metrics")],
        "findings": [
            .get("/v1/findings"), .get("/v1/findings?kind=account-switch&limit=5"),
            .get("/v1/findings?kind=moon"),
        ],
        "changes": [
            .get("/v1/changes"), .get("/v1/changes?after=0&kind=right-lost&limit=5"),
            .get("/v1/changes?after=1000000"), .get("/v1/changes?after=0000000000000000:0"),
            .get("/v1/changes?entitlement=moon"), .get("/v1/changes?kind=moon"),
        ],
        "find": [.get("/v1/find/alice"), .get("/v1/find/a%20b"), .get("/v1/find/unheard-of")],
        "description": [.get("/openapi.json")],
    ]
}

@Suite("The description of the API", .timeLimit(.minutes(20)))
struct ServiceDescriptionTests {
    /// Of the day for which it is recorded.
    private static let document = ServiceDescription.document(
        at: Instant(milliseconds: 1_780_272_000_000))

    @Test("tells of every endpoint, once")
    func complete() {
        let names = EndpointTable.all.map(\.name)
        #expect(Set(names).count == names.count)
        let calls = EndpointTable.all.map { "\($0.method.name) \($0.path)" }
        #expect(Set(calls).count == calls.count)
        let questions = EndpointTable.all.compactMap(\.question)
        #expect(Set(questions) == Set(QuestionKind.allCases))
        #expect(questions.count == QuestionKind.allCases.count)
    }

    @Test("finds every endpoint by its path, and nothing by another spelling")
    func matching() {
        for endpoint in EndpointTable.all {
            let path = endpoint.path
            #expect(Self.match(path)?.endpoints.contains { $0 === endpoint } == true)
            for other in [path + "/", "/" + path, path + "/x", path.uppercased(), "x" + path] {
                #expect(Self.match(other)?.template != path, "\(other)")
            }
        }
    }

    private static func match(_ path: String) -> EndpointPath? {
        let bytes = Array(path.utf8)
        return EndpointTable.match(0..<bytes.count, in: bytes.span)?.path
    }

    /// Both ways: what it says can be asked with can be, and nothing else.
    @Test("tells of every parameter")
    func parameters() async throws {
        let values = [
            "at": "2026-03-01", "known_at": "2026-03-01", "environment": "sandbox",
            "apple_id": "atx:production:9",
            "assume": "grant%20alice%20premium", "expected": "yes",
            "revision": "1", "replayable": "true", "min_revision": "1", "fresh": "true",
            "state": "waiting", "limit": "1",
            "kind": "account-switch",
            "after": "account-switch.0.0.0", "after_entry": "1", "storefront": "CHN",
            "skip": "0", "open": "true", "after_change": "0", "wait": "0s", "account": "alice",
            "entitlement": "premium", "change_kind": "right-lost",
        ]
        let shop = try await ServedShop()
        let reconciler = shop.reconciler()
        #expect(reconciler.request(ReconciliationRequest(callsPerSecond: 1)) != nil)
        try await shop.serving {
            $0.reconciler = reconciler
        } _: { (shop: ServedShop) throws in
            let examples = try examples(in: shop)
            // By then all of the examples is known.
            var values = values
            values["revision"] = "\(shop.engine.revision)"
            let parameters = EndpointTable.all.flatMap(\.query)
            for call in EndpointTable.all where call.method == .get && !call.query.isEmpty {
                let request = try #require(examples[call.name]?.first)
                for (key, value) in values {
                    let parameter = try #require(parameters.first(where: { $0.key == key }))
                    let isDescribed = call.query.contains(parameter)
                    // Another one of the same name.
                    if !isDescribed, call.query.contains(where: { $0.name == parameter.name }) {
                        continue
                    }
                    for name in [parameter.name, parameter.formerName].compactMap(\.self) {
                        let target = request.target + "?\(name)=\(value)"
                        let answer = try shop.exchange(shop.operationsSocket, .get(target))
                        #expect((answer.status == 200) == isDescribed, "\(target): \(answer.text)")
                    }
                }
                #expect(Set(call.query.map(\.key)).isSubset(of: values.keys), "\(call.name)")
            }
        }
    }

    @Test("holds for what the service answers")
    func holds() async throws {
        let check = SchemaCheck(document: Self.document)
        let shop = try await ServedShop(asking: DownAppStore())
        try await shop.serving {
            $0.reconciler = shop.reconciler()
            $0.pusher = try? shop.pusher()
            $0.previewsPerSecond = 1_000
        } _: { (shop: ServedShop) throws in
            let examples = try examples(in: shop)
            var schemas = WireSchemas()
            var previewed: Set<String> = []
            for call in EndpointTable.all {
                let requests = try #require(examples[call.name], "\(call.name) has no example")
                var seen: Set<Int> = []
                for request in requests {
                    let revision = shop.engine.revision
                    let preview =
                        try call.isPreviewable
                        ? shop.exchange(shop.operationsSocket, request.preview) : nil
                    #expect(shop.engine.revision == revision, "\(call.name)")
                    let response = try shop.exchange(shop.operationsSocket, request)
                    if let preview {
                        // What waits for Apple does not wait in a preview.
                        let expected = response.status == 202 ? 200 : response.status
                        #expect(preview.status == expected, "\(request.testDescription)")
                        let shape = Written<EffectAnswer>.schema(in: &schemas)
                        let effect = try parseJSON(preview.body)
                        if preview.status == 200 {
                            previewed.insert(call.name)
                            #expect(check.faults(of: effect, against: shape) == [])
                        }
                    }
                    seen.insert(response.status)
                    let answer = call.answers.first { $0.status == response.status }
                    let isText = answer?.mediaType == "text/plain"
                    let value = isText ? .string(response.text) : try parseJSON(response.body)
                    let schema = answer?.schema(&schemas) ?? ProblemAnswer.schema(in: &schemas)
                    #expect(answer != nil || response.status >= 400, "\(call.name)")
                    #expect(check.faults(of: value, against: schema) == [], "\(call.name)")
                    if response.status == 200, let schema = call.body?.schema(&schemas),
                        let sent = request.body.flatMap({ try? parseJSON(Array($0.utf8)) }),
                        sent.elements == nil
                    {
                        #expect(check.faults(of: sent, against: schema) == [], "\(sent)")
                    }
                }
                // What a busy or closed service answers, or one to others, or one that has
                // folders for upkeep, or no access to Apple's servers, is tried elsewhere.
                let isUpkeep = ["reloadPolicy", "rollbackPolicy", "backup"].contains(call.name)
                // Here Apple is asked.
                let elsewhere: Set = isUpkeep ? [200, 403, 422] : [403, 429, 501, 503]
                let unseen = Set(call.answers.map(\.status)).subtracting(seen)
                    .subtracting(elsewhere)
                #expect(unseen == [], "\(call.name)")
            }
            let previewable = EndpointTable.all.filter(\.isPreviewable).map(\.name)
            #expect(
                previewed == Set(previewable).subtracting(["reloadPolicy", "rollbackPolicy"]))
        }
    }

    @Test("has an example for everything that is sent, and each fits its shape")
    func fittingExamples() throws {
        let check = SchemaCheck(document: Self.document)
        for (path, methods) in (Self.document["paths"]?.members ?? []).map({ ($0.key, $0.value) }) {
            for operation in (methods.members ?? []).map(\.value) {
                for parameter in operation["parameters"]?.elements ?? []
                where parameter["$ref"] == nil {
                    let example = try #require(parameter["example"], "\(path)")
                    let schema = try #require(parameter["schema"])
                    #expect(check.faults(of: example, against: schema) == [], "\(path)")
                }
                guard let media = operation["requestBody"]?["content"]?["application/json"] else {
                    continue
                }
                let example = try #require(media["example"], "\(path)")
                let schema = try #require(media["schema"])
                #expect(check.faults(of: example, against: schema) == [], "\(path)")
            }
        }
    }

    /// What makes clients names an object without a name after where it stands.
    @Test("names every object with members")
    func names() throws {
        for schema in Self.document["components"]?["schemas"]?.members ?? [] {
            #expect(Self.unnamed(in: schema.value, isNamed: true) == 0, "\(schema.key)")
        }
        #expect(Self.unnamed(in: try #require(Self.document["paths"]), isNamed: false) == 0)
    }

    private static func unnamed(in value: JSONValue, isNamed: Bool) -> Int {
        let own = !isNamed && value["type"] == "object" && value["properties"]?.members != nil
        let inner = (value.members ?? []).map(\.value) + (value.elements ?? [])
        return inner.reduce(own ? 1 : 0) { $0 + unnamed(in: $1, isNamed: false) }
    }

    /// `RECORD_SNAPSHOTS=1` writes the file anew; recording fails the run.
    @Test("is the one in the documentation")
    func documented() throws {
        let file = Repository.url("docs/openapi.json")
        if Snapshot.isRecording {
            try Data((Self.document.indented() + "\n").utf8).write(to: file)
            Issue.record("docs/openapi.json was written anew")
        }
        let written = try parseJSON(Array(Data(contentsOf: file)))
        #expect(written == Self.document)
    }

    /// The rows of the table in docs/API.md, each with the parameters of its query.
    private static let rows = EndpointTable.all.map { endpoint in
        let query = endpoint.query.map { $0.name + "=" }.joined(separator: "&")
        let call = "\(endpoint.method.name) \(endpoint.path)" + (query.isEmpty ? "" : "?" + query)
        let place = endpoint.question == nil ? "usher.sock, \(endpoint.role.rawValue)" : "both"
        return "| `\(call)` | \(place) | \(endpoint.summary) |"
    }

    @Test("is the table of docs/API.md")
    func table() throws {
        let file = try String(contentsOf: Repository.url("docs/API.md"), encoding: .utf8)
        let lines = file.split(separator: "\n")
        let table = lines.drop { $0 != "| Call | Socket, role | What it does |" }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        #expect(table.map(String.init) == Self.rows)
    }
}
