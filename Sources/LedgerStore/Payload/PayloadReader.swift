internal import EntitlementModel
internal import StrictJSON

/// A member of a payload that is missing, left over, or not what it must be.
struct PayloadError: Error, Equatable {
    let key: String

    init(_ key: String) {
        self.key = key
    }
}

/// Takes the members of one JSON object, each once; `end` refuses what nobody took.
struct PayloadReader {
    private let members: [JSONMember]
    /// Members are sorted and asked for in nearly that order: each search starts behind the last
    /// one found and stops where the name would have to be.
    private var next = 0
    private var takenCount = 0

    init(_ value: JSONValue) throws(PayloadError) {
        guard let members = value.members else { throw PayloadError("") }
        self.members = members
    }

    mutating func take(_ key: String) -> JSONValue? {
        var index = next
        while index > 0, members[index - 1].key >= key { index -= 1 }
        while index < members.count, members[index].key < key { index += 1 }
        guard index < members.count, members[index].key == key else { return nil }
        next = index + 1
        takenCount += 1
        return members[index].value
    }

    func end() throws(PayloadError) {
        guard takenCount == members.count else {
            throw PayloadError(members.map(\.key).joined(separator: ","))
        }
    }

    /// What `read` makes of the member; nil where there is none.
    private mutating func optional<Value>(
        _ key: String, _ read: (JSONValue) -> Value?
    ) throws(PayloadError) -> Value? {
        guard let value = take(key) else { return nil }
        guard let result = read(value) else { throw PayloadError(key) }
        return result
    }

    private func required<Value>(_ key: String, _ value: Value?) throws(PayloadError) -> Value {
        guard let value else { throw PayloadError(key) }
        return value
    }
}

extension PayloadReader {
    mutating func optionalText(_ key: String) throws(PayloadError) -> String? {
        try optional(key, \.string)
    }

    mutating func text(_ key: String) throws(PayloadError) -> String {
        try required(key, try optionalText(key))
    }

    mutating func optionalInteger(_ key: String) throws(PayloadError) -> Int64? {
        try optional(key, \.int64)
    }

    mutating func integer(_ key: String) throws(PayloadError) -> Int64 {
        try required(key, try optionalInteger(key))
    }

    mutating func optionalFlag(_ key: String) throws(PayloadError) -> Bool? {
        try optional(key, \.bool)
    }

    mutating func flag(_ key: String) throws(PayloadError) -> Bool {
        try required(key, try optionalFlag(key))
    }

    mutating func optionalInstant(_ key: String) throws(PayloadError) -> Instant? {
        try optionalInteger(key).map(Instant.init(milliseconds:))
    }

    mutating func instant(_ key: String) throws(PayloadError) -> Instant {
        Instant(milliseconds: try integer(key))
    }

    mutating func optionalSequence(_ key: String) throws(PayloadError) -> LedgerSequence? {
        try optionalInteger(key).map { LedgerSequence($0) }
    }

    mutating func sequence(_ key: String) throws(PayloadError) -> LedgerSequence {
        LedgerSequence(try integer(key))
    }

    mutating func optionalDigest(_ key: String) throws(PayloadError) -> Digest256? {
        try optional(key) { $0.string.flatMap { Digest256(hexadecimal: $0) } }
    }

    mutating func digest(_ key: String) throws(PayloadError) -> Digest256 {
        try required(key, try optionalDigest(key))
    }

    mutating func optionalIdentifier<ID: Identifier>(
        _ key: String, as type: ID.Type = ID.self
    ) throws(PayloadError) -> ID? {
        try optional(key) { $0.string.flatMap { ID($0) } }
    }

    mutating func identifier<ID: Identifier>(
        _ key: String, as type: ID.Type = ID.self
    ) throws(PayloadError) -> ID {
        try required(key, try optionalIdentifier(key))
    }

    mutating func identifiers<ID: Identifier>(
        _ key: String, as type: ID.Type = ID.self
    ) throws(PayloadError) -> [ID] {
        let elements = try required(key, take(key)?.elements)
        let identifiers = elements.compactMap { $0.string.flatMap { ID($0) } }
        guard identifiers.count == elements.count else { throw PayloadError(key) }
        return identifiers
    }

    mutating func optionalWord<Word: RawRepresentable<String>>(
        _ key: String, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Word? {
        try optional(key) { $0.string.flatMap(Word.init(rawValue:)) }
    }

    mutating func word<Word: RawRepresentable<String>>(
        _ key: String, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Word {
        try required(key, try optionalWord(key))
    }

    mutating func optionalStated<Word: RawRepresentable<String>>(
        _ key: String, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Stated<Word>? {
        try optional(key) { value in
            if let text = value.string { return Word(rawValue: text).map(Stated.known) }
            return value.unknownText.map(Stated.unknown)
        }
    }

    mutating func optionalObject<Value: PayloadObject>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value? {
        guard let value = take(key) else { return nil }
        return try Value(payload: value)
    }

    mutating func object<Value: PayloadObject>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try required(key, try optionalObject(key))
    }

    mutating func object(_ key: String) throws(PayloadError) -> PayloadReader {
        try PayloadReader(try required(key, take(key)))
    }

    mutating func objects<Value: PayloadObject>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(PayloadError) -> [Value] {
        var values: [Value] = []
        for element in try required(key, take(key)?.elements) {
            values.append(try Value(payload: element))
        }
        return values
    }
}

extension PayloadObject {
    fileprivate init(payload value: JSONValue) throws(PayloadError) {
        var fields = try PayloadReader(value)
        try self.init(from: &fields)
        try fields.end()
    }
}

extension JSONValue {
    /// The text in `{"unknown":"…"}`.
    var unknownText: String? {
        guard members?.count == 1 else { return nil }
        return self["unknown"]?.string
    }
}
