package import EntitlementModel
internal import StrictJSON

/// One kind of entry in every store: its payload and two lists, the keys that find it and the
/// changes of answers it causes. `EntryKind` lists all of them.
protocol LedgerRecord: PayloadObject, Sendable {
    /// The keys that the entry is found by, in the order in which a store takes them.
    func keys(at sequence: LedgerSequence) -> [EntryKey]
    /// What answers, findings or the feed may differ in because of it.
    func changes(at sequence: LedgerSequence) -> [EntryChange]
    /// The entry with the signed evidence of this; nil if none is required.
    var signedEvidence: LedgerSequence? { get }
}

extension LedgerRecord {
    func keys(at sequence: LedgerSequence) -> [EntryKey] { [] }
    var signedEvidence: LedgerSequence? { nil }
}

/// An entry as one line of JSON for people and scripts: the hashed content, with instants as dates
/// (spec 3.4).
package struct ReadableEntry {
    /// Without a line break.
    package let bytes: [UInt8]

    /// - Parameter includesEvidence: whether the bytes of evidence are written too: as text where
    ///   they are text, else as base64.
    package init(_ entry: Recorded<LedgerEntry>, includesEvidence: Bool = false) {
        let kind = "\(entry.value.registered.kind.name)"
        // The program's own JSON can be read.
        let payload = (try? parseJSON(Payload.encode(entry.value), limits: Payload.limits)) ?? .null
        var writer = JSONWriter(reservingCapacity: 1_024)
        writer.beginObject()
        writer.member("sequence", entry.sequence.number)
        writer.member("recorded_at", entry.recordedAt.rfc3339)
        writer.member("kind", kind)
        writer.key("entry")
        writer.value(Self.dated(payload[kind] ?? .null))
        if includesEvidence, case .evidence(let evidence) = entry.value {
            if let text = String(validating: evidence.bytes, as: UTF8.self) {
                writer.member("payload", text)
            } else {
                writer.member("payload", Base64.standard.encode(evidence.bytes))
            }
        }
        writer.endObject()
        bytes = writer.bytes
    }

    /// Whether a member holds an instant wherever it holds a number.
    private static func isInstant(_ name: String) -> Bool {
        name.hasSuffix("Date") || ["date", "from", "given", "judgedAt", "until"].contains(name)
    }

    private static func dated(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): .object(members.compactMap(dated))
        case .array(let elements): .array(elements.map(dated))
        case .null, .bool, .number, .string: value
        }
    }

    /// Nil for "since ever", which no date says.
    private static func dated(_ member: JSONMember) -> JSONMember? {
        guard isInstant(member.key), let milliseconds = member.value.int64 else {
            return JSONMember(member.key, dated(member.value))
        }
        let instant = Instant(milliseconds: milliseconds)
        if instant == .distantPast { return nil }
        return JSONMember(member.key, .string(instant.rfc3339))
    }
}
