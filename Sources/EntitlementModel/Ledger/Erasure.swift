/// The content of entries that concerned one person alone is gone (docs/PRIVACY.md).
///
/// It names nobody: entries by their numbers, and the person by digests that only the holder of the
/// privacy key can make.
package struct Erasure: Hashable, Sendable {
    /// Entries that follow each other, by their numbers.
    package struct Run: Hashable, Sendable {
        package var first: LedgerSequence
        package var last: LedgerSequence

        package init(_ first: LedgerSequence, through last: LedgerSequence) {
            (self.first, self.last) = (first, last)
        }
    }

    /// How many entries of a kind.
    package struct KindCount: Hashable, Sendable {
        package var kind: Int64
        package var count: Int64

        package init(kind: Int64, count: Int64) {
            (self.kind, self.count) = (kind, count)
        }
    }

    /// By which the caller finds the request that it follows.
    package var reference: ErasureReference
    package var actor: String
    /// Whose payload is gone.
    package var entries: [Run] = []
    /// Of these, those of which a `RestatedEntry` tells what concerns others; the entries right
    /// before this one restate them, in the same order.
    package var restated: [Run] = []
    /// Evidence whose entry is left, and whose bytes are gone.
    package var evidence: [Run] = []
    /// SHA-256 of the numbers of `entries`, then of `evidence`.
    package var digest: Digest256
    /// By kind, what `entries` were.
    package var kinds: [KindCount] = []
    /// Keyed digests of the account's names.
    package var names: [Digest256] = []
    /// Keyed digests of what was delivered once and must not be again.
    package var delivered: [Digest256] = []
    /// Keyed digests of lineages that had an owner.
    package var owned: [Digest256] = []

    package init(reference: ErasureReference, actor: String, digest: Digest256) {
        self.reference = reference
        self.actor = actor
        self.digest = digest
    }
}

/// An entry that concerned others too, without the person: read in the place of the erased one.
package struct RestatedEntry: Hashable, Sendable {
    /// The place for which it stands. Kind and instant are those of the entry there.
    package var sequence: LedgerSequence
    /// With a pseudonym for the account.
    package var entry: LedgerEntry
    /// Those in the entry. Nobody is told of them, and nobody asks.
    package var pseudonyms: [AccountID]

    package init(sequence: LedgerSequence, entry: LedgerEntry, pseudonyms: [AccountID]) {
        (self.sequence, self.entry, self.pseudonyms) = (sequence, entry, pseudonyms)
    }
}

extension [Erasure.Run] {
    /// Ascending numbers, those that follow each other as one run.
    package init(joining numbers: some Sequence<Int64>) {
        self = []
        for number in numbers.sorted() {
            if let last, number <= last.last.number + 1 {
                self[count - 1].last = LedgerSequence(number)
            } else {
                append(Erasure.Run(LedgerSequence(number), through: LedgerSequence(number)))
            }
        }
    }

    /// Each number, ascending.
    package var numbers: some Sequence<Int64> {
        lazy.flatMap { $0.first.number...Swift.max($0.first.number, $0.last.number) }
    }
}
