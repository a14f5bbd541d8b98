internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel

/// What the query of `GET /v1/changes` asks for.
struct FeedParameters {
    /// `next` of the page before, or the cursor of a change; nil for from the first one on.
    var after: FeedCursor?
    var filter = ChangeFilter()
    var limit = 100
    /// How long to wait for a change where there is none.
    var wait = Duration.zero

    /// Seconds.
    private static let longestWait: Int64 = 60

    /// Reads `after`, `account`, `entitlement`, `kind`, `limit` and `wait`, each at most once.
    init(_ query: Range<Int>?, in bytes: Span<UInt8>) throws(Problem) {
        for (name, value) in try QuestionParameters.pairs(query, in: bytes) {
            let text = String(decoding: value, as: UTF8.self)
            switch name {
            case "after": after = try FeedParameters.cursor(text, field: name)
            case "account":
                guard let account = AccountID(text) else { throw Problem(.id, field: name) }
                filter.account = account
            case "entitlement":
                guard let entitlement = EntitlementName(text) else {
                    throw Problem(.id, field: name)
                }
                filter.entitlement = entitlement
            case "kind":
                guard let kind = FeedChange.Kind(rawValue: text) else {
                    throw Problem(.value, field: name)
                }
                filter.kind = kind
            case "limit":
                guard let number = Int64(plain: text), (1...1_000).contains(number) else {
                    throw Problem(.number, field: name)
                }
                limit = Int(number)
            case "wait": wait = try FeedParameters.wait(text)
            default: throw Problem(.unknownParameter, field: "query")
            }
        }
        // No change of another kind is about an entitlement.
        if filter.isContradictory { throw Problem(.value, field: "kind") }
    }

    static func cursor(_ text: String, field: String) throws(Problem) -> FeedCursor {
        guard let cursor = FeedCursor(text) else { throw Problem(.value, field: field) }
        return cursor
    }

    /// `30s`, or `30`.
    private static func wait(_ text: String) throws(Problem) -> Duration {
        let digits = text.hasSuffix("s") ? String(text.dropLast()) : text
        guard let seconds = Int64(plain: digits), (0...longestWait).contains(seconds) else {
            throw Problem(.number, field: "wait")
        }
        return .seconds(seconds)
    }
}
