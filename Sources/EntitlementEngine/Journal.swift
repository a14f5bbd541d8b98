package import EntitlementAnswers
package import LedgerModel
internal import StrictJSON

/// Lines of one kind that are kept next to a ledger, as JSON. Blocks.
package struct Journal<Line: WireObject & Sendable>: Sendable {
    package let store: any JournalStore

    package init(_ store: any JournalStore) {
        self.store = store
    }

    /// In order, up to the first that is damaged.
    package func lines() throws(LedgerError) -> [Line] { Self.readable(try store.lines()) }

    /// What another node has added since lines were last read; nil where all have to be read again.
    package func newLines() throws(LedgerError) -> [Line]? {
        try store.newLines().map(Self.readable)
    }

    package func append(_ lines: [Line]) throws(LedgerError) {
        if !lines.isEmpty { try store.append(lines.map(\.json)) }
    }

    package func replace(with lines: [Line]) throws(LedgerError) {
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
