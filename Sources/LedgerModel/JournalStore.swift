/// A journal of lines next to a ledger, by which interrupted work is resumed: in a file, or in a
/// fleet's database, where the leader writes it and all nodes read it.
package protocol JournalStore: Sendable {
    /// Whether several nodes read it; then it is not read before one of them leads or follows.
    var isShared: Bool { get }
    /// Whether it takes lines, as far as this node knows. Cheap.
    var takesLines: Bool { get }
    /// In order, up to the first damaged one; empty if there are none. A shared journal accepts
    /// lines only from the current leader, if it has led since it read them.
    func lines() throws(LedgerError) -> [[UInt8]]
    /// What another node has added since lines were last read; nil where it has put others in the
    /// place of those, so that all have to be read again.
    func newLines() throws(LedgerError) -> [[UInt8]]?
    /// Adds lines; they are kept for good when this returns.
    func append(_ lines: [[UInt8]]) throws(LedgerError)
    /// Puts these lines in the place of those that are there.
    func replace(with lines: [[UInt8]]) throws(LedgerError)
}

/// Journals that nothing else writes.
extension JournalStore {
    package var isShared: Bool { false }
    package var takesLines: Bool { true }
    package func newLines() throws(LedgerError) -> [[UInt8]]? { [] }
}

/// The journals that all nodes of a fleet share.
package enum SharedJournal: String, CaseIterable, Sendable {
    /// How far changes are delivered (spec 1.10).
    case deliveries = "push"
    /// The state of a reconciliation (spec 3.6).
    case reconciliation = "reconcile"
}

/// The state by which a reconciliation resumes and asks for new data only (spec 3.6): a journal of
/// its last run, and a note on each customer.
///
/// No answer and no fact depends on it: lost, damaged or foreign state is fetched again.
package protocol ReconciliationStore: JournalStore {
    /// The note under the number; nil if there is none or it is damaged.
    func note(_ number: Int64) throws(LedgerError) -> [UInt8]?
    /// Notes up to `longestNote` bytes. A crash may lose it.
    func setNote(_ bytes: [UInt8], of number: Int64) throws(LedgerError)
    /// Forgets the journal and all notes.
    func clear() throws(LedgerError)
}

/// The longest note, in bytes.
package let longestReconciliationNote = 190
