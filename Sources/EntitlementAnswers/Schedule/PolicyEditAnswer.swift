/// One thing that a policy writes otherwise than the one whose place it takes (spec 2.4).
package struct PolicyEditAnswer: WireObject {
    package enum Change: String, WireWord {
        case added, removed, changed, reordered
    }

    /// The key of the section in a policy file.
    package var section: String
    package var change: Change
    /// Of the rule, product, entitlement, credit or group; nil for settings and whole lists.
    package var name: String?
    /// The keys that differ, where it was changed.
    package var keys: [String]
    /// What is written before and after, of a time zone.
    package var before: String?
    package var after: String?
    /// Whether it is written as an earlier policy had it: it undoes what was changed since.
    package var isUndoing: Bool?

    package init(
        section: String, change: Change, name: String?, keys: [String], before: String? = nil,
        after: String? = nil, isUndoing: Bool? = nil
    ) {
        self.section = section
        self.change = change
        self.name = name
        self.keys = keys
        self.before = before
        self.after = after
        self.isUndoing = isUndoing
    }

    package static var shapeName: String { "PolicyEdit" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> PolicyEditAnswer {
        PolicyEditAnswer(
            section: try visitor.value("section", \.section),
            change: try visitor.value("change", \.change),
            name: try visitor.optional("name", \.name),
            keys: try visitor.value("keys", \.keys),
            before: try visitor.optional("before", \.before),
            after: try visitor.optional("after", \.after),
            isUndoing: try visitor.optional("undoes", \.isUndoing))
    }
}
