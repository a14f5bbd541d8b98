internal import TestSupport

/// Requests that show the answers of the calls about pushed changes.
let pushExamples: [String: [WireRequest]] = [
    "undeliveredChanges": [
        .get("/v1/changes/undelivered"), .get("/v1/changes/undelivered?skip=1&limit=1"),
        .get("/v1/changes/undelivered?limit=0"),
    ],
    "discardChanges": [
        .post(
            "/v1/changes/undelivered/discard",
            #"{"subscription":"back-end","reason":"a test"}"#),
        .post(
            "/v1/changes/undelivered/discard",
            #"{"subscription":"back-end","number":7,"reason":"a test"}"#),
        .post(
            "/v1/changes/undelivered/discard",
            #"{"subscription":"back-end","number":-1,"reason":"a test"}"#),
    ],
    "resendChanges": [
        .post(
            "/v1/changes/undelivered/resend",
            #"{"subscription":"back-end","reason":"a test"}"#),
        .post(
            "/v1/changes/undelivered/resend",
            #"{"subscription":"back-end","number":7,"reason":"a test"}"#),
        .post(
            "/v1/changes/undelivered/resend",
            #"{"subscription":"back-end","number":0,"reason":"a test"}"#),
    ],
]
