internal import EntitlementEngine
internal import EntitlementModel

/// Answers the usual questions about accounts in memory, without a tree or a string being made.
///
/// It answers as `QuestionWriter` would, or not at all. Names of accounts need no check: one
/// that the memory knows is one.
struct PlainAnswering {
    private let source: EntitlementEngine
    private let jsonDepth: Int
    private var memo = EvaluationMemo()
    /// How many of the next requests were prefetched already.
    private var ahead = 0

    /// How many requests are prefetched together.
    private static let furthest = 16

    init(source: EntitlementEngine, jsonDepth: Int) {
        self.source = source
        self.jsonDepth = jsonDepth
    }

    /// Appends the answer to the question.
    ///
    /// - Returns: false if the question has another form or the account is not in memory; nothing
    ///   is appended then.
    mutating func answer(
        _ kind: QuestionKind, _ request: RequestHead, in bytes: Span<UInt8>,
        into answer: inout [UInt8]
    ) -> Bool {
        guard request.bodyKind == .json, jsonDepth >= PlainBatch.depth else { return false }
        switch kind {
        case .evaluation:
            return answerOne(request.body, in: bytes, into: &answer)
        case .evaluations:
            return answerAll(bytes.extracting(request.body), into: &answer)
        case .metadata, .live, .ready, .entitlements, .entitlement, .credits,
            .appleIDEntitlements:
            return false
        }
    }

    private mutating func answerOne(
        _ place: Range<Int>, in bytes: Span<UInt8>, into answer: inout [UInt8]
    ) -> Bool {
        let body = bytes.extracting(place)
        guard let use = use(in: body) else { return false }
        if bytes.count > place.upperBound { lookAhead(from: place, in: bytes) }
        guard let found = source.cachedAccount(named: body.extracting(use.account)) else {
            return false
        }
        let entitlement = body.extracting(use.entitlement)
        let right = found.packed.rights.answer(
            named: entitlement, in: .production, at: source.now())
        guard right.hasSource || isKnown(entitlement, to: found.packed) else { return false }
        AnswerWriter.appending(to: &answer) { writer in
            writer.appendEvaluation(right, found.packed.rights, found.revision)
        }
        return true
    }

    /// All as of one revision and one instant.
    ///
    /// Each step is taken for all of them before the next one, so that what they need from
    /// memory is fetched for several at once.
    private func answerAll(_ body: Span<UInt8>, into answer: inout [UInt8]) -> Bool {
        guard let uses = PlainBatch(body)?.uses,
            let found = source.cachedAccounts(named: uses.map(\.account), in: body)
        else { return false }
        let now = source.now()
        var answers: [PackedAnswer] = []
        answers.reserveCapacity(uses.count)
        for index in uses.indices {
            let entitlement = body.extracting(uses[index].entitlement)
            let right = found.packedAccounts[index].rights.answer(
                named: entitlement, in: .production, at: now)
            guard right.hasSource || isKnown(entitlement, to: found.packedAccounts[index]) else {
                return false
            }
            answers.append(right)
        }
        var room = 0
        for index in uses.indices {
            room += 64 + found.packedAccounts[index].rights.byteCount(of: answers[index])
        }
        AnswerWriter.appending(to: &answer) { writer in
            writer.reserve(room)
            writer.append("{\"evaluations\":[")
            for index in uses.indices {
                if index > 0 { writer.append(",") }
                writer.appendEvaluation(
                    answers[index], found.packedAccounts[index].rights, found.revision)
            }
            writer.append("]}")
        }
        return true
    }

    /// Whether a policy has ever defined it. If not, the general path reports the unknown name.
    private func isKnown(_ entitlement: Span<UInt8>, to packed: PackedAccount) -> Bool {
        packed.rights.lists(entitlement)
            || source.policy.knownEntitlements.contains(named: entitlement)
    }

    /// Says whom the requests ask about that came together with this one, as far as they are
    /// written alike. They are read when it is their turn; this decides nothing but how fast.
    ///
    /// - Parameter place: that of the body in `bytes`, which begin with its request.
    private mutating func lookAhead(from place: Range<Int>, in bytes: Span<UInt8>) {
        guard ahead == 0 else {
            ahead -= 1
            return
        }
        let head = bytes.extracting(..<place.lowerBound)
        var accounts: [Range<Int>] = []
        var start = 0
        while accounts.count < Self.furthest, start + place.upperBound <= bytes.count,
            bytes.extracting(start..<start + head.count).isSame(as: head)
        {
            let body = start + place.lowerBound
            start += place.upperBound
            guard let use = memo.recall(bytes.extracting(body..<start)) else { break }
            accounts.append(body + use.account.lowerBound..<body + use.account.upperBound)
        }
        guard accounts.count > 1 else { return }
        source.prefetch(named: accounts, in: bytes)
        ahead = accounts.count - 1
    }

    /// Whom and what the body asks about, if it is a plain one and asks about a use.
    private mutating func use(in body: Span<UInt8>) -> PlainUse? {
        if let use = memo.recall(body) { return use }
        guard let use = PlainEvaluation(body)?.use(in: body) else { return nil }
        memo.keep(use, body)
        return use
    }
}

/// A place in a JSON text whose strings need no escapes.
///
/// Every step returns whether what it skips was there. If not, `EvaluationReader` reads the text
/// and reports errors, so none is reported here.
struct PlainCursor {
    private(set) var index = 0

    mutating func isAtEnd(of bytes: Span<UInt8>) -> Bool {
        skipWhitespace(in: bytes)
        return index == bytes.count
    }

    /// Steps over white space and, if it follows, over that byte.
    @inline(__always)
    mutating func take(_ scalar: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
        skipWhitespace(in: bytes)
        guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    /// Steps over a string of printable ASCII without escapes, and gives its place.
    mutating func string(in bytes: Span<UInt8>) -> Range<Int>? {
        guard take("\"", in: bytes), let text = text(in: bytes) else { return nil }
        index += 1
        return text
    }

    /// Steps up to the quotation mark that ends such a string, from behind the one before it.
    private mutating func text(in bytes: Span<UInt8>) -> Range<Int>? {
        let start = index
        let end = bytes.end(of: start..<bytes.count, while: \.isPlainInJSON)
        guard end < bytes.count, bytes[end] == ASCII.quote else { return nil }
        index = end
        return start..<end
    }

    /// Skips text that equals `other` except for the string at `string`, and returns the range of
    /// the string found instead.
    mutating func text(
        like other: Range<Int>, butFor string: Range<Int>, in bytes: Span<UInt8>
    ) -> Range<Int>? {
        let start = index
        guard take(other.lowerBound..<string.lowerBound, in: bytes), let text = text(in: bytes),
            take(string.upperBound..<other.upperBound, in: bytes)
        else {
            index = start
            return nil
        }
        return text
    }

    /// Skips bytes equal to those at `place`.
    private mutating func take(_ place: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        let end = index + place.count
        guard end <= bytes.count,
            bytes.extracting(index..<end).isSame(as: bytes.extracting(place))
        else { return false }
        index = end
        return true
    }

    /// Steps over the name of a member and its colon.
    mutating func name(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let name = string(in: bytes), take(":", in: bytes) else { return nil }
        return name
    }

    private mutating func skipWhitespace(in bytes: Span<UInt8>) {
        // Usually there is none.
        guard index < bytes.count, bytes[index] <= ASCII.space else { return }
        index = bytes.end(of: index..<bytes.count) { byte in
            byte == ASCII.space || byte == ASCII.tab || byte == ASCII.lineFeed
                || byte == ASCII.carriageReturn
        }
    }
}
