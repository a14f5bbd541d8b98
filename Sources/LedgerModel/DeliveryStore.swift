/// What is kept beside a ledger so that deliveries go on where they were (spec 1.10).
package protocol DeliveryStore: Sendable {
    /// In order, up to the first that is damaged; empty where there is none.
    func lines() throws(LedgerError) -> [[UInt8]]
    /// Adds lines; they are on the disk when this returns.
    func append(_ lines: [[UInt8]]) throws(LedgerError)
    /// Puts these lines in the place of those that are there.
    func replace(with lines: [[UInt8]]) throws(LedgerError)
}
