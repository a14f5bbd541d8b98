internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// The policy in force with a remark more, so that it is another one.
private func body(
    in shop: ServedShop, remark: String, due: String, acceptLoss: Int64? = nil
) throws -> String {
    var files = try #require(try shop.engine.questions.policyInForce()).files
    for index in files.indices where files[index].path.hasSuffix(".yaml") {
        files[index].text? += remark
    }
    let body = ScheduleBody(
        files: files, due: try #require(Instant(rfc3339: due)),
        reason: Reason(unchecked: "a test"), acceptLoss: acceptLoss)
    return String(decoding: body.json, as: UTF8.self)
}

/// Policies that are scheduled, rejected and taken back.
func scheduleExamples(in shop: ServedShop) throws -> [String: [WireRequest]] {
    let path = "/v1/policy/schedule"
    let first = WireRequest.post(path, try body(in: shop, remark: "# 1\n", due: "2026-11-01"))
    let answer = try parseJSON(shop.exchange(shop.operationsSocket, first).body)
    let place = try #require(answer["schedule"]?.int64, "\(answer)")
    let empty = #"{"reason":"a test"}"#
    let broken =
        #"{"files":[{"path":"a.yaml","text":"usher: 1"}],"due":"2026-12-01T00:00:00.000Z","#
        + #""reason":"a test"}"#
    return [
        "schedulePolicy": [
            .post(path, try body(in: shop, remark: "# 2\n", due: "2026-12-01")),
            .post(path, try body(in: shop, remark: "# 3\n", due: "2026-12-01")),
            .post(path, try body(in: shop, remark: "", due: "2026-10-01")),
            .post(path, try body(in: shop, remark: "# 3\n", due: "2020-01-01")),
            .post(path, try body(in: shop, remark: "# 3\n", due: "2036-01-01")),
            .post(
                path,
                try body(in: shop, remark: "# 3\n", due: "2026-09-01", acceptLoss: -1)),
            .post(path, broken),
        ],
        "scheduledPolicies": [.get("/v1/policy/scheduled"), .get("/v1/policy/scheduled?at=1")],
        "unschedulePolicy": [
            .delete("/v1/policy/scheduled/\(place)", empty),
            .delete("/v1/policy/scheduled/\(place)", empty),
            .delete("/v1/policy/scheduled/1", empty), .delete("/v1/policy/scheduled/a", empty),
        ],
    ]
}
