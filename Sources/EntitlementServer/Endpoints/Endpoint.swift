internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// One call of the API, and everything that there is to say of it: routing, the description and
/// the table of the manual follow from here.
final class Endpoint: Sendable {
    /// An answer that is not a problem, or a problem that a caller should expect.
    struct Answer: Sendable {
        var status: Int
        var summary: String
        var mediaType = "application/json"
        /// Whether a caller can have it as a stream of events instead.
        var isStreamed = false
        var schema: @Sendable (inout WireSchemas) -> JSONValue

        static func json(
            _ summary: String, _ shape: (some WireObject).Type, status: Int = 200
        ) -> Answer {
            Answer(status: status, summary: summary) { shape.schema(in: &$0) }
        }

        /// The same, or what the call would change.
        var orEffect: Answer {
            guard status == 200 else { return self }
            var answer = self
            answer.schema = { [schema] schemas in
                let effect = Written<EffectAnswer>.schema(in: &schemas)
                return ["oneOf": [schema(&schemas), effect]]
            }
            return answer
        }

        static func problem(_ status: Int, _ summary: String) -> Answer {
            Answer(status: status, summary: summary, mediaType: "application/problem+json") {
                ProblemAnswer.schema(in: &$0)
            }
        }
    }

    /// A request body, with an example.
    struct Body: Sendable {
        private let example: JSONValue
        /// The member of the example that has to be an instant in the future.
        private let ahead: String?
        let schema: @Sendable (inout WireSchemas) -> JSONValue

        init(
            example: JSONValue, ahead: String? = nil,
            schema: @escaping @Sendable (inout WireSchemas) -> JSONValue
        ) {
            self.example = example
            self.ahead = ahead
            self.schema = schema
        }

        init(_ shape: (some WireObject).Type, example: JSONValue, ahead: String? = nil) {
            self.init(example: example, ahead: ahead) { shape.schema(in: &$0) }
        }

        /// An example that can be tried within a day.
        func example(at now: Instant) -> JSONValue {
            guard let ahead else { return example }
            let day: Int64 = 86_400_000
            let today = now.milliseconds.flooredQuotient(by: day) * day
            var example = example
            example[ahead] = .string(Instant(milliseconds: today + 7 * day).rfc3339)
            return example
        }
    }

    /// Answers a call of usher.sock.
    typealias Handler =
        @Sendable (OperationsCall, OperationsResponder) async throws(Problem) -> ResponseDraft

    /// Who answers.
    enum Work: Sendable {
        /// query.sock, and usher.sock by the same code.
        case question(QuestionKind)
        /// usher.sock only.
        case operation(Handler)
        /// usher.sock only: what the service says of itself. It blocks.
        case page(@Sendable (OperationsResponder) -> ResponseDraft)
    }

    /// How a call counts towards the limits of usher.sock.
    enum Traffic: Sendable {
        case usual
        /// A body may be as long as evidence.
        case evidence
        /// The same; what Apple sends has a share of the calls of its own.
        case notifications
        /// Waits for future changes: counted separately.
        case following
        /// Health checks, which are never rejected.
        case health
    }

    /// Unique; clients made from the description use it.
    let name: String
    let method: RequestHead.Method
    /// Names are in braces.
    let path: String
    let names: [PathName]
    let summary: String
    /// Who may call it.
    let role: PeerRole
    let traffic: Traffic
    let query: [QueryParameter]
    /// What an `Idempotency-Key` is to a call.
    enum KeyUse: Sendable {
        case none
        /// It identifies what is created.
        case optional
        /// Without one the call could not be repeated safely after a failure.
        case required
    }

    let key: KeyUse
    /// Whether any node of a fleet answers it without the leader: it adds nothing to the ledger.
    let isLocal: Bool
    /// Whether it can be asked what it would change, and done only if nothing has changed since.
    let isPreviewable: Bool
    let body: Body?
    let answers: [Answer]
    let work: Work

    /// - Parameters:
    ///   - template: The path, with an example of each name: `/v1/blocks/{block:7}`.
    ///   - isOfLeader: whether it asks for what only the node of a fleet knows that leads.
    init(
        _ name: String, _ method: RequestHead.Method, _ template: String, _ summary: String,
        role: PeerRole = .query, traffic: Traffic = .usual, query: [QueryParameter] = [],
        key: KeyUse = .none, isLocal: Bool = false, isOfLeader: Bool = false,
        isPreviewable: Bool = false, body: Body? = nil, answers: [Answer], work: Work
    ) {
        self.name = name
        self.method = method
        names = template.split(separator: "/").compactMap(PathName.init)
        path = names.reduce(template) { $0.replacing(":\($1.example)}", with: "}") }
        self.summary = summary
        self.role = role
        self.traffic = traffic
        self.query = query + (isPreviewable ? [.dryRun, .ifRevision] : [])
        self.key = key
        self.isLocal = !isOfLeader && (isLocal || method == .get || method == .head)
        self.isPreviewable = isPreviewable
        self.body = body
        self.answers = isPreviewable ? answers.map(\.orEffect) : answers
        self.work = work
    }

    /// The path with the example of each name: a target that can be tried.
    var example: String {
        names.reduce(path) { $0.replacing("{\($1.name)}", with: $1.example) }
    }

    /// Whether the query is read as described. Questions about accounts have a reader of their own;
    /// a notification's query is ignored.
    var readsQuery: Bool { !query.contains(.at) && traffic != .notifications }

    /// What query.sock serves, too.
    var question: QuestionKind? {
        guard case .question(let kind) = work else { return nil }
        return kind
    }
}

/// A name in a path, and one to try.
struct PathName: Sendable {
    let name: String
    let example: String

    /// Nil for a segment that is fixed.
    init?(_ segment: Substring) {
        guard segment.hasPrefix("{") else { return nil }
        let parts = segment.dropFirst().dropLast().split(separator: ":", maxSplits: 1)
        precondition(parts.count == 2, "every name in a path has an example")
        (name, example) = (String(parts[0]), String(parts[1]))
    }

    /// As its schema has it.
    var exampleValue: JSONValue {
        let isNumber = !["transaction", "block", "id"].contains(name)
        return isNumber
            ? Int64(plain: example).map { .integer($0) } ?? .string(example) : .string(example)
    }

    func schema(in schemas: inout WireSchemas) -> JSONValue {
        switch name {
        case "account": AccountID.schema(in: &schemas)
        case "entitlement": EntitlementName.schema(in: &schemas)
        case "credit": CreditName.schema(in: &schemas)
        case "order": AppAccountToken.schema(in: &schemas)
        case "transaction": TransactionID.schema(in: &schemas)
        case "grant": GrantID.schema(in: &schemas)
        case "block": BlockID.schema(in: &schemas)
        case "key": AppleIDKey.schema(in: &schemas)
        case "id": AccountID.schema(in: &schemas)
        default: ["type": "integer", "minimum": 0]
        }
    }
}

/// What both sockets answer, by the same code.
enum QuestionKind: CaseIterable, Sendable {
    case evaluation
    case evaluations
    case metadata
    case live
    case ready
    case entitlements
    case entitlement
    case credits
    case appleIDEntitlements

    /// Whether it is about rights, not about the service.
    var needsPolicy: Bool {
        switch self {
        case .metadata, .live, .ready: false
        case .evaluation, .evaluations, .entitlements, .entitlement, .credits,
            .appleIDEntitlements:
            true
        }
    }
}
