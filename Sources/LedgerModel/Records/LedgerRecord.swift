package import EntitlementModel
internal import StrictJSON

/// One kind of entry as every store keeps it: its payload, the keys that it is found by, and what
/// it concerns. `EntryKind` lists all of them.
protocol LedgerRecord: PayloadObject, Sendable {
    /// Writes the keys that the entry is found by.
    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws
    /// What findings may change because of it.
    var subjects: EntrySubjects { get }
    /// The entry that holds the evidence which says this; nil where no signed evidence has to.
    var signedEvidence: LedgerSequence? { get }
}

extension LedgerRecord {
    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {}
    var subjects: EntrySubjects { EntrySubjects() }
    var signedEvidence: LedgerSequence? { nil }
}

/// Takes the keys that an entry is found by, each as the record says it: a store's index tables.
///
/// The same entries in the same order give the same index.
package protocol LedgerIndex {
    /// A transaction is found by its natural key, its lineage, its receipt and its token. Two
    /// lineages are of one Apple ID where they share a transaction, a receipt or an
    /// `appTransactionId` (spec 1.3).
    mutating func insert(_ snapshot: TransactionSnapshot, at sequence: LedgerSequence) throws
    /// The same for a renewal, which carries no transaction and no token.
    mutating func insert(_ snapshot: RenewalSnapshot, at sequence: LedgerSequence) throws
    /// Finds the registrations of the token.
    mutating func insert(_ token: AppAccountToken, at sequence: LedgerSequence) throws
    mutating func insertQuarantine(at sequence: LedgerSequence) throws
    /// An entry about a unit belongs to the unit's lineage and to the accounts it names, which
    /// from now on take an interest in the lineage.
    mutating func place(_ sequence: LedgerSequence, _ unit: OwnedUnit, for accounts: [AccountID])
        throws
    /// The same for an entry about a transaction. While its lineage is unknown, the entry waits.
    mutating func place(
        _ sequence: LedgerSequence, _ key: TransactionKey, for accounts: [AccountID]) throws
    /// A claim belongs to the transaction's lineage and to the claimant.
    mutating func place(_ sequence: LedgerSequence, _ claim: Claim) throws
    /// A decision belongs to the unit's lineage and to the owners. What a rule has denied belongs
    /// to the claimant alone from then on, the claim and the decision: what everybody else is
    /// answered does not follow from it.
    mutating func place(_ sequence: LedgerSequence, _ decision: OwnershipDecision) throws
    /// A single purchase keeps the stretch that it had in its first owner's stack (spec 1.4), so
    /// whoever has it now depends on everything that those bought who had it before, even where
    /// nobody had it in between.
    mutating func insertSuccession(_ decision: OwnershipDecision) throws
    /// A lineage that nobody owns, or nobody any more, is found among the lost payments.
    mutating func insertOwners(_ decision: OwnershipDecision, at sequence: LedgerSequence) throws
    /// An order is found by its id, by its account, and by where it stands.
    mutating func insert(_ order: Order, at sequence: LedgerSequence) throws
    /// It belongs to its order, which stands elsewhere from now on; the order is found by the
    /// transaction that it names.
    mutating func insert(_ event: OrderEvent, at sequence: LedgerSequence) throws
    /// A ticket waits, and no other one of its name does.
    mutating func insert(_ ticket: EvidenceTicket, at sequence: LedgerSequence) throws
    /// The ticket waits no more.
    mutating func insert(_ closing: TicketClosing, at sequence: LedgerSequence) throws
    /// Another entry about an order, if that is known.
    mutating func link(_ sequence: LedgerSequence, to order: OrderID) throws
    /// An entry that names the account and no purchase.
    mutating func link(_ sequence: LedgerSequence, to account: AccountID) throws
    /// No other entry of the kind may have the name.
    mutating func reserve(_ kind: EntryKind, _ name: [UInt8], for sequence: LedgerSequence) throws
    /// Later entries of the kind may have the name too, and are not found by it.
    mutating func reserveFirst(
        _ kind: EntryKind, _ name: [UInt8], for sequence: LedgerSequence) throws
}

extension LedgerIndex {
    package mutating func place(_ sequence: LedgerSequence, _ claim: Claim) throws {
        try place(sequence, claim.transaction, for: [claim.account])
    }

    package mutating func place(
        _ sequence: LedgerSequence, _ decision: OwnershipDecision
    ) throws {
        try place(sequence, decision.unit, for: decision.owners)
    }
}

extension OwnershipDecision {
    /// Those that owned the unit before it or after. Sorted.
    package var owners: [AccountID] { Set(ownersBefore).union(ownersAfter).sorted() }
}

/// What an entry concerns, as far as findings can follow from it.
package struct EntrySubjects: Sendable {
    package var transactions: [TransactionKey] = []
    package var lineages: [LineageKey] = []
    package var accounts: [AccountID] = []
    package var tokens: [AppAccountToken] = []
    package var orders: [OrderID] = []

    init(
        transactions: [TransactionKey] = [], lineages: [LineageKey] = [],
        accounts: [AccountID] = [], tokens: [AppAccountToken] = [], orders: [OrderID] = []
    ) {
        self.transactions = transactions
        self.lineages = lineages
        self.accounts = accounts
        self.tokens = tokens
        self.orders = orders
    }

    init(unit: OwnedUnit, accounts: [AccountID] = []) {
        self.accounts = accounts
        switch unit {
        case .lineage(let key): lineages = [key]
        case .purchase(let key): transactions = [key]
        }
    }
}

extension LedgerEntry {
    /// What the entry concerns.
    package var subjects: EntrySubjects { registered.record.subjects }

    /// The entry that holds the signed evidence which says this; nil where none has to.
    package var signedEvidence: LedgerSequence? { registered.record.signedEvidence }
}

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
