internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel

/// The journal of the last run: what it was to do, what it has found, how far it has come.
typealias ReconciliationJournal = Journal<JournalLine>

/// What the lines of such a journal say together.
struct JournalContent {
    var begun: JournalLine.Beginning?
    var mark: JournalLine.Mark?
    var tally = ReconciliationTally()
    /// Each once, in the order in which they were found.
    var drift: [DriftItem] = []
    /// How far the notifications of each environment were looked at, this run included.
    var notifications: [StoreEnvironment: JournalLine.Notifications] = [:]
    var end: JournalLine.End?

    init(_ lines: [JournalLine]) {
        var seen: Set<DriftItem> = []
        for line in lines {
            begun = line.begun ?? begun
            mark = line.mark ?? mark
            tally = line.tally ?? tally
            if let found = line.drift, seen.insert(found.identity).inserted { drift.append(found) }
            if let span = line.notifications { notifications[span.environment] = span }
            end = line.end ?? end
        }
    }

    /// The run that is to be gone on with; nil where the last one came to its end.
    var interrupted: JournalLine.Beginning? { end?.isFinished == true ? nil : begun }
}

/// One line: any of its parts.
struct JournalLine: WireObject {
    var begun: Beginning?
    var mark: Mark?
    var tally: ReconciliationTally?
    var drift: DriftItem?
    var notifications: Notifications?
    var end: End?

    static var shapeName: String { "JournalLine" }

    static func members(
        _ visitor: inout some ShapeVisitor<Self>
    ) throws(ShapeError) -> JournalLine {
        JournalLine(
            begun: try visitor.optional("begun", \.begun),
            mark: try visitor.optional("mark", \.mark),
            tally: try visitor.optional("tally", \.tally),
            drift: try visitor.optional("drift", \.drift),
            notifications: try visitor.optional("notifications", \.notifications),
            end: try visitor.optional("end", \.end))
    }

    /// The newest entry of the ledger when the line was written. A ledger that lacks it is another
    /// one, or an older copy: what was noted since is not true of it.
    struct Mark: Equatable, WireObject {
        var entry: LedgerSequence
        var fingerprint: Digest256

        static var shapeName: String { "JournalMark" }

        static func members(
            _ visitor: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Mark {
            Mark(
                entry: try visitor.value("entry", \.entry),
                fingerprint: try visitor.value("fingerprint", \.fingerprint))
        }
    }

    /// What a run is.
    struct Beginning: WireObject {
        var format: Int64 = 1
        var run: Int64
        var startedAt: Instant
        var environment: StoreEnvironment?
        var isOnlyDue: Bool
        /// The last lineages by number when it began: what was learned since is for the next run.
        var lastNumber: Int64
        /// How many customers it visits at most.
        var limit: Int64?

        static var shapeName: String { "JournalBeginning" }

        static func members(
            _ visitor: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Beginning {
            Beginning(
                format: try visitor.value("format", \.format),
                run: try visitor.value("run", \.run),
                startedAt: try visitor.value("started_at", \.startedAt),
                environment: try visitor.optional("environment", \.environment),
                isOnlyDue: try visitor.value("only_due", \.isOnlyDue),
                lastNumber: try visitor.value("last_number", \.lastNumber),
                limit: try visitor.optional("limit", \.limit))
        }
    }

    /// How far Apple's notification history was looked at.
    struct Notifications: WireObject {
        var environment: StoreEnvironment
        /// All before it were.
        var lookedAtUntil: Instant?
        /// Where the look goes that is under way, and with which page it goes on.
        var from: Instant?
        var until: Instant?
        var token: String?
        /// What was refused before, and may be genuine some day.
        var refused: Refused?

        static var shapeName: String { "JournalNotifications" }

        static func members(
            _ visitor: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Notifications {
            Notifications(
                environment: try visitor.value("environment", \.environment),
                lookedAtUntil: try visitor.optional("looked_at_until", \.lookedAtUntil),
                from: try visitor.optional("from", \.from),
                until: try visitor.optional("until", \.until),
                token: try visitor.optional("token", \.token),
                refused: try visitor.optional("refused", \.refused))
        }
    }

    /// That notifications were refused.
    struct Refused: Equatable, WireObject {
        /// None before it.
        var from: Instant
        /// By which policy; nil where our own clock may have been wrong.
        var under: Digest256?

        static var shapeName: String { "JournalRefused" }

        static func members(
            _ visitor: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Refused {
            Refused(
                from: try visitor.value("from", \.from),
                under: try visitor.optional("under", \.under))
        }
    }

    struct End: WireObject {
        var at: Instant
        /// Why it stopped before its end.
        var code: String?

        var isFinished: Bool { code == nil }

        static var shapeName: String { "JournalEnd" }

        static func members(
            _ visitor: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> End {
            End(
                at: try visitor.value("at", \.at), code: try visitor.optional("code", \.code))
        }
    }
}

/// What is kept of the last visit of a customer.
struct CustomerNote: Equatable, Sendable {
    /// In which run; zero where it was asked about alone.
    var run: Int64
    var askedAt: Instant
    var historyAskedAt: Instant?
    /// What Apple's history goes on from.
    var revision: String?

    /// The longest revision that is kept: with a longer one the history is asked for from its
    /// beginning.
    static let longestRevision = 100
}

/// The notes on customers, by the number of the lineages that may be one Apple ID. A note is of
/// one Apple ID: where it is another one by now, there is none.
struct CustomerNotes: Sendable {
    private let store: any ReconciliationStore

    init(store: any ReconciliationStore) {
        self.store = store
    }

    func note(of number: Int64, for key: AppleIDKey) throws(EngineError) -> CustomerNote? {
        try EngineError.mapping { () throws(LedgerError) in
            try store.note(number).flatMap { CustomerNote($0, of: key) }
        }
    }

    func setNote(
        _ note: CustomerNote, of number: Int64, for key: AppleIDKey
    ) throws(EngineError) {
        try EngineError.mapping { () throws(LedgerError) in
            try store.setNote(note.bytes(of: key), of: number)
        }
    }
}

extension CustomerNotes {
    func clear() throws(EngineError) {
        try EngineError.mapping { () throws(LedgerError) in try store.clear() }
    }
}

extension CustomerNote {
    /// `1 RUN ASKED HISTORY|- KEY REVISION|-`, the key by the beginning of its SHA-256.
    fileprivate init?(_ bytes: [UInt8], of key: AppleIDKey) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard words.count == 6, words[0] == "1", let run = Int64(words[1]),
            let askedAt = Int64(words[2]), words[4] == key.noteName
        else { return nil }
        self.init(
            run: run, askedAt: Instant(milliseconds: askedAt),
            historyAskedAt: Int64(words[3]).map { Instant(milliseconds: $0) },
            revision: words[5] == "-" ? nil : String(words[5]))
    }

    fileprivate func bytes(of key: AppleIDKey) -> [UInt8] {
        let history = historyAskedAt.map { "\($0.milliseconds)" } ?? "-"
        let kept = revision.flatMap { revision in
            let isKept =
                revision.utf8.count <= Self.longestRevision && revision != "-"
                && !revision.isEmpty && revision.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            return isKept ? revision : nil
        }
        let words = [
            "1", "\(run)", "\(askedAt.milliseconds)", history, key.noteName, kept ?? "-",
        ]
        return Array(words.joined(separator: " ").utf8)
    }
}

extension AppleIDKey {
    fileprivate var noteName: String {
        String(EntryHash.digest(of: Array(text.utf8)).hexadecimal.prefix(16))
    }
}

extension LedgerReading {
    /// The newest entry; nil where there is none, or where its content was erased.
    func journalMark() throws(LedgerError) -> JournalLine.Mark? {
        let head = try head().sequence
        return try fingerprint(of: head).map { JournalLine.Mark(entry: head, fingerprint: $0) }
    }

    /// Whether the ledger has the entry.
    func has(_ mark: JournalLine.Mark) throws(LedgerError) -> Bool {
        try fingerprint(of: mark.entry) == mark.fingerprint
    }

    /// What the last entries up to this one say, in 32 bytes. Evidence is among them, whose digest
    /// no other ledger has.
    private func fingerprint(of sequence: LedgerSequence) throws(LedgerError) -> Digest256? {
        let count: Int64 = 64
        let start = LedgerSequence(max(0, sequence.number - count))
        let entries = try entries(after: start, limit: Int(count))
            .filter { $0.sequence <= sequence }
        guard entries.last?.sequence == sequence else { return nil }
        var bytes: [UInt8] = []
        for entry in entries {
            bytes += Array("\(entry.sequence) \(entry.recordedAt.milliseconds) ".utf8)
            bytes += Payload.encode(entry.value)
        }
        return EntryHash.digest(of: bytes)
    }
}
