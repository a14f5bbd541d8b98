internal import EntitlementModel
internal import FoundationEssentials
internal import GRDB
internal import LedgerModel

extension LedgerTransaction {
    func entry(
        _ sequence: LedgerSequence
    ) throws(LedgerError) -> Recorded<LedgerEntry>? {
        try entries(
            """
            SELECT seq, recorded_at, kind, payload FROM entry WHERE seq = ?
            """, sequence.number
        ).first
    }

    /// As it is stored, and not as it was restated. Asked while rows of `entry` are read: its text is
    /// another one.
    func storedEntry(_ sequence: LedgerSequence) throws -> Recorded<LedgerEntry>? {
        try connection.first(
            "SELECT seq, recorded_at, kind, payload FROM entry WHERE entry.seq = ?",
            sequence.number
        ) { try reader.entry(in: $0) } ?? nil
    }

    /// What is read in the place of a row whose content was erased; nil where nothing is.
    func restated(_ row: Columns) throws -> Recorded<LedgerEntry>? {
        let number = try row.integer(0)
        guard let place = try place(restating: number),
            case .restated(let restated)? = try storedEntry(LedgerSequence(place))?.value
        else { return nil }
        return Recorded(
            sequence: LedgerSequence(number),
            recordedAt: Instant(milliseconds: try row.integer(1)), value: restated.entry)
    }

    func restatement(of sequence: LedgerSequence) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping { try place(restating: sequence.number) }
            .map { LedgerSequence($0) }
    }

    func entries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [Recorded<LedgerEntry>] {
        try entries(
            """
            SELECT seq, recorded_at, kind, payload FROM entry
            WHERE seq > ? AND (payload IS NOT NULL OR seq IN (SELECT seq FROM restated))
            ORDER BY seq LIMIT ?
            """, sequence.number, limit)
    }

    func head(at sequence: LedgerSequence) throws(LedgerError) -> LedgerHead? {
        if sequence == .zero { return .beginning }
        return try LedgerError.mapping {
            try connection.first(
                "SELECT seq, hash, recorded_at FROM entry WHERE seq = ?", sequence.number,
                read: LedgerHead.init)
        }
    }

    func countOfActivations(through sequence: LedgerSequence) throws(LedgerError) -> Int {
        try LedgerError.mapping {
            try connection.integer(
                """
                SELECT count(*) FROM entry WHERE kind = 1 AND payload IS NOT NULL AND seq <= ?
                """, sequence.number)
        }.map { Int($0) } ?? 0
    }

    func policyActivations() throws(LedgerError) -> [Recorded<PolicyActivation>] {
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

    func erasedPolicyActivations() throws(LedgerError) -> [LedgerSequence] {
        try LedgerError.mapping {
            var places: [LedgerSequence] = []
            try connection.forEachRow(
                "SELECT seq FROM entry WHERE kind = 1 AND payload IS NULL ORDER BY seq"
            ) { places.append(LedgerSequence(try $0.integer(0))) }
            return places
        }
    }

    func accountTokens(
        _ token: AppAccountToken
    ) throws(LedgerError) -> [Recorded<AccountTokenRegistration>] {
        try entries(
            """
            SELECT entry.seq, recorded_at, kind, payload
            FROM token_registration JOIN entry USING (seq)
            WHERE token = ? ORDER BY entry.seq
            """, token.text
        ).compactMap { entry in
            guard case .accountToken(let registration) = entry.value else { return nil }
            return entry.with(registration)
        }
    }

    /// Reads rows of (seq, recorded_at, kind, payload).
    private func entries<each Value: StatementBinding>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws(LedgerError) -> [Recorded<LedgerEntry>] {
        try LedgerError.mapping {
            var entries: [Recorded<LedgerEntry>] = []
            try connection.forEachRow(sql, repeat each values) { row in
                guard let entry = try reader.entry(in: row) ?? restated(row) else { return }
                entries.append(try withBytes(entry))
            }
            return entries
        }
    }

    /// The bytes of evidence are kept next to its payload.
    private func withBytes(_ entry: Recorded<LedgerEntry>) throws -> Recorded<LedgerEntry> {
        guard case .evidence(var evidence) = entry.value else { return entry }
        let storage = EvidenceStorage(connection: connection)
        evidence.bytes = try storage.bytes(at: entry.sequence) ?? []
        return entry.with(.evidence(evidence))
    }
}

extension LedgerHead {
    init(_ row: Columns) throws {
        let sequence = LedgerSequence(try row.integer(0))
        guard let hash = try row.bytes(1).flatMap({ Digest256($0) }) else {
            throw LedgerStoreError.unreadable(sequence)
        }
        self.init(
            sequence: sequence, hash: hash,
            recordedAt: Instant(milliseconds: try row.integer(2)))
    }
}

extension PayloadReader {
    /// The entry in a row of (seq, recorded_at, kind, payload); nil where it was erased.
    mutating func entry(in row: Columns) throws -> Recorded<LedgerEntry>? {
        let kind = EntryKind(rawValue: try row.integer(2))
        return try recorded(in: row) { reader, payload in
            try kind.map { try reader.entry(of: $0, from: payload) }
        }
    }

    /// What `read` makes of the payload of such a row; nil where it was erased.
    mutating func recorded<Value: Sendable>(
        in row: Columns, _ read: (inout PayloadReader, RawSpan) throws -> Value?
    ) throws -> Recorded<Value>? {
        let sequence = LedgerSequence(try row.integer(0))
        let recordedAt = Instant(milliseconds: try row.integer(1))
        return try row.withBytes(3) { payload in
            guard let value = try? read(&self, payload) else {
                throw LedgerStoreError.unreadable(sequence)
            }
            return Recorded(sequence: sequence, recordedAt: recordedAt, value: value)
        }
    }

    /// The same for a row borrowed from GRDB.
    mutating func entry(in row: Row) throws -> Recorded<LedgerEntry>? {
        let sequence = LedgerSequence(try row.integer(0))
        let recordedAt = Instant(milliseconds: try row.integer(1))
        let kind = EntryKind(rawValue: try row.integer(2))
        return try row.withUnsafeData(atIndex: 3) { payload in
            guard let payload else { return nil }
            guard let kind, let value = try? entry(of: kind, from: payload.bytes) else {
                throw LedgerStoreError.unreadable(sequence)
            }
            return Recorded(sequence: sequence, recordedAt: recordedAt, value: value)
        }
    }
}
