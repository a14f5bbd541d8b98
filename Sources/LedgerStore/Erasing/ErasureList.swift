internal import EntitlementModel
internal import LedgerModel

/// The erasures of a ledger, next to it: what an older copy of it does not know (docs/LEDGER.md,
/// Erasure).
///
/// It says what the entries of the erasures say, so it names nobody.
package struct ErasureList: Equatable, Sendable {
    /// One erasure, as its entry says it.
    struct Line: Equatable, Sendable {
        let place: LedgerPosition
        let recordedAt: Instant
        let erasure: Erasure
        /// By which the entries of another copy are known to be those: the first bytes of the hash
        /// of each, in the order of `numbers`.
        let marks: [UInt8]
        let payload: [UInt8]

        static let markLength = 4

        /// Of the entries that it takes, then of those whose evidence alone it takes.
        static func numbers(of erasure: Erasure) -> [Int64] {
            Array(erasure.entries.numbers) + Array(erasure.evidence.numbers)
        }

        var numbers: [Int64] { Self.numbers(of: erasure) }
        var digests: [Digest256] { erasure.names + erasure.delivered + erasure.owned }
    }

    private static let version = "usher-erasures-1"
    /// The hash of the ledger's first entry.
    let ledger: Digest256
    var lines: [Line]

    /// How many entries it names, without those of which only the evidence is gone.
    package var entries: Int { lines.reduce(0) { $0 + Array($1.erasure.entries.numbers).count } }
    package var erasures: Int { lines.count }

    init(ledger: Digest256, lines: [Line]) {
        (self.ledger, self.lines) = (ledger, lines)
    }
}

/// As text: a line that says of which ledger it is, and one for each erasure.
extension ErasureList {
    /// Up to the first line that is damaged.
    ///
    /// - Returns: nil where there is no list.
    init?(_ text: [[UInt8]]) {
        let words = text.first.map { String(decoding: $0, as: UTF8.self).split(separator: " ") }
        guard let words, words.count == 2, words[0] == Self.version,
            let ledger = Digest256(hexadecimal: words[1])
        else { return nil }
        self.init(ledger: ledger, lines: [])
        var reader = PayloadReader()
        for line in text.dropFirst() {
            guard let line = Line(line, &reader) else { return }
            lines.append(line)
        }
    }

    var text: [[UInt8]] {
        [Array("\(Self.version) \(ledger.hexadecimal)".utf8)] + lines.map(\.text)
    }
}

extension ErasureList.Line {
    fileprivate init?(_ line: [UInt8], _ reader: inout PayloadReader) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        guard words.count == 4,
            let place = LedgerPosition(String(decoding: words[0], as: UTF8.self)),
            let milliseconds = Int64(String(decoding: words[1], as: UTF8.self)),
            let marks = [UInt8](hexadecimal: words[2].dropFirst()),
            case .erasure(let erasure)? = try? reader.entry(
                of: .erasure, from: Array(words[3]).span.bytes)
        else { return nil }
        self.init(
            place: place, recordedAt: Instant(milliseconds: milliseconds), erasure: erasure,
            marks: marks, payload: Array(words[3]))
        guard marks.count == numbers.count * Self.markLength else { return nil }
    }

    fileprivate var text: [UInt8] {
        Array("\(place) \(recordedAt.milliseconds) x\(marks.hexadecimal) ".utf8) + payload
    }
}

extension [UInt8] {
    /// Nil unless there are two lower-case digits for each byte.
    fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let upper = high {
                append(upper << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
    }
}

/// What a ledger says of its own erasures, and of those of a list.
extension LedgerTransaction {
    /// - Returns: nil for a ledger without an entry.
    func erasureList(after last: LedgerSequence = .zero) throws -> ErasureList? {
        guard let first = try hash(of: 1) else { return nil }
        let places = try erasures(named: Erasure.anyName).filter { $0 > last }
        return ErasureList(ledger: first, lines: try places.map(listed))
    }

    private func hash(of place: Int64) throws -> Digest256? {
        let bytes = try connection.first("SELECT hash FROM entry WHERE seq = ?", place) {
            try $0.bytes(0)
        }
        return bytes.flatMap { $0 }.flatMap { Digest256($0) }
    }

    private func listed(_ place: LedgerSequence) throws -> ErasureList.Line {
        let payload = try connection.first(
            "SELECT payload FROM entry WHERE seq = ?", place.number
        ) { try $0.bytes(0) }
        guard let hash = try hash(of: place.number), let payload = payload ?? nil,
            let entry = try storedEntry(place), case .erasure(let erasure) = entry.value
        else { throw LedgerStoreError.unreadable(place) }
        var marks: [UInt8] = []
        for number in ErasureList.Line.numbers(of: erasure) {
            marks += try self.hash(of: number)?.bytes.prefix(ErasureList.Line.markLength) ?? []
        }
        return ErasureList.Line(
            place: LedgerPosition(sequence: place, hash: hash), recordedAt: entry.recordedAt,
            erasure: erasure, marks: marks, payload: payload)
    }

    /// Whether the ledger has these erasures and no other ones, in this order.
    func hasExactly(_ list: ErasureList) throws -> Bool {
        guard try erasures(named: Erasure.anyName) == list.lines.map(\.place.sequence) else {
            return false
        }
        return try list.lines.allSatisfy { try holds($0.place) }
    }

    /// - Throws: for the list of another ledger.
    func expectOwn(_ list: ErasureList, at path: String) throws {
        guard try hash(of: 1) == list.ledger else {
            throw LedgerStoreError.foreignErasures(path: path)
        }
    }

    /// The erasures of the list that are still to be made here: those after whose instant nobody
    /// made them again.
    func undone(of list: ErasureList) throws -> [ErasureList.Line] {
        let missing = try list.lines.filter { try !holds($0.place) }
        guard !missing.isEmpty else { return [] }
        var newest: [Digest256: Instant] = [:]
        for place in try erasures(named: Erasure.anyName) {
            guard let entry = try storedEntry(place), case .erasure(let erasure) = entry.value
            else { continue }
            for digest in erasure.names + erasure.delivered + erasure.owned {
                newest[digest] = entry.recordedAt
            }
        }
        return missing.filter { line in
            line.digests.contains { newest[$0].map { $0 < line.recordedAt } ?? true }
        }
    }

    /// Those of the line's entries that are this ledger's, and how many others there are here under
    /// such numbers.
    func entries(of line: ErasureList.Line) throws -> (own: [Int64], others: Int) {
        var (own, others): ([Int64], Int) = ([], 0)
        for (index, number) in line.numbers.enumerated() {
            guard let hash = try hash(of: number) else { continue }
            let mark = line.marks.dropFirst(index * ErasureList.Line.markLength)
            if hash.bytes.starts(with: mark.prefix(ErasureList.Line.markLength)) {
                own.append(number)
            } else {
                others += 1
            }
        }
        return (own, others)
    }

    /// What the list names, and is not gone here.
    func left(of list: ErasureList) throws -> [LedgerProblem] {
        let undone = Set(try undone(of: list).map(\.place))
        var (left, others): (Set<Int64>, [LedgerProblem]) = ([], [])
        for line in list.lines {
            let found = try entries(of: line)
            let blanked = Set(line.erasure.evidence.numbers)
            for number in found.own
            where try hasContent(number, besidesEvidence: !blanked.contains(number)) {
                left.insert(number)
            }
            if found.others > 0, undone.contains(line.place) {
                others.append(.listDiffers(line.place.sequence))
            }
        }
        return left.sorted().map { .contentLeft(LedgerSequence($0)) } + others
    }

    private func hasContent(_ number: Int64, besidesEvidence: Bool) throws -> Bool {
        let bytes = try connection.integer(
            "SELECT 1 FROM evidence WHERE seq = ? AND bytes IS NOT NULL", number)
        guard bytes == nil, besidesEvidence else { return bytes != nil }
        return try connection.integer(
            "SELECT payload IS NOT NULL FROM entry WHERE seq = ?", number) == 1
    }
}
