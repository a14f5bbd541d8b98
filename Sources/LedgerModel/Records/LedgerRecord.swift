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

/// A key that an entry is found by, as its record states it: what a store keeps in index tables.
///
/// The same entries in the same order give the same index.
package enum EntryKey: Sendable {
    /// A transaction is found by its natural key, its lineage, its receipt and its token. Two
    /// lineages are of one Apple ID where they share a transaction, a receipt or an
    /// `appTransactionId` (spec 1.3).
    indirect case transaction(TransactionSnapshot)
    /// The same for a renewal, which carries no transaction and no token.
    indirect case renewal(RenewalSnapshot)
    /// Finds the registrations of the token.
    case token(AppAccountToken)
    case quarantine
    /// An entry about a unit belongs to the unit's lineage and to the accounts it names, which
    /// from now on take an interest in the lineage. While the lineage of a purchase is unknown,
    /// the entry waits.
    case unit(OwnedUnit, accounts: [AccountID])
    /// A claim belongs to the transaction's lineage and to the claimant.
    case claim(Claim)
    /// A decision belongs to the unit's lineage and to the owners. A denial by a rule, with its
    /// claim, belongs to the claimant alone: no answer to others follows from it.
    ///
    /// A single purchase keeps its interval of the first owner's stack (spec 1.4), so its owner
    /// depends on all purchases of its former owners, even if it had no owner in between; also if
    /// it was taken for a lineage then, before the catalogue had its product. A lineage that has no
    /// owner is found among the lost payments.
    indirect case decision(OwnershipDecision)
    /// An order is found by its id, by its account, and by its state.
    indirect case order(Order)
    /// It belongs to its order, whose state follows from it; the order is found by the transaction
    /// that it names.
    indirect case orderEvent(OrderEvent)
    /// Another entry about an order, if that is known.
    case noteOfOrder(OrderID)
    /// A ticket waits, and no other one of its name does.
    case ticket(EvidenceTicket)
    /// The ticket waits no more.
    case ticketClosing(TicketClosing)
    /// An entry that names the account and no purchase.
    case account(AccountID)
    /// It is read in the place of another entry; the last one counts.
    case restatement(LedgerSequence)
    /// No other entry of the kind may have the name.
    case unique(EntryKind, [UInt8])
    /// Later entries of the kind may have the name too, and are not found by it.
    case first(EntryKind, [UInt8])

    /// No other entry of the kind may have the name.
    static func unique(_ kind: EntryKind, _ name: String) -> EntryKey {
        .unique(kind, Array(name.utf8))
    }

    /// The same with the purchase's transaction.
    static func purchase(_ key: TransactionKey, accounts: [AccountID] = []) -> EntryKey {
        .unit(.purchase(key), accounts: accounts)
    }
}

/// Something whose answers may differ once an entry is recorded: an account (rights, balances,
/// findings), the state of an order, or the findings about purchases and tickets.
///
/// The change feed, the list of findings and the answers in memory follow an entry by these.
package enum EntryChange: Hashable, Sendable {
    case account(AccountID)
    /// The lineage, and all accounts that it concerns.
    case unit(OwnedUnit)
    /// The lineages whose transactions have the token, and all accounts that they concern.
    case token(AppAccountToken)
    /// The account, and all accounts concerned by its lineages.
    case holdings(AccountID)
    /// The claimant, and the findings about the lineage; others are not affected.
    case claim(Claim)
    /// Everything the unit's lineage concerns. A rule's denial changes what the claim has changed.
    indirect case decision(OwnershipDecision)
    case order(OrderID)
    case quarantine(LedgerSequence)
    case ticket(LedgerSequence)
    case notice(LedgerSequence)
    /// The refund requests for the purchase that the notification there is about.
    case refund(LedgerSequence)
    /// The refund requests for the purchase.
    case refunds(TransactionKey)
}

extension LedgerEntry {
    /// What changes if the entry is recorded there.
    package func changes(at sequence: LedgerSequence) -> [EntryChange] {
        registered.record.changes(at: sequence)
    }

    /// The keys that the entry is found by, if it is recorded there.
    package func keys(at sequence: LedgerSequence) -> [EntryKey] {
        registered.record.keys(at: sequence)
    }

    /// The entry with the signed evidence of this; nil if none is required.
    package var signedEvidence: LedgerSequence? { registered.record.signedEvidence }
}

extension OwnershipDecision {
    /// The owners before and after. Sorted.
    package var owners: [AccountID] { Set(ownersBefore).union(ownersAfter).sorted() }

    /// What was presented.
    package var transaction: TransactionKey { TransactionKey(unit.environment, transactionID) }

    /// Whether it is about a single purchase, or about what may turn out to be one.
    ///
    /// - Parameter isLasting: whether any snapshot of its transaction is.
    package func isOfPurchase(whereLasting isLasting: Bool) -> Bool {
        if case .purchase = unit { true } else { !isLasting }
    }

    /// Whether a claim was denied, and not by a person's ruling or a merge: all accounts have what
    /// they had before.
    package var isDenialByRule: Bool {
        guard case .denied = outcome else { return false }
        return ![.byHand, .takenByHand, .merged].contains { rule == .builtIn($0) }
    }
}
