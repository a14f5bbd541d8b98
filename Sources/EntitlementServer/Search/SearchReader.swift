internal import EntitlementModel
internal import StrictJSON

/// Reads the bodies of AuthZEN's searches. The id that is looked for is ignored where it is
/// given, as the specification wants it.
enum SearchReader {
    static func read(
        _ target: Search.Target, _ body: Span<UInt8>, depth: Int
    ) throws(Problem) -> Search {
        let document = try EvaluationReader.document(body, depth: depth)
        let subject = try entity("subject", in: document)
        let resource = try entity("resource", in: document)
        var action = ""
        var amount = try EvaluationReader.amount(of: resource, "resource")
        if target != .action {
            let entity = try entity("action", in: document)
            action = try EvaluationReader.text("name", of: entity, "action")
            if let spent = try EvaluationReader.amount(of: entity, "action") { amount = spent }
        }
        var context = Evaluation(matter: .unknown(.action))
        if let written = document["context"] {
            try EvaluationReader.read(written, into: &context)
        }
        var search = Search(
            target: target,
            subjectType: try EvaluationReader.text("type", of: subject, "subject"),
            subjectID: target == .subject
                ? "" : try EvaluationReader.text("id", of: subject, "subject"),
            action: action,
            resourceType: try EvaluationReader.text("type", of: resource, "resource"),
            resourceID: target == .resource
                ? "" : try EvaluationReader.text("id", of: resource, "resource"),
            amount: amount ?? 1, instant: context.instant, environment: context.environment,
            appleID: context.appleID)
        search.minimumRevision = context.minimumRevision
        search.page = try page(document["page"], of: search)
        return search
    }

    private static func entity(
        _ name: String, in document: JSONValue
    ) throws(Problem) -> JSONValue {
        try EvaluationReader.entity(name, of: document, nil)
    }

    private static func page(
        _ written: JSONValue?, of search: Search
    ) throws(Problem) -> Search.Page {
        var page = Search.Page()
        guard let written else { return page }
        guard written.members != nil else { throw Problem(.type, field: "page") }
        if let limit = written["limit"] {
            guard let number = limit.int64 else { throw Problem(.number, field: "page.limit") }
            guard number >= 0 else { throw Problem(.value, field: "page.limit") }
            page.limit = Int(min(number, Int64(Search.Page.greatestLimit)))
        }
        if let token = written["token"] {
            guard let text = token.string else { throw Problem(.type, field: "page.token") }
            guard !text.isEmpty else { return page }
            guard let token = SearchToken(text), token.fingerprint == search.fingerprint else {
                throw Problem(.value, field: "page.token")
            }
            page.token = token
        }
        return page
    }
}
