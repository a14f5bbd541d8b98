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

    init(_ query: QueryValues) throws(Problem) {
        after = try query.value(.afterChange) { FeedCursor($0) }
        filter.account = try query.value(.account, .id) { AccountID($0) }
        filter.entitlement = try query.value(.entitlement, .id) { EntitlementName($0) }
        filter.kind = try query.value(.changeKind) { FeedChange.Kind(rawValue: $0) }
        limit = try query.limit()
        wait =
            try query.text(.wait).map { text throws(Problem) in
                try FeedParameters.wait(text)
            } ?? .zero
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
        return .seconds(try Problem.number(digits, in: 0...longestWait, field: "wait"))
    }
}
