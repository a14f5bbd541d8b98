@testable internal import EntitlementServer

private let accounts = #""subject":{"type":"account"}"#
private let buy = #""action":{"name":"purchase"}"#
private let coins = #""resource":{"type":"product","id":"coins"}"#
private let entitlements = #""resource":{"type":"entitlement"}"#
private let whoUsesPremium = "{\(accounts),\(useAction),\(premiumResource)}"
private let whatAliceUses = "{\(aliceSubject),\(useAction),\(entitlements)}"
private let whatAliceDoes = "{\(aliceSubject),\(premiumResource)}"

/// The three searches.
let searchCases: [WireCase] =
    foundCases + refusedSearchCases + [
        .search(
            "subject", "subjects are pairs of type and id", whoUsesPremium,
            .member(["results"], #"[{"type":"account","id":"alice"}]"#)),
        .search(
            "resource", "resources are pairs of type and id", whatAliceUses,
            .member(["results"], #"[{"type":"entitlement","id":"premium"}]"#)),
        .search(
            "action", "actions have names", whatAliceDoes,
            .member(["results"], #"[{"name":"use"}]"#)),
        .search(
            "subject", "a page comes first", whoUsesPremium,
            .member(["page"], #"{"next_token":"","count":1}"#)),
        .search(
            "subject", "a page with a limit",
            #"{\#(accounts),\#(buy),\#(coins),"page":{"limit":2}}"#,
            .member(["page", "count"], "2")),
        .search(
            "subject", "a page with a limit of nothing",
            #"{\#(accounts),\#(buy),\#(coins),"page":{"limit":0}}"#,
            .member(["page", "count"], "0"), .member(["results"], "[]")),
        .search(
            "subject", "a page with a limit beyond ours",
            #"{\#(accounts),\#(buy),\#(coins),"page":{"limit":100000000000}}"#,
            .found(["alice", "dora", "qa"])),
        .search(
            "subject", "an empty page object", #"{\#(accounts),\#(buy),\#(coins),"page":{}}"#,
            .found(["alice", "dora", "qa"])),
        .search(
            "subject", "an empty token",
            #"{\#(accounts),\#(buy),\#(coins),"page":{"token":""}}"#,
            .found(["alice", "dora", "qa"])),
        .search(
            "subject", "unknown members of a page",
            #"{\#(accounts),\#(buy),\#(coins),"page":{"x":1}}"#, .found(["alice", "dora", "qa"])),
        .search(
            "action", "a page of actions", #"{\#(aliceSubject),\#(premiumResource),"page":{}}"#,
            .found(["use"])),
        .init(
            "a request id is echoed by a search",
            WireRequest(
                method: "POST", target: "/access/v1/search/subject", body: whoUsesPremium,
                contentType: "application/json", fields: ["X-Request-ID: 8f1c2d"]),
            .header("X-Request-ID: 8f1c2d"), .header("Content-Type: application/json")),
        .init(
            "a search with another content type",
            .post("/access/v1/search/subject", whoUsesPremium, contentType: "text/plain"),
            .rejected(400, code: "http.content-type")),
        .init(
            "a search without a content type",
            .post("/access/v1/search/action", whatAliceDoes, contentType: nil),
            .rejected(400, code: "http.content-type")),
        .init(
            "GET is not how one searches", .get("/access/v1/search/resource"),
            .rejected(405, code: "http.method-not-allowed"), .header("Allow: POST")),
        .init(
            "a search for something else", .post("/access/v1/search/context", whoUsesPremium),
            .rejected(404, code: "http.not-found")),
    ]

private let foundCases: [WireCase] = [
    .search("subject", "who may use it", whoUsesPremium, .found(["alice"])),
    .search(
        "subject", "the id of the subject is ignored",
        #"{"subject":{"type":"account","id":"bob"},\#(useAction),\#(premiumResource)}"#,
        .found(["alice"])),
    .search(
        "subject", "the context counts",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"context":{"environment":"sandbox"}}"#,
        .found(["qa"])),
    .search(
        "subject", "the instant counts",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"context":{"at":"2026-04-01"}}"#,
        .found([])),
    .search(
        "subject", "properties count",
        #"{\#(accounts),"action":{"name":"spend","properties":{"amount":100}},"#
            + #""resource":{"type":"credit","id":"coins"}}"#, .found(["alice"])),
    .search(
        "subject", "properties that nobody meets",
        #"{\#(accounts),"action":{"name":"spend","properties":{"amount":101}},"#
            + #""resource":{"type":"credit","id":"coins"}}"#, .found([])),
    .search(
        "subject", "unknown members", #"{\#(accounts),\#(useAction),\#(premiumResource),"x":{}}"#,
        .found(["alice"])),
    .search(
        "subject", "an unknown subject type",
        #"{"subject":{"type":"robot"},\#(useAction),\#(premiumResource)}"#, .found([])),
    .search(
        "subject", "an unknown action",
        #"{\#(accounts),"action":{"name":"fly"},\#(premiumResource)}"#, .found([])),
    .search(
        "subject", "an unknown resource type",
        #"{\#(accounts),\#(useAction),"resource":{"type":"boat","id":"1"}}"#, .found([])),
    .search(
        "subject", "an unknown resource",
        #"{\#(accounts),\#(useAction),"resource":{"type":"entitlement","id":"none"}}"#, .found([])),
    .search("resource", "what may be used", whatAliceUses, .found(["premium"])),
    .search(
        "resource", "the id of the resource is ignored",
        #"{\#(aliceSubject),\#(useAction),"resource":{"type":"entitlement","id":"archive"}}"#,
        .found(["premium"])),
    .search(
        "resource", "what an Apple ID may use",
        #"{"subject":{"type":"apple-id","id":"atx:production:9"},\#(useAction),\#(entitlements)}"#,
        .found(["premium"])),
    .search(
        "resource", "an unknown subject",
        #"{"subject":{"type":"account","id":"zed"},\#(useAction),\#(entitlements)}"#, .found([])),
    .search(
        "resource", "an unknown type of subject",
        #"{"subject":{"type":"robot","id":"1"},\#(useAction),\#(entitlements)}"#, .found([])),
    .search(
        "resource", "an unknown type of resource",
        #"{\#(aliceSubject),\#(useAction),"resource":{"type":"boat"}}"#, .found([])),
    .search("action", "what may be done", whatAliceDoes, .found(["use"])),
    .search(
        "action", "an action that is given is ignored",
        #"{\#(aliceSubject),"action":{"name":"fly"},\#(premiumResource)}"#, .found(["use"])),
    .search(
        "action", "nothing may be done",
        #"{\#(aliceSubject),"resource":{"type":"entitlement","id":"archive"}}"#, .found([])),
    .search(
        "action", "an unknown type of resource for actions",
        #"{\#(aliceSubject),"resource":{"type":"boat","id":"1"}}"#, .found([])),
    .search(
        "action", "an unknown subject for actions",
        #"{"subject":{"type":"account","id":"zed"},\#(premiumResource)}"#, .found([])),
]

private let refusedSearchCases: [WireCase] = [
    ("subject", "no subject", "{\(useAction),\(premiumResource)}", "input.missing", "subject"),
    (
        "subject", "no type of the subject", #"{"subject":{},\#(useAction),\#(premiumResource)}"#,
        "input.missing", "subject.type"
    ),
    ("subject", "no action", "{\(accounts),\(premiumResource)}", "input.missing", "action"),
    (
        "subject", "no name of the action", #"{\#(accounts),"action":{},\#(premiumResource)}"#,
        "input.missing", "action.name"
    ),
    ("subject", "no resource", "{\(accounts),\(useAction)}", "input.missing", "resource"),
    (
        "subject", "no id of the resource", "{\(accounts),\(useAction),\(entitlements)}",
        "input.missing", "resource.id"
    ),
    (
        "subject", "a string for a subject",
        #"{"subject":"account",\#(useAction),\#(premiumResource)}"#, "input.type", "subject"
    ),
    (
        "subject", "a number for an action's name",
        #"{\#(accounts),"action":{"name":1},\#(premiumResource)}"#, "input.type", "action.name"
    ),
    (
        "subject", "a list for a context",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"context":[]}"#, "input.type", "context"
    ),
    (
        "resource", "no id of the subject", "{\(accounts),\(useAction),\(entitlements)}",
        "input.missing", "subject.id"
    ),
    ("resource", "no action", "{\(aliceSubject),\(entitlements)}", "input.missing", "action"),
    ("resource", "no resource", "{\(aliceSubject),\(useAction)}", "input.missing", "resource"),
    (
        "resource", "no type of the resource", #"{\#(aliceSubject),\#(useAction),"resource":{}}"#,
        "input.missing", "resource.type"
    ),
    ("action", "no subject", "{\(premiumResource)}", "input.missing", "subject"),
    (
        "action", "no id of the subject", "{\(accounts),\(premiumResource)}", "input.missing",
        "subject.id"
    ),
    ("action", "no resource", "{\(aliceSubject)}", "input.missing", "resource"),
    (
        "action", "no id of the resource", "{\(aliceSubject),\(entitlements)}", "input.missing",
        "resource.id"
    ),
    (
        "subject", "a number for a page",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"page":1}"#, "input.type", "page"
    ),
    (
        "subject", "a limit below nothing",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"page":{"limit":-1}}"#, "input.value",
        "page.limit"
    ),
    (
        "subject", "a string for a limit",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"page":{"limit":"1"}}"#, "input.number",
        "page.limit"
    ),
    (
        "subject", "a part of one for a limit",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"page":{"limit":1.5}}"#, "input.number",
        "page.limit"
    ),
    (
        "subject", "a number for a token",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"page":{"token":1}}"#, "input.type",
        "page.token"
    ),
    (
        "subject", "a token that was never one",
        #"{\#(accounts),\#(useAction),\#(premiumResource),"page":{"token":"b3BhcXVl"}}"#,
        "input.value", "page.token"
    ),
    ("subject", "an empty body", "", "input.malformed", nil),
    ("resource", "bad JSON", "{", "input.malformed", nil),
    ("action", "a list at the top", "[]", "input.type", nil),
].map { (target: String, name: String, body: String, code: String, field: String?) in
    .search(
        target, "\(target) search: \(name)", body, .rejected(400, code: code, field: field))
}

/// What the service says of itself.
let metadataCases: [WireCase] = [
    .init(
        "metadata names the service and its calls", .get("/.well-known/authzen-configuration"),
        .member(["policy_decision_point"], "\"https://localhost\""),
        .member(["access_evaluation_endpoint"], "\"https://localhost/access/v1/evaluation\""),
        .member(["access_evaluations_endpoint"], "\"https://localhost/access/v1/evaluations\""),
        .header("Content-Type: application/json")),
    .init(
        "metadata names the searches where they are served",
        .get("/.well-known/authzen-configuration"),
        .member(
            ["search_subject_endpoint"], "\"https://localhost/access/v1/search/subject\""),
        .member(
            ["search_resource_endpoint"], "\"https://localhost/access/v1/search/resource\""),
        .member(["search_action_endpoint"], "\"https://localhost/access/v1/search/action\"")),
    .init(
        "metadata leaves out what there is none of", .get("/.well-known/authzen-configuration"),
        .noMember(["capabilities"]), .noMember(["signed_metadata"])),
    .init(
        "metadata is read, not posted", .post("/.well-known/authzen-configuration", "{}"),
        .rejected(405, code: "http.method-not-allowed"), .header("Allow: GET, HEAD")),
    .init(
        "there are no tenants", .get("/.well-known/authzen-configuration/tenant"),
        .rejected(404, code: "http.not-found")),
]
