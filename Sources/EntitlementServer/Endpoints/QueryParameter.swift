internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// Something that a query can contain: its names, an example, and its schema. Routing, the
/// description and the reader of a query follow from here.
struct QueryParameter: Sendable {
    /// Unique: some parameters of different calls have one name.
    let key: String
    /// As it is written in a query.
    let name: String
    /// As it was once called: it means the same.
    let formerName: String?
    let example: JSONValue
    let schema: @Sendable (inout WireSchemas) -> JSONValue

    private init(
        _ key: String, name: String? = nil, formerName: String? = nil, example: JSONValue,
        schema: @escaping @Sendable (inout WireSchemas) -> JSONValue
    ) {
        self.key = key
        self.name = name ?? key
        self.formerName = formerName
        self.example = example
        self.schema = schema
    }

    private init(
        _ key: String, name: String? = nil, _ type: (some WireText).Type, example: JSONValue
    ) {
        self.init(key, name: name, example: example) { type.schema(in: &$0) }
    }

    static let at = Self("at", Instant.self, example: "2026-06-01T00:00:00.000Z")
    static let knownAt = Self("known_at", Instant.self, example: "2026-06-01T00:00:00.000Z")
    static let assume = Self("assume", String.self, example: "grant alice premium")
    static let expected = Self("expected", ExpectedAnswer.self, example: "yes")
    static let environment = Self("environment", StoreEnvironment.self, example: "production")
    static let appleID = Self(
        "apple_id", AppleIDKey.self, example: "atx:production:700000000000000001")
    static let revision = Self("revision", example: 412, schema: natural)
    static let replayable = Self("replayable", example: true, schema: flag)
    static let minimumRevision = Self("min_revision", example: 1, schema: natural)
    static let fresh = Self("fresh", example: true, schema: flag)
    static let state = Self("state", example: "waiting") { _ in
        ["type": "string", "enum": ["waiting"]]
    }
    static let kind = Self("kind", Finding.Kind.self, example: "unclaimed-payment")
    static let after = Self(
        "after", FindingPosition.self, example: "unclaimed-payment.1780272000000.42.1f")
    static let afterEntry = Self(
        "after_entry", name: "after", formerName: "after_entry", example: 412, schema: natural)
    static let skip = Self(
        "skip", name: "after", formerName: "skip", example: 0, schema: natural)
    static let limit = Self("limit", example: 100) { _ in
        ["type": "integer", "minimum": 1, "maximum": 1_000]
    }
    static let storefront = Self("storefront", example: "CHN") { _ in
        ["type": "string", "pattern": "^[A-Z]{3}$"]
    }
    static let open = Self("open", example: true, schema: flag)
    static let afterChange = Self("after_change", name: "after", FeedCursor.self, example: "1")
    static let wait = Self("wait", example: "0s") { _ in
        ["type": "string", "pattern": "^[0-9]{1,2}s$"]
    }
    static let account = Self("account", AccountID.self, example: "alice")
    static let entitlement = Self("entitlement", EntitlementName.self, example: "premium")
    static let changeKind = Self(
        "change_kind", name: "kind", FeedChange.Kind.self, example: "right-gained")
    static let reason = Self("reason", Reason.self, example: "The chargebacks were a mistake.")

    /// What every question about an account can be asked with.
    static let reading = [at, environment, appleID, minimumRevision, fresh] + past + [assume]
    /// The same about an Apple ID, which the path names.
    static let readingOfAppleID = [at, environment, minimumRevision, fresh] + past + [assume]
    /// The same about the history of an answer.
    static let readingOfHistory =
        [
            at, environment, appleID, minimumRevision, fresh, afterEntry, limit, expected,
        ] + past
    /// What was known.
    static let past = [knownAt, revision]
    /// About rights of an account, whose answers can be made again.
    static let readingOfRights = reading + [replayable]

    private static let natural: @Sendable (inout WireSchemas) -> JSONValue = { _ in
        ["type": "integer", "minimum": 0]
    }
    private static let flag: @Sendable (inout WireSchemas) -> JSONValue = { _ in
        ["type": "boolean"]
    }
}

extension QueryParameter: Equatable {
    static func == (one: Self, other: Self) -> Bool { one.key == other.key }
}

/// The query of a call: each of its parameters at most once. Unknown parameters are rejected by
/// name, so that an answer is never to another question than asked.
struct QueryValues: Sendable {
    private var values: [(parameter: QueryParameter, value: [UInt8])] = []
    /// The problem with a value that is not UTF-8; nil to report it like any other invalid value.
    private var encodingProblem: ProblemCode? = .encoding

    /// Nothing.
    init() {}

    init(
        _ query: Range<Int>?, in bytes: Span<UInt8>, taking parameters: [QueryParameter],
        encodingProblem: ProblemCode? = .encoding
    ) throws(Problem) {
        self.encodingProblem = encodingProblem
        for (name, value) in try Self.pairs(query, in: bytes) {
            let parameter = parameters.first { $0.name == name || $0.formerName == name }
            guard let parameter else { throw Problem(unknown: name, among: parameters) }
            guard !values.contains(where: { $0.parameter == parameter }) else {
                throw Problem(.duplicateParameter, field: name)
            }
            values.append((parameter, value))
        }
    }

    /// The names and values of a query; each name is there once.
    static func pairs(
        _ query: Range<Int>?, in bytes: Span<UInt8>
    ) throws(Problem) -> [(name: String, value: [UInt8])] {
        guard let query else { return [] }
        var pairs: [(name: String, value: [UInt8])] = []
        var seen: Set<String> = []
        var start = query.lowerBound
        while start < query.upperBound {
            let separator = UInt8(ascii: "&")
            let end = bytes.firstIndex(of: separator, in: start..<query.upperBound)
            let pair = start..<(end ?? query.upperBound)
            start = pair.upperBound + 1
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "="), in: pair),
                let value = bytes.percentDecoded((equals + 1)..<pair.upperBound)
            else { throw Problem(.malformed, field: "query") }
            let name = bytes.string(pair.lowerBound..<equals)
            guard seen.insert(name).inserted else {
                throw Problem(.duplicateParameter, field: name)
            }
            pairs.append((name, value))
        }
        return pairs
    }

    /// Nil where the query does not have it.
    func text(_ parameter: QueryParameter) throws(Problem) -> String? {
        guard let value = values.first(where: { $0.parameter == parameter })?.value else {
            return nil
        }
        if let text = String(validating: value, as: UTF8.self) { return text }
        if let encodingProblem { throw Problem(encodingProblem, field: parameter.name) }
        return String(decoding: value, as: UTF8.self)
    }

    /// The text as what an answer would write so.
    func value<Value: WireText>(_ parameter: QueryParameter) throws(Problem) -> Value? {
        guard let text = try text(parameter) else { return nil }
        do throws(ShapeError) {
            return try Value(wireText: text)
        } catch {
            var problem = Problem(error)
            problem.field = parameter.name
            throw problem
        }
    }

    func number(
        _ parameter: QueryParameter, in range: ClosedRange<Int64>
    ) throws(Problem) -> Int64? {
        guard let text = try text(parameter) else { return nil }
        return try Problem.number(text, in: range, field: parameter.name)
    }

    func flag(_ parameter: QueryParameter) throws(Problem) -> Bool? {
        guard let text = try text(parameter) else { return nil }
        guard text == "true" || text == "false" else {
            throw Problem(.value, field: parameter.name)
        }
        return text == "true"
    }

    /// What was known; nil for all that is.
    func known() throws(Problem) -> KnownMoment? {
        let instant: Instant? = try value(.knownAt)
        let revision = try number(.revision, in: 0...Int64.max)
        switch (instant, revision) {
        case (nil, nil): return nil
        case (let instant?, nil): return .instant(instant)
        case (nil, let revision?): return .revision(LedgerSequence(revision))
        case (_?, _?): throw Problem(.twoMoments, field: QueryParameter.revision.name)
        }
    }

    /// How much one page has.
    func limit() throws(Problem) -> Int { Int(try number(.limit, in: 1...1_000) ?? 100) }

    /// `next` of the page before, of a list that is read entry by entry.
    func entry() throws(Problem) -> LedgerSequence {
        LedgerSequence(try number(.afterEntry, in: 0...Int64.max) ?? 0)
    }
}

extension Problem {
    /// An unknown parameter.
    init(unknown name: String, among parameters: [QueryParameter]) {
        self.init(
            // Names that are no words are not repeated.
            .unknownParameter, field: name.isWord ? name : "query",
            didYouMean: suggestion(for: name, among: parameters.map(\.name)))
    }

    /// A number that is too small or too large.
    init(outOf range: ClosedRange<Int64>, field: String, as code: ProblemCode = .value) {
        self.init(code, field: field)
        bound = Bound(phrase: .number, range: range)
    }

    /// A list that is too long.
    init(tooMany most: Int, field: String) {
        self.init(.value, field: field)
        bound = Bound(phrase: .elements, range: 0...Int64(most))
    }

    /// Digits, within a range.
    static func number(
        _ text: String, in range: ClosedRange<Int64>, field: String
    ) throws(Problem) -> Int64 {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(ASCII.digits.contains)
        guard isNumber else { throw Problem(.number, field: field) }
        guard let number = Int64(plain: text), range.contains(number) else {
            throw Problem(outOf: range, field: field, as: .number)
        }
        return number
    }

    static func require(
        _ number: Int64?, in range: ClosedRange<Int64>, field: String,
        as code: ProblemCode = .value
    ) throws(Problem) {
        guard number.map(range.contains) ?? true else {
            throw Problem(outOf: range, field: field, as: code)
        }
    }
}
