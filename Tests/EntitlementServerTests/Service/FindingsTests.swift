internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("All findings, served", .timeLimit(.minutes(20)))
struct FindingsTests {
    @Test("are listed page by page, by kind and age, and counted")
    func list() async throws {
        let shop = try await ServedShop()
        for id in ["11", "12", "13"] {
            _ = try await shop.engine.submit([
                EvidenceSubmission(
                    payload: Array(try shop.purchase("gold", .autoRenewable, id: id).utf8))
            ])
        }
        try await shop.serving { (shop: ServedShop) throws in
            var found: [String] = []
            var target = "/v1/findings?limit=1"
            while true {
                var page = JSONValue.null
                try waitUntil("the list is complete") {
                    let answer = try shop.exchange(shop.operationsSocket, .get(target))
                    #expect(answer.status == 200, "\(answer.text)")
                    page = try parseJSON(Array(answer.body))
                    return page["complete"]?.bool == true
                }
                for finding in page["findings"]?.elements ?? [] {
                    let unit = finding["units"]?.elements?.first?["lineage"]?.string ?? "-"
                    found.append("\(finding["kind"]?.string ?? "") \(unit)")
                }
                guard let next = page["next"]?.string else { break }
                target = "/v1/findings?limit=1&after=\(next)"
            }
            #expect(
                found == [
                    "account-switch 1", "unclaimed-payment 11", "unclaimed-payment 12",
                    "unclaimed-payment 13",
                ])
            let kind = try shop.exchange(
                shop.operationsSocket, .get("/v1/findings?kind=unclaimed-payment"))
            #expect(try parseJSON(Array(kind.body))["findings"]?.elements?.count == 3)
            let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
            #expect(metrics.contains("usher_findings{kind=\"unclaimed-payment\"} 3\n"))
            #expect(metrics.contains("usher_findings{kind=\"account-switch\"} 1\n"))
            #expect(metrics.contains("usher_findings_complete 1\n"))
        }
    }

    @Test(
        "refuse what they do not know",
        arguments: [
            "kind=moon", "kind=", "after=moon", "limit=0", "limit=1001", "limit=x", "at=2026-01-01",
            "limit=1&limit=1", "kind",
        ])
    func refused(query: String) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let answer = try shop.exchange(shop.operationsSocket, .get("/v1/findings?" + query))
            #expect(answer.status == 400, "\(answer.text)")
        }
    }
}
