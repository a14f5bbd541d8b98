internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// Reads a whole ledger and compares it with what its writer can have written.
struct Verification {
    /// More are not collected: the first one counts.
    static let maximumProblems = 100

    let connection: Connection
    let progress: (_ checked: Int64, _ total: Int64) -> Void
    private(set) var problems: [LedgerProblem] = []
    private var reader = PayloadReader()
    /// Entries whose content is gone, and no erasure says so.
    private var erased: Set<Int64> = []

    init(
        _ database: Database, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) {
        connection = Connection(database: database)
        self.progress = progress
    }

    /// - Parameter acknowledged: an entry that the ledger has had, as the head file says.
    mutating func run(anchor: LedgerHead?, acknowledged: LedgerPosition?) throws {
        try checkSchema()
        // A foreign table has been reported, and reading it may never end.
        guard try SchemaCheck.areTablesOwn(connection.database) else { return }
        if let acknowledged, try !LedgerTransaction(connection.database).holds(acknowledged) {
            report(.headMissing(acknowledged.sequence))
        }
        try checkRows(anchor: anchor)
    }

    private mutating func checkSchema() throws {
        for difference in try SchemaCheck.differences(in: connection.database) {
            report(.schemaDiffers(difference))
        }
    }

    private mutating func checkRows(anchor: LedgerHead?) throws {
        try checkFile()
        let erasures = try ErasureCheck(connection)
        let replay = try IndexReplay()
        try replay.filling { index in try checkEntries(filling: index, erasures) }
        for problem in erasures.problems { report(problem) }
        try checkAnchor(anchor)
        try checkFeed()
        guard problems.allSatisfy(\.isErasure) else { return }
        let differing =
            erased.isEmpty && erasures.entries.isEmpty
            ? try replay.differingTables(from: connection)
            : try replay.differingTables(from: connection, erased: erased)
        for table in differing { report(.indexDiffers(table: table)) }
    }

    private mutating func report(_ problem: LedgerProblem) {
        if problems.count < Self.maximumProblems { problems.append(problem) }
    }

    private mutating func checkFile() throws {
        let messages = try String.fetchAll(
            connection.database, sql: "PRAGMA integrity_check(10)")
        for message in messages where message != "ok" { report(.file(message)) }
        let strays = try connection.integer("SELECT count(*) FROM pragma_foreign_key_check")
        if strays != 0 { report(.file("evidence without its entry")) }
        let others = try connection.integer(
            "SELECT count(*) FROM evidence JOIN entry USING (seq) WHERE kind <> 2")
        if others != 0 { report(.file("evidence of an entry that has none")) }
        let unused = try connection.integer(
            """
            SELECT count(*) FROM evidence_header
            WHERE id NOT IN (SELECT header FROM evidence WHERE header IS NOT NULL)
            """)
        if unused != 0 { report(.file("a header of no evidence")) }
        let headers = try connection.rows("SELECT digest, bytes FROM evidence_header ORDER BY id")
        while let header = try headers.next() {
            let digest = try header.bytes(1).map(EntryHash.digest(of:))
            if try header.bytes(0) != digest?.bytes {
                report(.file("a header under another digest"))
            }
        }
    }

    private mutating func checkEntries(
        filling index: EntryIndex, _ erasures: ErasureCheck
    ) throws {
        let total = try connection.integer("SELECT count(*) FROM entry") ?? 0
        var chain = ChainCheck()
        var checked: Int64 = 0
        let rows = try connection.rows("SELECT \(ChainCheck.columns) FROM entry ORDER BY seq")
        while let row = try rows.next() {
            for problem in try chain.advance(to: row) { report(problem) }
            try check(row, filling: index, erasures)
            checked += 1
            if checked.isMultiple(of: 1_024) || checked == total { progress(checked, total) }
        }
    }

    private mutating func check(
        _ row: Row, filling index: EntryIndex, _ erasures: ErasureCheck
    ) throws {
        var entry: Recorded<LedgerEntry>?
        do {
            entry = try reader.entry(in: row)
        } catch LedgerStoreError.unreadable(let sequence) {
            report(.unreadable(sequence))
            return
        }
        if entry == nil {
            let number = try row.integer(0)
            guard erasures.entries.contains(number) else {
                erased.insert(number)
                return report(.payloadErased(LedgerSequence(number)))
            }
            entry = erasures.restated[number].map {
                Recorded(sequence: LedgerSequence(number), recordedAt: .distantPast, value: $0)
            }
        }
        guard let entry else { return }
        if case .evidence(let evidence) = entry.value {
            try check(evidence, at: entry.sequence, erasures)
        }
        // A row that the index cannot take has been reported by one of the other checks, or
        // shows as a difference between the tables.
        try? index.insert(
            entry.value, at: entry.sequence,
            rereading: RereadEvidence(connection, recallsErased: true))
    }

    private mutating func check(
        _ evidence: EvidenceRecord, at place: LedgerSequence, _ erasures: ErasureCheck
    ) throws {
        let isErased = try connection.integer(
            "SELECT bytes IS NULL FROM evidence WHERE seq = ?", place.number)
        if isErased == 1, erasures.evidence.contains(place.number) { return }
        if isErased == 1 { return report(.evidenceErased(place)) }
        let bytes = try? EvidenceStorage(connection: connection).bytes(at: place)
        if bytes.map(EntryHash.digest(of:)) != evidence.digest { report(.evidenceChanged(place)) }
    }

    /// The feed: complete, in order, and not ahead of the entries.
    private mutating func checkFeed() throws {
        let entries = try connection.integer("SELECT max(seq) FROM entry") ?? 0
        var (last, at, revision): (Int64, Int64, Int64) = (0, .min, 0)
        let rows = try connection.rows(
            "SELECT \(PublishedChange.columns) FROM change ORDER BY number")
        while let row = try rows.next() {
            guard let told = try? PublishedChange(row), told.number == last + 1,
                told.change.at.milliseconds >= at, told.change.revision.number >= revision,
                told.change.revision.number <= entries
            else { return report(.feedDiffers(last + 1)) }
            last = told.number
            at = told.change.at.milliseconds
            revision = told.change.revision.number
        }
        let reached = try connection.integer("SELECT reached FROM feed") ?? .min
        if last > 0, reached < at { report(.feedDiffers(last)) }
        try checkOutlooks()
    }

    /// Whether each is found by when it is due.
    private mutating func checkOutlooks() throws {
        let rows = try connection.rows("SELECT name, due, outlook FROM feed_subject ORDER BY id")
        while let row = try rows.next() {
            let name: String = try row.decode(atIndex: 0)
            let outlook = try row.bytes(2).flatMap { try? FeedOutlook(bytes: $0) }
            guard let outlook, FeedSubject(name: name) != nil,
                try row.optionalInteger(1) == outlook.due?.milliseconds
            else {
                report(.outlookUnreadable(name))
                continue
            }
        }
    }

    private mutating func checkAnchor(_ anchor: LedgerHead?) throws {
        guard let anchor, anchor.sequence != .zero else { return }
        let hash = try connection.first(
            "SELECT hash FROM entry WHERE seq = ?", anchor.sequence.number
        ) { try $0.bytes(0) }
        guard hash != anchor.hash.bytes else { return }
        report(.anchorMissing(anchor.sequence))
    }
}

/// Follows the chain of hashes from row to row.
struct ChainCheck {
    /// The columns that a row must have, in this order.
    static let columns = "seq, recorded_at, kind, payload, salt, payload_digest, hash"

    private var last: (sequence: Int64, recordedAt: Int64, hash: [UInt8]) = (
        0, .min, EntryHash.genesis.bytes
    )

    init() {}

    /// Starts behind a row that is taken on trust: (seq, recorded_at, hash).
    init(after row: Columns) throws {
        last = (try row.integer(0), try row.integer(1), try row.bytes(2) ?? [])
    }

    /// What is wrong with this row as the next one. A fault is reported at its row, not at every
    /// later one.
    mutating func advance(to row: Row) throws -> [LedgerProblem] {
        let number = try row.integer(0)
        let recordedAt = try row.integer(1)
        let sequence = LedgerSequence(number)
        let hash = try row.bytes(6) ?? []
        defer { last = (number, recordedAt, hash) }
        var problems: [LedgerProblem] = []
        if number != last.sequence &+ 1 {
            problems.append(.missing(LedgerSequence(last.sequence &+ 1)))
        }
        if recordedAt < last.recordedAt { problems.append(.recordedEarlier(sequence)) }
        let payloadDigest = try row.bytes(5) ?? []
        if let payload = try row.bytes(3) {
            let digest = try row.bytes(4).map {
                EntryHash.payloadDigest(salt: $0, payload: payload).bytes
            }
            if digest != payloadDigest { problems.append(.payloadChanged(sequence)) }
        }
        if try expectedHash(of: row, payloadDigest: payloadDigest) != hash {
            problems.append(.chainBroken(sequence))
        }
        return problems
    }

    private func expectedHash(of row: Row, payloadDigest: [UInt8]) throws -> [UInt8]? {
        guard let previous = Digest256(last.hash), let digest = Digest256(payloadDigest) else {
            return nil
        }
        return EntryHash.entry(
            previous: previous, sequence: LedgerSequence(try row.integer(0)),
            recordedAt: Instant(milliseconds: try row.integer(1)), kind: try row.integer(2),
            payloadDigest: digest
        ).bytes
    }
}
