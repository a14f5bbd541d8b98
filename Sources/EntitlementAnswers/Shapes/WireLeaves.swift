package import EntitlementModel
package import StrictJSON

/// A text value of the schema's type `string`.
package protocol WireText: WireValue {
    /// As it is written.
    var wireText: String { get }
    /// - Throws: a fault that says what is wrong.
    init(wireText: String) throws(ShapeError)
    static var textSchema: JSONValue { get }
    /// Nil for a schema that is repeated in place.
    static var schemaName: String? { get }
}

extension WireText {
    package static var schemaName: String? { nil }

    package func write(to writer: inout JSONWriter) { writer.string(wireText) }

    package static func read(_ value: JSONValue) throws(ShapeError) -> Self {
        guard let text = value.string else {
            throw ShapeError(value.isNull ? .missing : .type)
        }
        return try Self(wireText: text)
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue {
        guard let name = schemaName else { return textSchema }
        return schemas.reference(name) { _ in textSchema }
    }
}

extension String: WireText {
    package var wireText: String { self }
    package init(wireText: String) { self = wireText }
    package static var textSchema: JSONValue { ["type": "string"] }
    package static var sample: String { "" }
}

/// One word of a closed list.
package protocol WireWord: WireText, RawRepresentable<String>, CaseIterable {}

extension WireWord {
    package var wireText: String { rawValue }

    package init(wireText: String) throws(ShapeError) {
        guard let word = Self(rawValue: wireText) else { throw ShapeError(.value) }
        self = word
    }

    package static var textSchema: JSONValue {
        ["type": "string", "enum": .array(allCases.map { .string($0.rawValue) })]
    }

    package static var sample: Self {
        guard let first = allCases.first else { preconditionFailure("a list of words has one") }
        return first
    }
}

extension StoreEnvironment: WireWord {
    package static var schemaName: String? { "Environment" }
}

extension EntitlementState: WireWord {
    package static var schemaName: String? { "State" }
}

extension ExpiryReason: WireWord {}
extension ProductKind: WireWord {}
extension ClaimMoment: WireWord {}
extension ClaimDenial: WireWord {}
extension Ruling.Verb: WireWord {}
extension Finding.Kind: WireWord {}
extension EvidenceKind: WireWord {}
extension CreditTimeline.Entry.Cause: WireWord {}
extension PolicyActivation.Acceptance.Means: WireWord {}
extension PolicyScheduleEnd.Obstacle: WireWord {}

extension ClaimOutcome: WireText {
    package var wireText: String { code }

    package init(wireText: String) throws(ShapeError) {
        guard let outcome = ClaimOutcome(code: wireText) else { throw ShapeError(.value) }
        self = outcome
    }

    package static var textSchema: JSONValue {
        let all = [.accepted, .alreadyOwned] + ClaimDenial.allCases.map(ClaimOutcome.denied)
        return ["type": "string", "enum": .array(all.map { .string($0.code) })]
    }

    package static var sample: ClaimOutcome { .accepted }
}

/// A name of something.
package protocol WireName: WireText, Identifier {}

extension WireName {
    package var wireText: String { text }

    package init(wireText: String) throws(ShapeError) {
        guard let id = Self(wireText) else {
            throw ShapeError(Self.self == AppleIDKey.self ? .appleID : .id)
        }
        self = id
    }

    package static var schemaName: String? { maximumLength > 128 ? "Identifier" : "Name" }

    package static var textSchema: JSONValue {
        [
            "type": "string", "minLength": 1, "maxLength": .integer(Int64(maximumLength)),
            "pattern": "^[!-~]+$",
            "description": "Printable ASCII without spaces, compared byte by byte.",
        ]
    }

    package static var sample: Self { Self(unchecked: "alice") }
}

extension AccountID: WireName {}
extension AppleIDKey: WireName {}
extension TransactionID: WireName {}
extension ProductID: WireName {}
extension EntitlementName: WireName {}
extension CreditName: WireName {}
extension GroupName: WireName {}
extension LevelName: WireName {}
extension OrderID: WireName {}
extension GrantID: WireName {}
extension BlockID: WireName {}
extension ErasureReference: WireName {}
extension SoughtID: WireName {}

extension Instant: WireText {
    package var wireText: String { rfc3339 }

    package init(wireText: String) throws(ShapeError) {
        guard let instant = Instant(rfc3339: wireText) else { throw ShapeError(.instant) }
        self = instant
    }

    package static var schemaName: String? { "Instant" }

    package static var textSchema: JSONValue {
        [
            "type": "string", "format": "date-time",
            "description": "RFC 3339; in answers UTC with milliseconds.",
        ]
    }

    package static var sample: Instant { Instant(milliseconds: 0) }
}

extension Digest256: WireText {
    package var wireText: String { hexadecimal }

    package init(wireText: String) throws(ShapeError) {
        guard let digest = Digest256(hexadecimal: wireText) else { throw ShapeError(.value) }
        self = digest
    }

    package static var schemaName: String? { "Digest" }
    package static var textSchema: JSONValue { ["type": "string", "pattern": "^[0-9a-f]{64}$"] }

    package static var sample: Digest256 {
        guard let digest = Digest256([UInt8](repeating: 0, count: 32)) else {
            preconditionFailure("a digest has 32 bytes")
        }
        return digest
    }
}

extension AppAccountToken: WireText {
    package var wireText: String { text }

    package init(wireText: String) throws(ShapeError) {
        guard let token = AppAccountToken(wireText) else { throw ShapeError(.value) }
        self = token
    }

    package static var textSchema: JSONValue { ["type": "string", "format": "uuid"] }

    package static var sample: AppAccountToken {
        guard let token = AppAccountToken("00000000-0000-0000-0000-000000000000") else {
            preconditionFailure("a token is a UUID")
        }
        return token
    }
}

extension Bool: WireValue {
    package func write(to writer: inout JSONWriter) { writer.bool(self) }

    package static func read(_ value: JSONValue) throws(ShapeError) -> Bool {
        guard let flag = value.bool else { throw ShapeError(.type) }
        return flag
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue { ["type": "boolean"] }
    package static var sample: Bool { true }
}

extension Int64: WireValue {
    package func write(to writer: inout JSONWriter) { writer.integer(self) }

    package static func read(_ value: JSONValue) throws(ShapeError) -> Int64 {
        if let number = value.int64 { return number }
        guard let written = value.number, written.isInteger else { throw ShapeError(.number) }
        // Out of any bounds, like the greatest number; the bounds report the error.
        return written.text.hasPrefix("-") ? .min : .max
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue { ["type": "integer"] }
    package static var sample: Int64 { 1 }
}

extension Int128: WireValue {
    /// In full, also beyond 64 bits: JSON's numbers have no end.
    package func write(to writer: inout JSONWriter) { writer.integer(self) }

    package static func read(_ value: JSONValue) throws(ShapeError) -> Int128 {
        guard let number = value.number.flatMap({ Int128($0.text) }) else {
            throw ShapeError(.number)
        }
        return number
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue { ["type": "integer"] }
    package static var sample: Int128 { 1 }
}

extension LedgerSequence: WireValue {
    package func write(to writer: inout JSONWriter) { writer.integer(number) }

    package static func read(_ value: JSONValue) throws(ShapeError) -> LedgerSequence {
        LedgerSequence(try Int64.read(value))
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue { ["type": "integer"] }
    package static var sample: LedgerSequence { LedgerSequence(1) }
}

/// A kind of product, or what Apple calls it.
extension Stated<ProductKind> {
    package var word: String {
        switch self {
        case .known(let kind): kind.rawValue
        case .unknown(let text): text
        }
    }
}

extension Stated: WireValue where Known == ProductKind {
    package func write(to writer: inout JSONWriter) { writer.string(word) }

    package static func read(_ value: JSONValue) throws(ShapeError) -> Stated<ProductKind> {
        let text = try String.read(value)
        return ProductKind(rawValue: text).map { .known($0) } ?? .unknown(text)
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue { ["type": "string"] }
    package static var sample: Stated<ProductKind> { .known(.autoRenewable) }
}

/// The answer of a call that has recorded something, with the revision that includes it: a question
/// with it as `min_revision` is never answered from older data.
package struct Written<Shape: WireObject>: WireObject {
    package var value: Shape
    package var revision: LedgerSequence

    package init(_ value: Shape, _ revision: LedgerSequence) {
        self.value = value
        self.revision = revision
    }

    package static var shapeName: String { "Written" + Shape.shapeName }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        Written(try shape.part(\.value), try shape.value("revision", \.revision))
    }
}
