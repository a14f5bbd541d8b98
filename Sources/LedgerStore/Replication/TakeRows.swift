internal import EntitlementModel
internal import GRDB
internal import LedgerModel

extension LedgerTransaction {
    /// Adds what another ledger's tables hold, as it is, and computes the index of it. What is
    /// there already is passed over.
    ///
    /// - Throws: `.chainBroken` for an entry that does not follow on the last one here.
    func take(_ rows: LedgerRows) throws {
        let known = try head().sequence.number
        for header in rows.headers {
            try connection.run(
                "INSERT OR IGNORE INTO evidence_header (id, digest, bytes) VALUES (?, ?, ?)",
                header.id, Digest256(header.digest) ?? EntryHash.genesis, header.bytes.blob)
        }
        var evidence = rows.evidence[...]
        for entry in rows.entries where entry.sequence > known {
            let before = try head()
            try take(entry, after: before)
            while let next = evidence.first, next.sequence <= entry.sequence {
                evidence.removeFirst()
                guard next.sequence == entry.sequence else { continue }
                try connection.run(
                    "INSERT INTO evidence (seq, header, header_at, bytes) VALUES (?, ?, ?, ?)",
                    next.sequence, next.header, next.headerAt, next.bytes?.blob)
            }
            try index(entry)
        }
        try takeFeed(rows)
    }

    private func take(_ entry: LedgerRows.Entry, after head: LedgerHead) throws {
        let sequence = LedgerSequence(entry.sequence)
        guard let salt = entry.salt, let payload = entry.payload,
            let hash = Digest256(entry.hash),
            let payloadDigest = Digest256(entry.payloadDigest),
            entry.sequence == head.sequence.number + 1,
            payloadDigest == EntryHash.payloadDigest(salt: salt, payload: payload),
            hash
                == EntryHash.entry(
                    previous: head.hash, sequence: sequence,
                    recordedAt: Instant(milliseconds: entry.recordedAt), kind: entry.kind,
                    payloadDigest: payloadDigest)
        else { throw LedgerStoreError.chainBroken(sequence) }
        try connection.run(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", entry.sequence, entry.recordedAt,
            entry.kind, salt.blob, payload.blob, payloadDigest, hash)
        note(
            LedgerHead(
                sequence: sequence, hash: hash,
                recordedAt: Instant(milliseconds: entry.recordedAt)))
    }

    private func index(_ row: LedgerRows.Entry) throws {
        let sequence = LedgerSequence(row.sequence)
        guard let entry = try entry(sequence) else { throw LedgerStoreError.unreadable(sequence) }
        try EntryIndex(names).insert(
            entry.value, at: sequence, rereading: RereadEvidence(connection))
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
