@testable internal import EntitlementServer

private let top = "\(aliceSubject),\(useAction),\(premiumResource)"
private let yes = "{}"
private let no = #"{"resource":{"type":"entitlement","id":"archive"}}"#
private let broken = #"{"resource":{"type":"entitlement"}}"#

private func batch(_ top: String, _ items: [String], _ semantic: String? = nil) -> String {
    let options = semantic.map { #","options":{"evaluations_semantic":"\#($0)"}"# } ?? ""
    let start = top.isEmpty ? "" : top + ","
    return #"{\#(start)"evaluations":[\#(items.joined(separator: ","))]\#(options)}"#
}

/// Many questions in one body.
let batchCases: [WireCase] = [
    .batch("no evaluations: a single question", aliceMayUsePremium, .decision(true)),
    .batch(
        "no evaluations: nothing of a batch in the answer", aliceMayUsePremium,
        .noMember(["evaluations"])),
    .batch("an empty list: a single question", batch(top, []), .decision(true)),
    .batch(
        "an empty list and no subject", batch("\(useAction),\(premiumResource)", []),
        .rejected(400, code: "input.missing", field: "subject")),
    .batch("items that are all default", batch(top, [yes, yes]), .decisions([true, true])),
    .batch(
        "items that are all there, and no default", batch("", [aliceMayUsePremium]),
        .decisions([true])),
    .batch(
        "answers in the order of the questions", batch(top, [yes, no, yes]),
        .decisions([true, false, true])),
    .batch(
        "a default that is replaced",
        batch(top, [#"{"subject":{"type":"account","id":"bob"}}"#, yes]),
        .decisions([false, true])),
    .batch(
        "a subject is replaced as a whole: its id is not taken from the default",
        batch(top, [#"{"subject":{"type":"account"}}"#]), .decisions([false]),
        .itemError(400, "input.missing", "subject.id")),
    .batch(
        "a resource is replaced as a whole: its type is not taken from the default",
        batch(top, [#"{"resource":{"id":"premium"}}"#]), .decisions([false]),
        .itemError(400, "input.missing", "resource.type")),
    .batch(
        "an action is replaced as a whole: its properties are not taken from the default",
        batch(
            #"\#(aliceSubject),"action":{"name":"spend","properties":{"amount":1}},"#
                + #""resource":{"type":"credit","id":"coins"}"#,
            [#"{"action":{"name":"spend"}}"#, yes]),
        .decisions([false, true]), .itemError(400, "input.missing", "action.properties.amount")),
    .batch(
        "a context is the default for items without one",
        batch(top + #","context":{"at":"2026-04-01"}"#, [yes]), .decisions([false])),
    .batch(
        "a context is replaced as a whole",
        batch(top + #","context":{"at":"2026-04-01"}"#, [#"{"context":{}}"#, yes]),
        .decisions([true, false])),
    .batch(
        "a broken item is a denial of its own", batch(top, [broken, yes]),
        .decisions([false, true]), .itemError(400, "input.missing", "resource.id")),
    .batch("nothing but broken items", batch(top, [broken, broken]), .decisions([false, false])),
    .batch(
        "an item that is no object", batch(top, ["1", yes]), .decisions([false, true]),
        .itemError(400, "input.type", "evaluations")),
    .batch(
        "an item with null for a subject", batch(top, [#"{"subject":null}"#]),
        .decisions([false]), .itemError(400, "input.type", "subject")),
    .batch(
        "an item with an unknown type", batch(top, [#"{"resource":{"type":"boat","id":"1"}}"#]),
        .decisions([false])),
    .batch(
        "defaults that are missing everywhere", batch(useAction, [yes]), .decisions([false]),
        .itemError(400, "input.missing", "subject")),
    .batch("unknown members of items", batch(top, [#"{"x":1}"#]), .decisions([true])),
    .batch(
        "execute_all, said", batch(top, [no, yes, no], "execute_all"),
        .decisions([false, true, false])),
    .batch(
        "deny_on_first_deny stops after the first denial",
        batch(top, [yes, no, yes], "deny_on_first_deny"), .decisions([true, false])),
    .batch(
        "deny_on_first_deny without a denial", batch(top, [yes, yes], "deny_on_first_deny"),
        .decisions([true, true])),
    .batch(
        "deny_on_first_deny stops after a broken item",
        batch(top, [yes, broken, yes], "deny_on_first_deny"), .decisions([true, false])),
    .batch(
        "permit_on_first_permit stops after the first permit",
        batch(top, [no, yes, no], "permit_on_first_permit"), .decisions([false, true])),
    .batch(
        "permit_on_first_permit without a permit",
        batch(top, [no, no], "permit_on_first_permit"), .decisions([false, false])),
    .batch(
        "permit_on_first_permit goes on after a broken item",
        batch(top, [broken, yes, no], "permit_on_first_permit"), .decisions([false, true])),
    .batch(
        "a semantic on a single question",
        #"{\#(top),"options":{"evaluations_semantic":"deny_on_first_deny"}}"#, .decision(true)),
    .batch(
        "unknown options", #"{\#(top),"options":{"x":1},"evaluations":[{}]}"#,
        .decisions([true])),
    .batch(
        "a semantic that is none", batch(top, [yes], "all"),
        .rejected(400, code: "input.value", field: "options.evaluations_semantic")),
    .batch(
        "a number for a semantic",
        #"{\#(top),"options":{"evaluations_semantic":1},"evaluations":[{}]}"#,
        .rejected(400, code: "input.type", field: "options.evaluations_semantic")),
    .batch(
        "a list for options", #"{\#(top),"options":[],"evaluations":[{}]}"#,
        .rejected(400, code: "input.type", field: "options")),
    .batch(
        "an object for evaluations", #"{\#(top),"evaluations":{}}"#,
        .rejected(400, code: "input.type", field: "evaluations")),
    .batch(
        "null for evaluations", #"{\#(top),"evaluations":null}"#,
        .rejected(400, code: "input.type", field: "evaluations")),
    .batch(
        "a revision that is not reached refuses the whole",
        batch(top, [yes, #"{"context":{"min_revision":1000000}}"#]),
        .rejected(503, code: "service.revision-not-reached")),
]
