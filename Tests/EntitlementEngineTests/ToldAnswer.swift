internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

/// An answer as a caller reads it.
struct ToldAnswer: Equatable {
    let json: JSONValue
    let decision: Bool

    init(_ answer: PackedRightAnswer) throws {
        var writer = AnswerWriter()
        writer.append(answer)
        json = try parseJSON(writer.bytes)
        decision = json["decision"] == .bool(true)
    }

    init(_ answer: Answer) throws {
        json = try parseJSON(answer.json)
        decision = json["decision"] == .bool(true)
    }

    var entitlement: String? { json["entitlement"]?.string }
    var state: EntitlementState? {
        json["state"]?.string.flatMap(EntitlementState.init(rawValue:))
    }
    var until: Instant? { json["until"]?.string.flatMap(Instant.init(rfc3339:)) }
    var willRenew: Bool? { json["will_renew"]?.bool }
    var grant: String? { json["source"]?["grant"]?.string }
    var policy: String? { json["policy"]?.string }
}
