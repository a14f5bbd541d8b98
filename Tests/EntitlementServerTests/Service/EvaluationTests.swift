internal import Testing

@testable internal import EntitlementServer

/// A body that AuthZEN wants refused, with our code and field.
struct RefusedEvaluation: CustomTestStringConvertible, Sendable {
    let name: String
    let body: String
    let code: String
    let field: String?

    var testDescription: String { name }

    init(_ name: String, _ body: String, _ code: String, _ field: String? = nil) {
        self.name = name
        self.body = body
        self.code = code
        self.field = field
    }
}

private let e = "\u{E9}"
private let subject = #""subject":{"type":"account","id":"alice"}"#
private let action = #""action":{"name":"use"}"#
private let resource = #""resource":{"type":"entitlement","id":"premium"}"#

private let refused: [RefusedEvaluation] = [
    .init("empty body", "", "input.malformed"),
    .init("bad JSON", "{", "input.malformed"),
    .init("trailing comma", "{\(subject),\(action),\(resource),}", "input.malformed"),
    .init("bytes behind", "{\(subject),\(action),\(resource)}x", "input.malformed"),
    .init("byte order mark", "\u{FEFF}{}", "input.encoding"),
    .init("an array", "[]", "input.type"),
    .init("a string", "\"x\"", "input.type"),
    .init("null", "null", "input.type"),
    .init("nothing in it", "{}", "input.missing", "subject"),
    .init("no subject", "{\(action),\(resource)}", "input.missing", "subject"),
    .init("no action", "{\(subject),\(resource)}", "input.missing", "action"),
    .init("no resource", "{\(subject),\(action)}", "input.missing", "resource"),
    .init(
        "string subject", #"{"subject":"alice",\#(action),\#(resource)}"#, "input.type", "subject"),
    .init("null subject", #"{"subject":null,\#(action),\#(resource)}"#, "input.type", "subject"),
    .init(
        "no subject type", #"{"subject":{"id":"a"},\#(action),\#(resource)}"#, "input.missing",
        "subject.type"),
    .init(
        "no subject id", #"{"subject":{"type":"account"},\#(action),\#(resource)}"#,
        "input.missing", "subject.id"),
    .init(
        "numeric subject id", #"{"subject":{"type":"account","id":1},\#(action),\#(resource)}"#,
        "input.type", "subject.id"),
    .init(
        "properties are no object",
        #"{"subject":{"type":"account","id":"a","properties":1},\#(action),\#(resource)}"#,
        "input.type", "subject.properties"),
    .init(
        "no action name", #"{\#(subject),"action":{},\#(resource)}"#, "input.missing", "action.name"
    ),
    .init(
        "numeric action name", #"{\#(subject),"action":{"name":1},\#(resource)}"#, "input.type",
        "action.name"),
    .init(
        "no resource type", #"{\#(subject),\#(action),"resource":{"id":"premium"}}"#,
        "input.missing", "resource.type"),
    .init(
        "no resource id", #"{\#(subject),\#(action),"resource":{"type":"entitlement"}}"#,
        "input.missing", "resource.id"),
    .init(
        "context is no object", #"{\#(subject),\#(action),\#(resource),"context":[]}"#,
        "input.type", "context"),
    .init(
        "instant that is none",
        #"{\#(subject),\#(action),\#(resource),"context":{"at":"soon"}}"#, "input.instant",
        "context.at"),
    .init(
        "environment that is none",
        #"{\#(subject),\#(action),\#(resource),"context":{"environment":"Sandbox"}}"#,
        "input.value", "context.environment"),
    .init(
        "a key twice", "{\(subject),\(subject),\(action),\(resource)}", "input.duplicate-key"),
    .init(
        "an entity in two halves",
        #"{"subject":{"type":"account"},"subject":{"id":"alice"},\#(action),\#(resource)}"#,
        "input.duplicate-key"),
    .init(
        "a key twice, once escaped",
        #"{\#(subject),"\u0073ubject":{},\#(action),\#(resource)}"#, "input.duplicate-key"),
    .init(
        "NUL in the id",
        #"{"subject":{"type":"account","id":"a\u0000x"},\#(action),\#(resource)}"#, "input.id",
        "subject.id"),
    .init(
        "id beyond ASCII",
        #"{"subject":{"type":"account","id":"caf\#(e)"},\#(action),\#(resource)}"#, "input.id",
        "subject.id"),
    .init(
        "empty id", #"{"subject":{"type":"account","id":""},\#(action),\#(resource)}"#,
        "input.id", "subject.id"),
    .init(
        "id with a space", #"{"subject":{"type":"account","id":"a b"},\#(action),\#(resource)}"#,
        "input.id", "subject.id"),
    .init(
        "lone surrogate",
        #"{"subject":{"type":"account","id":"\ud800"},\#(action),\#(resource)}"#,
        "input.encoding"),
    .init(
        "spending nothing stated",
        #"{\#(subject),"action":{"name":"spend"},"resource":{"type":"credit","id":"coins"}}"#,
        "input.missing", "action.properties.amount"),
    .init(
        "spending less than nothing",
        #"{\#(subject),"action":{"name":"spend","properties":{"amount":-1}},"#
            + #""resource":{"type":"credit","id":"coins"}}"#,
        "input.value", "action.properties.amount"),
    .init(
        "spending a part of one",
        #"{\#(subject),"action":{"name":"spend","properties":{"amount":1.5}},"#
            + #""resource":{"type":"credit","id":"coins"}}"#,
        "input.number", "action.properties.amount"),
    .init(
        "an Apple ID that is no key",
        #"{\#(subject),\#(action),\#(resource),"context":{"apple_id":"a b"}}"#,
        "apple-id.malformed", "context.apple_id"),
    .init(
        "too deep",
        #"{\#(subject),\#(action),\#(resource),"context":"#
            + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
        "input.too-large"),
]

private let granted = """
    {"decision":true,"context":{"reason":"granted","state":"active",\
    "until":"2026-03-20T01:00:00.000Z","paid_until":"2026-03-20T00:00:00.000Z"
    """

/// A question and how its answer begins.
private let decided: [(body: String, prefix: String)] = [
    ("{\(subject),\(action),\(resource)}", granted),
    (" {\n\(resource) ,\t\(subject), \(action)\r\n} ", granted),
    (#"{\#(subject),\#(action),\#(resource),"unknown":[1.5e3,{}]}"#, granted),
    (
        #"{\#(subject),\#(action),\#(resource),"context":{"at":"2026-04-01"}}"#,
        #"{"decision":false,"context":{"reason":"withheld","state":"expired""#
    ),
    (
        #"{\#(subject),\#(action),\#(resource),"context":{"environment":"sandbox"}}"#,
        #"{"decision":false,"context":{"reason":"nothing-gives-it","state":null"#
    ),
    (
        #"{"subject":{"type":"apple-id","id":"atx:production:9"},\#(action),\#(resource)}"#,
        granted
    ),
    (
        #"{"subject":{"type":"apple-id","id":"atx:production:999"},\#(action),\#(resource)}"#,
        #"{"decision":false,"context":{"reason":"unknown-apple-id"}}"#
    ),
    (
        #"{"subject":{"type":"robot","id":" "},\#(action),\#(resource)}"#,
        #"{"decision":false,"context":{"reason":"unknown-subject-type"}}"#
    ),
    (
        #"{\#(subject),"action":{"name":"own"},\#(resource)}"#,
        #"{"decision":false,"context":{"reason":"unknown-action"}}"#
    ),
    (
        #"{\#(subject),"action":{"name":"spend","properties":{"amount":100}},"#
            + #""resource":{"type":"credit","id":"coins"}}"#,
        #"{"decision":true,"context":{"reason":"enough","balance":100,"policy":"#
    ),
    (
        #"{\#(subject),"action":{"name":"spend"},"resource":{"type":"credit","#
            + #""id":"coins","properties":{"amount":101}}}"#,
        #"{"decision":false,"context":{"reason":"insufficient","balance":100,"#
    ),
    (
        #"{\#(subject),"action":{"name":"spend"},"resource":{"type":"credit","#
            + #""id":"coin","properties":{"amount":1}}}"#,
        #"{"decision":false,"context":{"reason":"unknown-credit"}}"#
    ),
    (
        #"{\#(subject),"action":{"name":"purchase"},"#
            + #""resource":{"type":"product","id":"coins"}}"#,
        #"{"decision":true,"context":{"reason":"proceed","verdict":"proceed","#
    ),
    (
        #"{\#(subject),"action":{"name":"purchase"},"#
            + #""resource":{"type":"product","id":"boat"}}"#,
        #"{"decision":false,"context":{"reason":"block","verdict":"block","#
    ),
    (
        #"{"subject":{"type":"account","id":"bob"},"action":{"name":"purchase"},"#
            + #""resource":{"type":"product","id":"gold"},"#
            + #""context":{"apple_id":"atx:production:9"}}"#,
        #"{"decision":false,"context":{"reason":"block","verdict":"block","claim":"kept","#
    ),
    (
        #"{"subject":{"type":"apple-id","id":"atx:production:999"},"action":{"name":"purchase"},"#
            + #""resource":{"type":"product","id":"gold"}}"#,
        #"{"decision":false,"context":{"reason":"unknown-subject-type"}}"#
    ),
    (
        #"{\#(subject),\#(action),"resource":{"type":"product","id":"gold"}}"#,
        #"{"decision":false,"context":{"reason":"unknown-action"}}"#
    ),
    (
        #"{\#(subject),\#(action),"resource":{"type":"boat","id":"1"}}"#,
        #"{"decision":false,"context":{"reason":"unknown-resource-type"}}"#
    ),
]

@Suite("AuthZEN evaluation", .timeLimit(.minutes(20)))
struct EvaluationTests {
    @Test("refuses with 400 what the specification wants refused")
    func refusals() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for evaluation in refused {
                for path in ["/access/v1/evaluation", "/access/v1/evaluations"] {
                    let response = try shop.exchange(
                        shop.querySocket, .post(path, evaluation.body))
                    let status = evaluation.code == "input.too-large" ? 413 : 400
                    #expect(response.status == status, "\(evaluation.name)")
                    #expect(response.mediaType == "application/problem+json")
                    let code = "\"code\":\"\(evaluation.code)\""
                    #expect(response.text.contains(code), "\(evaluation.name): \(response.text)")
                    let field = evaluation.field.map { "\"field\":\"\($0)\"}" } ?? "\"}"
                    #expect(response.text.hasSuffix(field), "\(evaluation.name): \(response.text)")
                }
            }
        }
    }

    @Test("decides, and says why")
    func decisions() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for (body, prefix) in decided {
                let response = try shop.exchange(
                    shop.querySocket, .post("/access/v1/evaluation", body))
                #expect(response.status == 200)
                #expect(response.text.hasPrefix(prefix), "\(body): \(response.text)")
            }
        }
    }

    @Test("takes batches, with defaults and three ways to stop")
    func batches() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let yes = "{}"
            let no = #"{"resource":{"type":"entitlement","id":"archive"}}"#
            let bad = #"{"resource":{"type":"entitlement"}}"#
            let cases: [(semantic: String?, items: [String], decisions: [Bool])] = [
                (nil, [yes, no, yes, bad, yes], [true, false, true, false, true]),
                ("execute_all", [no, yes], [false, true]),
                ("deny_on_first_deny", [yes, no, yes], [true, false]),
                ("deny_on_first_deny", [yes, bad, yes], [true, false]),
                ("permit_on_first_permit", [no, bad, yes, no], [false, false, true]),
            ]
            for (semantic, items, decisions) in cases {
                let options = semantic.map { #","options":{"evaluations_semantic":"\#($0)"}"# }
                let list = items.joined(separator: ",")
                let body =
                    "{\(subject),\(action),\(resource)\(options ?? ""),\"evaluations\":[\(list)]}"
                let response = try shop.exchange(
                    shop.querySocket, .post("/access/v1/evaluations", body))
                let found = response.text.split(separator: "{\"decision\":").dropFirst()
                    .map { $0.hasPrefix("true") }
                #expect(found == decisions, "\(body): \(response.text)")
                #expect(response.text.hasPrefix("{\"evaluations\":[{\"decision\":"))
            }
        }
    }

    @Test("refuses batches that are none")
    func badBatches() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let cases = [
                (#""evaluations":{}"#, "input.type", "evaluations"),
                (#""options":[],"evaluations":[{}]"#, "input.type", "options"),
                (
                    #""options":{"evaluations_semantic":"all"},"evaluations":[{}]"#,
                    "input.value", "options.evaluations_semantic"
                ),
            ]
            for (members, code, field) in cases {
                let body = "{\(subject),\(action),\(resource),\(members)}"
                let response = try shop.exchange(
                    shop.querySocket, .post("/access/v1/evaluations", body))
                #expect(response.status == 400)
                #expect(response.text.contains(code))
                #expect(response.text.hasSuffix("\"field\":\"\(field)\"}"))
            }
        }
    }

    @Test("treats an empty batch as a single question")
    func emptyBatch() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let body = "{\(subject),\(action),\(resource),\"evaluations\":[]}"
            let response = try shop.exchange(
                shop.querySocket, .post("/access/v1/evaluations", body))
            #expect(response.text.hasPrefix(granted))
        }
    }
}
