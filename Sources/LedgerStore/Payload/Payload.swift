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
        write(entry, to: &writer)
        return writer.bytes
    }

    static func write(_ entry: LedgerEntry, to writer: inout JSONWriter) {
        writer.beginObject()
        entry.write(to: &writer)
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

extension LedgerEntry {
    /// The member that is named for the kind.
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .policyActivation(let body): writer.object("policyActivation", body)
        case .evidence(let body): writer.object("evidence", body)
        case .transaction(let body): writer.object("transaction", body)
        case .renewal(let body): writer.object("renewal", body)
        case .appTransaction(let body): writer.object("appTransaction", body)
        case .notification(let body): writer.object("notification", body)
        case .claim(let body): writer.object("claim", body)
        case .decision(let body): writer.object("decision", body)
        case .ruling(let body): writer.object("ruling", body)
        case .refusal(let body): writer.object("refusal", body)
        case .quarantine(let body): writer.object("quarantine", body)
        case .grant(let body): writer.object("grant", body)
        case .grantRevocation(let body): writer.object("grantRevocation", body)
        case .block(let body): writer.object("block", body)
        case .blockRemoval(let body): writer.object("blockRemoval", body)
        case .accountToken(let body): writer.object("accountToken", body)
        case .accountMerge(let body): writer.object("accountMerge", body)
        }
    }

    /// Takes the member that is named for the kind.
    init(_ kind: EntryKind, from payload: inout PayloadReader) throws(PayloadError) {
        switch kind {
        case .policyActivation: self = .policyActivation(try payload.object("policyActivation"))
        case .evidence: self = .evidence(try payload.object("evidence"))
        case .transaction: self = .transaction(try payload.object("transaction"))
        case .renewal: self = .renewal(try payload.object("renewal"))
        case .appTransaction: self = .appTransaction(try payload.object("appTransaction"))
        case .notification: self = .notification(try payload.object("notification"))
        case .claim: self = .claim(try payload.object("claim"))
        case .decision: self = .decision(try payload.object("decision"))
        case .ruling: self = .ruling(try payload.object("ruling"))
        case .refusal: self = .refusal(try payload.object("refusal"))
        case .quarantine: self = .quarantine(try payload.object("quarantine"))
        case .grant: self = .grant(try payload.object("grant"))
        case .grantRevocation: self = .grantRevocation(try payload.object("grantRevocation"))
        case .block: self = .block(try payload.object("block"))
        case .blockRemoval: self = .blockRemoval(try payload.object("blockRemoval"))
        case .accountToken: self = .accountToken(try payload.object("accountToken"))
        case .accountMerge: self = .accountMerge(try payload.object("accountMerge"))
        }
    }
}
