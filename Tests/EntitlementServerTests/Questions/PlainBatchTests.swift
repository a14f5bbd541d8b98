internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

private let subject = #""subject":{"type":"account","id":"alice"}"#
private let action = #""action":{"name":"use"}"#
private let resource = #""resource":{"type":"entitlement","id":"premium"}"#
private let bob = #"{"subject":{"id":"bob","type":"account"}}"#
private let archive = #"{"resource":{"type":"entitlement","id":"archive"}}"#

/// A body of a batch, and whether it is one of the usual kind.
private struct BatchBody: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let isPlain: Bool

    var testDescription: String { name }

    init(_ name: String, plain isPlain: Bool, _ text: String) {
        self.name = name
        self.text = text
        self.isPlain = isPlain
    }

    init(_ name: String, plain isPlain: Bool, items: String) {
        self.init(
            name, plain: isPlain, "{\(subject),\(action),\(resource),\"evaluations\":[\(items)]}")
    }
}

private let bodies: [BatchBody] = [
    .init("nothing but defaults", plain: true, items: "{},{}"),
    .init("a subject of its own", plain: true, items: "\(bob),{}"),
    .init("a resource of its own", plain: true, items: "\(archive),{}"),
    .init("an action of its own", plain: true, items: "{\(action)}"),
    .init("all of its own", plain: true, "{\"evaluations\":[{\(resource),\(action),\(subject)}]}"),
    .init(
        "defaults behind the items", plain: true,
        " {\n\"evaluations\" : [ {} ,\t\(bob) ] , \(action),\(resource),\(subject)}\r\n"),
    .init(
        "a right that no policy names", plain: true,
        items: #"{"resource":{"type":"entitlement","id":"boat"}}"#),
    .init(
        "as many items as are read", plain: true,
        items: Array(repeating: "{}", count: PlainBatch.mostItems).joined(separator: ",")),
    .init(
        "more items than are read", plain: false,
        items: Array(repeating: "{}", count: PlainBatch.mostItems + 1).joined(separator: ",")),
    .init(
        "more values than a body may have", plain: false,
        items: Array(repeating: bob, count: 3_000).joined(separator: ",")),
    .init("no items", plain: false, items: ""),
    .init("an item that is none", plain: false, items: "1"),
    .init("a comma too many", plain: false, items: "{},"),
    .init("a default that is missing", plain: false, "{\(subject),\(action),\"evaluations\":[{}]}"),
    .init(
        "a default of another kind that nobody needs", plain: false,
        "{\"action\":{\"name\":\"own\"},\"evaluations\":[{\(subject),\(action),\(resource)}]}"),
    .init("no evaluations", plain: false, "{\(subject),\(action),\(resource)}"),
    .init(
        "evaluations twice", plain: false,
        "{\(subject),\(action),\(resource),\"evaluations\":[{}],\"evaluations\":[{}]}"),
    .init("a default twice", plain: false, "{\(subject),\(action),\(action),\"evaluations\":[{}]}"),
    .init("an entity twice", plain: false, items: "{\(subject),\(subject)}"),
    .init(
        "an entity in two halves", plain: false,
        items: #"{"subject":{"type":"account"},"subject":{"id":"alice"}}"#),
    .init("a word twice", plain: false, items: #"{"subject":{"id":"alice","id":"alice"}}"#),
    .init("half an entity", plain: false, items: #"{"subject":{"id":"alice"}}"#),
    .init("another action", plain: false, items: #"{"action":{"name":"own"}}"#),
    .init("a context", plain: false, items: #"{"context":{"at":"2026-04-01"}}"#),
    .init(
        "properties", plain: false,
        items: #"{"subject":{"type":"account","id":"alice","properties":{}}}"#),
    .init(
        "options", plain: false,
        "{\(subject),\(action),\(resource),\"options\":{},\"evaluations\":[{}]}"),
    .init(
        "an escape", plain: false, items: #"{"subject":{"type":"account","id":"\u0062ob"}}"#),
    .init(
        "an account whose name is none", plain: true,
        items: #"{"subject":{"type":"account","id":"a b"}}"#),
    .init(
        "a right whose name is none", plain: false,
        items: #"{"resource":{"type":"entitlement","id":"a b"}}"#),
    .init(
        "a right whose name is too long", plain: false,
        items: #"{"resource":{"type":"entitlement","id":""#
            + String(repeating: "a", count: EntitlementName.maximumLength + 1) + #""}}"#),
    .init("bytes behind", plain: false, "{\(subject),\(action),\(resource),\"evaluations\":[{}]}x"),
]

/// Both ways of answering batches, over an engine that holds alice and bob in memory.
private struct TwoWays {
    let engine: EntitlementEngine
    private var short: QuestionAnswering

    init(_ engine: EntitlementEngine) throws {
        self.engine = engine
        short = QuestionAnswering(source: engine, baseURL: "")
        for name in ["alice", "bob"] { _ = try engine.account(AccountID(unchecked: name)) }
    }

    /// As the sockets answer.
    mutating func usual(_ body: [UInt8]) -> ResponseDraft {
        var draft = ResponseDraft()
        let (request, bytes) = Self.request(body)
        switch short.answer(request, in: bytes.span, into: &draft) {
        case .answered: return draft
        case .cold(let work): return work.run()
        case .later: preconditionFailure("a question needs no task")
        }
    }

    /// By way of a tree.
    func general(_ body: [UInt8]) throws -> ResponseDraft {
        var draft = ResponseDraft()
        let (request, bytes) = Self.request(body)
        do {
            let match = EndpointTable.match(request.path, in: bytes.span)
            guard let match else { throw Problem(.notFound) }
            let question = try #require(
                try Question(.evaluations, match, request, in: bytes.span))
            let writer = QuestionWriter(
                lookup: RightsLookup(engine, .ledger), now: engine.now())
            try writer.write(question, into: &draft.body)
        } catch let problem as Problem {
            draft.reject(problem)
        }
        return draft
    }

    private static func request(_ body: [UInt8]) -> (RequestHead, [UInt8]) {
        let path = Array("/access/v1/evaluations".utf8)
        var request = RequestHead()
        request.method = .post
        request.path = 0..<path.count
        request.body = path.count..<path.count + body.count
        request.bodyKind = .json
        return (request, path + body)
    }
}

@Suite("The fast reading of a batch", .timeLimit(.minutes(20)))
struct PlainBatchTests {
    @Test("knows the usual bodies and no other", arguments: bodies)
    fileprivate func shapes(_ body: BatchBody) {
        #expect((PlainBatch(Array(body.text.utf8).span) != nil) == body.isPlain)
    }

    @Test("answers every body as the general way does, byte for byte")
    func table() async throws {
        let shop = try await ServedShop()
        var ways = try TwoWays(shop.engine)
        for body in bodies {
            let bytes = Array(body.text.utf8)
            let (usual, general) = (ways.usual(bytes), try ways.general(bytes))
            #expect(usual.status == general.status, "\(body.name)")
            #expect(usual.body == general.body, "\(body.name)")
        }
        try shop.engine.close()
    }

    /// Whatever it does not leave to the general way, it answers the same.
    @Test("never disagrees with the general way")
    func agreement() async throws {
        let shop = try await ServedShop()
        var ways = try TwoWays(shop.engine)
        var generator = SplitMix64(seed: 1)
        var plain = 0
        for _ in 0..<20_000 {
            let body = Self.body(&generator)
            if PlainBatch(body.span) != nil { plain += 1 }
            let (usual, general) = (ways.usual(body), try ways.general(body))
            let note = Comment(rawValue: String(decoding: body, as: UTF8.self))
            #expect(usual.status == general.status, note)
            #expect(usual.body == general.body, note)
        }
        #expect(plain > 5_000)
        try shop.engine.close()
    }

    /// Of a random shape, and every other one with random pieces in it.
    private static func body(_ generator: inout SplitMix64) -> [UInt8] {
        var members = [subject, action, resource]
        if generator.chance(1, in: 8) { members.remove(at: generator.below(3)) }
        let items = (0..<1 + generator.below(4)).map { _ in generator.pick(Self.items) }
        members.append("\"evaluations\":[\(items.joined(separator: ","))]")
        let separator = generator.pick([",", " ,\n"])
        var body = Array("{\(generator.shuffled(members).joined(separator: separator))}".utf8)
        for _ in 0..<generator.pick([0, 0, 1, 2]) {
            let start = generator.below(body.count + 1)
            let end = min(body.count, start + generator.below(9))
            body.replaceSubrange(start..<end, with: Array(generator.pick(pieces).utf8))
        }
        return body
    }

    private static let items = [
        "{}", bob, archive, "{\(action)}", "{\(resource),\(action),\(subject)}", "{ \(subject)}",
        #"{"subject":{"type":"account","id":"nobody"}}"#, #"{"context":{"at":"2026-04-01"}}"#,
        #"{"resource":{"type":"entitlement","id":"boat"}}"#,
    ]

    private static let pieces = [
        "", " ", "\n", "x", "\"", "\\", "\\u0061", "{", "}", "[", "]", ":", ",", "\0", "\u{E9}",
        "\u{7F}", "bob", "archive", "account", "apple-id", "\"id\":\"bob\"", "\"subject\":{",
        "{},", ",{}", "\"properties\":{}", "null", "1", #""evaluations":["#,
        #""action":{"name":"use"},"#, #""subject":{"type":"account","id":"bob"},"#,
    ]
}
