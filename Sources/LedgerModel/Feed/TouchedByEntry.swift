package import EntitlementModel

/// What an entry is about, by the keys that it is found by: whoever must be looked at again
/// because of it.
package struct EntryTouch: Sendable {
    package var accounts: Set<AccountID> = []
    package var lineages: Set<LineageKey> = []
    package var transactions: Set<TransactionKey> = []
    package var tokens: Set<AppAccountToken> = []
    package var orders: Set<OrderID> = []

    package init(_ entry: LedgerEntry, at sequence: LedgerSequence) {
        var collector = TouchCollector(touch: self)
        // Taking a key down never fails.
        try? entry.registered.insertKeys(into: &collector, at: sequence)
        self = collector.touch
        let subjects = entry.subjects
        accounts.formUnion(subjects.accounts)
        lineages.formUnion(subjects.lineages)
        transactions.formUnion(subjects.transactions)
        tokens.formUnion(subjects.tokens)
        orders.formUnion(subjects.orders)
    }
}

/// Takes down what the index would link an entry with.
private struct TouchCollector: LedgerIndex {
    var touch: EntryTouch

    mutating func insert(_ snapshot: TransactionSnapshot, at sequence: LedgerSequence) {
        touch.lineages.insert(snapshot.lineage)
    }

    mutating func insert(_ snapshot: RenewalSnapshot, at sequence: LedgerSequence) {
        touch.lineages.insert(snapshot.lineage)
    }

    mutating func insert(_ token: AppAccountToken, at sequence: LedgerSequence) {
        touch.tokens.insert(token)
    }

    mutating func insertQuarantine(at sequence: LedgerSequence) {}

    mutating func place(
        _ sequence: LedgerSequence, _ unit: OwnedUnit, for accounts: [AccountID]
    ) {
        switch unit {
        case .lineage(let key): touch.lineages.insert(key)
        case .purchase(let key): touch.transactions.insert(key)
        }
        touch.accounts.formUnion(accounts)
    }

    mutating func place(
        _ sequence: LedgerSequence, _ key: TransactionKey, for accounts: [AccountID]
    ) {
        touch.transactions.insert(key)
        touch.accounts.formUnion(accounts)
    }

    mutating func insertSuccession(_ decision: OwnershipDecision) {
        touch.accounts.formUnion(decision.ownersBefore + decision.ownersAfter)
    }

    mutating func insertOwners(_ decision: OwnershipDecision, at sequence: LedgerSequence) {}

    mutating func link(_ sequence: LedgerSequence, to order: OrderID) {
        touch.orders.insert(order)
    }

    mutating func insert(_ order: Order, at sequence: LedgerSequence) {
        touch.orders.insert(order.id)
    }

    mutating func insert(_ event: OrderEvent, at sequence: LedgerSequence) {
        touch.orders.insert(event.order)
    }

    mutating func insert(_ ticket: EvidenceTicket, at sequence: LedgerSequence) {}
    mutating func insert(_ closing: TicketClosing, at sequence: LedgerSequence) {}

    mutating func link(_ sequence: LedgerSequence, to account: AccountID) {
        touch.accounts.insert(account)
    }

    mutating func reserve(_ kind: EntryKind, _ name: [UInt8], for sequence: LedgerSequence) {}
    mutating func reserveFirst(_ kind: EntryKind, _ name: [UInt8], for sequence: LedgerSequence) {}
}

extension OwnershipDecision {
    /// Whether a claim was denied, and no person's word or merge has said so: everybody has what
    /// they had before.
    package var isDenialByRule: Bool {
        guard case .denied = outcome else { return false }
        return ![.byHand, .takenByHand, .merged].contains { rule == .builtIn($0) }
    }
}
