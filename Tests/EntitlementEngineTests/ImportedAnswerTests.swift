internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("Imported answers of verifyReceipt", .timeLimit(.minutes(20)))
struct ImportedAnswerTests {
    /// An answer with one purchase, as somebody stored it.
    static func answer(
        _ product: String, id: String, at date: String, until end: String? = nil,
        answered: String = "2026-02-25", changing change: (inout JSONValue) -> Void = { _ in }
    ) throws -> [UInt8] {
        func milliseconds(_ text: String) throws -> JSONValue {
            .string("\(try #require(Instant(rfc3339: text)).milliseconds)")
        }
        var purchase: JSONValue = [
            "quantity": "1", "product_id": .string(product), "transaction_id": .string(id),
            "original_transaction_id": .string(id),
        ]
        purchase["purchase_date_ms"] = try milliseconds(date)
        if let end { purchase["expires_date_ms"] = try milliseconds(end) }
        change(&purchase)
        let answer: JSONValue = [
            "status": 0, "environment": "Production",
            "receipt": [
                "bundle_id": "com.example.shop", "receipt_type": "Production", "in_app": [],
                "request_date_ms": try milliseconds(answered),
            ],
            "latest_receipt_info": [purchase],
        ]
        return Array(answer.text.utf8)
    }

    private func present(
        _ answer: [UInt8], as account: String?, to shop: Shop
    ) async throws -> SubmissionReport {
        let account = try account.map { try #require(AccountID($0)) }
        return try #require(
            try await shop.engine.submit([
                EvidenceSubmission(payload: answer, account: account, isImported: true)
            ]).first)
    }

    @Test("gives what a receipt would give, and only once")
    func gives() async throws {
        let shop = try await Shop()
        let answer = try Self.answer("gold", id: "1", at: "2026-02-20", until: "2026-03-20")
        let report = try await present(answer, as: "alice", to: shop)
        #expect(report.judged?.kind == .importedAnswer)
        #expect(report.judged?.transactions.map(\.standing) == [.owned])
        #expect(try shop.answer("alice", "premium").decision)
        let head = shop.engine.revision
        _ = try await present(answer, as: "alice", to: shop)
        #expect(shop.engine.revision == head)
    }

    @Test("never overrides what Apple signed, however new the import")
    func neverOverrides() async throws {
        let shop = try await Shop()
        let signed = try shop.purchase(
            "gold", .autoRenewable, id: "1", until: "2026-03-20"
        ) { $0.revocation = Revocation(date: $0.purchaseDate.advanced(byMilliseconds: 1_000)) }
        _ = try await shop.present(signed, as: "alice")
        #expect(try !shop.answer("alice", "premium").decision)
        _ = try await present(
            Self.answer(
                "gold", id: "1", at: "2026-02-20", until: "2026-03-20", answered: "2026-02-28"),
            as: "alice", to: shop)
        #expect(try !shop.answer("alice", "premium").decision)
    }

    @Test("the cancellation of an upgraded period is no refund")
    func upgraded() async throws {
        let shop = try await Shop()
        let answer = try Self.answer(
            "gold", id: "1", at: "2026-02-01", until: "2026-03-01", answered: "2026-02-25"
        ) { purchase in
            purchase["is_upgraded"] = "true"
            purchase["cancellation_date_ms"] = "1771113600000"
        }
        _ = try await present(answer, as: "alice", to: shop)
        let told = try shop.answer("alice", "premium")
        #expect(told.state == .expired)
    }

    @Test("without the word of an administrator it is unsigned JSON, and leaves nothing")
    func unsigned() async throws {
        let shop = try await Shop()
        let answer = try Self.answer("gold", id: "1", at: "2026-02-20", until: "2026-03-20")
        #expect(try await shop.present(answer, as: "alice").refusalCode == "evidence.unsigned")
        #expect(try !shop.answer("alice", "premium").decision)
    }

    @Test("is verified again as what it was recorded as")
    func audited() async throws {
        let shop = try await Shop()
        let answer = try Self.answer("unlock", id: "2", at: "2026-02-20")
        _ = try await present(answer, as: "alice", to: shop)
        _ = try await present(
            Self.answer("gold", id: "3", at: "2026-02-20", until: "2026-03-20"), as: nil, to: shop)
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems.isEmpty)
    }
}
