/// A journal of lines that is kept beside a ledger, so that what is under way goes on where it was:
/// in a file, or in a fleet's database, where the node that leads writes it and all of them read it.
package protocol JournalStore: Sendable {
    /// Whether several nodes read it; then it is not read before one of them leads or follows.
    var isShared: Bool { get }
    /// Whether it takes lines, as far as this node knows. Cheap.
    var takesLines: Bool { get }
    /// In order, up to the first that is damaged; empty where there is none. A shared one takes
    /// lines only from who leads now and has led since it read them.
    func lines() throws(LedgerError) -> [[UInt8]]
    /// What another node has added since lines were last read; nil where it has put others in the
    /// place of those, so that all have to be read again.
    func newLines() throws(LedgerError) -> [[UInt8]]?
    /// Adds lines; they are kept for good when this returns.
    func append(_ lines: [[UInt8]]) throws(LedgerError)
    /// Puts these lines in the place of those that are there.
    func replace(with lines: [[UInt8]]) throws(LedgerError)
}

/// Those that nobody else writes.
extension JournalStore {
    package var isShared: Bool { false }
    package var takesLines: Bool { true }
    package func newLines() throws(LedgerError) -> [[UInt8]]? { [] }
}

/// What a fleet keeps for all its nodes beside the ledger.
package enum SharedJournal: String, CaseIterable, Sendable {
    /// How far changes are delivered (spec 1.10).
    case deliveries = "push"
    /// What a reconciliation goes on from (spec 3.6).
    case reconciliation = "reconcile"
}

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
