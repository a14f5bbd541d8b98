internal import EntitlementModel
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("The fast reading of an evaluation", .timeLimit(.minutes(20)))
struct PlainEvaluationTests {
    private static let plain = """
        {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},\
        "resource":{"type":"entitlement","id":"premium"}}
        """

    /// A batch of one, which is never read the fast way.
    private static func slow(_ body: [UInt8]) -> Result<Evaluation, Problem>? {
        let wrapped = Array("{\"evaluations\":[".utf8) + body + Array("]}".utf8)
        return try? EvaluationReader.batch(wrapped.span)?.questions.first
    }

    private static func fast(_ body: [UInt8]) -> Result<Evaluation, Problem>? {
        let span = body.span
        guard let plain = PlainEvaluation(span) else { return nil }
        do {
            return .success(try plain.evaluation(in: span))
        } catch {
            return .failure(error)
        }
    }

    @Test("reads the usual body")
    func usual() throws {
        let evaluation = try #require(Self.fast(Array(Self.plain.utf8))).get()
        let account = try #require(AccountID("alice"))
        let entitlement = try #require(EntitlementName("premium"))
        #expect(evaluation == Evaluation(matter: .use(entitlement, by: .account(account))))
    }

    /// Whatever it does not leave to the slow reading, it reads the same.
    @Test("never disagrees with the slow one")
    func agreement() {
        let pieces = Self.pieces.map { Array($0.utf8) }
        var generator = SplitMix64(seed: 1)
        var read = 0
        for _ in 0..<20_000 {
            var body = Array(Self.plain.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let start = Int.random(in: 0...body.count, using: &generator)
                let end = min(body.count, start + Int.random(in: 0...8, using: &generator))
                let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                body.replaceSubrange(start..<end, with: piece)
            }
            guard let fast = Self.fast(body) else { continue }
            read += 1
            #expect(Self.slow(body) == fast, "\(String(decoding: body, as: UTF8.self))")
        }
        #expect(read > 200)
    }

    private static let pieces = [
        "", " ", "\n", "x", "\"", "\\", "\\u0061", "{", "}", ":", ",", "\0", "\u{E9}", "\u{7F}",
        "account", "apple-id", "\"id\":\"b\"", "\"subject\":{", "\"properties\":{}", "null", "1",
    ]
}
