internal import EntitlementModel
internal import LedgerModel

/// What is kept of the change feed.
struct MemoryFeed: Sendable {
    fileprivate var place = FeedPlace.beginning
    fileprivate var changes: [FeedChange] = []
    fileprivate var outlooks: [String: FeedOutlook] = [:]
    var firstHash: Digest256?

    /// No entry is recorded before it.
    var reached: Instant { place.reached }
}

extension MemoryTransaction {
    func feedPlace() -> FeedPlace { contents.feed.place }

    func feedHead() -> Int64 { Int64(contents.feed.changes.count) }

    func changes(after number: Int64, matching filter: ChangeFilter, limit: Int) -> ChangeRun {
        var run = ChangeRun(changes: [], last: max(number, 0))
        var lookedAt = 0
        for (index, change) in contents.feed.changes.enumerated() where index >= number {
            if let account = filter.account, change.account != account { continue }
            guard run.changes.count < limit, lookedAt < ChangeRun.mostLookedAt else { return run }
            lookedAt += 1
            run.last = Int64(index) + 1
            if filter.includes(change) {
                run.changes.append(PublishedChange(number: run.last, change: change))
            }
        }
        if run.changes.count < limit, lookedAt < ChangeRun.mostLookedAt { run.last = feedHead() }
        return run
    }

    func outlook(of subject: FeedSubject) -> FeedOutlook? { contents.feed.outlooks[subject.name] }

    func outlooks(
        dueBy instant: Instant, limit: Int
    ) -> [(subject: FeedSubject, outlook: FeedOutlook)] {
        let due = inOrder.filter { $0.outlook.due.map { $0 <= instant } ?? false }
        return Array(
            due.sorted { ($0.outlook.due ?? instant) < ($1.outlook.due ?? instant) }.prefix(limit))
    }

    func nextDue() -> Instant? { contents.feed.outlooks.values.compactMap(\.due).min() }

    func outlooks(
        afterName name: String, limit: Int
    ) -> [(subject: FeedSubject, outlook: FeedOutlook)] {
        Array(inOrder.filter { name < $0.subject.name }.prefix(limit))
    }

    private var inOrder: [(subject: FeedSubject, outlook: FeedOutlook)] {
        contents.feed.outlooks.sorted { $0.key < $1.key }.compactMap { name, outlook in
            FeedSubject(name: name).map { ($0, outlook) }
        }
    }

    func firstHash() -> Digest256? { contents.feed.firstHash }

    func tell(_ change: FeedChange) -> Int64 {
        if let last = contents.feed.changes.last {
            precondition(
                last.at <= change.at && last.revision <= change.revision,
                "a change is appended after the last one")
        }
        contents.feed.changes.append(change)
        if let account = change.account, contents.feed.outlooks[account.text] == nil {
            contents.feed.outlooks[account.text] = FeedOutlook()
        }
        return feedHead()
    }

    func setOutlook(_ outlook: FeedOutlook, of subject: FeedSubject) {
        // As a file keeps it.
        contents.feed.outlooks[subject.name] =
            (try? FeedOutlook(bytes: outlook.bytes)) ?? FeedOutlook()
    }

    func setFeedPlace(_ place: FeedPlace) { contents.feed.place = place }
}
