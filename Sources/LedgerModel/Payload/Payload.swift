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
