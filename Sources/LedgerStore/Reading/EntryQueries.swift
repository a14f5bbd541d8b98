package import EntitlementModel
internal import GRDB

extension LedgerTransaction {
    package func head() throws(LedgerStoreError) -> LedgerHead {
        if let newest { return newest }
        return try LedgerStoreError.mapping {
            try connection.first(
                "SELECT seq, hash, recorded_at FROM entry ORDER BY seq DESC LIMIT 1",
                read: LedgerHead.init)
                ?? LedgerHead(
                    sequence: .zero, hash: EntryHash.genesis, recordedAt: .distantPast)
        }
    }

    package func entry(
        _ sequence: LedgerSequence
    ) throws(LedgerStoreError) -> Recorded<LedgerEntry>? {
        try entries(
            """
            SELECT seq, recorded_at, kind, payload FROM entry
            WHERE seq = ? AND payload IS NOT NULL
            """, [sequence.number]
        ).first
    }

    package func entries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerStoreError) -> [Recorded<LedgerEntry>] {
        try entries(
            """
            SELECT seq, recorded_at, kind, payload FROM entry
            WHERE seq > ? AND payload IS NOT NULL ORDER BY seq LIMIT ?
            """, [sequence.number, limit])
    }

    package func policyActivations() throws(LedgerStoreError) -> [Recorded<PolicyActivation>] {
        try entries(
            """
            SELECT seq, recorded_at, kind, payload FROM entry
            WHERE kind = 1 AND payload IS NOT NULL ORDER BY seq
            """
        ).compactMap { entry in
            guard case .policyActivation(let activation) = entry.value else { return nil }
            return entry.with(activation)
        }
    }

    package func accountTokens(
        _ token: AppAccountToken
    ) throws(LedgerStoreError) -> [Recorded<AccountTokenRegistration>] {
        try entries(
            """
            SELECT entry.seq, recorded_at, kind, payload
            FROM token_registration JOIN entry USING (seq)
            WHERE token = ? AND payload IS NOT NULL ORDER BY entry.seq
            """, [token.text]
        ).compactMap { entry in
            guard case .accountToken(let registration) = entry.value else { return nil }
            return entry.with(registration)
        }
    }

    /// Reads rows of (seq, recorded_at, kind, payload).
    func entries(
        _ sql: String, _ arguments: [(any DatabaseValueConvertible)?] = []
    ) throws(LedgerStoreError) -> [Recorded<LedgerEntry>] {
        let stored = try LedgerStoreError.mapping {
            let rows = try connection.rows(sql, arguments: arguments)
            return try Array(rows.map(StoredEntry.init))
        }
        var entries: [Recorded<LedgerEntry>] = []
        entries.reserveCapacity(stored.count)
        for entry in stored { entries.append(try decode(entry)) }
        return entries
    }

    private func decode(_ stored: StoredEntry) throws(LedgerStoreError) -> Recorded<LedgerEntry> {
        var value = try stored.value()
        if case .evidence(var evidence) = value {
            let storage = EvidenceStorage(connection: connection)
            let bytes = try LedgerStoreError.mapping { try storage.bytes(at: stored.sequence) }
            evidence.bytes = bytes ?? []
            value = .evidence(evidence)
        }
        return Recorded(
            sequence: stored.sequence, recordedAt: stored.recordedAt, value: value)
    }
}

extension LedgerHead {
    fileprivate init(_ row: Columns) throws {
        let sequence = LedgerSequence(try row.integer(0))
        guard let hash = try row.bytes(1).flatMap({ Digest256($0) }) else {
            throw LedgerStoreError.unreadable(sequence)
        }
        self.init(
            sequence: sequence, hash: hash,
            recordedAt: Instant(milliseconds: try row.integer(2)))
    }
}

/// A row of (seq, recorded_at, kind, payload), not yet understood.
struct StoredEntry {
    let sequence: LedgerSequence
    let recordedAt: Instant
    private let kind: Int64
    private let payload: [UInt8]
    /// False where it was erased.
    let hasPayload: Bool

    init(_ row: Row) throws {
        sequence = LedgerSequence(try row.integer(0))
        recordedAt = Instant(milliseconds: try row.integer(1))
        kind = try row.integer(2)
        let payload = try row.bytes(3)
        self.payload = payload ?? []
        hasPayload = payload != nil
    }

    func value() throws(LedgerStoreError) -> LedgerEntry {
        guard let kind = EntryKind(rawValue: kind) else {
            throw LedgerStoreError.unreadable(sequence)
        }
        do {
            return try Payload.decode(payload, as: kind)
        } catch {
            throw LedgerStoreError.unreadable(sequence)
        }
    }
}
