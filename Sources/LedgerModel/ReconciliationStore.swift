/// What is kept beside a ledger so that a reconciliation can go on where it was, and ask for what
/// is new only (spec 3.6).
///
/// No answer and no fact depends on it: what is lost, damaged or of another ledger is asked for
/// again.
package protocol ReconciliationStore: Sendable {
    /// The lines of the journal in order, up to the first that is damaged; empty where there is
    /// none.
    func lines() throws(LedgerError) -> [[UInt8]]
    /// Adds lines; they are on the disk when this returns.
    func append(_ lines: [[UInt8]]) throws(LedgerError)
    /// Puts a journal of these lines in the place of the one that is there.
    func replace(with lines: [[UInt8]]) throws(LedgerError)
    /// What was noted under the number; nil where nothing is, or it is damaged.
    func note(_ number: Int64) throws(LedgerError) -> [UInt8]?
    /// Notes up to `longestNote` bytes. A crash may lose it.
    func setNote(_ bytes: [UInt8], of number: Int64) throws(LedgerError)
    /// Forgets the journal and all notes.
    func clear() throws(LedgerError)
}

/// The longest note, in bytes.
package let longestReconciliationNote = 190
