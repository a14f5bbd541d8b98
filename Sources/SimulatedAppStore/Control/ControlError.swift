internal import EntitlementModel
internal import StoreSimulator
internal import StrictJSON

/// Why a control call is rejected: nothing has changed then.
struct ControlError: Error {
    enum Code: String {
        case notJSON = "box.not-json"
        case unknownMember = "box.unknown-member"
        case missing = "box.missing"
        case badValue = "box.bad-value"
        case unknownWord = "box.unknown-word"
        case notFound = "box.not-found"
        /// A line of a play that is not understood, or that cannot happen.
        case line = "box.line"
    }

    let code: Code
    let sentence: String

    /// - Parameter value: what was written, where something was.
    init(_ code: Code, _ name: String, _ value: String = "") {
        self.code = code
        sentence =
            switch code {
            case .notJSON: "the body must be an object of JSON"
            case .unknownMember: "unknown member '\(name)'"
            case .missing: "'\(name)' is missing"
            case .badValue: "'\(name)' cannot have this value"
            case .unknownWord: "'\(name)' cannot be '\(value.shown)'"
            case .notFound: "there is no \(name) '\(value.shown)'"
            case .line: name
            }
    }

    init(_ mistake: PlayMistake) {
        self.init(.line, mistake.reason.text(.english))
    }

    var response: AppStoreResponse {
        AppStoreResponse(
            status: code == .notFound ? 404 : 400,
            json: ["code": .string(code.rawValue), "message": .string(sentence)])
    }
}

/// The members of a control call, typed.
struct ControlFields {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    init(_ body: [UInt8]) throws(ControlError) {
        guard let value = try? parseJSON(body), value.members != nil else {
            throw ControlError(.notJSON, "")
        }
        self.value = value
    }

    func allow(_ names: [String]) throws(ControlError) {
        for member in value.members ?? [] where !names.contains(member.key) {
            throw ControlError(.unknownMember, member.key.shown)
        }
    }

    func string(_ name: String) throws(ControlError) -> String? {
        guard let field = value[name], !field.isNull else { return nil }
        guard let text = field.string else { throw ControlError(.badValue, name) }
        return text
    }

    func required(_ name: String) throws(ControlError) -> String {
        guard let text = try string(name) else { throw ControlError(.missing, name) }
        return text
    }

    func integer(
        _ name: String, _ range: ClosedRange<Int64>
    ) throws(ControlError) -> Int64? {
        guard let field = value[name], !field.isNull else { return nil }
        guard let number = field.int64, range.contains(number) else {
            throw ControlError(.badValue, name)
        }
        return number
    }

    func bool(_ name: String) throws(ControlError) -> Bool? {
        guard let field = value[name], !field.isNull else { return nil }
        guard let flag = field.bool else { throw ControlError(.badValue, name) }
        return flag
    }

    /// `production` unless said.
    func environment() throws(ControlError) -> StoreEnvironment {
        let word = try string("environment") ?? StoreEnvironment.production.rawValue
        guard let environment = StoreEnvironment(rawValue: word),
            environment == .production || environment == .sandbox
        else { throw ControlError(.unknownWord, "environment", word) }
        return environment
    }
}
