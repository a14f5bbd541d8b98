package import EntitlementModel
internal import GRDB

/// One SQLite transaction on the ledger: asked by everybody, appended to by the writer only.
///
/// It is valid inside the closure that it is given to, on that thread, and sees what it wrote.
package final class LedgerTransaction: LedgerReading {
    let connection: Connection
    /// Nil on a connection that only reads.
    private let makeSalt: (() -> [UInt8])?

    init(_ database: Database, makeSalt: (() -> [UInt8])? = nil) {
        connection = Connection(database: database)
        self.makeSalt = makeSalt
    }

    /// Writes the next entry. It is recorded at `now`, or at the last entry's instant if that is
    /// later: `recordedAt` never decreases (spec 1.10).
    ///
    /// Durable only once the write that it is part of has returned.
    package func append(
        _ entry: LedgerEntry, at now: Instant
    ) throws(LedgerStoreError) -> LedgerSequence {
        let head = try head()
        let sequence = LedgerSequence(head.sequence.number + 1)
        try LedgerStoreError.mapping {
            try insert(entry, at: sequence, recordedAt: max(now, head.recordedAt), after: head)
            if case .evidence(let evidence) = entry {
                try EvidenceStorage(connection: connection).insert(evidence, at: sequence)
            }
            try EntryIndex(connection).insert(entry, at: sequence)
        }
        return sequence
    }

    private func insert(
        _ entry: LedgerEntry, at sequence: LedgerSequence, recordedAt: Instant,
        after head: LedgerHead
    ) throws {
        guard let makeSalt else { preconditionFailure("only the writer appends") }
        let (salt, payload) = (makeSalt(), Payload.encode(entry))
        precondition(salt.count == 16, "a salt has 16 bytes")
        let payloadDigest = EntryHash.payloadDigest(salt: salt, payload: payload)
        let kind = EntryKind(entry).rawValue
        let hash = EntryHash.entry(
            previous: head.hash, sequence: sequence, recordedAt: recordedAt, kind: kind,
            payloadDigest: payloadDigest)
        try connection.run(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", sequence.number,
            recordedAt.milliseconds, kind, salt.blob, payload.blob, payloadDigest.blob,
            hash.blob)
    }
}
