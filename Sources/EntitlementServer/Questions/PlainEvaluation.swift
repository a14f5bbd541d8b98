internal import EntitlementModel

/// The usual body of an evaluation, read in one pass and without a tree.
///
/// It knows exactly five members, `subject.type`, `subject.id`, `action.name`, `resource.type` and
/// `resource.id`, each once and without escapes. A body with anything else is left to
/// `EvaluationReader`: this reader can be incomplete, never wrong.
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

/// The usual body of a batch of uses, read in one pass and without a tree.
///
/// It knows plain entities (`PlainEntities`) next to `evaluations` as defaults and in its items,
/// in any order, and nothing else: `EvaluationReader` reads every other body, so this one can be
/// wrong in nothing but speed.
struct PlainBatch {
    /// In the order of the items.
    let uses: [PlainUse]

    /// How deep its JSON nests.
    static let depth = 4
    /// With as many items as this, each with all entities, it is still far from the number of
    /// values that a body may have (`EvaluationReader.limits`).
    static let mostItems = 512

    /// Nil for any other body, be it right or wrong.
    init?(_ body: Span<UInt8>) {
        var cursor = PlainCursor()
        var defaults = PlainEntities()
        var items: [PlainEntities] = []
        guard cursor.take("{", in: body) else { return nil }
        repeat {
            guard let name = cursor.name(in: body) else { return nil }
            if items.isEmpty, body.equals("evaluations", in: name) {
                items = Self.items(&cursor, in: body)
                guard !items.isEmpty else { return nil }
            } else {
                guard defaults.read(name, &cursor, in: body) else { return nil }
            }
        } while cursor.take(",", in: body)
        guard cursor.take("}", in: body), cursor.isAtEnd(of: body),
            defaults.isOfUse(in: body)
        else { return nil }
        var uses: [PlainUse] = []
        uses.reserveCapacity(items.count)
        for item in items {
            guard let use = item.use(orElse: defaults) else { return nil }
            uses.append(use)
        }
        guard !uses.isEmpty else { return nil }
        self.uses = uses
    }

    /// Reads the list; none where it is not one of this kind.
    private static func items(
        _ cursor: inout PlainCursor, in body: Span<UInt8>
    ) -> [PlainEntities] {
        guard cursor.take("[", in: body) else { return [] }
        var items: [PlainEntities] = []
        items.reserveCapacity(16)
        var last: ItemText?
        repeat {
            guard items.count < mostItems, let item = item(&cursor, &last, in: body),
                item.isOfUse(in: body)
            else { return [] }
            items.append(item)
        } while cursor.take(",", in: body)
        return cursor.take("]", in: body) ? items : []
    }

    /// An item with one id, and where it is written.
    private struct ItemText {
        let item: PlainEntities
        let id: Range<Int>
        let place: Range<Int>
    }

    /// Reads an item. Items usually differ in an ID only: one that is written like the last one is
    /// the same question about another ID.
    private static func item(
        _ cursor: inout PlainCursor, _ last: inout ItemText?, in body: Span<UInt8>
    ) -> PlainEntities? {
        if let last, let id = cursor.text(like: last.place, butFor: last.id, in: body) {
            return last.item.naming(id)
        }
        let start = cursor.index
        guard let item = PlainEntities(&cursor, in: body) else { return nil }
        last = item.onlyID.map { ItemText(item: item, id: $0, place: start..<cursor.index) }
        return item
    }
}
