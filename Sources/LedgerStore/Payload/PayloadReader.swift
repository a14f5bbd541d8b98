internal import EntitlementModel
internal import StrictJSON

/// A member of a payload that is missing, left over, or not what it must be.
struct PayloadError: Error, Equatable {
    let key: String

    init(_ key: StaticString) {
        self.key = "\(key)"
    }
}

/// Reads payloads, one after the other, in room that it keeps: the members of one object at a
/// time, each taken once, and those that nobody took are refused.
struct PayloadReader {
    private var document = JSONDocument()
    /// The object whose members are being taken.
    private var members = JSONAscendingMembers()
    private var takenCount = 0

    /// The entry that a payload of that kind says.
    mutating func entry(
        of kind: EntryKind, from bytes: RawSpan
    ) throws(PayloadError) -> LedgerEntry {
        do { try document.read(bytes, limits: Payload.limits) } catch { throw PayloadError("") }
        return try inside(.root, "") { payload throws(PayloadError) in
            guard try payload.integer("v") == Payload.version else { throw PayloadError("v") }
            return try LedgerEntry(kind, from: &payload)
        }
    }

    /// What is read from the members of the object there, all of which must be taken.
    private mutating func inside<Value>(
        _ place: JSONPlace, _ key: StaticString,
        _ read: (inout PayloadReader) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        guard let inner = JSONAscendingMembers(of: document, at: place) else {
            throw PayloadError(key)
        }
        let outer = (members, takenCount)
        (members, takenCount) = (inner, 0)
        let value = try read(&self)
        guard takenCount == members.count(in: document) else { throw PayloadError(key) }
        (members, takenCount) = outer
        return value
    }

    private mutating func take(_ key: StaticString) -> JSONPlace? {
        let place = members.value(of: key, in: document)
        if place != nil { takenCount += 1 }
        return place
    }

    /// What `read` makes of the member; nil where there is none.
    private mutating func optional<Value>(
        _ key: StaticString, _ read: (JSONDocument, JSONPlace) -> Value?
    ) throws(PayloadError) -> Value? {
        guard let place = take(key) else { return nil }
        guard let value = read(document, place) else { throw PayloadError(key) }
        return value
    }

    private func required<Value>(
        _ key: StaticString, _ value: Value?
    ) throws(PayloadError) -> Value {
        guard let value else { throw PayloadError(key) }
        return value
    }
}

extension PayloadReader {
    mutating func optionalText(_ key: StaticString) throws(PayloadError) -> String? {
        try optional(key) { $0.string(at: $1) }
    }

    mutating func text(_ key: StaticString) throws(PayloadError) -> String {
        try required(key, try optionalText(key))
    }

    mutating func optionalInteger(_ key: StaticString) throws(PayloadError) -> Int64? {
        try optional(key) { $0.int64(at: $1) }
    }

    mutating func integer(_ key: StaticString) throws(PayloadError) -> Int64 {
        try required(key, try optionalInteger(key))
    }

    mutating func optionalFlag(_ key: StaticString) throws(PayloadError) -> Bool? {
        try optional(key) { $0.bool(at: $1) }
    }

    mutating func flag(_ key: StaticString) throws(PayloadError) -> Bool {
        try required(key, try optionalFlag(key))
    }

    mutating func optionalInstant(_ key: StaticString) throws(PayloadError) -> Instant? {
        try optionalInteger(key).map(Instant.init(milliseconds:))
    }

    mutating func instant(_ key: StaticString) throws(PayloadError) -> Instant {
        Instant(milliseconds: try integer(key))
    }

    mutating func optionalSequence(_ key: StaticString) throws(PayloadError) -> LedgerSequence? {
        try optionalInteger(key).map { LedgerSequence($0) }
    }

    mutating func sequence(_ key: StaticString) throws(PayloadError) -> LedgerSequence {
        LedgerSequence(try integer(key))
    }

    mutating func optionalDigest(_ key: StaticString) throws(PayloadError) -> Digest256? {
        try optional(key) { $0.digest(at: $1) }
    }

    mutating func digest(_ key: StaticString) throws(PayloadError) -> Digest256 {
        try required(key, try optionalDigest(key))
    }

    mutating func optionalToken(_ key: StaticString) throws(PayloadError) -> AppAccountToken? {
        try optional(key) { document, place in
            document.string(at: place).flatMap { AppAccountToken($0) }
        }
    }

    mutating func optionalIdentifier<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadError) -> ID? {
        try optional(key) { $0.identifier(at: $1) }
    }

    mutating func identifier<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadError) -> ID {
        try required(key, try optionalIdentifier(key))
    }

    mutating func identifiers<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadError) -> [ID] {
        var identifiers: [ID] = []
        for element in try elements(key) {
            identifiers.append(try required(key, document.identifier(at: element)))
        }
        return identifiers
    }

    mutating func optionalWord<Word: RawRepresentable<String>>(
        _ key: StaticString, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Word? {
        try optional(key) { $0.string(at: $1).flatMap(Word.init(rawValue:)) }
    }

    mutating func word<Word: RawRepresentable<String>>(
        _ key: StaticString, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Word {
        try required(key, try optionalWord(key))
    }

    /// A known word, or a text under `unknown`.
    mutating func optionalStated<Word: RawRepresentable<String>>(
        _ key: StaticString, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Stated<Word>? {
        guard let place = take(key) else { return nil }
        guard let text = document.string(at: place) else {
            return .unknown(try unknownText(at: place, key))
        }
        return .known(try required(key, Word(rawValue: text)))
    }

    mutating func ownership(_ key: StaticString) throws(PayloadError) -> Ownership {
        let place = try required(key, take(key))
        switch document.string(at: place) {
        case "purchased": return .purchased
        case "family-shared": return .familyShared
        case "assigned": return .assigned
        case "not-stated": return .notStated
        case nil: return .unknown(try unknownText(at: place, key))
        default: throw PayloadError(key)
        }
    }

    /// The text in `{"unknown":"…"}`.
    private mutating func unknownText(
        at place: JSONPlace, _ key: StaticString
    ) throws(PayloadError) -> String {
        try inside(place, key) { stated throws(PayloadError) in try stated.text("unknown") }
    }

    mutating func optionalObject<Value: PayloadObject>(
        _ key: StaticString, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value? {
        guard let place = take(key) else { return nil }
        return try inside(place, key, Value.init(from:))
    }

    mutating func object<Value: PayloadObject>(
        _ key: StaticString, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try required(key, try optionalObject(key))
    }

    mutating func objects<Value: PayloadObject>(
        _ key: StaticString, as type: Value.Type = Value.self
    ) throws(PayloadError) -> [Value] {
        var values: [Value] = []
        for element in try elements(key) {
            values.append(try inside(element, key, Value.init(from:)))
        }
        return values
    }

    private mutating func elements(_ key: StaticString) throws(PayloadError) -> JSONElements {
        let place = try required(key, take(key))
        guard document.isArray(at: place) else { throw PayloadError(key) }
        return document.elements(of: place)
    }
}

extension JSONDocument {
    fileprivate func identifier<ID: Identifier>(at place: JSONPlace) -> ID? {
        guard let range = plainText(at: place) else { return string(at: place).flatMap { ID($0) } }
        return ID(bytes.span.extracting(range))
    }

    fileprivate func digest(at place: JSONPlace) -> Digest256? {
        guard let range = plainText(at: place) else {
            return string(at: place).flatMap { Digest256(hexadecimal: $0) }
        }
        return Digest256(hexadecimal: bytes.span.extracting(range))
    }
}
