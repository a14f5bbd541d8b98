internal import EntitlementServer
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// Requests that show what is said of refunds; Apple asks about alice's coins before.
func refundExamples(in shop: ServedShop) throws -> [String: [WireRequest]] {
    let notification = try shop.refundNotification()
    let told = try shop.exchange(
        shop.operationsSocket, .post("/v1/notifications", notification))
    #expect(told.status == 200, "\(told.text)")
    let list = try parseJSON(
        shop.exchange(shop.operationsSocket, .get("/v1/refunds/requests?open=false")).body)
    let request = try #require(list["requests"]?.elements?.first?["request"]?.int64)
    let consent = "/v1/accounts/alice/refund-consent"
    let answered = "/v1/refunds/requests/\(request)/answered"
    return [
        "refundRequests": [
            .get("/v1/refunds/requests"),
            .get("/v1/refunds/requests?open=false&after_entry=1&limit=5"),
            .get("/v1/refunds/requests?open=maybe"), .get("/v1/refunds/requests?limit=0"),
            .get("/v1/refunds/requests?after_entry=-1"),
        ],
        "refundRequest": [
            .get("/v1/refunds/requests/\(request)"), .get("/v1/refunds/requests/1"),
            .get("/v1/refunds/requests/x"), .get("/v1/refunds/requests/\(request)?limit=1"),
        ],
        "previewRefunds": [.get("/v1/refunds/preview"), .get("/v1/refunds/preview?limit=1")],
        "consentToRefunds": [
            .post(consent, #"{"consented":true,"reason":"the terms of June"}"#),
            .post(consent, #"{"consented":false,"reason":"asked by mail"}"#),
            .post(consent, #"{"consented":true}"#), .post(consent, #"{"reason":"a test"}"#),
            .post(consent, #"{"consented":"yes","reason":"a test"}"#),
            .post(consent, #"{"consented":true,"reason":"a\nb"}"#),
        ],
        "answeredRefund": [
            .post(answered, #"{"reason":"told Apple"}"#),
            .post(answered, #"{"reason":"told Apple"}"#),
            .post(answered, #"{"reason":"told it again"}"#),
            .post("/v1/refunds/requests/1/answered", #"{"reason":"told Apple"}"#),
            .post(answered, "{}"),
        ],
    ]
}
