internal import EntitlementModel

/// The usual body of an evaluation, read in one pass and without a tree.
///
/// It knows exactly five members, `subject.type`, `subject.id`, `action.name`, `resource.type`
/// and `resource.id`, each once and without escapes. Whatever else a body has, it is none of
/// this kind and `EvaluationReader` reads it; so it can be wrong in nothing but speed.
struct PlainEvaluation {
    private let entities: PlainEntities
    private let subject: PlainEntity
    private let action: Range<Int>
    private let resource: PlainEntity

    /// Nil for any other body, be it right or wrong.
    init?(_ body: Span<UInt8>) {
        var cursor = PlainCursor()
        guard let entities = PlainEntities(&cursor, in: body), cursor.isAtEnd(of: body),
            let subject = entities.subject, let action = entities.action,
            let resource = entities.resource
        else { return nil }
        self.entities = entities
        self.subject = subject
        self.action = action
        self.resource = resource
    }

    /// Whom and what it asks about, if it asks whether an account may use an entitlement.
    func use(in body: Span<UInt8>) -> PlainUse? {
        entities.isOfUse(in: body) ? entities.use() : nil
    }

    /// The question, its words and ids checked as everywhere.
    func evaluation(in body: Span<UInt8>) throws(Problem) -> Evaluation {
        if let use = use(in: body), let account = AccountID(bytes: body, use.account),
            let entitlement = EntitlementName(bytes: body, use.entitlement)
        {
            return Evaluation(matter: .use(entitlement, by: .account(account)))
        }
        return Evaluation(
            matter: try Evaluation.Matter(
                subjectType: body.string(subject.type), subjectID: body.string(subject.id),
                action: body.string(action), resourceType: body.string(resource.type),
                resourceID: body.string(resource.id)))
    }
}
