package import EntitlementModel
internal import FoundationEssentials
internal import StrictJSON

/// An entry as one line of JSON that people and scripts can read without this program: what is
/// hashed of it, with its instants as dates (spec 3.4).
package struct ReadableEntry {
    /// Without a line break.
    package let bytes: [UInt8]

    /// - Parameter includesEvidence: whether the bytes of evidence are written too: as text where
    ///   they are text, else as base64.
    package init(_ entry: Recorded<LedgerEntry>, includesEvidence: Bool = false) {
        let kind = "\(entry.value.registered.kind.name)"
        // The payload is JSON of ours: it can be read.
        let payload = (try? parseJSON(Payload.encode(entry.value), limits: Payload.limits)) ?? .null
        var writer = JSONWriter(reservingCapacity: 1_024)
        writer.beginObject()
        writer.field("sequence", entry.sequence)
        writer.field("recorded_at", entry.recordedAt.rfc3339)
        writer.field("kind", kind)
        writer.key("entry")
        writer.value(Self.dated(payload[kind] ?? .null))
        if includesEvidence, case .evidence(let evidence) = entry.value {
            if let text = String(validating: evidence.bytes, as: UTF8.self) {
                writer.field("payload", text)
            } else {
                writer.field("payload", Data(evidence.bytes).base64EncodedString())
            }
        }
        writer.endObject()
        bytes = writer.bytes
    }

    /// Members that hold an instant wherever they hold a number.
    private static let instants: Set<String> = [
        "commitmentExpiresDate", "date", "expiresDate", "from", "gracePeriodExpiresDate",
        "judgedAt", "originalPurchaseDate", "purchaseDate", "renewalDate", "signedDate", "until",
    ]

    private static func dated(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): .object(members.compactMap(dated))
        case .array(let elements): .array(elements.map(dated))
        default: value
        }
    }

    /// Nil for "since ever", which no date says.
    private static func dated(_ member: JSONMember) -> JSONMember? {
        guard instants.contains(member.key), let milliseconds = member.value.int64 else {
            return JSONMember(member.key, dated(member.value))
        }
        let instant = Instant(milliseconds: milliseconds)
        if instant == .distantPast { return nil }
        return JSONMember(member.key, .string(instant.rfc3339))
    }
}
