internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("verifyReceipt of the App Store in a box", .timeLimit(.minutes(5)))
struct VerifyReceiptTests {
    private func verify(
        _ bench: BoxBench, _ receipt: String, at environment: String = "production",
        _ members: [String: JSONValue] = [:]
    ) throws -> JSONValue {
        var body: JSONValue = [
            "receipt-data": .string(receipt), "password": .string(bench.box.identity.sharedSecret),
        ]
        for (name, value) in members { body[name] = value.isNull ? nil : value }
        let answer = bench.box.answer(
            AppStoreRequest(
                method: "POST", target: "/\(environment)/verifyReceipt", body: body.serialized()))
        #expect(answer.status == 200)
        return try parseJSON(answer.body)
    }

    @Test("a receipt, and what has become of it since")
    func latest() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G token offer 1 free 1w")
        let receipt = bench.box.receipt(of: "alice")
        bench.box.advance(to: bench.days(20))
        try bench.box.say("G upgrades to gold-yearly")
        try bench.box.say("alice buys coins as C")
        let answer = try verify(bench, receipt)
        #expect(answer["status"]?.int64 == 0 && answer["environment"]?.string == "Production")
        #expect(answer["receipt"]?["in_app"]?.elements?.count == 1)
        #expect(answer["receipt"]?["in_app"]?.elements?[0]["is_trial_period"]?.string == "true")
        let latest = try #require(answer["latest_receipt_info"]?.elements)
        #expect(latest.count == 4)
        let upgraded = try #require(latest.first { $0["is_upgraded"]?.string == "true" })
        let cancelled = bench.days(20).milliseconds + 2_000
        #expect(upgraded["cancellation_date_ms"]?.string == "\(cancelled)")
        #expect(upgraded["quantity"]?.string == "1")
        #expect(upgraded["app_account_token"]?.string?.utf8.count == 36)
        let pending = try #require(answer["pending_renewal_info"]?.elements?.first)
        #expect(pending["auto_renew_product_id"]?.string == "com.example.reader.gold.yearly")
        let short = try verify(bench, receipt, at: "production", ["exclude-old-transactions": true])
        #expect(short["latest_receipt_info"]?.elements?.count == 1)
        let again = try verify(bench, try #require(answer["latest_receipt"]?.string))
        #expect(again["receipt"]?["in_app"]?.elements?.count == 4)
    }

    @Test("the engine's own verifier accepts the receipt")
    func signed() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        try bench.box.say("alice buys forever as F")
        let receipt = bench.box.receipt(of: "alice")
        guard case .accepted = bench.verifier.verify(Array(receipt.utf8), at: bench.days(1)) else {
            Issue.record("the receipt is refused")
            return
        }
    }

    @Test(
        "dates in three spellings, in winter and summer of California",
        arguments: [
            ("2026-01-15T12:00:00Z", "2026-01-15 04:00:00 America/Los_Angeles"),
            ("2026-03-08T09:59:59Z", "2026-03-08 01:59:59 America/Los_Angeles"),
            ("2026-03-08T10:00:00Z", "2026-03-08 03:00:00 America/Los_Angeles"),
            ("2026-07-01T00:00:00Z", "2026-06-30 17:00:00 America/Los_Angeles"),
            ("2026-11-01T08:59:59Z", "2026-11-01 01:59:59 America/Los_Angeles"),
            ("2026-11-01T09:00:00Z", "2026-11-01 01:00:00 America/Los_Angeles"),
        ])
    func dates(instant: String, pacific: String) throws {
        let at = try #require(Instant(rfc3339: instant))
        let bench = try BoxBench { $0.start = at }
        try bench.box.say("alice buys forever as F")
        let answer = try verify(bench, bench.box.receipt(of: "alice"))
        let entry = try #require(answer["receipt"]?["in_app"]?.elements?.first)
        #expect(entry["purchase_date_pst"]?.string == pacific)
        #expect(entry["purchase_date_ms"]?.string == "\(at.milliseconds)")
        let plain = instant.prefix(10) + " " + instant.dropFirst(11).prefix(8) + " Etc/GMT"
        #expect(entry["purchase_date"]?.string == String(plain))
        #expect(answer["latest_receipt_info"] == nil)
    }

    @Test("every status that it gives by itself")
    func statuses() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        try bench.box.say("alice buys gold as G", in: .sandbox)
        let receipt = bench.box.receipt(of: "alice")
        let status = { (answer: JSONValue) in answer["status"]?.int64 }
        #expect(status(try verify(bench, bench.box.receipt(of: "alice", in: .sandbox))) == 21_007)
        #expect(status(try verify(bench, receipt, at: "sandbox")) == 21_008)
        #expect(status(try verify(bench, receipt, at: "production", ["password": "x"])) == 21_004)
        #expect(status(try verify(bench, receipt, at: "production", ["password": .null])) == 21_004)
        #expect(status(try verify(bench, "MIIBAA==")) == 21_003)
        #expect(status(try verify(bench, "!")) == 21_002)
        #expect(status(try verify(bench, "", at: "production", ["receipt-data": .null])) == 21_002)
        let get = bench.box.answer(
            AppStoreRequest(method: "GET", target: "/production/verifyReceipt"))
        #expect(try parseJSON(get.body)["status"]?.int64 == 21_000)
        try bench.box.say("Apple deletes alice")
        #expect(status(try verify(bench, receipt)) == 21_010)
    }

    @Test("the form of iOS 6: one transaction, and 21006 when it is over")
    func oldForm() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        let id = bench.box.transactionIDs(of: "G")[0]
        let receipt = try #require(bench.box.transactionReceipt(of: id))
        let answer = try verify(bench, receipt)
        let ends = bench.days(31)
        #expect(answer["status"]?.int64 == 0)
        #expect(answer["receipt"]?["transaction_id"]?.string == id)
        #expect(answer["latest_receipt_info"]?["expires_date"]?.string == "\(ends.milliseconds)")
        #expect(answer["auto_renew_status"]?.int64 == 1)
        try bench.box.say("G cancels")
        bench.box.advance(to: bench.days(32))
        let over = try verify(bench, receipt)
        #expect(over["status"]?.int64 == 21_006 && over["latest_receipt_info"] == nil)
        #expect(over["latest_expired_receipt_info"]?["transaction_id"]?.string == id)
        #expect(bench.box.transactionReceipt(of: "1") == nil)
    }

    @Test("who cancels in grace is not pending any more")
    func pending() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        try bench.box.say("G loses its card")
        bench.box.advance(to: bench.days(33))
        let receipt = bench.box.receipt(of: "alice")
        let pending = try verify(bench, receipt)["pending_renewal_info"]?.elements
        #expect(pending?.first?["is_in_billing_retry_period"]?.string == "1")
        #expect(
            pending?.first?["grace_period_expires_date_ms"]?.string
                == "\(bench.days(47).milliseconds)")
        try bench.box.say("G cancels")
        #expect(try verify(bench, receipt)["pending_renewal_info"]?.elements?.isEmpty == true)
    }
}
