package import EntitlementModel
internal import StrictJSON

/// A member of a payload, or an element of a list in it.
protocol PayloadValue {
    func write(to writer: inout JSONWriter)
    /// Nil where something else is written.
    static func read(from reader: inout PayloadReader) throws(PayloadError) -> Self?
}

/// An object of a payload. `members` states its shape once: the writer and the reader follow it.
protocol PayloadObject: PayloadValue {
    /// Visits every member in the order of the names, and makes a value of them.
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self
}

/// What an object is visited for: to write it, or to read one.
protocol PayloadVisitor<Root> {
    associatedtype Root

    /// Whether values are read from a ledger and have to be validated; written ones were validated
    /// before.
    var isReading: Bool { get }

    /// A member that is always there.
    mutating func value<Value: PayloadValue>(
        _ name: StaticString, _ get: (Root) -> Value
    ) throws(PayloadError) -> Value

    /// A member that is omitted where there is no value.
    mutating func optional<Value: PayloadValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) throws(PayloadError) -> Value?
}

extension PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        var visitor = WritingVisitor(root: self, writer: JSONWriter(reservingCapacity: 0))
        swap(&writer, &visitor.writer)
        do throws(PayloadError) {
            _ = try Self.members(&visitor)
        } catch {
            preconditionFailure("what is written can be read: \(Self.self), \(error.key)")
        }
        swap(&writer, &visitor.writer)
        writer.endObject()
    }

    static func read(from reader: inout PayloadReader) throws(PayloadError) -> Self? {
        guard reader.beginObject() else { return nil }
        var visitor = ReadingVisitor<Self>(reader: PayloadReader())
        swap(&reader, &visitor.reader)
        defer { swap(&reader, &visitor.reader) }
        let value = try members(&visitor)
        return visitor.reader.endObject() ? value : nil
    }
}

private struct WritingVisitor<Root>: PayloadVisitor {
    let root: Root
    var writer: JSONWriter
    var isReading: Bool { false }

    mutating func value<Value: PayloadValue>(
        _ name: StaticString, _ get: (Root) -> Value
    ) -> Value {
        let value = get(root)
        writer.member(name)
        value.write(to: &writer)
        return value
    }

    mutating func optional<Value: PayloadValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) -> Value? {
        guard let value = get(root) else { return nil }
        writer.member(name)
        value.write(to: &writer)
        return value
    }
}

private struct ReadingVisitor<Root>: PayloadVisitor {
    var reader: PayloadReader
    var isReading: Bool { true }

    mutating func value<Value: PayloadValue>(
        _ name: StaticString, _ get: (Root) -> Value
    ) throws(PayloadError) -> Value {
        try reader.member(name)
    }

    mutating func optional<Value: PayloadValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) throws(PayloadError) -> Value? {
        try reader.optionalMember(name)
    }
}

extension String: PayloadValue {
    func write(to writer: inout JSONWriter) { writer.string(self) }

    static func read(from reader: inout PayloadReader) -> String? { reader.readText() }
}

extension Int64: PayloadValue {
    func write(to writer: inout JSONWriter) { writer.integer(self) }

    static func read(from reader: inout PayloadReader) -> Int64? { reader.readInteger() }
}

extension Bool: PayloadValue {
    func write(to writer: inout JSONWriter) { writer.bool(self) }

    static func read(from reader: inout PayloadReader) -> Bool? { reader.readFlag() }
}

extension Instant: PayloadValue {
    func write(to writer: inout JSONWriter) { writer.integer(milliseconds) }

    static func read(from reader: inout PayloadReader) -> Instant? {
        reader.readInteger().map(Instant.init(milliseconds:))
    }
}

extension LedgerSequence: PayloadValue {
    func write(to writer: inout JSONWriter) { writer.integer(number) }

    static func read(from reader: inout PayloadReader) -> LedgerSequence? {
        reader.readInteger().map { LedgerSequence($0) }
    }
}

extension Digest256: PayloadValue {
    func write(to writer: inout JSONWriter) {
        withUnsafeBytes { writer.string(hexadecimal: $0) }
    }

    static func read(from reader: inout PayloadReader) -> Digest256? { reader.readDigest() }
}

extension AppAccountToken: PayloadValue {
    func write(to writer: inout JSONWriter) { writer.string(text) }

    static func read(from reader: inout PayloadReader) -> AppAccountToken? {
        reader.readText().flatMap { AppAccountToken($0) }.map { reader.named($0) }
    }
}

extension Array: PayloadValue where Element: PayloadValue {
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.endArray()
    }

    static func read(from reader: inout PayloadReader) throws(PayloadError) -> [Element]? {
        guard reader.step(over: UInt8(ascii: "[")) else { return nil }
        var elements: [Element] = []
        if !reader.isNext(UInt8(ascii: "]")) {
            repeat {
                guard let element = try Element.read(from: &reader) else { return nil }
                elements.append(element)
            } while reader.step(over: UInt8(ascii: ","))
        }
        return reader.step(over: UInt8(ascii: "]")) ? elements : nil
    }
}

/// An identifier.
protocol PayloadName: PayloadValue, Identifier {}

extension PayloadName {
    func write(to writer: inout JSONWriter) { writer.string(text) }

    static func read(from reader: inout PayloadReader) -> Self? { reader.readName() }
}

extension AccountID: PayloadName {
    static func read(from reader: inout PayloadReader) -> AccountID? {
        reader.readName().map { reader.named($0) }
    }
}
extension AppleIDKey: PayloadName {}
extension TransactionID: PayloadName {}
extension AppTransactionID: PayloadName {}
extension WebOrderLineItemID: PayloadName {}
extension SubscriptionGroupID: PayloadName {}
extension BundleID: PayloadName {}
extension ProductID: PayloadName {}
extension EntitlementName: PayloadName {}
extension CreditName: PayloadName {}
extension OrderID: PayloadName {}
extension GrantID: PayloadName {}
extension BlockID: PayloadName {}
extension ErasureReference: PayloadName {}

/// One of a few words.
protocol PayloadWord: PayloadValue, RawRepresentable<String> {}

extension PayloadWord {
    func write(to writer: inout JSONWriter) { writer.string(rawValue) }

    static func read(from reader: inout PayloadReader) -> Self? {
        reader.readText().flatMap(Self.init(rawValue:))
    }
}

extension StoreEnvironment: PayloadWord {}
extension EvidenceForm: PayloadWord {}
extension EvidenceTrust: PayloadWord {}
extension EvidenceKind: PayloadWord {}
extension ProductKind: PayloadWord {}
extension TransactionReason: PayloadWord {}
extension AdditionalTransactionReason: PayloadWord {}
extension RevocationType: PayloadWord {}
extension ClaimMoment: PayloadWord {}
extension Ruling.Verb: PayloadWord {}
extension PolicyActivation.Acceptance.Means: PayloadWord {}
extension FailedPayment.Outcome: PayloadWord {}
extension OrderMatchBasis: PayloadWord {}
extension OrderComparison.Likeness: PayloadWord {}
extension OrderDifference: PayloadWord {}
extension OrderEventKind: PayloadWord {}
extension OrderState: PayloadWord {}
extension EvidenceTicket.Form: PayloadWord {}
extension TicketClosing.Outcome: PayloadWord {}
extension RefundAnswer.Outcome: PayloadWord {}
extension RefundStatement.Delivery: PayloadWord {}
extension RefundStatement.Preference: PayloadWord {}
extension PolicyScheduleEnd.Outcome: PayloadWord {}
extension PolicyScheduleEnd.Obstacle: PayloadWord {}

/// A known word as a string, an unknown one as `{"unknown":"…"}`, so that Apple's spelling is never
/// read as a word of this format.
extension Stated: PayloadValue where Known: PayloadWord {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .known(let word): word.write(to: &writer)
        case .unknown(let text): writer.unknown(text)
        }
    }

    static func read(from reader: inout PayloadReader) throws(PayloadError) -> Self? {
        if let unknown = try reader.readUnknown() { return .unknown(unknown) }
        return try Known.read(from: &reader).map(Stated.known)
    }
}

extension Ownership: PayloadValue {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .unknown(let text): writer.unknown(text)
        case .purchased, .familyShared, .assigned, .notStated: writer.string(word)
        }
    }

    static func read(from reader: inout PayloadReader) throws(PayloadError) -> Ownership? {
        if let unknown = try reader.readUnknown() { return .unknown(unknown) }
        switch reader.readText() {
        case "purchased": return .purchased
        case "family-shared": return .familyShared
        case "assigned": return .assigned
        case "not-stated": return .notStated
        default: return nil
        }
    }
}

extension JSONWriter {
    fileprivate mutating func unknown(_ text: String) {
        beginObject()
        member("unknown", text)
        endObject()
    }
}

extension PayloadReader {
    /// The text in `{"unknown":"…"}`; nil where no object is next.
    fileprivate mutating func readUnknown() throws(PayloadError) -> String? {
        guard beginObject() else { return nil }
        let text: String = try member("unknown")
        guard endObject() else { throw PayloadError("unknown") }
        return text
    }
}

/// The bytes that are hashed for an entry: `{"<kind>":{…},"v":1}`, members sorted, no white
/// space, integers written out in full, absent values omitted.
///
/// A change of meaning gets another version; old versions are read for ever.
package enum Payload {
    static let version: Int64 = 1

    package static func encode(_ entry: LedgerEntry) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1_024)
        entry.registered.write(to: &writer)
        return writer.bytes
    }

    static func write(
        _ record: some LedgerRecord, _ kind: EntryKind, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member(kind.name)
        record.write(to: &writer)
        writer.member("v", version)
        writer.endObject()
    }

    /// The bytes of an evidence entry are stored next to its payload: they come back empty.
    static func decode(_ bytes: [UInt8], as kind: EntryKind) throws(PayloadError) -> LedgerEntry {
        var reader = PayloadReader()
        return try reader.entry(of: kind, from: bytes.span.bytes)
    }

    /// Payloads are this program's own: the limits only stop nonsense.
    static let limits = JSONLimits(bytes: 1 << 28, depth: 16, values: 1 << 24)
}
