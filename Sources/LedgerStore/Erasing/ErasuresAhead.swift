package import EntitlementModel
package import LedgerModel

/// Erasures that a copy is about to take in, and what they have left of earlier entries: where the
/// rows come from, the content is gone already.
package struct ErasuresAhead: Sendable {
    private(set) var erasures: [(sequence: LedgerSequence, erasure: Erasure)] = []
    /// What is read in the place of an entry, once all of them are carried out.
    private(set) var restated: [Int64: LedgerEntry] = [:]
    private var restating: [Int64: RestatedEntry] = [:]
    private var taken: Set<Int64> = []
    /// Whether the copy has forgotten what they take, in a commit before.
    package var areCarriedOut = false

    /// - Parameter rows: all entries of these two kinds behind a place, in order.
    package init(_ rows: [LedgerRows.Entry] = []) throws(LedgerError) {
        var reader = PayloadReader()
        for row in rows {
            // One that a later erasure has taken is restated once more.
            guard let payload = row.payload, let kind = EntryKind(rawValue: row.kind) else {
                continue
            }
            let sequence = LedgerSequence(row.sequence)
            switch try? reader.entry(of: kind, from: payload.span.bytes) {
            case .erasure(let erasure): add(erasure, at: sequence)
            case .restated(let entry):
                restated[entry.sequence.number] = entry.entry
                restating[row.sequence] = entry
            default: throw LedgerError(LedgerStoreError.unreadable(sequence))
            }
        }
    }

    private mutating func add(_ erasure: Erasure, at sequence: LedgerSequence) {
        erasures.append((sequence, erasure))
        taken.formUnion(erasure.entries.numbers)
    }

    /// What one of them has restated, as far as none has taken that since.
    func restated(by erasure: Erasure, at sequence: LedgerSequence) -> [Int64: LedgerEntry] {
        var found: [Int64: LedgerEntry] = [:]
        for place in erasure.placesOfRestated(at: sequence) {
            guard let entry = restating[place] else { continue }
            found[entry.sequence.number] = entry.entry
        }
        return found
    }

    /// The last erasure's place.
    package var end: LedgerSequence { erasures.last?.sequence ?? .zero }

    /// Whether one of them says that it has taken the content of that entry.
    package func explains(_ row: LedgerRows.Entry) -> Bool { taken.contains(row.sequence) }
}

extension Erasure {
    /// Right before it.
    func placesOfRestated(at sequence: LedgerSequence) -> Range<Int64> {
        sequence.number - Int64(Array(restated.numbers).count)..<sequence.number
    }
}
