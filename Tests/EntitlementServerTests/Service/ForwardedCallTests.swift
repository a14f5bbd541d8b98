internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import Testing

@testable internal import EntitlementServer

@Suite("Calls that a node passes on", .timeLimit(.minutes(5)))
struct ForwardedCallTests {
    private let caller = Caller(
        credentials: PeerCredentials(user: 1_000, group: 33), standing: .role(.ingest),
        name: "shop")

    private func call(
        _ target: String, _ body: [UInt8], key: String?, from caller: Caller? = nil
    ) throws -> OperationsCall {
        let parts = target.split(separator: "?", maxSplits: 1)
        var head = RequestHead()
        head.method = .post
        head.bodyKind = .json
        var bytes = Array("POST ".utf8)
        head.path = bytes.count..<bytes.count + parts[0].utf8.count
        bytes += parts[0].utf8
        if parts.count == 2 {
            bytes += [UInt8(ascii: "?")]
            head.query = bytes.count..<bytes.count + parts[1].utf8.count
            bytes += parts[1].utf8
        }
        head.body = bytes.count..<bytes.count + body.count
        let match = EndpointTable.match(head.path, in: bytes.span)
        return try OperationsCall(
            head, bytes + body, match, from: caller ?? self.caller, .chinese, key: key)
    }

    @Test("come out as they went in, whatever is in them", arguments: [nil, "", "a key"])
    func calls(key: String?) throws {
        let body = Array("{\"a\":1}\n\n?".utf8) + [0, 255, 10]
        let sent = try call("/v1/blocks/7?x=%3F&y", body, key: key)
        let came = try ForwardedCall(reading: ForwardedCall(sent).bytes).call
        #expect(came.caller == caller && came.language == .chinese)
        #expect(came.head.method == .post && came.head.bodyKind == .json)
        #expect(came.body == body && came.idempotencyKey == key)
        #expect(came.endpoint == nil && came.names == sent.names)
        let query = try #require(came.head.query)
        #expect(came.bytes[query].elementsEqual("x=%3F&y".utf8))
        #expect(came.bytes[came.head.path].elementsEqual("/v1/blocks/7".utf8))
    }

    @Test("of a user without a name, or that only has a number for one, stay that user's")
    func numbers() throws {
        for name in [nil, "1000", "@", "a@b"] {
            var caller = caller
            caller.name = name
            let sent = ForwardedCall(try call("/v1/grants", [], key: "k", from: caller)).bytes
            #expect(try ForwardedCall(reading: sent).call.caller == caller)
            // What versions read that know no names.
            let line = sent.split(separator: 10, omittingEmptySubsequences: false)[5]
            let numbers = String(decoding: line, as: UTF8.self).split(separator: " ")
                .compactMap { UInt32($0) }
            #expect(numbers == [1_000, 33])
        }
    }

    @Test("for whom a delegate asks goes along, and versions that know no delegates reject it")
    func persons() throws {
        var caller = caller
        caller.person = "mei@corp"
        let sent = ForwardedCall(try call("/v1/grants", [], key: "k", from: caller)).bytes
        let came = try ForwardedCall(reading: sent).call.caller
        #expect(came == caller && came.actor == "person:mei@corp,via:user:shop")
        // Which is no role.
        #expect(sent.split(separator: 10)[4].elementsEqual("ingest mei@corp".utf8))
        for line in ["ingest ", "ingest mei lin", "delegate", "delegate mei", " mei"] {
            let bytes = Array(
                String(decoding: sent, as: UTF8.self)
                    .replacing("ingest mei@corp", with: line).utf8)
            #expect(throws: Problem.self) { try ForwardedCall(reading: bytes) }
        }
    }

    @Test("answers come out as they went in")
    func answers() throws {
        var draft = ResponseDraft.rejection(Problem(.conflict), language: .chinese)
        draft.body += [10, 0, 10]
        let sent = ForwardedAnswer(draft, revision: LedgerSequence(412))
        let came = try #require(ForwardedAnswer(reading: sent.bytes))
        #expect(came.revision == LedgerSequence(412) && came.draft.status == .conflict)
        #expect(came.draft.mediaType == .problem && came.draft.body == draft.body)
    }

    @Test(
        "what no node sends is refused", arguments: ["", "POST\n/v1\n", "a\nb\nc\nd\ne\nf\ng\nh"])
    func strangers(text: String) {
        #expect(throws: Problem.self) { try ForwardedCall(reading: Array(text.utf8)) }
        #expect(ForwardedAnswer(reading: Array(text.utf8)) == nil)
    }
}
