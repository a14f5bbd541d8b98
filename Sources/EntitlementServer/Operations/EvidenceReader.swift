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

    static func read(_ body: [UInt8], depth: Int) throws(Problem) -> Evidence {
        let document: JSONValue
        do {
            document = try parseJSON(body, limits: JSONLimits(bytes: body.count, depth: depth))
        } catch {
            throw Problem(ProblemCode(error.code))
        }
        guard let list = document.elements else {
            return Evidence(pieces: [.success(try piece(document))], isList: false)
        }
        guard list.count <= pieceLimit else { throw Problem(.tooLarge) }
        let pieces = list.map { element in
            Result { () throws(Problem) in try piece(element) }
        }
        return Evidence(pieces: pieces, isList: true)
    }

    /// A name that is not known is refused: a misspelt `account` would hand in a purchase for
    /// nobody.
    private static func piece(_ value: JSONValue) throws(Problem) -> EvidenceSubmission {
        guard let members = value.members else { throw Problem(.type) }
        let known = ["payload", "account", "moment", "order"]
        guard members.allSatisfy({ known.contains($0.key) }) else {
            throw Problem(.unknownMember)
        }
        guard let payload = try text("payload", of: value) else {
            throw Problem(.missing, field: "payload")
        }
        return EvidenceSubmission(
            payload: Array(payload.utf8), account: try id("account", of: value),
            moment: try moment(of: value), order: try id("order", of: value))
    }

    private static func id<ID: Identifier>(
        _ name: String, of value: JSONValue
    ) throws(Problem) -> ID? {
        guard let text = try text(name, of: value) else { return nil }
        guard let id = ID(text) else { throw Problem(.id, field: name) }
        return id
    }

    private static func moment(of value: JSONValue) throws(Problem) -> ClaimMoment? {
        guard let text = try text("moment", of: value) else { return nil }
        guard let moment = ClaimMoment(rawValue: text) else {
            throw Problem(.value, field: "moment")
        }
        return moment
    }

    /// Nil where the member is missing or null.
    private static func text(_ name: String, of value: JSONValue) throws(Problem) -> String? {
        guard let member = value[name], !member.isNull else { return nil }
        guard let text = member.string else { throw Problem(.type, field: name) }
        return text
    }
}
