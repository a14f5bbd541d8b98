internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON
internal import Testing

@Suite("Answers of verifyReceipt before anything is read of them", .timeLimit(.minutes(20)))
struct AnswerByteTests {
    @Test(
        "strange bytes are refused",
        arguments: [
            (#"{"status":0,"status":0}"#, "input.duplicate-key"), ("{", "answer.malformed"),
            (
                #"{"status":0,"receipt":{"in_app":[{"quantity":"1","quantity":"2"}]}}"#,
                "input.duplicate-key"
            ),
            ("{\"status\":0,\"a\":\"\u{D7FF}", "answer.malformed"), ("<html>", "answer.malformed"),
            (#"{"status":1e999}"#, "input.number"),
            ("{\"status\":0,\"a\":" + String(repeating: "[", count: 64), "input.too-complex"),
        ])
    func bytes(_ text: String, _ code: String) {
        for origin in AnswerOrigin.allCases {
            let verdict = TestBench.apple.verifier.verifyAnswer(
                Array(text.utf8), origin, at: TestBench.now)
            #expect(verdict.summary == code)
        }
    }

    @Test("an answer is bounded in bytes and in values")
    func bounds() {
        let bench = TestBench { settings, _ in
            settings.limits.answerBytes = 4_096
            settings.limits.answerValues = 64
        }
        func verdict(_ count: Int) -> String {
            let answer = AnswerTests.answer {
                $0["latest_receipt_info"] = .array(
                    [JSONValue](repeating: ["transaction_id": "1"], count: count))
            }
            return bench.verifier.verifyAnswer(
                Array(answer.text.utf8), .fetched, at: TestBench.now
            ).summary
        }
        #expect(verdict(20) == "accepted")
        #expect(verdict(40) == "input.too-complex")
        #expect(verdict(400) == "input.too-large")
    }

    @Test("anybody else's unsigned JSON stays refused")
    func unsigned() {
        let answer = Array(AnswerTests.answer().text.utf8)
        #expect(TestBench.apple.verdict(answer) == "evidence.unsigned")
    }
}
