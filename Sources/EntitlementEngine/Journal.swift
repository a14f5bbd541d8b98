internal import EntitlementAnswers
internal import LedgerModel
internal import StrictJSON

/// Lines of one kind that are kept next to a ledger, as JSON. Blocks.
struct Journal<Line: WireObject & Sendable>: Sendable {
    let store: any JournalStore

    init(_ store: any JournalStore) {
        self.store = store
    }

    /// In order, up to the first that is damaged.
    func lines() throws(LedgerError) -> [Line] { Self.readable(try store.lines()) }

    /// What another node has added since lines were last read; nil where all have to be read again.
    func newLines() throws(LedgerError) -> [Line]? { try store.newLines().map(Self.readable) }

    func append(_ lines: [Line]) throws(LedgerError) {
        if !lines.isEmpty { try store.append(lines.map(\.json)) }
    }

    func replace(with lines: [Line]) throws(LedgerError) {
        try store.replace(with: lines.map(\.json))
    }

    private static func readable(_ lines: [[UInt8]]) -> [Line] {
        var readable: [Line] = []
        for bytes in lines {
            guard let json = try? parseJSON(bytes), let line = try? Line.read(json) else { break }
            readable.append(line)
        }
        return readable
    }
}
