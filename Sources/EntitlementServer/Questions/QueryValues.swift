internal import EntitlementAnswers
internal import EntitlementModel

/// What the query of a call of usher.sock says: each parameter that the call takes at most once. What
/// it does not take is rejected by name, so that nobody takes one answer for another.
struct QueryValues: Sendable {
    private var values: [QueryParameter: [UInt8]] = [:]

    /// Nothing.
    init() {}

    init(
        _ query: Range<Int>?, in bytes: Span<UInt8>, taking parameters: [QueryParameter]
    ) throws(Problem) {
        for (name, value) in try QuestionParameters.pairs(query, in: bytes) {
            let parameter = parameters.first { $0.name == name || $0.formerName == name }
            guard let parameter else { throw Problem(unknown: name, among: parameters) }
            guard values.updateValue(value, forKey: parameter) == nil else {
                throw Problem(.duplicateParameter, field: name)
            }
        }
    }

    /// Nil where the query does not have it.
    func text(_ parameter: QueryParameter) throws(Problem) -> String? {
        guard let value = values[parameter] else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else {
            throw Problem(.encoding, field: parameter.name)
        }
        return text
    }

    /// The text, as what `read` makes of it.
    func value<Value>(
        _ parameter: QueryParameter, _ code: ProblemCode = .value, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = try text(parameter) else { return nil }
        guard let value = read(text) else { throw Problem(code, field: parameter.name) }
        return value
    }

    func number(
        _ parameter: QueryParameter, in range: ClosedRange<Int64>
    ) throws(Problem) -> Int64? {
        guard let text = try text(parameter) else { return nil }
        return try Problem.number(text, in: range, field: parameter.name)
    }

    func flag(_ parameter: QueryParameter) throws(Problem) -> Bool? {
        try value(parameter) { $0 == "true" ? true : $0 == "false" ? false : nil }
    }

    /// How much one page has.
    func limit() throws(Problem) -> Int { Int(try number(.limit, in: 1...1_000) ?? 100) }

    /// `next` of the page before, of a list that is read entry by entry.
    func entry() throws(Problem) -> LedgerSequence {
        LedgerSequence(try number(.afterEntry, in: 0...Int64.max) ?? 0)
    }
}

extension Problem {
    /// A parameter that is none of these.
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
