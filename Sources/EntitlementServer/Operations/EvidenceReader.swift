internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// Reads the body of `POST /v1/evidence`: one piece of evidence, or a list.
enum EvidenceReader {
    /// What was handed in, each piece read or refused on its own.
    struct Evidence {
        var pieces: [Result<EvidenceSubmission, Problem>]
        /// Whether it came as a list: then the answer is a list too.
        var isList: Bool
    }

    /// Pieces of one list.
    static let pieceLimit = 1_000

    static func read(_ document: JSONValue) throws(Problem) -> Evidence {
        guard let list = document.elements else {
            return Evidence(pieces: [.success(try piece(document))], isList: false)
        }
        guard list.count <= pieceLimit else { throw Problem(.tooLarge) }
        let pieces = list.map { element in
            Result { () throws(Problem) in try piece(element) }
        }
        return Evidence(pieces: pieces, isList: true)
    }

    private static func piece(_ value: JSONValue) throws(Problem) -> EvidenceSubmission {
        let body = try RequestBody(value, knowing: ["payload", "account", "moment", "order"])
        return EvidenceSubmission(
            payload: Array(try body.text("payload").utf8), account: try body.idIfAny("account"),
            moment: try moment(body), order: try body.idIfAny("order"))
    }

    private static func moment(_ body: RequestBody) throws(Problem) -> ClaimMoment? {
        guard let text = try body.textIfAny("moment") else { return nil }
        guard let moment = ClaimMoment(rawValue: text) else {
            throw Problem(.value, field: "moment")
        }
        return moment
    }
}
