internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// Reads the bodies of AuthZEN's evaluation calls, strictly.
enum EvaluationReader {
    /// When the answers of a batch stop.
    enum Semantic: String, CaseIterable {
        case executeAll = "execute_all"
        case denyOnFirstDeny = "deny_on_first_deny"
        case permitOnFirstPermit = "permit_on_first_permit"
    }

    /// A batch, each question read or rejected on its own.
    struct Batch {
        var semantic: Semantic
        var questions: [Result<Evaluation, Problem>]
    }

    /// Limits of a body (THREATS.md F3, F4).
    static func limits(bodyBytes: Int, depth: Int = HTTPLimits().jsonDepth) -> JSONLimits {
        JSONLimits(bytes: bodyBytes, depth: depth, values: 10_000)
    }

    /// Reads the body of a single evaluation.
    static func single(
        _ body: Span<UInt8>, depth: Int = HTTPLimits().jsonDepth
    ) throws(Problem) -> Evaluation {
        if let plain = PlainEvaluation(body) { return try plain.evaluation(in: body) }
        return try evaluation(try document(body, depth: depth), defaults: nil)
    }

    /// Reads the body of a batch. Nil where it has no `evaluations`, or an empty list of them:
    /// then it is a single evaluation.
    static func batch(
        _ body: Span<UInt8>, depth: Int = HTTPLimits().jsonDepth
    ) throws(Problem) -> Batch? {
        let document = try document(body, depth: depth)
        let semantic = try semantic(of: document)
        guard let list = document["evaluations"] else { return nil }
        guard let items = list.elements else { throw Problem(.type, field: "evaluations") }
        guard !items.isEmpty else { return nil }
        let questions = items.map { item in
            Result { () throws(Problem) in try evaluation(item, defaults: document) }
        }
        return Batch(semantic: semantic, questions: questions)
    }

    static func document(
        _ body: Span<UInt8>, depth: Int = HTTPLimits().jsonDepth
    ) throws(Problem) -> JSONValue {
        let document: JSONValue
        do {
            var bytes: [UInt8] = []
            bytes.append(body)
            document = try parseJSON(bytes, limits: limits(bodyBytes: bytes.count, depth: depth))
        } catch {
            throw Problem(ProblemCode(error.code))
        }
        guard document.members != nil else { throw Problem(.type) }
        return document
    }

    private static func semantic(of document: JSONValue) throws(Problem) -> Semantic {
        guard let options = document["options"] else { return .executeAll }
        guard options.members != nil else { throw Problem(.type, field: "options") }
        guard let written = options["evaluations_semantic"] else { return .executeAll }
        let field = "options.evaluations_semantic"
        guard let text = written.string else { throw Problem(.type, field: field) }
        guard let semantic = Semantic(rawValue: text) else { throw Problem(.value, field: field) }
        return semantic
    }

    /// Each of `subject`, `action`, `resource` and `context` is the item's own or, as a whole,
    /// the default.
    private static func evaluation(
        _ item: JSONValue, defaults: JSONValue?
    ) throws(Problem) -> Evaluation {
        guard item.members != nil else { throw Problem(.type, field: "evaluations") }
        let subject = try entity("subject", of: item, defaults)
        let action = try entity("action", of: item, defaults)
        let resource = try entity("resource", of: item, defaults)
        let spent = try amount(of: action, "action")
        let offered = try amount(of: resource, "resource")
        let matter = try Evaluation.Matter(
            subjectType: text("type", of: subject, "subject"),
            subjectID: text("id", of: subject, "subject"),
            action: text("name", of: action, "action"),
            resourceType: text("type", of: resource, "resource"),
            resourceID: text("id", of: resource, "resource"),
            amount: spent ?? offered)
        var evaluation = Evaluation(matter: matter)
        if let context = item["context"] ?? defaults?["context"] {
            try read(context, into: &evaluation)
        }
        return evaluation
    }

    static func entity(
        _ name: String, of item: JSONValue, _ defaults: JSONValue?
    ) throws(Problem) -> JSONValue {
        guard let entity = item[name] ?? defaults?[name] else {
            throw Problem(.missing, field: name)
        }
        guard entity.members != nil else { throw Problem(.type, field: name) }
        if let properties = entity["properties"], properties.members == nil {
            throw Problem(.type, field: name + ".properties")
        }
        return entity
    }

    static func text(
        _ name: String, of entity: JSONValue, _ entityName: String
    ) throws(Problem) -> String {
        let field = entityName + "." + name
        guard let value = entity[name] else { throw Problem(.missing, field: field) }
        guard let text = value.string else { throw Problem(.type, field: field) }
        return text
    }

    /// `properties.amount`, where there is one.
    static func amount(
        of entity: JSONValue, _ entityName: String
    ) throws(Problem) -> Int64? {
        guard let amount = entity["properties"]?["amount"] else { return nil }
        if let number = amount.int64 { return number }
        let field = entityName + ".properties.amount"
        guard amount.number?.isInteger == true else { throw Problem(.number, field: field) }
        throw Problem(outOf: GrantedGift.possibleUnits, field: field)
    }

    static func read(
        _ context: JSONValue, into evaluation: inout Evaluation
    ) throws(Problem) {
        guard context.members != nil else { throw Problem(.type, field: "context") }
        evaluation.instant = try instant("at", in: context)
        if let instant = try instant("known_at", in: context) {
            evaluation.known = .instant(instant)
        }
        if let written = context["environment"] {
            let field = "context.environment"
            guard let text = written.string else { throw Problem(.type, field: field) }
            guard let environment = StoreEnvironment(rawValue: text) else {
                throw Problem(.value, field: field)
            }
            evaluation.environment = environment
        }
        if let written = context["apple_id"] {
            guard let text = written.string else {
                throw Problem(.type, field: "context.apple_id")
            }
            guard let key = AppleIDKey(text) else {
                throw Problem(malformed: AppleIDKey.self, field: "context.apple_id")
            }
            evaluation.appleID = key
        }
        if let revision = try revision("revision", in: context) {
            guard evaluation.known == nil else {
                throw Problem(.twoMoments, field: "context.revision")
            }
            evaluation.known = .revision(revision)
        }
        evaluation.minimumRevision = try revision("min_revision", in: context) ?? .zero
        if let written = context["assume"] {
            guard let text = written.string else {
                throw Problem(.type, field: "context.assume")
            }
            evaluation.assumptions = try Problem.assumptions(text, field: "context.assume")
        }
        if let written = context["fresh"] {
            guard let isFresh = written.bool else {
                throw Problem(.type, field: "context.fresh")
            }
            evaluation.isFresh = isFresh
        }
    }

    private static func instant(
        _ name: String, in context: JSONValue
    ) throws(Problem) -> Instant? {
        guard let written = context[name] else { return nil }
        guard let text = written.string else { throw Problem(.type, field: "context." + name) }
        guard let instant = Instant(rfc3339: text) else {
            throw Problem(.instant, field: "context." + name)
        }
        return instant
    }

    private static func revision(
        _ name: String, in context: JSONValue
    ) throws(Problem) -> LedgerSequence? {
        guard let written = context[name] else { return nil }
        guard let number = written.int64, number >= 0 else {
            throw Problem(.number, field: "context." + name)
        }
        return LedgerSequence(number)
    }
}

extension ProblemCode {
    /// The same rejection, as a socket says it.
    init(_ code: JSONError.Code) {
        self =
            switch code {
            case .encoding: .encoding
            case .duplicateKey: .duplicateKey
            case .number: .number
            case .tooLarge: .tooLarge
            case .malformed: .json
            }
    }
}
