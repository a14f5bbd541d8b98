internal import EntitlementModel

/// The ranges of the words of a subject or resource that has a type and an ID and nothing else.
struct PlainEntity {
    let type: Range<Int>
    var id: Range<Int>
}

/// The ranges of the words of a question in a body. The account's name is not checked.
struct PlainUse: Equatable {
    var account: Range<Int>
    var entitlement: Range<Int>
}

/// The ranges of the words of the entities of a question, each at most once.
struct PlainEntities {
    private(set) var subject: PlainEntity?
    /// Its name.
    private(set) var action: Range<Int>?
    private(set) var resource: PlainEntity?

    init() {}

    /// Reads an object that holds nothing but entities; nil for any other.
    init?(_ cursor: inout PlainCursor, in body: Span<UInt8>) {
        guard cursor.take("{", in: body) else { return nil }
        if cursor.take("}", in: body) { return }
        repeat {
            guard let name = cursor.name(in: body), read(name, &cursor, in: body) else {
                return nil
            }
        } while cursor.take(",", in: body)
        guard cursor.take("}", in: body) else { return nil }
    }

    /// Reads the value of the member of that name.
    ///
    /// - Returns: false if it is no entity, holds more or less than its words, or was there
    ///   before.
    mutating func read(
        _ name: Range<Int>, _ cursor: inout PlainCursor, in body: Span<UInt8>
    ) -> Bool {
        if body.equals("subject", in: name) {
            guard subject == nil else { return false }
            subject = cursor.entity(in: body)
            return subject != nil
        }
        if body.equals("resource", in: name) {
            guard resource == nil else { return false }
            resource = cursor.entity(in: body)
            return resource != nil
        }
        guard action == nil, body.equals("action", in: name) else { return false }
        action = cursor.action(in: body)
        return action != nil
    }

    /// The one id in it; nil if there are two, or none.
    var onlyID: Range<Int>? {
        guard let subject else { return resource?.id }
        return resource == nil ? subject.id : nil
    }

    /// The same with another id for the one that it has.
    func naming(_ id: Range<Int>) -> PlainEntities {
        var other = self
        other.subject?.id = id
        other.resource?.id = id
        return other
    }

    /// Whether all that it says is said of the use of an entitlement by an account, and the
    /// entitlement's name is one.
    func isOfUse(in body: Span<UInt8>) -> Bool {
        if let subject, !body.equals("account", in: subject.type) { return false }
        if let action, !body.equals("use", in: action) { return false }
        guard let resource else { return true }
        return body.equals("entitlement", in: resource.type)
            && EntitlementName.isName(body, resource.id)
    }

    /// The use that it asks about, with what it leaves open taken from `defaults` as a whole;
    /// nil if that leaves something open too. Both have to be `isOfUse`.
    func use(orElse defaults: PlainEntities = PlainEntities()) -> PlainUse? {
        guard let subject = subject ?? defaults.subject, action != nil || defaults.action != nil,
            let resource = resource ?? defaults.resource
        else { return nil }
        return PlainUse(account: subject.id, entitlement: resource.id)
    }
}

extension PlainCursor {
    /// Steps over `{"type":"…","id":"…"}`, in either order.
    fileprivate mutating func entity(in body: Span<UInt8>) -> PlainEntity? {
        guard take("{", in: body), let first = name(in: body), let text = string(in: body),
            take(",", in: body), let second = name(in: body), let other = string(in: body),
            take("}", in: body)
        else { return nil }
        if body.equals("type", in: first), body.equals("id", in: second) {
            return PlainEntity(type: text, id: other)
        }
        guard body.equals("id", in: first), body.equals("type", in: second) else { return nil }
        return PlainEntity(type: other, id: text)
    }

    /// Steps over `{"name":"…"}`.
    fileprivate mutating func action(in body: Span<UInt8>) -> Range<Int>? {
        guard take("{", in: body), let name = name(in: body), body.equals("name", in: name),
            let text = string(in: body), take("}", in: body)
        else { return nil }
        return text
    }
}
