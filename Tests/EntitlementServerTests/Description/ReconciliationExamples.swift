internal import EntitlementModel

/// Requests that show the answers of the calls about reconciliations, where none runs yet.
let reconciliationExamples: [String: [WireRequest]] = [
    "reconcile": [
        .post("/v1/reconciliations", #"{"limit":0,"reason":"a test"}"#),
        .post("/v1/reconciliations", #"{"dry_run":true,"limit":10,"reason":"a test"}"#),
        .post("/v1/reconciliations", #"{"reason":"a test"}"#),
        .post("/v1/reconciliations", #"{"reason":"another"}"#),
    ],
    "reconciliation": [
        .get("/v1/reconciliations/1"), .get("/v1/reconciliations/2"),
        .get("/v1/reconciliations/x"), .get("/v1/reconciliations/1?at=2026-03-01"),
    ],
    "drift": [
        .get("/v1/reconciliations/1/drift"), .get("/v1/reconciliations/1/drift?skip=1&limit=1"),
        .get("/v1/reconciliations/2/drift"), .get("/v1/reconciliations/1/drift?limit=0"),
    ],
    "reconciliationPlan": [
        .get("/v1/reconciliation-plan"), .get("/v1/reconciliation-plan?at=2026-03-01"),
    ],
]
