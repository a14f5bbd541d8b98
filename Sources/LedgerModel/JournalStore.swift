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
