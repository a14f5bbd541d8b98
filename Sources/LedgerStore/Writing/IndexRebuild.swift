internal import EntitlementModel
internal import GRDB

extension Ledger {
    /// Empties the index tables and computes them again from the entries, in one transaction.
    ///
    /// Entries whose payload was erased are in no index afterwards. No other write runs
    /// meanwhile.
    package func rebuildIndex() async throws {
        try await write { try $0.rebuildIndex() }
    }
}

extension LedgerTransaction {
    private static let chunk = 1_024

    fileprivate func rebuildIndex() throws {
        for table in try LedgerSchema.indexTables() {
            try connection.database.execute(sql: "DELETE FROM \(table)")
        }
        names.forget()
        try fillIndex()
    }

    /// Computes the index tables, which are empty, from the entries.
    func fillIndex() throws {
        let index = EntryIndex(names)
        var entries = try entries(after: .zero, limit: Self.chunk)
        while let last = entries.last {
            for entry in entries { try index.insert(entry.value, at: entry.sequence) }
            entries = try self.entries(after: last.sequence, limit: Self.chunk)
        }
    }
}
