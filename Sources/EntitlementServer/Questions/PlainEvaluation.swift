internal import EntitlementModel

/// The usual body of an evaluation, read in one pass and without a tree.
///
/// It knows exactly five members, `subject.type`, `subject.id`, `action.name`, `resource.type`
/// and `resource.id`, each once and without escapes. Whatever else a body has, it is none of
/// this kind and `EvaluationReader` reads it; so it can be wrong in nothing but speed.
struct PlainEvaluation {
    private var subjectType: Range<Int>?
    private var subjectID: Range<Int>?
    private var action: Range<Int>?
    private var resourceType: Range<Int>?
    private var resourceID: Range<Int>?

    /// Nil for any other body, be it right or wrong.
    init?(_ body: Span<UInt8>) {
        var cursor = Cursor()
        guard cursor.take("{", in: body) else { return nil }
        repeat {
            guard let name = cursor.plainString(in: body), cursor.take(":", in: body),
                cursor.take("{", in: body),
                readEntity(name, &cursor, body)
            else { return nil }
        } while cursor.take(",", in: body)
        guard cursor.take("}", in: body), cursor.isAtEnd(of: body), resourceID != nil,
            subjectID != nil,
            resourceType != nil, subjectType != nil, action != nil
        else { return nil }
    }

    private mutating func readEntity(
        _ entity: Range<Int>, _ cursor: inout Cursor, _ body: Span<UInt8>
    ) -> Bool {
        repeat {
            guard let name = cursor.plainString(in: body), cursor.take(":", in: body),
                let value = cursor.plainString(in: body), set(entity, name, value, body)
            else { return false }
        } while cursor.take(",", in: body)
        return cursor.take("}", in: body)
    }

    private mutating func set(
        _ entity: Range<Int>, _ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>
    ) -> Bool {
        if bytes.equals("subject", in: entity) {
            if bytes.equals("id", in: name) { return Self.set(&subjectID, value) }
            return bytes.equals("type", in: name) && Self.set(&subjectType, value)
        }
        if bytes.equals("resource", in: entity) {
            if bytes.equals("id", in: name) { return Self.set(&resourceID, value) }
            return bytes.equals("type", in: name) && Self.set(&resourceType, value)
        }
        return bytes.equals("action", in: entity) && bytes.equals("name", in: name)
            && Self.set(&action, value)
    }

    /// False if it was set before.
    private static func set(_ place: inout Range<Int>?, _ value: Range<Int>) -> Bool {
        guard place == nil else { return false }
        place = value
        return true
    }

    /// Whom and what it asks about, if it asks whether an account may use an entitlement. The
    /// names are not checked.
    func use(in body: Span<UInt8>) -> (account: Range<Int>, entitlement: Range<Int>)? {
        guard let subjectType, let subjectID, let action, let resourceType, let resourceID,
            body.equals("account", in: subjectType),
            body.equals("entitlement", in: resourceType), body.equals("use", in: action)
        else { return nil }
        return (subjectID, resourceID)
    }

    /// The question, its words and ids checked as everywhere.
    func evaluation(in body: Span<UInt8>) throws(Problem) -> Evaluation {
        guard let subjectType, let subjectID, let action, let resourceType, let resourceID else {
            preconditionFailure("a plain evaluation has all five members")
        }
        if body.equals("account", in: subjectType), body.equals("entitlement", in: resourceType),
            body.equals("use", in: action), let account = AccountID(bytes: body, subjectID),
            let entitlement = EntitlementName(bytes: body, resourceID)
        {
            return Evaluation(matter: .use(entitlement, by: .account(account)))
        }
        return Evaluation(
            matter: try Evaluation.Matter(
                subjectType: body.string(subjectType), subjectID: body.string(subjectID),
                action: body.string(action), resourceType: body.string(resourceType),
                resourceID: body.string(resourceID)))
    }
}

/// A place in a JSON text.
private struct Cursor {
    private var index = 0

    mutating func isAtEnd(of bytes: Span<UInt8>) -> Bool {
        skipWhitespace(in: bytes)
        return index == bytes.count
    }

    /// Steps over white space and, if it follows, over that byte.
    mutating func take(_ scalar: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
        skipWhitespace(in: bytes)
        guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    /// Steps over a string of printable ASCII without escapes, and gives its place.
    mutating func plainString(in bytes: Span<UInt8>) -> Range<Int>? {
        guard take("\"", in: bytes) else { return nil }
        let start = index
        let end = bytes.end(of: start..<bytes.count, while: \.isPlainInJSON)
        guard end < bytes.count, bytes[end] == ASCII.quote else { return nil }
        index = end + 1
        return start..<end
    }

    private mutating func skipWhitespace(in bytes: Span<UInt8>) {
        // Most often there is none.
        guard index < bytes.count, bytes[index] <= ASCII.space else { return }
        index = bytes.end(of: index..<bytes.count) { byte in
            byte == ASCII.space || byte == ASCII.tab || byte == ASCII.lineFeed
                || byte == ASCII.carriageReturn
        }
    }
}
