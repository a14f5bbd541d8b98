@testable internal import EntitlementServer

let aliceSubject = #""subject":{"type":"account","id":"alice"}"#
let useAction = #""action":{"name":"use"}"#
let premiumResource = #""resource":{"type":"entitlement","id":"premium"}"#
let aliceMayUsePremium = "{\(aliceSubject),\(useAction),\(premiumResource)}"

private func typed(_ contentType: String?, _ body: String = aliceMayUsePremium) -> WireRequest {
    .post("/access/v1/evaluation", body, contentType: contentType)
}

private func identified(_ id: String, _ body: String = aliceMayUsePremium) -> WireRequest {
    var request = WireRequest.post("/access/v1/evaluation", body)
    request.fields = ["X-Request-ID: " + id]
    return request
}

private func asking(
    _ subject: String, _ action: String, _ resource: String, _ more: String = ""
) -> String {
    #"{"subject":\#(subject),"action":\#(action),"resource":\#(resource)\#(more)}"#
}

private let alice = #"{"type":"account","id":"alice"}"#
private let bob = #"{"type":"account","id":"bob"}"#
private let use = #"{"name":"use"}"#
private let premium = #"{"type":"entitlement","id":"premium"}"#
private let archive = #"{"type":"entitlement","id":"archive"}"#
private let coins = #"{"type":"credit","id":"coins"}"#

/// Content types, request ids, methods, status codes.
let headerCases: [WireCase] = [
    .init("content type application/json", typed("application/json"), .decision(true)),
    .init("content type with a charset", typed("application/json; charset=utf-8"), .decision(true)),
    .init("content type in capitals", typed("Application/JSON"), .decision(true)),
    .init(
        "no content type", typed(nil), .rejected(400, code: "http.content-type")),
    .init(
        "content type text/plain", typed("text/plain"), .rejected(400, code: "http.content-type")),
    .init(
        "content type application/problem+json", typed("application/problem+json"),
        .rejected(400, code: "http.content-type")),
    .init(
        "content type application/jsonx", typed("application/jsonx"),
        .rejected(400, code: "http.content-type")),
    .init(
        "no content type in a batch",
        .post("/access/v1/evaluations", aliceMayUsePremium, contentType: nil),
        .rejected(400, code: "http.content-type")),
    .init(
        "answers are application/json", typed("application/json"),
        .header("Content-Type: application/json")),
    .init(
        "a request id is echoed unchanged", identified("8f1c2d"), .decision(true),
        .header("X-Request-ID: 8f1c2d")),
    .init(
        "a request id with other signs is echoed too", identified("bfe9eb29-ab87:1/2=3 4"),
        .header("X-Request-ID: bfe9eb29-ab87:1/2=3 4")),
    .init(
        "a request id is echoed with a refusal", identified("8f1c2d", "{}"),
        .rejected(400, code: "input.missing", field: "subject"), .header("X-Request-ID: 8f1c2d")),
    .init("no request id is made up", typed("application/json"), .noHeader("X-Request-ID")),
    .init(
        "a body with an encoding",
        WireRequest(
            method: "POST", target: "/access/v1/evaluation", body: aliceMayUsePremium,
            contentType: "application/json", fields: ["Content-Encoding: gzip"]),
        .rejected(415, code: "http.content-encoding")),
    .init(
        "GET is not how one asks", .get("/access/v1/evaluation"),
        .rejected(405, code: "http.method-not-allowed"), .header("Allow: POST")),
    .init(
        "PUT is not how one asks",
        WireRequest(
            method: "PUT", target: "/access/v1/evaluations", body: aliceMayUsePremium,
            contentType: "application/json"),
        .rejected(405, code: "http.method-not-allowed"), .header("Allow: POST")),
    .init(
        "another path", .post("/access/v1/evaluation/", aliceMayUsePremium),
        .rejected(404, code: "http.not-found")),
    .init(
        "another version", .post("/access/v2/evaluation", aliceMayUsePremium),
        .rejected(404, code: "http.not-found")),
]

/// Bodies, entities, context: what one question may look like.
let evaluationCases: [WireCase] = [
    .one("subject, action and resource", aliceMayUsePremium, .decision(true)),
    .one(
        "members in another order",
        #"{"resource":\#(premium),"action":\#(use),"subject":\#(alice)}"#, .decision(true)),
    .one(
        "white space", " {\n\t\"subject\" : \(alice) ,\r\n \(useAction), \(premiumResource) } ",
        .decision(true)),
    .one(
        "unknown members at the top",
        asking(alice, use, premium, #","extra":{"a":[1.5e3,null,true]},"purpose":"x""#),
        .decision(true)),
    .one(
        "unknown members of entities",
        asking(
            #"{"type":"account","id":"alice","extra":1}"#, #"{"name":"use","extra":[]}"#,
            #"{"type":"entitlement","id":"premium","extra":{}}"#), .decision(true)),
    .one(
        "properties of all entities",
        asking(
            #"{"type":"account","id":"alice","properties":{"department":"Sales"}}"#,
            #"{"name":"use","properties":{"soft":true}}"#,
            #"{"type":"entitlement","id":"premium","properties":{"device":"tv"}}"#),
        .decision(true)),
    .one(
        "empty properties",
        asking(
            #"{"type":"account","id":"alice","properties":{}}"#, use, premium), .decision(true)),
    .one(
        "context with anything in it",
        asking(
            alice, use, premium, #","context":{"time":"2026-11-20T10:00:00+08:00","ip":["x"]}"#),
        .decision(true)),
    .one("empty context", asking(alice, use, premium, #","context":{}"#), .decision(true)),
    .one(
        "escapes are other spellings of the same text",
        asking(#"{"type":"account","id":"\u0061lice"}"#, use, premium), .decision(true)),
    .one("a denial is an answer", asking(bob, use, premium), .decision(false)),
    .one("the same question", aliceMayUsePremium, .decision(true)),
    .one(
        "the answer says why", aliceMayUsePremium,
        .member(["context", "reason"], "\"granted\""),
        .member(["context", "state"], "\"active\""),
        .member(["context", "until"], "\"2026-03-20T01:00:00.000Z\""),
        .member(["context", "rule", "name"], "\"active, grace and renewing give\"")),
    .one(
        "a denial says why", asking(bob, use, premium),
        .member(["context", "reason"], "\"nothing-gives-it\"")),
    .one(
        "an unknown subject is denied", asking(#"{"type":"account","id":"zed"}"#, use, premium),
        .decision(false)),
    .one(
        "an unknown subject type is denied", asking(#"{"type":"robot","id":"1"}"#, use, premium),
        .decision(false), .member(["context", "reason"], "\"unknown-subject-type\"")),
    .one(
        "an unknown action is denied", asking(alice, #"{"name":"fly"}"#, premium),
        .decision(false), .member(["context", "reason"], "\"unknown-action\"")),
    .one(
        "an unknown resource type is denied", asking(alice, use, #"{"type":"boat","id":"1"}"#),
        .decision(false), .member(["context", "reason"], "\"unknown-resource-type\"")),
    .one(
        "an unknown resource is denied",
        asking(alice, use, #"{"type":"entitlement","id":"none"}"#), .decision(false),
        .member(["context", "reason"], "\"unknown-entitlement\"")),
    .one(
        "types are compared with their case",
        asking(#"{"type":"Account","id":"alice"}"#, use, premium),
        .decision(false)),
    .one(
        "ids are compared with their case",
        asking(#"{"type":"account","id":"Alice"}"#, use, premium),
        .decision(false)),
    .one(
        "an instant in the context",
        asking(alice, use, premium, #","context":{"at":"2026-04-01T00:00:00Z"}"#), .decision(false)),
    .one(
        "an environment in the context",
        asking(
            #"{"type":"account","id":"qa"}"#, use, premium,
            #","context":{"environment":"sandbox"}"#), .decision(true)),
    .one(
        "an Apple ID in the context",
        asking(alice, use, premium, #","context":{"apple_id":"atx:production:9"}"#), .decision(true)
    ),
    .one(
        "another Apple ID in the context",
        asking(alice, use, premium, #","context":{"apple_id":"atx:production:8"}"#),
        .decision(false)),
    .one(
        "a revision that is reached",
        asking(alice, use, premium, #","context":{"min_revision":1}"#), .decision(true)),
    .one(
        "a revision that is not",
        asking(alice, use, premium, #","context":{"min_revision":1000000}"#),
        .rejected(503, code: "service.revision-not-reached", field: "context.min_revision"),
        .header("Retry-After: 1")),
    .one(
        "an Apple ID as the subject",
        asking(#"{"type":"apple-id","id":"atx:production:9"}"#, use, premium), .decision(true)),
    .one(
        "an amount of an action's properties",
        asking(alice, #"{"name":"spend","properties":{"amount":100}}"#, coins), .decision(true)),
    .one(
        "an amount that is too much",
        asking(alice, #"{"name":"spend","properties":{"amount":101}}"#, coins), .decision(false)),
    .one(
        "an amount of a resource's properties",
        asking(
            alice, #"{"name":"spend"}"#,
            #"{"type":"credit","id":"coins","properties":{"amount":100}}"#), .decision(true)),
    .one(
        "a purchase",
        asking(alice, #"{"name":"purchase"}"#, #"{"type":"product","id":"coins"}"#),
        .decision(true)),
    .one(
        "a purchase that would be for nothing",
        asking(alice, #"{"name":"purchase"}"#, #"{"type":"product","id":"boat"}"#),
        .decision(false)),
]

/// Questions that have to be refused with 400, each also as a batch of one.
let refusedEvaluationCases: [WireCase] = refusedBodies.flatMap { name, body, code, field in
    ["evaluation", "evaluations"].map { call in
        WireCase(
            "\(name) (\(call))", .post("/access/v1/" + call, body),
            .rejected(code == "input.too-large" ? 413 : 400, code: code, field: field))
    }
}

private let refusedBodies: [(name: String, body: String, code: String, field: String?)] = [
    ("empty body", "", "input.malformed", nil),
    ("bad JSON", "{", "input.malformed", nil),
    ("no JSON", "subject=alice", "input.malformed", nil),
    ("bytes behind the object", aliceMayUsePremium + "x", "input.malformed", nil),
    (
        "a comma too many", "{\(aliceSubject),\(useAction),\(premiumResource),}", "input.malformed",
        nil
    ),
    ("a byte order mark", "\u{FEFF}" + aliceMayUsePremium, "input.encoding", nil),
    (
        "half a surrogate", asking(#"{"type":"account","id":"\ud800"}"#, use, premium),
        "input.encoding", nil
    ),
    (
        "a name twice", "{\(aliceSubject),\(aliceSubject),\(useAction),\(premiumResource)}",
        "input.duplicate-key", nil
    ),
    ("an array at the top", "[\(aliceMayUsePremium)]", "input.type", nil),
    ("a string at the top", "\"alice\"", "input.type", nil),
    ("a number at the top", "1", "input.type", nil),
    ("null at the top", "null", "input.type", nil),
    ("no subject", "{\(useAction),\(premiumResource)}", "input.missing", "subject"),
    ("no action", "{\(aliceSubject),\(premiumResource)}", "input.missing", "action"),
    ("no resource", "{\(aliceSubject),\(useAction)}", "input.missing", "resource"),
    ("a string for a subject", asking("\"alice\"", use, premium), "input.type", "subject"),
    ("a list for a subject", asking("[]", use, premium), "input.type", "subject"),
    ("null for a subject", asking("null", use, premium), "input.type", "subject"),
    ("a string for an action", asking(alice, "\"use\"", premium), "input.type", "action"),
    ("null for an action", asking(alice, "null", premium), "input.type", "action"),
    ("a string for a resource", asking(alice, use, "\"premium\""), "input.type", "resource"),
    ("null for a resource", asking(alice, use, "null"), "input.type", "resource"),
    (
        "no type of the subject", asking(#"{"id":"alice"}"#, use, premium), "input.missing",
        "subject.type"
    ),
    (
        "no id of the subject", asking(#"{"type":"account"}"#, use, premium), "input.missing",
        "subject.id"
    ),
    ("no name of the action", asking(alice, "{}", premium), "input.missing", "action.name"),
    (
        "no type of the resource", asking(alice, use, #"{"id":"premium"}"#), "input.missing",
        "resource.type"
    ),
    (
        "no id of the resource", asking(alice, use, #"{"type":"entitlement"}"#), "input.missing",
        "resource.id"
    ),
    (
        "a number for a subject's type", asking(#"{"type":1,"id":"alice"}"#, use, premium),
        "input.type", "subject.type"
    ),
    (
        "a number for a subject's id", asking(#"{"type":"account","id":1}"#, use, premium),
        "input.type", "subject.id"
    ),
    (
        "a number for an action's name", asking(alice, #"{"name":1}"#, premium), "input.type",
        "action.name"
    ),
    (
        "null for an action's name", asking(alice, #"{"name":null}"#, premium), "input.type",
        "action.name"
    ),
    (
        "a flag for a resource's type", asking(alice, use, #"{"type":true,"id":"premium"}"#),
        "input.type", "resource.type"
    ),
    (
        "a list for a resource's id", asking(alice, use, #"{"type":"entitlement","id":[]}"#),
        "input.type", "resource.id"
    ),
    (
        "a string for a subject's properties",
        asking(#"{"type":"account","id":"alice","properties":"x"}"#, use, premium), "input.type",
        "subject.properties"
    ),
    (
        "a list for an action's properties",
        asking(alice, #"{"name":"use","properties":[]}"#, premium), "input.type",
        "action.properties"
    ),
    (
        "a number for a resource's properties",
        asking(alice, use, #"{"type":"entitlement","id":"premium","properties":1}"#), "input.type",
        "resource.properties"
    ),
    (
        "a list for a context", asking(alice, use, premium, #","context":[]"#), "input.type",
        "context"
    ),
    (
        "a string for a context", asking(alice, use, premium, #","context":"x""#), "input.type",
        "context"
    ),
    (
        "null for a context", asking(alice, use, premium, #","context":null"#), "input.type",
        "context"
    ),
    ("an empty id", asking(#"{"type":"account","id":""}"#, use, premium), "input.id", "subject.id"),
    (
        "an id with NUL", asking(#"{"type":"account","id":"a\u0000b"}"#, use, premium), "input.id",
        "subject.id"
    ),
    (
        "a body that nests too deep",
        asking(
            alice, use, premium,
            #","context":"# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40)),
        "input.too-large", nil
    ),
]
