internal import EntitlementModel
internal import StrictJSON

/// The bytes that are hashed for an entry: `{"<kind>":{…},"v":1}`, members sorted, no white
/// space, integers written out in full, absent values left out.
///
/// A change of meaning gets another version; old versions are read for ever.
enum Payload {
    static let version: Int64 = 1

    static func encode(_ entry: LedgerEntry) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1_024)
        let (kind, record) = entry.registered
        write(record, kind, to: &writer)
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

    /// The bytes of an evidence entry are stored beside its payload: they come back empty.
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
