internal import AppleSync
internal import Dispatch
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

@Suite("Reconciliations on usher.sock", .timeLimit(.minutes(20)))
struct ReconciliationTests {
    private static let begin = WireRequest.post("/v1/reconciliations", #"{"reason":"a test"}"#)

    @Test("are begun, watched and listed, one at a time")
    func run() async throws {
        let shop = try await ServedShop()
        let reconciler = shop.reconciler()
        try await shop.serving {
            $0.reconciler = reconciler
        } _: { (shop: ServedShop) throws in
            func exchange(_ request: WireRequest) throws -> LocalClient.Response {
                try shop.exchange(shop.operationsSocket, request)
            }
            let begun = try exchange(Self.begin)
            #expect(begun.status == 202)
            let run = try #require(try parseJSON(begun.body)["run"]?.int64)
            #expect(try exchange(Self.begin).text.contains("reconciliation.running"))
            let head = shop.engine.revision
            let ended = DispatchSemaphore(value: 0)
            Task {
                _ = await reconciler.runPending()
                ended.signal()
            }
            ended.wait()
            let answer = try ReconciliationAnswer.read(
                parseJSON(try exchange(.get("/v1/reconciliations/\(run)")).body))
            #expect(answer.state == .finished)
            // Apple knows neither of the lineages in production, nor the one in the sandbox.
            let expected = [DriftCount(cause: .lineageNotFound, count: 3)]
            #expect(answer.drift == expected)
            #expect(answer.accountsWithDrift == 2)
            #expect(shop.engine.revision == head, "nobody loses anything")
            let first = try DriftPage.read(
                parseJSON(try exchange(.get("/v1/reconciliations/\(run)/drift?limit=2")).body))
            #expect(first.drift.count == 2)
            #expect(first.next == 2)
            let rest = try DriftPage.read(
                parseJSON(
                    try exchange(.get("/v1/reconciliations/\(run)/drift?skip=2")).body))
            #expect(rest.next == nil)
            #expect(Set((first.drift + rest.drift).compactMap(\.lineage?.text)) == ["1", "2", "3"])
            let other = try exchange(.get("/v1/reconciliations/\(run + 1)"))
            #expect(other.status == 404)
            #expect(other.text.contains("reconciliation.unknown"))
            let status = try StatusReport.read(parseJSON(try exchange(.get("/status")).body))
            #expect(status.reconciliation?.drift == expected)
            let metrics = try exchange(.get("/metrics")).text
            for line in [
                "usher_reconciliations_total{state=\"finished\"} 1",
                "usher_reconciliation_drift_total{cause=\"lineage-not-found\"} 3",
                "usher_reconciliation_running 0",
            ] { #expect(metrics.contains(line + "\n"), "\(line)") }
            #expect(try exchange(Self.begin).status == 202, "the next one")
        }
    }

    @Test("are not served without access to Apple's servers")
    func unconfigured() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for request in [
                Self.begin, .get("/v1/reconciliations/1"), .get("/v1/reconciliations/1/drift"),
                .get("/v1/reconciliation-plan"),
            ] {
                let answer = try shop.exchange(shop.operationsSocket, request)
                #expect(answer.status == 501, "\(request.testDescription): \(answer.text)")
                #expect(answer.text.contains("service.unsupported"))
            }
            let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
            #expect(!metrics.contains("usher_reconciliation"))
        }
    }

    @Test(
        "are rejected where what is asked for cannot be",
        arguments: [
            (#""limit":0"#, "limit"), (#""calls_per_second":0"#, "calls_per_second"),
            (#""calls_per_second":1001"#, "calls_per_second"),
            (#""environment":"xcode""#, "environment"),
            (#""account":"alice","apple_id":"atx:production:9""#, "apple_id"),
        ])
    func rejected(members: String, field: String) async throws {
        let shop = try await ServedShop()
        try await shop.serving {
            $0.reconciler = shop.reconciler()
        } _: { (shop: ServedShop) throws in
            let request = WireRequest.post(
                "/v1/reconciliations", "{\(members),\"reason\":\"a test\"}")
            let answer = try shop.exchange(shop.operationsSocket, request)
            #expect(answer.status == 400)
            #expect(answer.text.contains("\"code\":\"input.value\""), "\(answer.text)")
            #expect(answer.text.contains("\"field\":\"\(field)\""), "\(answer.text)")
        }
    }
}
