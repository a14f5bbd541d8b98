internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON
internal import Testing

@Suite("An answer of verifyReceipt that says a purchase twice", .timeLimit(.minutes(20)))
struct AnswerTieTests {
    @Test("where the receipt and the answer speak of one instant, the answer's own list holds")
    func tie() throws {
        var cancelled = AnswerTests.purchase
        cancelled["cancellation_date_ms"] = "1779500000000"
        for change: @Sendable (inout JSONValue) -> Void in [
            { $0["receipt_creation_date_ms"] = $0["request_date_ms"] },
            {
                $0["receipt_creation_date_ms"] = nil
                $0["request_date_ms"] = nil
            },
        ] {
            for (inApp, latest) in [
                (cancelled, AnswerTests.purchase), (AnswerTests.purchase, cancelled),
            ] {
                let answer = AnswerTests.answer { answer in
                    var receipt = AnswerTests.receipt
                    receipt["in_app"] = [inApp]
                    change(&receipt)
                    answer["receipt"] = receipt
                    answer["latest_receipt_info"] = [latest]
                }
                let verdict = TestBench.apple.verifier.verifyAnswer(
                    Array(answer.text.utf8), .imported, at: TestBench.now)
                let found = try #require(verdict.accepted).transactions
                let newest = try #require(found.max { $0.signedDate < $1.signedDate })
                #expect(found.count == 2)
                #expect(Set(found.map(\.signedDate)).count == 2)
                #expect(newest.source.form == .latestReceiptInfo)
                #expect((newest.revocation != nil) == (latest["cancellation_date_ms"] != nil))
            }
        }
    }
}
