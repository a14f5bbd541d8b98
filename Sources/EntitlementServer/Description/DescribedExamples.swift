internal import StrictJSON

/// Something to try each call with. The tests hold every example to the shape that it is one of.
enum DescribedExamples {
    /// By the name of the call.
    static let bodies: [String: JSONValue] = [
        "evaluate": [
            "subject": alice, "action": ["name": "use"], "resource": premium,
        ],
        "evaluateAll": [
            "subject": alice, "action": ["name": "use"],
            "evaluations": [
                ["resource": premium], ["resource": ["type": "entitlement", "id": "archive"]],
            ],
            "options": ["evaluations_semantic": "execute_all"],
        ],
        "subjectSearch": [
            "subject": ["type": "account"], "action": ["name": "use"], "resource": premium,
            "page": ["limit": 100],
        ],
        "resourceSearch": [
            "subject": alice, "action": ["name": "use"], "resource": ["type": "entitlement"],
        ],
        "actionSearch": ["subject": alice, "resource": premium],
        "submitEvidence": ["account": "alice", "payload": jws],
        "submitNotification": ["signedPayload": jws],
        "preflight": ["account": "alice", "product": "gold"],
        "rule": ["verb": "approve", "reason": "The person showed the receipt."],
        "grant": [
            "account": "alice", "entitlement": "premium", "until": "2026-07-01T00:00:00.000Z",
            "reason": "An apology for the outage.",
        ],
        "revokeGrant": ["reason": "Given to the wrong account."],
        "block": ["account": "alice", "reason": "Chargebacks."],
        "liftBlock": ["reason": "The chargebacks were a mistake."],
        "registerToken": [
            "token": "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "account": "alice",
            "reason": "Registered before the app did it.",
        ],
        "merge": ["from": "alice-old", "into": "alice", "reason": "One person, two sign-ins."],
        "undoMerge": ["reason": "Two persons after all."],
        "reloadPolicy": ["reason": "The new price list."],
        "backup": ["reason": "Before the upgrade."],
    ]

    /// By the name of the parameter.
    static let parameters: [String: JSONValue] = [
        "account": "alice", "entitlement": "premium", "key": "atx:production:700000000000000001",
        "claim": "42", "grant": "gift-2026-06", "block": "7", "merge": "43",
        "at": "2026-06-01T00:00:00.000Z", "environment": "production", "min_revision": 1,
        "apple_id": "atx:production:700000000000000001", "state": "waiting",
        "kind": "unclaimed-payment", "limit": 100,
        "after": "unclaimed-payment.1780272000000.42.1f",
    ]

    /// Too short to be believed.
    private static let jws: JSONValue = "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.AA"
    private static let alice: JSONValue = ["type": "account", "id": "alice"]
    private static let premium: JSONValue = ["type": "entitlement", "id": "premium"]
}
