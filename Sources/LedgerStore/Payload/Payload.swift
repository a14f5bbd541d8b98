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
        writer.beginObject()
        entry.write(to: &writer)
        writer.field("v", version)
        writer.endObject()
        return writer.bytes
    }

    /// The bytes of an evidence entry are stored beside its payload: they come back empty.
    static func decode(_ bytes: [UInt8], as kind: EntryKind) throws(PayloadError) -> LedgerEntry {
        let tree: JSONValue
        do { tree = try parseJSON(bytes, limits: limits) } catch { throw PayloadError("") }
        var fields = try PayloadReader(tree)
        var body = try fields.object(kind.name)
        guard try fields.integer("v") == version else { throw PayloadError("v") }
        try fields.end()
        let entry = try LedgerEntry(kind, from: &body)
        try body.end()
        return entry
    }

    /// What was written is read again: the limits only stop nonsense.
    static let limits = JSONLimits(bytes: 1 << 28, depth: 16, values: 1 << 24)
}

/// What can be written as the members of one JSON object and read back from them.
protocol PayloadObject {
    /// Writes the members in the order of their names.
    func write(to writer: inout JSONWriter)
    /// Takes its members; the caller checks that none is left.
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

    fileprivate init(_ kind: EntryKind, from body: inout PayloadReader) throws(PayloadError) {
        switch kind {
        case .policyActivation: self = .policyActivation(try PolicyActivation(from: &body))
        case .evidence: self = .evidence(try EvidenceRecord(from: &body))
        case .transaction: self = .transaction(try TransactionFact(from: &body))
        case .renewal: self = .renewal(try RenewalFact(from: &body))
        case .appTransaction: self = .appTransaction(try AppTransactionFact(from: &body))
        case .notification: self = .notification(try NotificationFact(from: &body))
        case .claim: self = .claim(try Claim(from: &body))
        case .decision: self = .decision(try OwnershipDecision(from: &body))
        case .ruling: self = .ruling(try Ruling(from: &body))
        case .refusal: self = .refusal(try EvidenceRefusal(from: &body))
        case .quarantine: self = .quarantine(try Quarantine(from: &body))
        case .grant: self = .grant(try Grant(from: &body))
        case .grantRevocation: self = .grantRevocation(try GrantRevocation(from: &body))
        case .block: self = .block(try Block(from: &body))
        case .blockRemoval: self = .blockRemoval(try BlockRemoval(from: &body))
        case .accountToken: self = .accountToken(try AccountTokenRegistration(from: &body))
        case .accountMerge: self = .accountMerge(try AccountMerge(from: &body))
        }
    }
}
