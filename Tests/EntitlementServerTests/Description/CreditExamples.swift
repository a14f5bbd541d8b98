internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

private func keyed(_ key: String, _ target: String, _ body: String) -> WireRequest {
    var request = WireRequest.post(target, body)
    request.fields = ["Idempotency-Key: " + key]
    return request
}

/// What a call about credits made: its number.
private func made(_ request: WireRequest, in shop: ServedShop) throws -> Int64 {
    let answer = try shop.exchange(shop.operationsSocket, request)
    let id = try parseJSON(answer.body)["id"]?.int64
    return try #require(id, "\(answer.text)")
}

/// For each call about credits, requests that show its answers. The account has a thousand coins.
func creditExamples(in shop: ServedShop) throws -> [String: [WireRequest]] {
    let gift =
        #"{"account":"sky","credit":"coins","units":1000,"reason":"a test"}"#
    #expect(
        try shop.exchange(shop.operationsSocket, keyed("sky", "/v1/grants", gift)).status == 200)
    // An account that was merged into it, of which nothing can be asked.
    let right = #"{"account":"moon","entitlement":"archive","reason":"a test"}"#
    let merge = #"{"from":"moon","into":"sky","reason":"a test"}"#
    for request in [keyed("moon", "/v1/grants", right), .post("/v1/merges", merge)] {
        #expect(try shop.exchange(shop.operationsSocket, request).status == 200)
    }
    let (all, one) = ("/v1/accounts/sky/spend", "/v1/accounts/sky/credits/coins/spend")
    let holds = "/v1/accounts/sky/holds"
    let (coins, until) = (#""credits":[{"credit":"coins","amount":5}]"#, #""until":"2026-03-02""#)
    let spend = try made(keyed("s-0", all, "{\(coins)}"), in: shop)
    let taken = try made(keyed("h-0", holds, "{\(coins),\(until)}"), in: shop)
    let left = try made(keyed("h-1", holds, "{\(coins),\(until)}"), in: shop)
    let (two, reason) = (#"{"credits":[{"credit":"coins","amount":2}]}"#, #"{"reason":"a test"}"#)
    return [
        "spendCredit": [
            keyed("s-1", one, #"{"amount":5,"reference":"game 17"}"#),
            keyed("s-1", one, #"{"amount":5,"reference":"game 17"}"#),
            keyed("s-1", one, #"{"amount":6}"#), keyed("s-2", one, #"{"amount":5000}"#),
            keyed("s-3", "/v1/accounts/sky/credits/coin/spend", #"{"amount":5}"#),
            keyed("s-4", one, #"{"amount":0}"#), keyed("s-4", one, #"{"amount":-5}"#),
            keyed("s-4", one, #"{"amount":1000000001}"#), .post(one, #"{"amount":5}"#),
        ],
        "spendCredits": [
            keyed("s-5", all, #"{\#(coins),"reason":"a test","environment":"production"}"#),
            keyed("s-5", all, two), keyed("s-6", all, #"{"credits":[]}"#),
            keyed(
                "s-6", all,
                #"{"credits":[{"credit":"coins","amount":1},{"credit":"coins","amount":1}]}"#),
            keyed("s-7", all, #"{\#(coins),"environment":"sandbox"}"#),
        ],
        "holdCredits": [
            keyed("h-2", holds, "{\(coins),\(until)}"), keyed("h-2", holds, "{\(coins),\(until)}"),
            keyed("h-2", holds, #"{\#(coins),"until":"2026-03-03"}"#),
            keyed("h-3", holds, #"{\#(coins),"until":"2026-02-01"}"#),
            keyed("h-3", holds, #"{\#(coins),"until":"2027-02-01"}"#),
            keyed("h-3", holds, "{\(coins)}"),
        ],
        "hold": [.get("/v1/holds/\(left)"), .get("/v1/holds/\(spend)")],
        "spend": [.get("/v1/spends/\(spend)"), .get("/v1/spends/\(left)")],
        "captureHold": [
            .post("/v1/holds/\(taken)/capture", #"{"credits":[{"credit":"coins","amount":9}]}"#),
            .post("/v1/holds/\(taken)/capture", two), .post("/v1/holds/\(taken)/capture", two),
            .post("/v1/holds/\(taken)/capture", "{}"), .post("/v1/holds/1/capture", "{}"),
        ],
        "releaseHold": [
            .post("/v1/holds/\(left)/release", reason), .post("/v1/holds/\(left)/release", reason),
            .post("/v1/holds/\(taken)/release", reason), .post("/v1/holds/1/release", reason),
        ],
        "reverseSpend": [
            keyed("r-1", "/v1/spends/\(spend)/reverse", two),
            keyed("r-1", "/v1/spends/\(spend)/reverse", two),
            keyed("s-1", "/v1/spends/\(spend)/reverse", two),
            keyed("r-2", "/v1/spends/\(spend)/reverse", "{}"),
            keyed("r-3", "/v1/spends/\(spend)/reverse", two),
            keyed("r-4", "/v1/spends/1/reverse", "{}"),
            .post("/v1/spends/\(spend)/reverse", "{}"),
        ],
        "thawCredit": [
            .post("/v1/accounts/sky/credits/coins/thaw", reason),
            .post("/v1/accounts/sky/credits/coin/thaw", reason),
            .post("/v1/accounts/moon/credits/coins/thaw", reason),
            .post("/v1/accounts/sky/credits/coins/thaw", "{}"),
        ],
    ]
}
