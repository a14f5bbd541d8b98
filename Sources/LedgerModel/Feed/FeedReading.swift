package import EntitlementModel

/// What a reader of the feed wants; nil for everything.
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
    /// Everything up to this number was looked at.
    package var last: Int64

    package init(changes: [PublishedChange], last: Int64) {
        self.changes = changes
        self.last = last
    }

    /// No more changes are looked at for one run, so that a filter that nearly nothing passes
    /// costs as much as one that everything does.
    package static let mostLookedAt = 10_000
}

/// What is kept of the change feed, within a view of the ledger (spec 1.10).
package protocol FeedReading {
    /// `.beginning` before anything was told.
    func feedPlace() throws(LedgerError) -> FeedPlace
    /// The number of the newest change; 0 while there is none.
    func feedHead() throws(LedgerError) -> Int64
    /// The next changes that the filter lets through. `last` is `feedHead()` where all were looked
    /// at.
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

/// What the feed writes beside the entries, in a transaction of its own. It is no part of the
/// chain of hashes: all of it follows from the entries.
package protocol FeedWriting: FeedReading {
    /// Appends a change and says its number.
    func tell(_ change: FeedChange) throws(LedgerError) -> Int64
    func setOutlook(_ outlook: FeedOutlook, of subject: FeedSubject) throws(LedgerError)
    func setFeedPlace(_ place: FeedPlace) throws(LedgerError)
}

extension LedgerReading {
    /// The instant before which no entry is recorded any more: that of the newest entry, or of the
    /// newest change that was told, if that is later (spec 1.10).
    package func earliestRecording() throws(LedgerError) -> Instant {
        max(try head().recordedAt, try feedPlace().reached)
    }
}
