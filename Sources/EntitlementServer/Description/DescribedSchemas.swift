internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// The shapes of what is sent and answered. Objects are closed: what is not here is not sent.
///
/// Every object has a name of its own: what makes clients from the description would make one up
/// from where an object stands, and two of those may be the same.
enum DescribedSchemas {
    static var all: JSONValue {
        var schemas: JSONValue = [:]
        for (name, schema) in values + questions + answers + evidence + service
            + reports + explanations + actions
        {
            schemas[name] = schema
        }
        return schemas
    }

    typealias Named = [(String, JSONValue)]

    static let text: JSONValue = ["type": "string"]
    /// New codes may come, so they are no closed list.
    private static let code: JSONValue = [
        "type": "string",
        "examples": .array(
            Set(
                ProblemCode.allCases.map(\.rawValue)
                    + VerificationRefusalCode.allCases.map(\.rawValue)
            )
            .sorted().map(JSONValue.string)),
    ]
    /// A word of AuthZEN's entities.
    private static let name: JSONValue = ["type": "string", "maxLength": 262_144]
    /// A JWS, or the base64 of a receipt (spec 3.1).
    private static let evidenceText: JSONValue = [
        "type": "string", "minLength": 1, "maxLength": 2_097_152,
    ]
    /// Why a person did something: one line.
    static let reason: JSONValue = ["type": "string", "minLength": 1, "maxLength": 500]
    static let flag: JSONValue = ["type": "boolean"]
    static let integer: JSONValue = ["type": "integer"]

    private static let values: Named = [
        (
            "Identifier",
            [
                "type": "string", "minLength": 1, "maxLength": 256, "pattern": "^[!-~]+$",
                "description": "Printable ASCII without spaces, compared byte by byte.",
            ]
        ),
        (
            "Instant",
            [
                "type": "string", "format": "date-time",
                "description": "RFC 3339; in answers UTC with milliseconds.",
            ]
        ),
        ("Digest", ["type": "string", "pattern": "^[0-9a-f]{64}$"]),
        ("Environment", words(StoreEnvironment.allCases.map(\.rawValue))),
        ("State", words(EntitlementState.allCases.map(\.rawValue))),
        (
            "Problem",
            object(
                [
                    "title": text, "status": integer, "code": code, "detail": text,
                    "field": text, "did_you_mean": text, "evidence": .reference("Digest"),
                ], optional: ["field", "did_you_mean", "evidence"])
        ),
        ("LocalizedText", object(["en": text, "zh": text], optional: ["zh"])),
    ]

    private static let questions: Named = [
        ("Subject", open(["type": name, "id": name], required: ["type", "id"])),
        ("Action", open(["name": name], required: ["name"])),
        ("Resource", open(["type": name, "id": name], required: ["type", "id"])),
        (
            "EvaluationContext",
            open([
                "at": .reference("Instant"), "environment": .reference("Environment"),
                "apple_id": .reference("Identifier"),
            ])
        ),
        ("Evaluation", open(question, required: ["subject", "action", "resource"])),
        ("EvaluationItem", open(question)),
        (
            "EvaluationOptions",
            open([
                "evaluations_semantic": words(
                    EvaluationReader.Semantic.allCases.map(\.rawValue))
            ])
        ),
        ("Evaluations", open(evaluations)),
        (
            "Metadata",
            object(
                [
                    "policy_decision_point": text, "access_evaluation_endpoint": text,
                    "access_evaluations_endpoint": text, "search_subject_endpoint": text,
                    "search_resource_endpoint": text, "search_action_endpoint": text,
                ],
                optional: [
                    "search_subject_endpoint", "search_resource_endpoint",
                    "search_action_endpoint",
                ])
        ),
        (
            "Search",
            open([
                "subject": ["type": "object"], "action": ["type": "object"],
                "resource": ["type": "object"], "context": .reference("EvaluationContext"),
                "page": .reference("PageRequest"),
            ])
        ),
        ("PageRequest", open(["token": text, "limit": ["type": "integer", "minimum": 0]])),
        ("SearchPage", object(["page": .reference("PageMark"), "results": list("SearchResult")])),
        ("PageMark", object(["next_token": text, "count": integer])),
        (
            "SearchResult",
            object(["type": text, "id": text, "name": text], optional: ["type", "id", "name"])
        ),
    ]

    /// The entities of an evaluation.
    private static let question: JSONValue = [
        "subject": .reference("Subject"), "action": .reference("Action"),
        "resource": .reference("Resource"), "context": .reference("EvaluationContext"),
    ]

    /// What a batch says of all its items stands beside them.
    private static let evaluations: JSONValue = {
        var members = question
        members["evaluations"] = list("EvaluationItem")
        members["options"] = .reference("EvaluationOptions")
        return members
    }()

    private static let answers: Named = [
        (
            "Rule", object(["name": text, "file": text, "line": integer])
        ),
        (
            "Source",
            object(
                ["product": text, "transaction": text, "lineage": text, "grant": text],
                optional: ["product", "transaction", "lineage", "grant"])
        ),
        (
            "Answer",
            answer([
                "entitlement": text, "environment": .reference("Environment"),
                "decision": flag,
            ])
        ),
        (
            "Decision",
            object([
                "decision": flag,
                "context": .reference("DecisionContext"),
            ])
        ),
        (
            "DecisionContext",
            answer(
                [
                    "reason": text, "balance": integer,
                    "verdict": words(PreflightEffect.allCases.map(\.rawValue)),
                    "claim": orNull(text), "notes": list("PreflightNote"),
                    "error": .reference("DecisionError"),
                ], allOptional: true)
        ),
        (
            "DecisionError",
            object(
                ["status": integer, "code": text, "message": text, "field": text],
                optional: ["field"])
        ),
        ("Decisions", object(["evaluations": list("Decision")])),
        ("Rights", listing("account", "entitlements", "Answer")),
        ("Credits", listing("account", "balances", "Balance")),
        (
            "AppleIDRights",
            object([
                "apple_id": orNull(.reference("Identifier")),
                "environment": .reference("Environment"), "at": .reference("Instant"),
                "revision": integer, "entitlements": list("Answer"),
            ])
        ),
        (
            "Balance",
            object(["credit": text, "balance": integer, "entries": list("CreditEntry")])
        ),
        (
            "CreditEntry",
            object([
                "at": .reference("Instant"), "units": integer,
                "cause": words(CreditTimeline.Entry.Cause.allCases.map(\.rawValue)),
                "transaction": orNull(text), "grant": orNull(text),
            ])
        ),
    ]

    private static let evidence: Named = [
        (
            "Evidence",
            object(
                [
                    "payload": evidenceText, "account": .reference("Identifier"),
                    "moment": words(ClaimMoment.allCases.map(\.rawValue)),
                    "order": .reference("Identifier"),
                ], optional: ["account", "moment", "order"])
        ),
        ("Notification", open(["signedPayload": evidenceText], required: ["signedPayload"])),
        (
            "EvidenceAnswer",
            [
                "oneOf": [
                    .reference("EvidenceReport"),
                    [
                        "type": "array",
                        "items": ["oneOf": [.reference("EvidenceReport"), .reference("Problem")]],
                    ],
                ]
            ]
        ),
        (
            "EvidenceReport",
            object(
                [
                    "verdict": words(["judged"]),
                    "kind": words(EvidenceKind.allCases.map(\.rawValue)), "revision": integer,
                    "transactions": list("TransactionReport"),
                    "quarantined": list("QuarantinedPart"),
                    "account_unused": flag, "merged_into": .reference("Identifier"),
                    "account": .reference("Identifier"), "entitlements": list("Answer"),
                ], optional: ["account_unused", "merged_into", "account", "entitlements"])
        ),
        (
            "TransactionReport",
            object(
                [
                    "environment": .reference("Environment"), "transaction": text,
                    "lineage": text, "product": text,
                    "verdict": words(["owned", "refused", "recorded"]),
                    "code": words(ClaimDenial.allCases.map(\.rawValue)),
                    "rule": .reference("Rule"), "owners": ["type": "array", "items": text],
                    "finish": flag,
                ], optional: ["code", "rule"])
        ),
        (
            "QuarantinedPart",
            object(
                ["code": text, "field": text, "transaction": text, "finish": flag],
                optional: ["field", "transaction"])
        ),
    ]

    private static let service: Named = [
        ("Health", object(["status": words(["live", "ready"])])),
        (
            "Status",
            object(
                [
                    "status": words(["ready", "read-only"]),
                    "degraded": ["type": "array", "items": text], "version": text,
                    "started_at": .reference("Instant"), "now": .reference("Instant"),
                    "policy": .reference("Digest"), "policy_since": .reference("Instant"),
                    "policy_refused": list("PolicyTrouble"),
                    "policy_waiting": .reference("WaitingPolicy"), "trust": list("Digest"),
                    "revision": integer, "accepts_writes": flag,
                    "ledger": .reference("LedgerCondition"),
                    "evidence": .reference("EvidenceCounts"),
                    "connections": .reference("ConnectionCounts"),
                    "in_flight": integer, "questions": integer,
                    "accounts_in_memory": integer, "accounts_to_derive_again": integer,
                    "log_lines_lost": integer,
                ], optional: ["ledger", "policy_waiting"])
        ),
        (
            "ConnectionCounts",
            object(["query": integer, "usher": integer, "turned_away": integer])
        ),
        (
            "LedgerCondition",
            object([
                "head": integer, "hash": .reference("Digest"),
                "recorded_at": .reference("Instant"), "file_bytes": integer,
                "log_bytes": integer, "waiting_writes": integer, "sqlite": text,
                "synchronous": words(["full"]),
            ])
        ),
        (
            "EvidenceCounts",
            object([
                "judged": integer, "refused": integer, "quarantined": integer,
                "refusals_unrecorded": integer,
            ])
        ),
        (
            "PolicyTrouble",
            object(["id": text, "file": text, "line": integer, "column": integer])
        ),
        (
            "WaitingPolicy",
            object(
                [
                    "policy": .reference("Digest"), "replaces": .reference("Digest"),
                    "accepted_after": .reference("Digest"), "losses": integer,
                    "first_losses": list("PolicyLoss"),
                ], optional: ["accepted_after"])
        ),
        (
            "PolicyLoss",
            object([
                "kind": words(WaitingPolicy.lossKinds),
                "names": ["type": "array", "items": text], "detail": text,
            ])
        ),
        (
            "PolicyText",
            object([
                "policy": .reference("Digest"), "since": .reference("Instant"),
                "files": list("PolicyFile"),
            ])
        ),
        (
            "PolicyFile",
            object(
                ["path": text, "text": text, "base64": text], optional: ["text", "base64"])
        ),
    ]

    /// What an answer says beside its first members (spec 1.10).
    private static func answer(_ first: JSONValue, allOptional: Bool = false) -> JSONValue {
        var properties = first
        properties["state"] = orNull(.reference("State"))
        properties["expiry_reason"] = words(ExpiryReason.allCases.map(\.rawValue))
        for name in ["until", "paid_until"] { properties[name] = orNull(.reference("Instant")) }
        properties["will_renew"] = orNull(flag)
        properties["source"] = orNull(.reference("Source"))
        properties["rule"] = .reference("Rule")
        properties["policy"] = .reference("Digest")
        properties["revision"] = integer
        let names = properties.members?.map(\.key) ?? []
        return object(properties, optional: allOptional ? names : ["expiry_reason"])
    }

    private static func listing(_ name: String, _ member: String, _ item: String) -> JSONValue {
        var properties: JSONValue = [
            "environment": .reference("Environment"), "at": .reference("Instant"),
            "revision": integer,
        ]
        properties[name] = .reference("Identifier")
        properties[member] = list(item)
        return object(properties)
    }

    static func object(_ properties: JSONValue, optional: [String] = []) -> JSONValue {
        var object = open(
            properties,
            required: (properties.members ?? []).map(\.key).filter { !optional.contains($0) })
        object["additionalProperties"] = false
        return object
    }

    /// An object that may have other members too.
    static func open(_ properties: JSONValue, required: [String] = []) -> JSONValue {
        var object: JSONValue = ["type": "object", "properties": properties]
        if !required.isEmpty { object["required"] = .array(required.map(JSONValue.string)) }
        return object
    }

    static func list(_ name: String) -> JSONValue {
        ["type": "array", "items": .reference(name)]
    }

    static func words(_ words: [String]) -> JSONValue {
        ["type": "string", "enum": .array(words.map(JSONValue.string))]
    }

    static func orNull(_ schema: JSONValue) -> JSONValue {
        ["oneOf": [schema, ["type": "null"]]]
    }
}
