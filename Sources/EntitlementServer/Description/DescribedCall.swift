internal import StrictJSON

/// One call of the API, as the description tells of it.
struct DescribedCall {
    /// An answer that is not a problem, or one that a caller should expect.
    struct Answer {
        var status: Int
        var summary: String
        var mediaType = "application/json"
        var schema: JSONValue

        static func json(_ status: Int, _ summary: String, _ schema: String) -> Answer {
            Answer(status: status, summary: summary, schema: .reference(schema))
        }

        static func problem(_ status: Int, _ summary: String) -> Answer {
            Answer(
                status: status, summary: summary, mediaType: "application/problem+json",
                schema: .reference("Problem"))
        }
    }

    var name: String
    var method: String
    var path: String
    var summary: String
    /// Whether query.sock serves it too.
    var isQuestion = true
    var query: [String] = []
    /// Whether an `Idempotency-Key` names what is made.
    var takesKey = false
    var body: JSONValue?
    var answers: [Answer]

    /// What every question about an account can be asked with.
    static let readings = ["at", "environment", "apple_id", "min_revision"]

    static var all: [DescribedCall] {
        evaluations + rights + health + operations + searches + reports + actions
    }

    private static let evaluations = [
        DescribedCall(
            name: "evaluate", method: "post", path: "/access/v1/evaluation",
            summary: "One question of the OpenID AuthZEN Authorization API 1.0.",
            body: .reference("Evaluation"),
            answers: [
                .json(200, "The decision; a denial too.", "Decision"),
                .problem(400, "The question cannot be read."),
            ]),
        DescribedCall(
            name: "evaluateAll", method: "post", path: "/access/v1/evaluations",
            summary: "Many questions at once, with defaults and three ways to stop.",
            body: .reference("Evaluations"),
            answers: [
                .json(200, "The decisions in the order of the questions.", "Decisions"),
                .problem(400, "The questions cannot be read."),
            ]),
        DescribedCall(
            name: "metadata", method: "get", path: "/.well-known/authzen-configuration",
            summary: "Which parts of AuthZEN are served.",
            answers: [.json(200, "The metadata.", "Metadata")]),
    ]

    private static let searches = Search.Target.allCases.map { target in
        DescribedCall(
            name: target.rawValue + "Search", method: "post",
            path: "/access/v1/search/" + target.rawValue,
            summary: "AuthZEN's search: each \(target.rawValue) for which an evaluation permits.",
            isQuestion: false, body: .reference("Search"),
            answers: [
                .json(200, "A page; the next one is asked for by its token.", "SearchPage"),
                .problem(400, "The search cannot be read."),
            ])
    }

    private static let rights = [
        DescribedCall(
            name: "accountEntitlements", method: "get",
            path: "/v1/accounts/{account}/entitlements",
            summary: "All entitlements of an account. An unknown account has none.",
            query: readings,
            answers: [.json(200, "An answer for each entitlement of the policy.", "Rights")]),
        DescribedCall(
            name: "accountEntitlement", method: "get",
            path: "/v1/accounts/{account}/entitlements/{entitlement}",
            summary: "One entitlement of an account.",
            query: readings,
            answers: [.json(200, "The answer.", "Answer")]),
        DescribedCall(
            name: "accountCredits", method: "get", path: "/v1/accounts/{account}/credits",
            summary: "The balances of an account with their entries.",
            query: readings,
            answers: [.json(200, "The balances.", "Credits")]),
        DescribedCall(
            name: "appleIDEntitlements", method: "get",
            path: "/v1/apple-ids/{key}/entitlements",
            summary: "All entitlements of an Apple ID, by any of its keys.",
            query: ["at", "environment", "min_revision"],
            answers: [.json(200, "Under the Apple ID's present name.", "AppleIDRights")]),
    ]

    private static let health = [
        DescribedCall(
            name: "live", method: "get", path: "/livez", summary: "Whether the service runs.",
            answers: [.json(200, "It does.", "Health")]),
        DescribedCall(
            name: "ready", method: "get", path: "/readyz",
            summary: "Whether questions are answered and evidence is taken.",
            answers: [
                .json(200, "They are.", "Health"), .problem(503, "Evidence cannot be taken."),
            ]),
    ]

    private static let operations = [
        DescribedCall(
            name: "submitEvidence", method: "post", path: "/v1/evidence",
            summary: "Hands in what Apple signed, one piece or a list.", isQuestion: false,
            body: [
                "oneOf": [
                    .reference("Evidence"),
                    ["type": "array", "maxItems": 1_000, "items": .reference("Evidence")],
                ]
            ],
            answers: [
                .json(200, "Judged and durable; for a list, piece by piece.", "EvidenceAnswer"),
                .problem(422, "The piece is refused."),
                .problem(429, "The caller hands in too much that is refused."),
            ]),
        DescribedCall(
            name: "submitNotification", method: "post", path: "/v1/notifications",
            summary: "An App Store Server Notification V2 as Apple posts it.",
            isQuestion: false, body: .reference("Notification"),
            answers: [
                .json(200, "It is durable; Apple need not send it again.", "EvidenceReport"),
                .problem(422, "It is not Apple's."),
                .problem(429, "The caller hands in too much that is refused."),
            ]),
        DescribedCall(
            name: "policy", method: "get", path: "/v1/policy",
            summary: "The text of the policy in force, file by file.", isQuestion: false,
            answers: [.json(200, "As the ledger has it.", "PolicyText")]),
        DescribedCall(
            name: "status", method: "get", path: "/status", summary: "The operator's page.",
            isQuestion: false, answers: [.json(200, "How the service is.", "Status")]),
        DescribedCall(
            name: "metrics", method: "get", path: "/metrics",
            summary: "Counts and gauges in Prometheus' text format.", isQuestion: false,
            answers: [
                Answer(
                    status: 200, summary: "The metrics.", mediaType: "text/plain",
                    schema: ["type": "string"])
            ]),
        DescribedCall(
            name: "description", method: "get", path: "/openapi.json",
            summary: "This description.", isQuestion: false,
            answers: [
                Answer(status: 200, summary: "OpenAPI 3.1.", schema: ["type": "object"])
            ]),
    ]
}
