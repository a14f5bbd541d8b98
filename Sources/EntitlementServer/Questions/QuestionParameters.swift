internal import EntitlementAnswers
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
    /// Whether nothing older is an answer than what the fleet's database has when it is asked.
    var isFresh = false
    /// Nil for all that is known; of credits only.
    var knownAt: Instant?
    /// Whose prices are asked for, alpha-3; of the catalogue only.
    var storefront: String?

    var environment: StoreEnvironment { statedEnvironment ?? .production }

    init() {}

    /// Those of a question about an Apple ID, which has one already.
    init(ofAppleID query: Range<Int>?, in bytes: Span<UInt8>) throws(Problem) {
        self = try QuestionParameters(query, in: bytes)
        guard appleID == nil else { throw Problem(.unknownParameter, field: "apple_id") }
    }

    /// Reads `at`, `environment`, `apple_id`, `min_revision` and `fresh`, each at most once. The other
    /// parameters of the specification are rejected by name, so that nobody takes an answer about
    /// now for one about something else.
    ///
    /// - Parameters:
    ///   - hasStorefront: whether `storefront` may be asked with, too.
    ///   - hasKnownAt: the same of `known_at`.
    init(
        _ query: Range<Int>?, in bytes: Span<UInt8>, hasStorefront: Bool = false,
        hasKnownAt: Bool = false
    ) throws(Problem) {
        self.init()
        for (name, value) in try Self.pairs(query, in: bytes) {
            if hasStorefront, name == "storefront" {
                storefront = try Self.storefront(value)
            } else if hasKnownAt, name == "known_at" {
                knownAt = try Self.instant(value, name)
            } else {
                try set(name, value)
            }
        }
    }

    private static func instant(
        _ value: [UInt8], _ name: String
    ) throws(Problem) -> Instant {
        let text = String(validating: value, as: UTF8.self)
        guard let instant = text.flatMap({ Instant(rfc3339: $0) }) else {
            throw Problem(.instant, field: name)
        }
        return instant
    }

    /// Three capital letters, as StoreKit gives them.
    private static func storefront(_ value: [UInt8]) throws(Problem) -> String {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard value.count == 3, value.allSatisfy(letters.contains) else {
            throw Problem(.value, field: "storefront")
        }
        return String(decoding: value, as: UTF8.self)
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
        case "at": instant = try Self.instant(value, name)
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
        case "fresh":
            guard let text, text == "true" || text == "false" else {
                throw Problem(.value, field: name)
            }
            isFresh = text == "true"
        case "known_at", "assume":
            throw Problem(.unsupported, field: name)
        default: throw Problem(unknown: name, among: QueryParameter.reading)
        }
    }

    /// - Throws: where an answer of this revision would be older than what the caller has seen.
    func require(_ revision: LedgerSequence) throws(Problem) {
        guard revision >= minimumRevision else {
            throw Problem(.revision, field: "min_revision")
        }
    }
}

/// Reading names and values out of a request target.
extension Span<UInt8> {
    /// The bytes of `range` with `%XX` resolved; nil where a percent sign is not followed by two
    /// hexadecimal digits. A plus sign is a plus sign.
    func percentDecoded(_ range: Range<Int>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            guard self[index] == ASCII.percent else {
                decoded.append(self[index])
                index += 1
                continue
            }
            guard index + 2 < range.upperBound, let high = self[index + 1].hexadecimalValue,
                let low = self[index + 2].hexadecimalValue
            else { return nil }
            decoded.append(high << 4 | low)
            index += 3
        }
        return decoded
    }

    /// Reads an id that stands percent-encoded in the target.
    func identifier<ID: Identifier>(
        _ range: Range<Int>, field: String
    ) throws(Problem) -> ID {
        guard let bytes = percentDecoded(range), let id = ID(bytes: bytes.span, 0..<bytes.count)
        else { throw Problem(malformed: ID.self, field: field) }
        return id
    }
}

extension Problem {
    /// What was given for an id is none.
    init<ID: Identifier>(malformed type: ID.Type, field: String) {
        self.init(type == AppleIDKey.self ? .appleIDMalformed : .id, field: field)
    }
}

extension Identifier {
    /// Nil if the bytes are none, too many, not all in the alphabet of ids, or of another form.
    init?(bytes: Span<UInt8>, _ range: Range<Int>) {
        guard Self.isName(bytes, range) else { return nil }
        let text = bytes.string(range)
        guard Self.hasForm(text) else { return nil }
        self.init(unchecked: text)
    }

    /// Whether the bytes are some, not too many, and all in the alphabet of ids.
    static func isName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        !range.isEmpty && range.count <= maximumLength
            && bytes.allSatisfy(in: range, ASCII.visible.contains)
    }
}
