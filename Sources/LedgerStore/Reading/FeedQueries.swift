internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// The tables of the change feed (spec 1.10).
extension LedgerTransaction {
    func feedHead() throws(LedgerError) -> Int64 {
        if let knownFeedHead { return knownFeedHead }
        return try LedgerError.mapping {
            try connection.integer("SELECT max(number) FROM change")
        } ?? 0
    }

    func changes(
        after number: Int64, matching filter: ChangeFilter, limit: Int
    ) throws(LedgerError) -> ChangeRun {
        let head = try feedHead()
        return try LedgerError.mapping {
            guard number < head else { return ChangeRun(changes: [], last: head) }
            var run = ChangeRun(changes: [], last: number)
            var lookedAt = 0
            let rows = try changeRows(after: number, of: filter.account)
            while run.changes.count < limit, lookedAt < ChangeRun.mostLookedAt {
                guard let row = try rows?.next() else {
                    run.last = head
                    break
                }
                let told = try PublishedChange(row)
                lookedAt += 1
                run.last = told.number
                if filter.includes(told.change) { run.changes.append(told) }
            }
            return run
        }
    }

    /// Nil where there can be none.
    private func changeRows(
        after number: Int64, of account: AccountID?
    ) throws -> RowCursor? {
        let columns = PublishedChange.columns
        guard let account else {
            return try connection.rows(
                "SELECT \(columns) FROM change WHERE number > ? ORDER BY number", number)
        }
        let place = try connection.integer(
            "SELECT id FROM feed_subject WHERE name = ?", account.text)
        guard let place else { return nil }
        return try connection.rows(
            "SELECT \(columns) FROM change WHERE account = ? AND number > ? ORDER BY number", place,
            number)
    }

    func outlook(of subject: FeedSubject) throws(LedgerError) -> FeedOutlook? {
        try LedgerError.mapping {
            try connection.first("SELECT outlook FROM feed_subject WHERE name = ?", subject.name) {
                try FeedOutlook($0.bytes(0))
            }
        }
    }

    func outlooks(
        dueBy instant: Instant, limit: Int
    ) throws(LedgerError) -> [(subject: FeedSubject, outlook: FeedOutlook)] {
        try LedgerError.mapping {
            var found: [(subject: FeedSubject, outlook: FeedOutlook)] = []
            try connection.forEachRow(
                """
                SELECT name, outlook, id FROM feed_subject WHERE due <= ? ORDER BY due, id LIMIT ?
                """, instant.milliseconds, Int64(limit)
            ) { row in
                let subject = try Self.outlook(row)
                note(feedNumber: try row.integer(2), of: subject.subject.name)
                found.append(subject)
            }
            return found
        }
    }

    func nextDue() throws(LedgerError) -> Instant? {
        try LedgerError.mapping {
            try connection.integer("SELECT min(due) FROM feed_subject WHERE due IS NOT NULL")
        }.map(Instant.init(milliseconds:))
    }

    func outlooks(
        afterName name: String, limit: Int
    ) throws(LedgerError) -> [(subject: FeedSubject, outlook: FeedOutlook)] {
        try LedgerError.mapping {
            var found: [(subject: FeedSubject, outlook: FeedOutlook)] = []
            try connection.forEachRow(
                "SELECT name, outlook FROM feed_subject WHERE name > ? ORDER BY name LIMIT ?",
                name, Int64(limit)
            ) { found.append(try Self.outlook($0)) }
            return found
        }
    }

    func firstHash() throws(LedgerError) -> Digest256? {
        try LedgerError.mapping {
            try connection.first("SELECT hash FROM entry WHERE seq = 1") {
                guard let hash = try $0.bytes(0).flatMap({ Digest256($0) }) else {
                    throw LedgerStoreError.corrupt
                }
                return hash
            }
        }
    }

    private static func outlook(
        _ row: Columns
    ) throws -> (subject: FeedSubject, outlook: FeedOutlook) {
        guard let subject = try row.text(0).flatMap({ FeedSubject(name: $0) }) else {
            throw LedgerStoreError.corrupt
        }
        return (subject, try FeedOutlook(row.bytes(1)))
    }
}

extension LedgerTransaction {
    func tell(_ change: FeedChange) throws(LedgerError) -> Int64 {
        let number = try feedHead() + 1
        return try LedgerError.mapping {
            try connection.run(
                "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)", number,
                change.at.milliseconds, change.revision.number,
                change.account.map { try feedNumber(named: FeedSubject.account($0).name) },
                change.environment?.number, change.kind.number, change.subject,
                change.payload.blob)
            knownFeedHead = number
            return number
        }
    }

    func setOutlook(_ outlook: FeedOutlook, of subject: FeedSubject) throws(LedgerError) {
        note(outlookOf: subject.name)
        try LedgerError.mapping {
            if let number = knownFeedNumber(of: subject.name) {
                return try connection.run(
                    "UPDATE feed_subject SET due = ?, outlook = ? WHERE id = ?",
                    outlook.due?.milliseconds, outlook.bytes.blob, number)
            }
            try connection.run(
                """
                INSERT INTO feed_subject VALUES (NULL, ?1, ?2, ?3)
                ON CONFLICT (name) DO UPDATE SET due = ?2, outlook = ?3
                """, subject.name, outlook.due?.milliseconds, outlook.bytes.blob)
        }
    }

    /// By which its changes are found.
    func feedNumber(named name: String) throws -> Int64 {
        if let known = knownFeedNumber(of: name) { return known }
        note(outlookOf: name)
        let number =
            try connection.integer("SELECT id FROM feed_subject WHERE name = ?", name)
            ?? connection.insert(
                "INSERT INTO feed_subject VALUES (NULL, ?, NULL, ?)", name,
                FeedOutlook().bytes.blob)
        note(feedNumber: number, of: name)
        return number
    }
}

extension FeedOutlook {
    fileprivate init(_ bytes: [UInt8]?) throws {
        guard let bytes, let outlook = try? FeedOutlook(bytes: bytes) else {
            throw LedgerStoreError.corrupt
        }
        self = outlook
    }
}

extension PublishedChange {
    /// Of a row that one is read from.
    static let columns = """
        number, at, revision, (SELECT name FROM feed_subject WHERE id = account), environment,
        kind, subject, payload
        """

    init(_ row: Row) throws {
        let account: String? = try row.decode(atIndex: 3)
        guard let kind = FeedChange.Kind(number: try row.integer(5)),
            account == nil || account.flatMap({ AccountID($0) }) != nil
        else { throw LedgerStoreError.corrupt }
        var change = FeedChange(
            kind: kind, at: Instant(milliseconds: try row.integer(1)),
            revision: LedgerSequence(try row.integer(2)),
            account: account.flatMap { AccountID($0) },
            environment: try row.optionalInteger(4).flatMap { StoreEnvironment(number: $0) },
            subject: try row.decode(atIndex: 6))
        do {
            try change.read(payload: try row.bytes(7) ?? [])
        } catch {
            throw LedgerStoreError.corrupt
        }
        self.init(number: try row.integer(0), change: change)
    }
}
