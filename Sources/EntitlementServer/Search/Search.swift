internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// A search of AuthZEN: everything of a question is given but one id (spec 3.1).
struct Search: Equatable, Sendable {
    /// What a search finds.
    enum Target: String, CaseIterable, Sendable {
        case subject
        case resource
        case action
    }

    var target: Target
    var subjectType: String
    /// Empty in a search for subjects.
    var subjectID: String
    /// Empty in a search for actions.
    var action: String
    var resourceType: String
    /// Empty in a search for resources.
    var resourceID: String
    /// The amount to be spent; 1 if not given.
    var amount: Int64
    /// `context.at`; nil for the instant of the first page.
    var instant: Instant?
    var environment: StoreEnvironment
    var appleID: AppleIDKey?
    var minimumRevision = LedgerSequence.zero
    var page = Page()

    struct Page: Equatable, Sendable {
        var limit = Self.standardLimit
        var token: SearchToken?

        static let standardLimit = 100
        static let greatestLimit = 1_000
    }
}

extension Search {
    /// The question whether `candidate` matches.
    func evaluation(of candidate: String, at instant: Instant) throws(Problem) -> Evaluation {
        let matter = try Evaluation.Matter(
            subjectType: subjectType, subjectID: target == .subject ? candidate : subjectID,
            action: target == .action ? candidate : action, resourceType: resourceType,
            resourceID: target == .resource ? candidate : resourceID, amount: amount)
        return Evaluation(
            matter: matter, instant: instant, environment: environment, appleID: appleID,
            minimumRevision: minimumRevision)
    }

    /// Tells searches apart: a token is good for the search that it was given for.
    var fingerprint: UInt64 {
        let parts = [
            target.rawValue, subjectType, subjectID, action, resourceType, resourceID,
            String(amount), instant.map { String($0.milliseconds) } ?? "",
            environment.rawValue, appleID?.text ?? "",
        ]
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in parts.joined(separator: "\u{0}").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return hash
    }
}

/// The position of the next page of a search, as an opaque token: the instant that all pages answer
/// for, the search, and the last candidate examined; empty before the first.
struct SearchToken: Equatable, Sendable {
    let instant: Instant
    let fingerprint: UInt64
    let last: String

    init(instant: Instant, fingerprint: UInt64, last: String) {
        self.instant = instant
        self.fingerprint = fingerprint
        self.last = last
    }

    var text: String {
        "\(instant.milliseconds).\(fingerprint.hexadecimal()).\(last)"
    }

    /// Nil for text that is not a token.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let milliseconds = Int64(parts[0]),
            Instant.writable.contains(Instant(milliseconds: milliseconds)),
            let fingerprint = UInt64(parts[1], radix: 16)
        else { return nil }
        self.init(
            instant: Instant(milliseconds: milliseconds), fingerprint: fingerprint,
            last: String(parts[2]))
    }
}

/// Reads the bodies of AuthZEN's searches. An ID of what is searched for is ignored, as AuthZEN
/// specifies.
enum SearchReader {
    static func read(
        _ target: Search.Target, _ body: Span<UInt8>, depth: Int
    ) throws(Problem) -> Search {
        let document = try EvaluationReader.document(body, depth: depth)
        let subject = try entity("subject", in: document)
        let resource = try entity("resource", in: document)
        var action = ""
        var amount = try EvaluationReader.amount(of: resource, "resource")
        if target != .action {
            let entity = try entity("action", in: document)
            action = try EvaluationReader.text("name", of: entity, "action")
            if let spent = try EvaluationReader.amount(of: entity, "action") { amount = spent }
        }
        var context = Evaluation(matter: .unknown(.action))
        if let written = document["context"] {
            try EvaluationReader.read(written, into: &context)
        }
        // What was known then of all accounts is not kept.
        if context.known != nil { throw Problem(.unsupported, field: "context.known_at") }
        if !context.assumptions.isEmpty { throw Problem(.unsupported, field: "context.assume") }
        var search = Search(
            target: target,
            subjectType: try EvaluationReader.text("type", of: subject, "subject"),
            subjectID: target == .subject
                ? "" : try EvaluationReader.text("id", of: subject, "subject"),
            action: action,
            resourceType: try EvaluationReader.text("type", of: resource, "resource"),
            resourceID: target == .resource
                ? "" : try EvaluationReader.text("id", of: resource, "resource"),
            amount: amount ?? 1, instant: context.instant, environment: context.environment,
            appleID: context.appleID)
        search.minimumRevision = context.minimumRevision
        search.page = try page(document["page"], of: search)
        return search
    }

    private static func entity(
        _ name: String, in document: JSONValue
    ) throws(Problem) -> JSONValue {
        try EvaluationReader.entity(name, of: document, nil)
    }

    private static func page(
        _ written: JSONValue?, of search: Search
    ) throws(Problem) -> Search.Page {
        var page = Search.Page()
        guard let written else { return page }
        guard written.members != nil else { throw Problem(.type, field: "page") }
        if let limit = written["limit"] {
            guard let number = limit.int64 else { throw Problem(.number, field: "page.limit") }
            guard number >= 0 else { throw Problem(.value, field: "page.limit") }
            page.limit = Int(min(number, Int64(Search.Page.greatestLimit)))
        }
        if let token = written["token"] {
            guard let text = token.string else { throw Problem(.type, field: "page.token") }
            guard !text.isEmpty else { return page }
            guard let token = SearchToken(text), token.fingerprint == search.fingerprint else {
                throw Problem(.value, field: "page.token")
            }
            page.token = token
        }
        return page
    }
}
