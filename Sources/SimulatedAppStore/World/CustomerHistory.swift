/// The transactions of one customer in the order in which they last changed: what the history is
/// paged by.
struct CustomerHistory {
    struct Entry {
        let sequence: Int
        let transactionID: String
    }

    /// In order of change; one whose transaction changed again later is skipped.
    private var entries: [Entry] = []
    private var newest: [String: Int] = [:]

    /// Puts a transaction at the end.
    /// - Returns: whether it is a new one.
    @discardableResult
    mutating func note(_ transactionID: String, sequence: Int) -> Bool {
        entries.append(Entry(sequence: sequence, transactionID: transactionID))
        return newest.updateValue(sequence, forKey: transactionID) == nil
    }

    /// Of the last change.
    var lastSequence: Int { entries.last?.sequence ?? 0 }

    /// The entries behind a place, in the order that is asked for, without those that have moved.
    func entries(after sequence: Int?, descending: Bool) -> any Sequence<Entry> {
        let live = { (entry: Entry) in newest[entry.transactionID] == entry.sequence }
        if descending {
            let end = sequence.map { index(of: $0) } ?? entries.count
            return entries[..<end].reversed().lazy.filter(live)
        }
        let start = sequence.map { index(of: $0 + 1) } ?? 0
        return entries[start...].lazy.filter(live)
    }

    /// Where the first entry is whose sequence is no smaller.
    private func index(of sequence: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
