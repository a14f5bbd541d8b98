internal import EntitlementModel

/// What the query of a target asks for (spec 3.1).
struct QuestionParameters: Equatable {
    /// Nil for now.
    var instant: Instant?
    /// Nil where the query names none.
    var statedEnvironment: StoreEnvironment?
    /// Nil for all that the account has; else what came through this Apple ID.
    var appleID: AppleIDKey?
    /// What the caller has seen already: nothing older is an answer.
    var minimumRevision = LedgerSequence.zero

    var environment: StoreEnvironment { statedEnvironment ?? .production }

    init() {}

    /// Those of a question about an Apple ID, which has one already.
    init(ofAppleID query: Range<Int>?, in bytes: Span<UInt8>) throws(Problem) {
        self = try QuestionParameters(query, in: bytes)
        guard appleID == nil else { throw Problem(.unknownParameter, field: "apple_id") }
    }

    /// Reads `at`, `environment`, `apple_id` and `min_revision`, each at most once. The other
    /// parameters of the specification are refused by name, so that nobody takes an answer about
    /// now for one about something else.
    init(_ query: Range<Int>?, in bytes: Span<UInt8>) throws(Problem) {
        self.init()
        for (name, value) in try Self.pairs(query, in: bytes) { try set(name, value) }
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
            let (name, value) = try Self.split(pair, in: bytes)
            guard seen.insert(name).inserted else {
                throw Problem(.duplicateParameter, field: name)
            }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func split(
        _ pair: Range<Int>, in bytes: Span<UInt8>
    ) throws(Problem) -> (name: String, value: [UInt8]) {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "="), in: pair),
            let value = bytes.percentDecoded((equals + 1)..<pair.upperBound)
        else { throw Problem(.malformed, field: "query") }
        return (bytes.string(pair.lowerBound..<equals), value)
    }

    private mutating func set(_ name: String, _ value: [UInt8]) throws(Problem) {
        let text = String(validating: value, as: UTF8.self)
        switch name {
        case "at":
            guard let instant = text.flatMap({ Instant(rfc3339: $0) }) else {
                throw Problem(.instant, field: name)
            }
            self.instant = instant
        case "environment":
            guard let environment = text.flatMap(StoreEnvironment.init(rawValue:)) else {
                throw Problem(.value, field: name)
            }
            statedEnvironment = environment
        case "apple_id":
            guard let key = text.flatMap({ AppleIDKey($0) }) else {
                throw Problem(malformed: AppleIDKey.self, field: name)
            }
            appleID = key
        case "min_revision":
            guard let number = text.flatMap({ Int64(plain: $0) }) else {
                throw Problem(.number, field: name)
            }
            minimumRevision = LedgerSequence(number)
        case "known_at", "assume":
            throw Problem(.unsupported, field: name)
        default:
            // Names that are no words are not repeated.
            let isWord = name.utf8.allSatisfy { $0.isTokenByte } && name.utf8.count <= 64
            throw Problem(.unknownParameter, field: isWord ? name : "query")
        }
    }

    /// - Throws: where an answer of this revision would be older than what the caller has seen.
    func require(_ revision: LedgerSequence) throws(Problem) {
        guard revision >= minimumRevision else {
            throw Problem(.revision, field: "min_revision")
        }
    }
}
