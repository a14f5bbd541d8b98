package import EntitlementModel
internal import GRDB

/// One SQLite transaction on the ledger: asked by everybody, appended to by the writer only.
///
/// It is valid inside the closure that it is given to, on that thread, and sees what it wrote.
package final class LedgerTransaction: LedgerReading {
    let connection: Connection
    let names: NameTables
    /// The last entry that was appended here, and not undone since.
    private(set) var newest: LedgerHead?
    /// Keeps its room from one payload to the next.
    var reader = PayloadReader()
    /// The same for those that are written.
    private var payload = SaltedPayload()
    /// Nil on a connection that only reads.
    private let salts: SaltSupply?

    init(_ database: Database, salts: SaltSupply? = nil) {
        connection = Connection(database: database)
        names = NameTables(connection)
        self.salts = salts
    }

    /// Writes the next entry. It is recorded at `now`, or at the last entry's instant if that is
    /// later: `recordedAt` never decreases (spec 1.10).
    ///
    /// Durable only once the write that it is part of has returned.
    package func append(
        _ entry: LedgerEntry, at now: Instant
    ) throws(LedgerStoreError) -> LedgerSequence {
        let head = try head()
        return try LedgerStoreError.mapping {
            let (kind, record) = entry.registered
            let sequence = try insert(
                record, kind, recordedAt: max(now, head.recordedAt), after: head)
            if case .evidence(let evidence) = entry {
                try EvidenceStorage(connection: connection).insert(evidence, at: sequence)
            }
            try record.insertKeys(into: EntryIndex(names), at: sequence)
            return sequence
        }
    }

    /// Runs a body that leaves nothing behind if it throws.
    func undoingFailures(of body: () throws -> Void) throws {
        try connection.run("SAVEPOINT body")
        do {
            try body()
        } catch {
            forget()
            // A failing machine may have undone everything already.
            if connection.database.isInsideTransaction {
                try connection.run("ROLLBACK TO body")
                try connection.run("RELEASE body")
            }
            throw error
        }
        try connection.run("RELEASE body")
    }

    /// What is remembered of the last writes is not to be trusted any more.
    private func forget() {
        newest = nil
        names.forget()
    }

    private func insert(
        _ record: some LedgerRecord, _ kind: EntryKind, recordedAt: Instant,
        after head: LedgerHead
    ) throws -> LedgerSequence {
        guard let salts else { preconditionFailure("only the writer appends") }
        payload.write(record, kind, salt: salts.next())
        let payloadDigest = payload.digest
        let sequence = LedgerSequence(head.sequence.number + 1)
        let hash = EntryHash.entry(
            previous: head.hash, sequence: sequence, recordedAt: recordedAt, kind: kind.rawValue,
            payloadDigest: payloadDigest)
        try payload.withBlobs { salt, payload in
            try connection.run(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", sequence.number,
                recordedAt.milliseconds, kind.rawValue, salt, payload, payloadDigest, hash)
        }
        newest = LedgerHead(sequence: sequence, hash: hash, recordedAt: recordedAt)
        return sequence
    }
}
