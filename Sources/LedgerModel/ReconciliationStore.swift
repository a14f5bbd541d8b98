/// What is kept beside a ledger so that a reconciliation can go on where it was, and ask for what
/// is new only (spec 3.6): a journal of its last run, and a note on each customer.
///
/// No answer and no fact depends on it: what is lost, damaged or of another ledger is asked for
/// again.
package protocol ReconciliationStore: JournalStore {
    /// What was noted under the number; nil where nothing is, or it is damaged.
    func note(_ number: Int64) throws(LedgerError) -> [UInt8]?
    /// Notes up to `longestNote` bytes. A crash may lose it.
    func setNote(_ bytes: [UInt8], of number: Int64) throws(LedgerError)
    /// Forgets the journal and all notes.
    func clear() throws(LedgerError)
}

/// The longest note, in bytes.
package let longestReconciliationNote = 190
