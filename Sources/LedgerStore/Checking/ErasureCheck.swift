internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// The erasures of a ledger: what each says it has taken, and what stands in its place.
struct ErasureCheck {
    /// Entries whose payload an erasure has taken.
    private(set) var entries: Set<Int64> = []
    /// Evidence of which only the bytes are gone.
    private(set) var evidence: Set<Int64> = []
    /// What is read in the place of an erased entry.
    private(set) var restated: [Int64: LedgerEntry] = [:]
    private(set) var problems: [LedgerProblem] = []
    private let connection: Connection
    /// Entries that restate others, by their own places; nil for one that was erased later.
    private var restating: [Int64: RestatedEntry?] = [:]

    init(_ connection: Connection) throws {
        self.connection = connection
        var reader = PayloadReader()
        var erasures: [(place: Int64, erasure: Erasure)] = []
        let rows = try connection.rows(
            """
            SELECT seq, recorded_at, kind, payload FROM entry WHERE kind IN (34, 35) ORDER BY seq
            """)
        while let row = try rows.next() {
            let place = try row.integer(0)
            let kind = try row.integer(2)
            // One that cannot be read is reported with the other entries.
            let entry = try? reader.entry(in: row)
            if kind == EntryKind.restated.rawValue { restating[place] = .some(nil) }
            switch entry?.value {
            case .erasure(let erasure): erasures.append((place, erasure))
            case .restated(let restated):
                restating[place] = restated
                self.restated[restated.sequence.number] = restated.entry
            default: break
            }
        }
        for (place, erasure) in erasures where try !isRight(erasure, at: place) {
            problems.append(.erasureDiffers(LedgerSequence(place)))
        }
        for place in restating.keys.sorted() {
            problems.append(.erasureDiffers(LedgerSequence(place)))
        }
    }

    /// Whether exactly that is gone, and restated right before.
    private mutating func isRight(_ erasure: Erasure, at place: Int64) throws -> Bool {
        let (gone, blank) = (Array(erasure.entries.numbers), Array(erasure.evidence.numbers))
        let origins = Array(erasure.restated.numbers)
        var isRight =
            erasure.digest
            == Erasure.digest(entries: erasure.entries, evidence: erasure.evidence)
        for number in gone {
            let isGone = try connection.integer(
                "SELECT payload IS NULL FROM entry WHERE seq = ?", number)
            isRight = isRight && isGone == 1 && number < place
            isRight = entries.insert(number).inserted && isRight
        }
        for number in blank {
            let isGone = try connection.integer(
                "SELECT bytes IS NULL FROM evidence WHERE seq = ?", number)
            isRight = isRight && isGone == 1 && number < place
            evidence.insert(number)
        }
        for (offset, origin) in origins.enumerated() {
            let number = place - Int64(origins.count - offset)
            guard let restated = restating.removeValue(forKey: number) else {
                isRight = false
                continue
            }
            isRight = isRight && entries.contains(origin)
            guard let restated else { continue }
            let kind = try connection.integer("SELECT kind FROM entry WHERE seq = ?", origin)
            isRight =
                isRight && restated.sequence.number == origin
                && restated.entry.registered.kind.rawValue == kind
        }
        return isRight
    }
}
