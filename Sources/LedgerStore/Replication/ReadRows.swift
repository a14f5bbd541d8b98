internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// The ends of a ledger's tables, to find later what was added.
struct RowsMark {
    let head: LedgerHead
    let place: FeedPlace
    let header: Int64
    let change: Int64

    init(_ transaction: LedgerTransaction) throws {
        head = try transaction.head()
        place = try transaction.feedPlace()
        header =
            try transaction.connection.integer("SELECT max(id) FROM evidence_header") ?? 0
        change = try transaction.feedHead()
    }

    init(head: LedgerHead, place: FeedPlace, header: Int64, change: Int64) {
        (self.head, self.place, self.header, self.change) = (head, place, header, change)
    }
}

extension LedgerRows {
    /// The rows added since the mark, read back from the tables: without what a body has undone.
    init(since mark: RowsMark, in transaction: LedgerTransaction) throws {
        self.init()
        let connection = transaction.connection
        before = mark.head
        head = try transaction.head()
        let place = try transaction.feedPlace()
        if place != mark.place { self.place = place }
        if head != before {
            entries = try connection.entryRows(after: mark.head.sequence.number, limit: .max)
            headers = try connection.headerRows(after: mark.header)
            evidence = try connection.evidenceRows(
                after: mark.head.sequence.number, through: head.sequence.number)
        }
        changes = try connection.changeRows(after: mark.change, limit: .max)
        for name in transaction.touchedOutlooks.sorted() {
            if let outlook = try connection.outlookRow(named: name) {
                outlooks.append(outlook)
            } else {
                erased.outlooks.append(name)
            }
        }
        guard transaction.hasErased else { return }
        erased.add(
            try transaction.erasures(after: mark.head.sequence), through: mark.head.sequence)
        for number in transaction.erasedChanges.sorted() where number <= mark.change {
            erased.changes += try connection.changeRows(after: number - 1, limit: 1)
        }
    }
}

extension Connection {
    /// The next ones, in order.
    func entryRows(after sequence: Int64, limit: Int64) throws -> [LedgerRows.Entry] {
        var found: [LedgerRows.Entry] = []
        try forEachRow(
            """
            SELECT seq, recorded_at, kind, salt, payload, payload_digest, hash FROM entry
            WHERE seq > ? ORDER BY seq LIMIT ?
            """, sequence, limit
        ) { row in
            found.append(
                LedgerRows.Entry(
                    sequence: try row.integer(0), recordedAt: try row.integer(1),
                    kind: try row.integer(2), salt: try row.bytes(3), payload: try row.bytes(4),
                    payloadDigest: try row.bytes(5) ?? [], hash: try row.bytes(6) ?? []))
        }
        return found
    }

    func headerRows(after id: Int64) throws -> [LedgerRows.Header] {
        var found: [LedgerRows.Header] = []
        try forEachRow("SELECT id, digest, bytes FROM evidence_header WHERE id > ?", id) { row in
            found.append(
                LedgerRows.Header(
                    id: try row.integer(0), digest: try row.bytes(1) ?? [],
                    bytes: try row.bytes(2) ?? []))
        }
        return found
    }

    func evidenceRows(after first: Int64, through last: Int64) throws -> [LedgerRows.Evidence] {
        var found: [LedgerRows.Evidence] = []
        try forEachRow(
            """
            SELECT seq, header, header_at, bytes FROM evidence
            WHERE seq > ? AND seq <= ? ORDER BY seq
            """, first, last
        ) { row in
            found.append(
                LedgerRows.Evidence(
                    sequence: try row.integer(0), header: try row.optionalInteger(1),
                    headerAt: try row.optionalInteger(2), bytes: try row.bytes(3)))
        }
        return found
    }

    func changeRows(after number: Int64, limit: Int64) throws -> [LedgerRows.Change] {
        var found: [LedgerRows.Change] = []
        try forEachRow(
            """
            SELECT number, at, revision, (SELECT name FROM feed_subject WHERE id = account),
                environment, kind, subject, payload
            FROM change WHERE number > ? ORDER BY number LIMIT ?
            """, number, limit
        ) { row in
            found.append(
                LedgerRows.Change(
                    number: try row.integer(0), at: try row.integer(1),
                    revision: try row.integer(2), account: try row.text(3),
                    environment: try row.optionalInteger(4), kind: try row.integer(5),
                    subject: try row.text(6) ?? "", payload: try row.bytes(7) ?? []))
        }
        return found
    }

    func outlookRow(named name: String) throws -> LedgerRows.Outlook? {
        try first("SELECT name, due, outlook FROM feed_subject WHERE name = ?", name) { row in
            LedgerRows.Outlook(
                name: name, due: try row.optionalInteger(1), bytes: try row.bytes(2) ?? [])
        }
    }

    func outlookRows(afterName name: String, limit: Int64) throws -> [LedgerRows.Outlook] {
        var found: [LedgerRows.Outlook] = []
        try forEachRow(
            "SELECT name, due, outlook FROM feed_subject WHERE name > ? ORDER BY name LIMIT ?",
            name, limit
        ) { row in
            found.append(
                LedgerRows.Outlook(
                    name: try row.text(0) ?? "", due: try row.optionalInteger(1),
                    bytes: try row.bytes(2) ?? []))
        }
        return found
    }
}

extension LedgerRows.Erased {
    mutating func add(_ erasures: [Erasure], through sequence: LedgerSequence) {
        let places = 0...sequence.number
        for erasure in erasures {
            entries += erasure.entries.numbers.filter(places.contains)
            evidence += erasure.evidence.numbers.filter(places.contains)
        }
    }
}

extension LedgerTransaction {
    func erasures(after sequence: LedgerSequence) throws -> [Erasure] {
        var places: [LedgerSequence] = []
        try connection.forEachRow(
            "SELECT seq FROM entry WHERE seq > ? AND kind = ?", sequence.number,
            EntryKind.erasure.rawValue
        ) { places.append(LedgerSequence(try $0.integer(0))) }
        return try places.compactMap { place in
            guard case .erasure(let erasure)? = try storedEntry(place)?.value else { return nil }
            return erasure
        }
    }

    /// Adds rows of another ledger unchanged, and computes their index. Rows that are there already
    /// are skipped.
    ///
    /// - Parameter coming: what explains rows without content. It is carried out first: a name that
    ///   it takes must be nowhere when the rows have a pseudonym in its place.
    /// - Throws: `.chainBroken` for an entry that does not follow on the last one here.
    func take(_ rows: LedgerRows, before coming: ErasuresAhead) throws {
        if !coming.areCarriedOut {
            for (sequence, erasure) in coming.erasures {
                try foresee(erasure, at: sequence, in: coming)
            }
        }
        let known = try head().sequence.number
        for header in rows.headers {
            try connection.run(
                "INSERT OR IGNORE INTO evidence_header (id, digest, bytes) VALUES (?, ?, ?)",
                header.id, Digest256(header.digest) ?? EntryHash.genesis, header.bytes.blob)
        }
        var evidence = rows.evidence[...]
        for entry in rows.entries where entry.sequence > known {
            let before = try head()
            try take(entry, after: before, coming)
            while let next = evidence.first, next.sequence <= entry.sequence {
                evidence.removeFirst()
                guard next.sequence == entry.sequence else { continue }
                try connection.run(
                    "INSERT INTO evidence (seq, header, header_at, bytes) VALUES (?, ?, ?, ?)",
                    next.sequence, next.header, next.headerAt, next.bytes?.blob)
            }
            try index(entry, coming)
        }
        try takeFeed(rows)
    }

    private func take(
        _ entry: LedgerRows.Entry, after head: LedgerHead, _ coming: ErasuresAhead
    ) throws {
        let sequence = LedgerSequence(entry.sequence)
        var isSound = coming.explains(entry)
        if let salt = entry.salt, let payload = entry.payload {
            isSound =
                EntryHash.payloadDigest(salt: salt, payload: payload).bytes == entry.payloadDigest
        }
        guard isSound, let hash = Digest256(entry.hash),
            let payloadDigest = Digest256(entry.payloadDigest),
            entry.sequence == head.sequence.number + 1,
            hash
                == EntryHash.entry(
                    previous: head.hash, sequence: sequence,
                    recordedAt: Instant(milliseconds: entry.recordedAt), kind: entry.kind,
                    payloadDigest: payloadDigest)
        else { throw LedgerStoreError.chainBroken(sequence) }
        let salt = entry.salt ?? [UInt8](repeating: 0, count: 16)
        let payload = entry.payload ?? [0]
        try connection.run(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", entry.sequence, entry.recordedAt,
            entry.kind, salt.blob, payload.blob, payloadDigest, hash)
        if entry.payload == nil {
            try connection.run(
                "UPDATE entry SET payload = NULL, salt = NULL WHERE seq = ?", entry.sequence)
        }
        note(
            LedgerHead(
                sequence: sequence, hash: hash,
                recordedAt: Instant(milliseconds: entry.recordedAt)))
    }

    private func index(_ row: LedgerRows.Entry, _ coming: ErasuresAhead) throws {
        let sequence = LedgerSequence(row.sequence)
        let recorded = try entry(sequence)?.value ?? coming.restated[row.sequence]
        guard let entry = recorded else {
            // Nothing is left of it.
            if row.payload == nil { return }
            throw LedgerStoreError.unreadable(sequence)
        }
        try EntryIndex(names).insert(
            entry, at: sequence, rereading: RereadEvidence(connection))
        if case .erasure(let erasure) = entry { try apply(erasure, at: sequence) }
    }

    private func takeFeed(_ rows: LedgerRows) throws {
        let told = try feedHead()
        for change in rows.changes where change.number > told {
            try connection.run(
                "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)", change.number, change.at,
                change.revision, try change.account.map { try feedNumber(named: $0) },
                change.environment, change.kind, change.subject, change.payload.blob)
            knownFeedHead = change.number
        }
        for outlook in rows.outlooks {
            try connection.run(
                """
                INSERT INTO feed_subject VALUES (NULL, ?1, ?2, ?3)
                ON CONFLICT (name) DO UPDATE SET due = ?2, outlook = ?3
                """, outlook.name, outlook.due, outlook.bytes.blob)
        }
        if let place = rows.place { try setFeedPlace(place) }
    }
}
