internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// One thing that AuthZEN 1.0 says about the wire, as a request and what has to come back.
struct WireCase: CustomTestStringConvertible, Sendable {
    /// What the answer has to say.
    enum Expectation: Sendable {
        case decision(Bool)
        /// Of a batch, in order, and nothing at the top beside them.
        case decisions([Bool])
        /// Ids, or the names of actions, on one page that is the last.
        case found([String])
        /// A refusal with our code and, where there is one, the member at fault.
        case rejected(Int, code: String, field: String? = nil)
        /// A header line of the answer.
        case header(String)
        /// A header line that must not be there.
        case noHeader(String)
        /// A member of the answer, by its path, with its JSON text.
        case member([String], String)
        /// The first item of a batch is a denial for this reason.
        case itemError(Int, String, String)
        /// A member that must not be there.
        case noMember([String])
    }

    let name: String
    let request: WireRequest
    let expectations: [Expectation]

    var testDescription: String { name }

    init(_ name: String, _ request: WireRequest, _ expectations: Expectation...) {
        self.name = name
        self.request = request
        self.expectations = expectations
    }

    static func one(
        _ name: String, _ body: String, _ expectations: Expectation...
    ) -> WireCase {
        WireCase(name, .post("/access/v1/evaluation", body), all: expectations)
    }

    static func batch(
        _ name: String, _ body: String, _ expectations: Expectation...
    ) -> WireCase {
        WireCase(name, .post("/access/v1/evaluations", body), all: expectations)
    }

    static func search(
        _ target: String, _ name: String, _ body: String, _ expectations: Expectation...
    ) -> WireCase {
        WireCase(name, .post("/access/v1/search/" + target, body), all: expectations)
    }

    private init(_ name: String, _ request: WireRequest, all expectations: [Expectation]) {
        self.name = name
        self.request = request
        self.expectations = expectations
    }

    /// Only usher.sock serves searches, and only there they are in the metadata.
    var isForOneSocket: Bool {
        request.target.hasPrefix("/access/v1/search") || request.target.hasPrefix("/.well-known")
    }
}

/// What came back, with its head.
struct WireAnswer {
    let head: String
    let response: LocalClient.Response

    init(_ text: String, hasBody: Bool) throws {
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        head = String(text[..<end.lowerBound]) + "\r\n"
        response = try ResponseReader.read(Array(text.utf8), hasBody: hasBody)
    }

    /// Names of fields in any case, as they are compared.
    func has(_ line: String) -> Bool {
        head.lowercased().contains("\r\n" + line.lowercased() + "\r\n")
    }

    func hasField(_ name: String) -> Bool {
        head.lowercased().contains("\r\n" + name.lowercased() + ":")
    }
}

extension WireCase.Expectation {
    /// Records an issue for what is not so.
    func check(_ answer: WireAnswer, _ name: String) throws {
        let text = answer.response.text
        let note = Comment(rawValue: "\(name): \(answer.response.status) \(text)")
        if case .rejected(let status, let code, let field) = self {
            #expect(answer.response.status == status, note)
            #expect(answer.response.mediaType == "application/problem+json", note)
            #expect(text.contains("\"code\":\"\(code)\""), note)
            if let field { #expect(text.contains("\"field\":\"\(field)\""), note) }
            return
        }
        switch self {
        case .header(let line): #expect(answer.has(line), note)
        case .noHeader(let name): #expect(!answer.hasField(name), note)
        default:
            #expect(answer.response.status == 200, note)
            #expect(answer.response.mediaType == "application/json", note)
            try checkBody(try parseJSON(answer.response.body), note)
        }
    }

    private func checkBody(_ body: JSONValue, _ note: Comment) throws {
        switch self {
        case .decision(let decision): #expect(body["decision"]?.bool == decision, note)
        case .decisions(let decisions):
            #expect(body.members?.map(\.key) == ["evaluations"], note)
            #expect(body["evaluations"]?.elements?.map { $0["decision"]?.bool } == decisions, note)
        case .found(let ids):
            let results = body["results"]?.elements ?? []
            #expect(results.map { ($0["id"] ?? $0["name"])?.string } == ids, note)
            #expect(body["page"]?["next_token"] == "", note)
            #expect(body["page"]?["count"]?.int64 == Int64(ids.count), note)
            #expect(body.members?.map(\.key) == ["page", "results"], note)
        case .member(let path, let text):
            #expect(body.member(path)?.text == text, note)
        case .noMember(let path):
            #expect(body.member(path) == nil, note)
        case .itemError(let status, let code, let field):
            let error = body["evaluations"]?.elements?.first?["context"]?["error"]
            #expect(error?["status"]?.int64 == Int64(status), note)
            #expect(error?["code"]?.string == code, note)
            #expect(error?["field"]?.string == field, note)
        case .rejected, .header, .noHeader: break
        }
    }
}

extension JSONValue {
    /// The member that a path leads to.
    func member(_ path: [String]) -> JSONValue? {
        var value = self
        for name in path {
            guard let next = value[name] else { return nil }
            value = next
        }
        return value
    }
}
