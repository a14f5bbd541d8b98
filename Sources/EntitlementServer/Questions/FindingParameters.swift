internal import EntitlementAnswers
internal import EntitlementModel

/// What the query of `GET /v1/findings` asks for.
struct FindingParameters {
    /// Nil for every kind.
    var kind: Finding.Kind?
    /// `next` of the page before.
    var place: FindingPosition?
    var limit = 100

    /// Reads `kind`, `after` and `limit`, each at most once.
    init(_ query: Range<Int>?, in bytes: Span<UInt8>) throws(Problem) {
        for (name, value) in try QuestionParameters.pairs(query, in: bytes) {
            let text = String(decoding: value, as: UTF8.self)
            switch name {
            case "kind":
                guard let kind = Finding.Kind(rawValue: text) else {
                    throw Problem(.value, field: name)
                }
                self.kind = kind
            case "after":
                guard let place = FindingPosition(text) else { throw Problem(.value, field: name) }
                self.place = place
            case "limit":
                guard let number = Int64(plain: text), (1...1_000).contains(number) else {
                    throw Problem(.number, field: name)
                }
                limit = Int(number)
            default: throw Problem(.unknownParameter, field: "query")
            }
        }
    }
}
