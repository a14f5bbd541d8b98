package import EntitlementAnswers
package import EntitlementModel
package import LedgerModel

extension LedgerQuestions {
    /// The next changes, and how far the feed has come. Blocks.
    ///
    /// - Parameters:
    ///   - cursor: nil for from the first change on.
    ///   - instant: the present, by which the feed may lag.
    /// - Throws: `.unknownEntitlement`, `.otherFeed`, `.futureChange`.
    package func changes(
        after cursor: FeedCursor?, matching filter: ChangeFilter, limit: Int, at instant: Instant
    ) throws(EngineError) -> ChangePage {
        if let entitlement = filter.entitlement { try require(entitlement) }
        var filter = filter
        filter.account = filter.account.map(policy.name)
        let (page, fault) = try ledger.reading {
            reader throws(LedgerError) -> (ChangePage?, EngineError?) in
            let name = FeedCursor.name(ofLedger: try reader.firstHash())
            let head = try reader.feedHead()
            if let other = cursor?.ledger, other != name { return (nil, .otherFeed) }
            let last = cursor?.number ?? 0
            if last > head { return (nil, .futureChange(head: head)) }
            let run = try reader.changes(after: last, matching: filter, limit: limit)
            let place = try reader.feedPlace()
            let lag = try reader.feedLag(behind: place, at: instant)
            let page = ChangePage(
                changes: run.changes.map { ChangeAnswer($0, ledger: name) },
                next: FeedCursor(ledger: name, number: run.last), head: head,
                isAtHead: run.last == head, isCaughtUp: lag == nil,
                lagMilliseconds: lag?.milliseconds ?? 0,
                revision: place.place)
            return (page, nil)
        }
        if let page { return page }
        throw fault ?? .otherFeed
    }
}

extension LedgerQuestions {
    /// How far the feed has come by the instant. Blocks.
    package func feedStatus(
        at instant: Instant, followers: Int64 = 0
    ) throws(EngineError) -> FeedStatusAnswer {
        try ledger.reading { reader throws(LedgerError) in
            let place = try reader.feedPlace()
            let lag = try reader.feedLag(behind: place, at: instant)
            return FeedStatusAnswer(
                head: try reader.feedHead(), isCaughtUp: lag == nil,
                lagMilliseconds: lag?.milliseconds ?? 0,
                aheadMilliseconds: place.reached > instant
                    ? place.reached.milliseconds(since: instant) : 0,
                revision: place.place, followers: followers, behind: lag?.backlog)
        }
    }

    /// The prefix of the cursors of its feed. Blocks.
    package func feedName() throws(EngineError) -> String {
        FeedCursor.name(
            ofLedger: try ledger.reading { reader throws(LedgerError) in try reader.firstHash() })
    }
}

extension LedgerReading {
    /// How long the oldest unpublished change has waited, in milliseconds, and its kind; nil if
    /// there is none.
    fileprivate func feedLag(
        behind place: FeedPlace, at instant: Instant
    ) throws(LedgerError) -> (milliseconds: Int64, backlog: FeedStatusAnswer.Backlog)? {
        var since: (at: Instant, backlog: FeedStatusAnswer.Backlog)?
        if let entry = try entries(after: place.place, limit: 1).first {
            since = (entry.recordedAt, .entries)
        } else if place.scan != nil {
            since = try entry(place.place).map { ($0.recordedAt, .policy) }
        }
        if let due = try nextDue(), due <= instant, since.map({ due < $0.at }) ?? true {
            since = (due, .time)
        }
        return since.map { (max(0, instant.milliseconds(since: $0.at)), $0.backlog) }
    }
}

extension ChangeAnswer {
    package init(_ told: PublishedChange, ledger: String) {
        self.init(change: told.change, cursor: FeedCursor(ledger: ledger, number: told.number))
    }
}
