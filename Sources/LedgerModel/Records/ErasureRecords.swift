package import EntitlementModel
internal import StrictJSON

extension Erasure: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let actor = try visitor.value("actor", \.actor)
        let delivered = try visitor.value("delivered", \.delivered)
        let digest = try visitor.value("digest", \.digest)
        let entries = try visitor.value("entries", \.entries)
        let evidence = try visitor.value("evidence", \.evidence)
        let kinds = try visitor.value("kinds", \.kinds)
        let names = try visitor.value("names", \.names)
        let owned = try visitor.value("owned", \.owned)
        let reference = try visitor.value("reference", \.reference)
        var erasure = Self(reference: reference, actor: actor, digest: digest)
        erasure.restated = try visitor.value("restated", \.restated)
        guard entries.isPossible, evidence.isPossible, erasure.restated.isPossible else {
            throw PayloadError("entries")
        }
        (erasure.entries, erasure.evidence, erasure.kinds) = (entries, evidence, kinds)
        (erasure.names, erasure.delivered, erasure.owned) = (names, delivered, owned)
        return erasure
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.erasure, Self.name(at: sequence))]
            + names.map {
                .unique(.erasure, Self.name(ofPerson: $0) + PolicySchedule.name(ofEntry: sequence))
            }
            + delivered.map { .first(.erasure, Self.name(ofDelivery: $0)) }
            + owned.map { .first(.erasure, Self.name(ofOwned: $0)) }
    }

    /// What concerned the person is told nobody any more, and all else is as it was.
    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}

extension Erasure {
    /// What erasures are found by, in the order of the ledger.
    package static func name(at sequence: LedgerSequence) -> [UInt8] {
        anyName + PolicySchedule.name(ofEntry: sequence)
    }

    /// The beginning of the names of all erasures of the person.
    package static func name(ofPerson digest: Digest256) -> [UInt8] {
        Array("name ".utf8) + digest.bytes
    }

    /// The beginning of the names of all entries that have the pseudonym, in whatever case; no
    /// account has a blank.
    package static func name(ofPseudonym account: AccountID) -> [UInt8] {
        Array("pseudonym \(account.text) ".utf8)
    }

    /// By which holds are found, the next one that is due first.
    static func name(ofHold sequence: LedgerSequence, due: Instant) -> [UInt8] {
        var name = anyHold
        // Instants before 1970 come first, too.
        withUnsafeBytes(of: (UInt64(bitPattern: due.milliseconds) ^ (1 << 63)).bigEndian) {
            name.append(contentsOf: $0)
        }
        return name + PolicySchedule.name(ofEntry: sequence)
    }

    /// The beginning of the names of all holds.
    package static let anyHold = Array("hold ".utf8)

    /// The beginning of the names of all erasures.
    package static let anyName = Array("at ".utf8)

    package static func name(ofDelivery digest: Digest256) -> [UInt8] {
        Array("delivered ".utf8) + digest.bytes
    }

    package static func name(ofOwned digest: Digest256) -> [UInt8] {
        Array("owned ".utf8) + digest.bytes
    }

    /// SHA-256 of the numbers, each in eight bytes, big-endian.
    package static func digest(entries: [Run], evidence: [Run]) -> Digest256 {
        var bytes: [UInt8] = []
        for number in Array(entries.numbers) + Array(evidence.numbers) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return EntryHash.digest(of: bytes)
    }
}

extension [Erasure.Run] {
    /// More entries are of no one person, and are never counted through.
    private static var mostNumbers: Int64 { 1 << 24 }

    /// Without overlaps, each from its first to its last, and not of more entries than there can be.
    fileprivate var isPossible: Bool {
        guard zip(self, dropFirst()).allSatisfy({ $0.last < $1.first }),
            allSatisfy({ $0.first > .zero && $0.first <= $0.last })
        else { return false }
        let numbers = reduce(0) { $0 + ($1.last.number - $1.first.number) + 1 }
        return numbers <= Self.mostNumbers
    }
}

extension Erasure.Run: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let first = try visitor.value("first", \.first)
        return Self(first, through: try visitor.value("last", \.last))
    }
}

extension Erasure.KindCount: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let count = try visitor.value("count", \.count)
        return Self(kind: try visitor.value("kind", \.kind), count: count)
    }
}

extension RestatedEntry: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let entry = try visitor.value("entry", \.entry)
        let pseudonyms = try visitor.value("pseudonyms", \.pseudonyms)
        return Self(
            sequence: try visitor.value("sequence", \.sequence), entry: entry,
            pseudonyms: pseudonyms)
    }

    package func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.restatement(self.sequence)]
            + Set(pseudonyms.map(\.folded)).sorted().map {
                .unique(
                    .erasure, Erasure.name(ofPseudonym: $0) + PolicySchedule.name(ofEntry: sequence)
                )
            }
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}

/// As in a payload of its own: the one member is named for the kind.
extension LedgerEntry: PayloadValue {
    func write(to writer: inout JSONWriter) {
        let registered = registered
        writer.beginObject()
        writer.member(registered.kind.name)
        registered.record.write(to: &writer)
        writer.endObject()
    }

    static func read(from reader: inout PayloadReader) throws(PayloadError) -> LedgerEntry? {
        guard reader.beginObject(),
            let kind = EntryKind.allCases.first(where: { reader.isNext($0.name) })
        else { return nil }
        let entry = try kind.read(from: &reader)
        return reader.endObject() ? entry : nil
    }
}
