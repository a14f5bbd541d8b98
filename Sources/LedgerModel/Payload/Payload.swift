package import EntitlementModel
internal import StrictJSON

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
        writer.object(kind.name, record)
        writer.field("v", version)
        writer.endObject()
    }

    /// The bytes of an evidence entry are stored next to its payload: they come back empty.
    static func decode(_ bytes: [UInt8], as kind: EntryKind) throws(PayloadError) -> LedgerEntry {
        var reader = PayloadReader()
        return try reader.entry(of: kind, from: bytes.span.bytes)
    }

    /// What was written is read again: the limits only stop nonsense.
    static let limits = JSONLimits(bytes: 1 << 28, depth: 16, values: 1 << 24)
}

/// What can be written as the members of one JSON object and read back from them.
protocol PayloadObject {
    /// Writes the members in the order of their names.
    func write(to writer: inout JSONWriter)
    /// Takes its members in the order of their names; the caller checks that none is left.
    init(from fields: inout PayloadReader) throws(PayloadError)
}

/// Members of a payload. Nil writes nothing.
extension JSONWriter {
    mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        member(name, text)
    }

    mutating func field(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        member(name, number)
    }

    mutating func field(_ name: StaticString, _ flag: Bool?) {
        guard let flag else { return }
        member(name)
        bool(flag)
    }

    mutating func field(_ name: StaticString, _ identifier: (some Identifier)?) {
        field(name, identifier?.text)
    }

    mutating func field(_ name: StaticString, _ instant: Instant?) {
        field(name, instant?.milliseconds)
    }

    mutating func field(_ name: StaticString, _ sequence: LedgerSequence?) {
        field(name, sequence?.number)
    }

    mutating func field(_ name: StaticString, _ digest: Digest256?) {
        guard let digest else { return }
        member(name)
        digest.withUnsafeBytes { string(hexadecimal: $0) }
    }

    mutating func field<Word: RawRepresentable<String>>(_ name: StaticString, _ word: Word) {
        field(name, word.rawValue)
    }

    /// A known word as a string, an unknown one as `{"unknown":"…"}`, so that no spelling of
    /// Apple's is ever taken for one of ours.
    mutating func field<Word: RawRepresentable<String>>(
        _ name: StaticString, _ stated: Stated<Word>?
    ) {
        switch stated {
        case nil: return
        case .known(let word): field(name, word)
        case .unknown(let text): unknown(name, text)
        }
    }

    mutating func unknown(_ name: StaticString, _ text: String) {
        member(name)
        beginObject()
        field("unknown", text)
        endObject()
    }

    mutating func optionalObject(_ name: StaticString, _ body: (some PayloadObject)?) {
        guard let body else { return }
        object(name, body)
    }

    /// Not the one above with a body that is there: a snapshot would be copied into the optional.
    mutating func object(_ name: StaticString, _ body: some PayloadObject) {
        member(name)
        object(body)
    }

    mutating func object(_ body: some PayloadObject) {
        beginObject()
        body.write(to: &self)
        endObject()
    }

    mutating func array(_ name: StaticString, of objects: [some PayloadObject]) {
        member(name)
        beginArray()
        for body in objects { object(body) }
        endArray()
    }

    mutating func array(
        _ name: StaticString, of words: [some RawRepresentable<String>]
    ) {
        member(name)
        beginArray()
        for word in words { string(word.rawValue) }
        endArray()
    }

    mutating func array(_ name: StaticString, of identifiers: [some Identifier]) {
        member(name)
        beginArray()
        for identifier in identifiers { string(identifier.text) }
        endArray()
    }
}

/// Texts that were read a short while ago: one that is read again takes no memory of its own.
///
/// The payloads of one account say the same names over and over, and the apps and products of
/// all accounts are few.
struct RecentTexts: Sendable {
    private static let placeBits = 6
    /// Up to here a string holds its text in itself.
    private static let inlineLength = 15

    /// The last text that fell to each place.
    private var places: [String] = []

    /// The text that the bytes there, which are ASCII, say.
    mutating func text(at range: Range<Int>, in document: [UInt8]) -> String {
        let bytes = document.span.extracting(range)
        guard bytes.count > Self.inlineLength else { return Self.string(bytes) }
        if places.isEmpty { places = Array(repeating: "", count: 1 << Self.placeBits) }
        // Names differ at their ends.
        let end = bytes.bytes.unsafeLoadUnaligned(
            fromByteOffset: bytes.count - 8, as: UInt64.self)
        let mixed = (end ^ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
        let place = Int(mixed >> UInt64(64 - Self.placeBits))
        if !places[place].utf8.span.isSame(as: bytes) { places[place] = Self.string(bytes) }
        return places[place]
    }

    private static func string(_ bytes: Span<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
