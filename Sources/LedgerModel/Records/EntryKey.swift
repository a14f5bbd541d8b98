package import EntitlementModel

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
    /// A decision belongs to the unit's lineage and to the owners. What a rule has denied belongs
    /// to the claimant alone from then on, the claim and the decision: what everybody else is
    /// answered does not follow from it.
    ///
    /// A single purchase keeps the stretch that it had in its first owner's stack (spec 1.4), so
    /// whoever has it now depends on everything that those bought who had it before, even where
    /// nobody had it in between. A lineage that has no owner, or none any more, is found among the
    /// lost payments.
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

/// Something of which the answers may differ once an entry is recorded: what is answered about an
/// account (its rights, balances and findings), the state of an order, and the findings about
/// purchases and about what waits.
///
/// The change feed, the list of findings and the answers in memory follow an entry by these.
package enum EntryChange: Hashable, Sendable {
    case account(AccountID)
    /// The lineage, and all accounts that it concerns.
    case unit(OwnedUnit)
    /// The lineages whose transactions have the token, and all accounts that they concern.
    case token(AppAccountToken)
    /// The account, and all accounts that the lineages concern which it has to do with.
    case holdings(AccountID)
    /// The claimant, and the findings about the lineage; by itself it changes nothing for others.
    case claim(Claim)
    /// Those that the unit's lineage concerns. A rule's denial changes what the claim has changed.
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
    /// What is answered differently because of the entry, if it is recorded there.
    package func changes(at sequence: LedgerSequence) -> [EntryChange] {
        registered.record.changes(at: sequence)
    }

    /// The keys that the entry is found by, if it is recorded there.
    package func keys(at sequence: LedgerSequence) -> [EntryKey] {
        registered.record.keys(at: sequence)
    }

    /// The entry that holds the signed evidence which says this; nil where none has to.
    package var signedEvidence: LedgerSequence? { registered.record.signedEvidence }
}

extension OwnershipDecision {
    /// Those that owned the unit before it or after. Sorted.
    package var owners: [AccountID] { Set(ownersBefore).union(ownersAfter).sorted() }

    /// Whether a claim was denied, and not by a person's ruling or a merge: all accounts have what
    /// they had before.
    package var isDenialByRule: Bool {
        guard case .denied = outcome else { return false }
        return ![.byHand, .takenByHand, .merged].contains { rule == .builtIn($0) }
    }
}
