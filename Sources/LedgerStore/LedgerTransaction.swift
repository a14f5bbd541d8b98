internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// One SQLite transaction on the ledger: asked by everybody, appended to by the writer only.
///
/// It is valid inside the closure that it is given to, on that thread, and sees what it wrote.
final class LedgerTransaction: LedgerWriting {
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

    func append(
        _ entry: LedgerEntry, at now: Instant
    ) throws(LedgerError) -> LedgerSequence {
        let head = try head()
        return try LedgerError.mapping {
            let registered = entry.registered
            let sequence = try insert(
                registered, recordedAt: max(now, head.recordedAt), after: head)
            if case .evidence(let evidence) = entry {
                try EvidenceStorage(connection: connection).insert(evidence, at: sequence)
            }
            var index = EntryIndex(names)
            try registered.insertKeys(into: &index, at: sequence)
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
        _ entry: RegisteredEntry, recordedAt: Instant, after head: LedgerHead
    ) throws -> LedgerSequence {
        guard let salts else { preconditionFailure("only the writer appends") }
        payload.write(entry, salt: salts.next())
        let payloadDigest = payload.digest
        let sequence = LedgerSequence(head.sequence.number + 1)
        let hash = EntryHash.entry(
            previous: head.hash, sequence: sequence, recordedAt: recordedAt,
            kind: entry.kind.rawValue,
            payloadDigest: payloadDigest)
        try payload.withBlobs { salt, payload in
            try connection.run(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", sequence.number,
                recordedAt.milliseconds, entry.kind.rawValue, salt, payload, payloadDigest, hash)
        }
        newest = LedgerHead(sequence: sequence, hash: hash, recordedAt: recordedAt)
        return sequence
    }
}
