internal import EntitlementModel
internal import StrictJSON

/// A JSON object that a call of usher.sock carries, read strictly: a misspelt member is refused,
/// not overlooked. A misspelt `account` would hand in a purchase for nobody.
struct RequestBody {
    private let object: JSONValue

    init(_ value: JSONValue, knowing names: [String]) throws(Problem) {
        guard let members = value.members else { throw Problem(.type) }
        guard members.allSatisfy({ names.contains($0.key) }) else {
            throw Problem(.unknownMember)
        }
        object = value
    }

    /// Nil where the member is missing or null.
    func textIfAny(_ name: String) throws(Problem) -> String? {
        guard let member = object[name], !member.isNull else { return nil }
        guard let text = member.string else { throw Problem(.type, field: name) }
        return text
    }

    func text(_ name: String) throws(Problem) -> String {
        guard let text = try textIfAny(name) else { throw Problem(.missing, field: name) }
        return text
    }

    func idIfAny<ID: Identifier>(_ name: String) throws(Problem) -> ID? {
        guard let text = try textIfAny(name) else { return nil }
        guard let id = ID(text) else { throw Problem(malformed: ID.self, field: name) }
        return id
    }

    func id<ID: Identifier>(_ name: String) throws(Problem) -> ID {
        guard let id: ID = try idIfAny(name) else { throw Problem(.missing, field: name) }
        return id
    }

    func integerIfAny(_ name: String) throws(Problem) -> Int64? {
        guard let member = object[name], !member.isNull else { return nil }
        guard let number = member.int64 else { throw Problem(.number, field: name) }
        return number
    }

    func instantIfAny(_ name: String) throws(Problem) -> Instant? {
        guard let text = try textIfAny(name) else { return nil }
        guard let instant = Instant(rfc3339: text) else { throw Problem(.instant, field: name) }
        return instant
    }

    /// `production` where nothing is said.
    func environment() throws(Problem) -> StoreEnvironment {
        guard let text = try textIfAny("environment") else { return .production }
        guard let environment = StoreEnvironment(rawValue: text) else {
            throw Problem(.value, field: "environment")
        }
        return environment
    }

    /// A reason that says something: one line of at most 500 characters.
    func reason() throws(Problem) -> String {
        let text = try text("reason")
        let isText = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isText, text.count <= 500, !text.allSatisfy(\.isWhitespace) else {
            throw Problem(.value, field: "reason")
        }
        return text
    }
}
