package import EntitlementModel

/// The newest entry of a ledger.
package struct LedgerHead: Hashable, Sendable {
    package let sequence: LedgerSequence
    package let hash: Digest256
    /// The next entry is not recorded before it; `distantPast` while there is none.
    package let recordedAt: Instant

    package init(sequence: LedgerSequence, hash: Digest256, recordedAt: Instant) {
        self.sequence = sequence
        self.hash = hash
        self.recordedAt = recordedAt
    }
}

extension LedgerHead {
    /// Of a ledger without entries.
    package static let beginning = LedgerHead(
        sequence: .zero, hash: EntryHash.genesis, recordedAt: .distantPast)
}

/// An entry by its number and its hash: written `412:3fa2…`, as anchors are.
package struct LedgerPosition: Hashable, Sendable {
    package let sequence: LedgerSequence
    package let hash: Digest256

    package init(sequence: LedgerSequence, hash: Digest256) {
        self.sequence = sequence
        self.hash = hash
    }

    package init(_ head: LedgerHead) {
        self.init(sequence: head.sequence, hash: head.hash)
    }

    /// Reads `412:3fa2…`; 0 is the place before the first entry.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0,
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let hash = Digest256(hexadecimal: String(parts[1]))
        else { return nil }
        self.init(sequence: LedgerSequence(number), hash: hash)
    }
}

extension LedgerPosition: CustomStringConvertible {
    package var description: String { "\(sequence):\(hash.hexadecimal)" }
}
