package import EntitlementModel

/// Which changes a reader of the feed asks for; all by default.
package struct ChangeFilter: Hashable, Sendable {
    package var account: AccountID?
    package var entitlement: EntitlementName?
    package var kind: FeedChange.Kind?

    package init(
        account: AccountID? = nil, entitlement: EntitlementName? = nil,
        kind: FeedChange.Kind? = nil
    ) {
        self.account = account
        self.entitlement = entitlement
        self.kind = kind
    }

    package func includes(_ change: FeedChange) -> Bool {
        if let account, change.account != account { return false }
        if let kind, change.kind != kind { return false }
        guard let entitlement else { return true }
        return change.kind.isRight && change.subject == entitlement.text
    }

    /// Whether no change can ever be of this kind and about an entitlement.
    package var isContradictory: Bool { entitlement != nil && kind.map { !$0.isRight } ?? false }
}

/// Some changes in the order of their numbers.
package struct ChangeRun: Hashable, Sendable {
    package var changes: [PublishedChange]
    /// Everything up to this number was examined.
    package var last: Int64

    package init(changes: [PublishedChange], last: Int64) {
        self.changes = changes
        self.last = last
    }

    /// The changes examined for one page at most, so that a filter that matches little costs no
    /// more than one that matches all.
    package static let mostLookedAt = 10_000
}

/// Reads the change feed within a view of the ledger (spec 1.10).
package protocol FeedReading {
    /// `.beginning` before anything was published.
    func feedPlace() throws(LedgerError) -> FeedPlace
    /// The number of the newest change; 0 if there is none.
    func feedHead() throws(LedgerError) -> Int64
    /// The next changes that match the filter. `last` is `feedHead()` if all were examined.
    func changes(
        after number: Int64, matching filter: ChangeFilter, limit: Int
    ) throws(LedgerError) -> ChangeRun
    /// Nil for a subject that no entry has ever named.
    func outlook(of subject: FeedSubject) throws(LedgerError) -> FeedOutlook?
    /// The subjects whose next step is due by then, those first that are due first.
    func outlooks(
        dueBy instant: Instant, limit: Int
    ) throws(LedgerError) -> [(subject: FeedSubject, outlook: FeedOutlook)]
    /// When something will change next by time alone; nil where nothing will.
    func nextDue() throws(LedgerError) -> Instant?
    /// The next subjects, by name as bytes.
    func outlooks(
        afterName name: String, limit: Int
    ) throws(LedgerError) -> [(subject: FeedSubject, outlook: FeedOutlook)]
    /// The hash of the first entry, which no other ledger has; nil for an empty one.
    func firstHash() throws(LedgerError) -> Digest256?
}

/// Writes the feed's tables, in a transaction of its own. They are not part of the chain of hashes:
/// all of it follows from the entries.
package protocol FeedWriting: FeedReading {
    /// Appends a change and says its number.
    func tell(_ change: FeedChange) throws(LedgerError) -> Int64
    func setOutlook(_ outlook: FeedOutlook, of subject: FeedSubject) throws(LedgerError)
    func setFeedPlace(_ place: FeedPlace) throws(LedgerError)
}

extension LedgerReading {
    /// No entry is recorded before this instant: that of the newest entry, or of the newest
    /// published change if that is later (spec 1.10).
    package func earliestRecording() throws(LedgerError) -> Instant {
        max(try head().recordedAt, try feedPlace().reached)
    }
}
