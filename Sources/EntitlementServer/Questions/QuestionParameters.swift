internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Sentences

/// The query of a question (spec 3.1).
struct QuestionParameters: Equatable {
    /// Nil for now.
    var instant: Instant?
    /// Nil where the query names none.
    var statedEnvironment: StoreEnvironment?
    /// Nil for all that the account has; else what came through this Apple ID.
    var appleID: AppleIDKey?
    /// The oldest revision that may be answered: the caller has seen it.
    var minimumRevision = LedgerSequence.zero
    /// Whether nothing older is an answer than what the fleet's database has when it is asked.
    var isFresh = false
    /// Nil for all that is known.
    var known: KnownMoment?
    /// What has not happened, and is assumed to have.
    var assumptions: [Assumption] = []
    /// Whether the answer says what it takes to make it again; of rights only.
    var isReplayable = false
    /// Whose prices are asked for, alpha-3; of the catalogue only.
    var storefront: String?

    var environment: StoreEnvironment { statedEnvironment ?? .production }

    init() {}

    /// Reads the query.
    init(
        _ query: Range<Int>?, in bytes: Span<UInt8>,
        taking parameters: [QueryParameter] = QueryParameter.reading
    ) throws(Problem) {
        guard let query else { return }
        let values = try QueryValues(query, in: bytes, taking: parameters, encodingProblem: nil)
        instant = try values.value(.at)
        statedEnvironment = try values.value(.environment)
        appleID = try values.value(.appleID)
        known = try values.known()
        if let text = try values.text(.assume) {
            assumptions = try Problem.assumptions(text, field: QueryParameter.assume.name)
        }
        isFresh = try values.flag(.fresh) ?? false
        isReplayable = try values.flag(.replayable) ?? false
        // What has not happened cannot be made again from the ledger.
        if isReplayable, !assumptions.isEmpty {
            throw Problem(.value, field: QueryParameter.replayable.name)
        }
        if let text = try values.text(.minimumRevision) {
            guard let number = Int64(plain: text) else {
                throw Problem(.number, field: QueryParameter.minimumRevision.name)
            }
            minimumRevision = LedgerSequence(number)
        }
        if let text = try values.text(.storefront) {
            // Three capital letters, as StoreKit gives them.
            let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
            guard text.utf8.count == 3, text.utf8.allSatisfy(letters.contains) else {
                throw Problem(.value, field: QueryParameter.storefront.name)
            }
            storefront = text
        }
    }

    /// - Throws: where an answer of this revision would be older than what the caller has seen.
    func require(_ revision: LedgerSequence) throws(Problem) {
        guard revision >= minimumRevision else {
            throw Problem(.revision, field: "min_revision")
        }
    }
}

extension Problem {
    /// Reads sentences of assumptions.
    static func assumptions(_ text: String, field: String) throws(Problem) -> [Assumption] {
        do throws(AssumptionMistake) {
            return try Assumption.read(text)
        } catch {
            guard let number = error.number else {
                throw Problem(tooMany: Assumption.most, field: field)
            }
            throw Problem(
                .assumptionUnclear, field: "\(field).\(number)", didYouMean: error.nearest)
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

    /// Reads a percent-encoded ID of the target.
    func identifier<ID: Identifier>(
        _ range: Range<Int>, field: String
    ) throws(Problem) -> ID {
        guard let bytes = percentDecoded(range), let id = ID(bytes: bytes.span, 0..<bytes.count)
        else { throw Problem(malformed: ID.self, field: field) }
        return id
    }
}

extension Problem {
    /// A malformed ID.
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
