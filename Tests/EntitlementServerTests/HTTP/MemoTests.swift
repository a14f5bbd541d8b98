internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

/// What is remembered of the last request is a short cut and nothing else.
@Suite("What a connection remembers", .timeLimit(.minutes(20)))
struct MemoTests {
    private static let body = """
        {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},\
        "resource":{"type":"entitlement","id":"premium"}}
        """
    private static let head = """
        POST /access/v1/evaluation HTTP/1.1\r\nHost: usher\r\nX-Request-ID: 7\r
        Content-Type: application/json\r\nContent-Length: 2\r\n\r\n
        """

    private static let pieces: [[UInt8]] = [
        "", " ", "x", "\"", "\\", "\r", "\n", "\r\n", "\0", "\u{7F}", "a\"b", "bob", "9", ":",
        "Content-Length: 3\r\n", "Host: b\r\n", ",", "{", "}",
    ].map { Array($0.utf8) }

    /// The bytes with a piece of them replaced.
    private static func changed(
        _ bytes: [UInt8], _ generator: inout SplitMix64
    ) -> [UInt8] {
        var bytes = bytes
        let start = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 0...4, using: &generator))
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        bytes.replaceSubrange(start..<end, with: piece)
        return bytes
    }

    @Test("a head is read alike, whatever was read before it")
    func heads() {
        let usual = Array((Self.head + "{}").utf8)
        var generator = SplitMix64(seed: 1)
        for _ in 0..<5_000 {
            let bytes = Self.changed(usual, &generator)
            var fresh = RequestParser(limits: HTTPLimits())
            var warm = RequestParser(limits: HTTPLimits())
            guard case .complete = warm.read(usual.span) else {
                Issue.record("the usual head is read")
                return
            }
            warm.reset()
            let expected = fresh.read(bytes.span)
            #expect(warm.read(bytes.span) == expected, "\(String(decoding: bytes, as: UTF8.self))")
            // Nothing of a request stays behind for the next one.
            warm.reset()
            guard case .complete(let head, _) = warm.read(usual.span) else {
                Issue.record("the usual head is read again")
                return
            }
            #expect(head.requestID?.count == 1)
        }
    }

    @Test("a body that is like the last one says what it would say alone")
    func bodies() throws {
        let usual = Array(Self.body.utf8)
        let plain = PlainEvaluation(usual.span)?.use(in: usual.span)
        let use = try #require(plain)
        var memo = EvaluationMemo()
        memo.keep(use, usual.span)
        var generator = SplitMix64(seed: 1)
        var recalled = 0
        for _ in 0..<20_000 {
            let bytes = Self.changed(usual, &generator)
            guard let known = memo.recall(bytes.span) else { continue }
            recalled += 1
            let alone = PlainEvaluation(bytes.span)?.use(in: bytes.span)
            #expect(alone == known, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(recalled > 200)
    }
}
