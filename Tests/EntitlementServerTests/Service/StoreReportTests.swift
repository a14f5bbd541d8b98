internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

@Suite("Reports about the store, served", .timeLimit(.minutes(20)))
struct StoreReportTests {
    private static let reports = "/v1/accounts/sam/catalog/reports"

    @Test("leave products out of the catalogue, raise a finding, and are counted")
    func served() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func products() throws -> (listed: [String], leftOut: [String]) {
                let answer = try shop.exchange(
                    shop.operationsSocket, .get("/v1/accounts/sam/catalog"))
                let report = try parseJSON(answer.body)
                return (
                    (report["products"]?.elements ?? []).compactMap { $0["product"]?.string },
                    (report["left_out"]?.elements ?? []).compactMap(\.string)
                )
            }
            #expect(try products().listed.contains("gold"))
            let payments =
                #""payments":[{"product":"coins","outcome":"failed","store_code":"2"},"#
                + #"{"product":"coins","outcome":"cancelled"}]"#
            let answer = try shop.exchange(
                shop.operationsSocket,
                .post(Self.reports, #"{"invalid_products":["gold"],\#(payments)}"#))
            #expect(answer.status == 200, "\(answer.text)")
            let report = try parseJSON(answer.body)
            #expect(report["entry"]?.int64 == report["revision"]?.int64)
            #expect(report["new_payments"]?.int64 == 2)
            let found = try products()
            #expect(found.leftOut == ["gold"] && !found.listed.contains("gold"))
            let findings = try shop.exchange(
                shop.operationsSocket, .get("/v1/accounts/sam/findings"))
            #expect(findings.text.contains(#""kind":"invalid-product""#), "\(findings.text)")
            let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
            for outcome in FailedPayment.Outcome.allCases {
                #expect(
                    metrics.contains(
                        "usher_failed_payments_total{outcome=\"\(outcome.rawValue)\"} 1\n"))
            }
        }
    }

    @Test("beyond the bounds are rejected, and nothing is written")
    func bounds() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            let ids = (0...StoreReport.mostProducts).map { #""p\#($0)""# }
            let payments = [String](
                repeating: #"{"product":"coins","outcome":"failed"}"#,
                count: StoreReport.mostPayments + 1)
            let long = String(repeating: "a", count: 65)
            let coded = #"{"product":"coins","outcome":"failed","store_code":"\#(long)"}"#
            for (body, problem, field) in [
                (
                    #"{"invalid_products":[\#(ids.joined(separator: ","))]}"#, "input.value",
                    "invalid_products"
                ),
                (
                    #"{"payments":[\#(payments.joined(separator: ","))]}"#, "input.value",
                    "payments"
                ),
                ("{}", "input.missing", "invalid_products"),
                (#"{"environment":"production"}"#, "input.missing", "invalid_products"),
                (#"{"invalid_products":"gold"}"#, "input.type", "invalid_products"),
                (#"{"invalid_products":[""]}"#, "input.id", "invalid_products[0]"),
                (#"{"payments":[\#(coded)]}"#, "input.id", "payments[0].store_code"),
                (#"{"invalid_product":["gold"]}"#, "input.unknown-member", "invalid_product"),
            ] {
                let answer = try shop.exchange(
                    shop.operationsSocket, .post(Self.reports, body))
                #expect(answer.status == 400, "\(answer.text)")
                #expect(answer.text.contains(#""code":"\#(problem)""#), "\(answer.text)")
                #expect(
                    problem == "input.unknown-member"
                        || answer.text.contains(#""field":"\#(field)""#), "\(answer.text)")
            }
            #expect(shop.engine.revision == revision)
        }
    }

    @Test("an order that preflight blocks is 422 with its code, and nothing is written")
    func blockedOrder() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            let answer = try shop.exchange(
                shop.operationsSocket,
                .post("/v1/orders", #"{"account":"alice","product":"gold"}"#))
            #expect(answer.status == 422, "\(answer.text)")
            let problem = try parseJSON(answer.body)
            #expect(problem["code"]?.string == "order.blocked")
            #expect(problem["preflight"]?.string == "already-subscribed")
            #expect(shop.engine.revision == revision)
        }
    }

    @Test("a made order comes with what preflight says, its repetition without it")
    func orderWithWarnings() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            var request = WireRequest.post(
                "/v1/orders", #"{"account":"nora","product":"gold"}"#)
            request.fields = ["Idempotency-Key: first"]
            let made = try parseJSON(try shop.exchange(shop.operationsSocket, request).body)
            #expect(made["state"]?.string == "created")
            #expect(made["preflight"]?["verdict"]?.string == "warn")
            let notes = made["preflight"]?["notes"]?.elements ?? []
            #expect(notes.compactMap { $0["code"]?.string } == ["apple-id-unknown"])
            let again = try parseJSON(try shop.exchange(shop.operationsSocket, request).body)
            #expect(again["order"] == made["order"])
            #expect(again["preflight"] == nil)
            request.fields = []
            let open = try parseJSON(try shop.exchange(shop.operationsSocket, request).body)
            #expect(open["order"] == made["order"])
            let codes = open["preflight"]?["notes"]?.elements?.compactMap { $0["code"]?.string }
            #expect(codes == ["apple-id-unknown", "order-in-flight"])
        }
    }
}
