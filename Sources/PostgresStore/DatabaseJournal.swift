#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import Synchronization

    /// The shared journals of a fleet, in a session of its own that begins when needed. Every write
    /// names the epoch in which this node led when it read the lines.
    final class DatabaseJournal: ReconciliationStore {
        private struct State {
            var connection: DatabaseConnection?
            var session: DatabaseSession?
            /// In which the lines were read; nil where this node did not lead then.
            var epoch: Int64?
            /// The first and the last line that are known.
            var first: Int64?
            var last: Int64 = 0
            var notes = NotesInMemory()
        }

        private let journal: SharedJournal
        private let settings: FleetSettings
        private let before: (any JournalStore)?
        private let currentEpoch: @Sendable () -> Int64?
        private let state = Mutex(State())
        /// Whether there is an epoch to write under; to be asked while the database is.
        private let isWritable = Atomic(false)

        /// - Parameters:
        ///   - before: copied if there is nothing.
        ///   - currentEpoch: in which this node leads; nil where it does not.
        init(
            _ journal: SharedJournal, _ settings: FleetSettings, before: (any JournalStore)?,
            currentEpoch: @escaping @Sendable () -> Int64?
        ) {
            self.journal = journal
            self.settings = settings
            self.before = before
            self.currentEpoch = currentEpoch
        }

        var isShared: Bool { true }

        var takesLines: Bool { isWritable.load(ordering: .relaxed) }

        func lines() throws(LedgerError) -> [[UInt8]] {
            let earlier = try before?.lines() ?? []
            return try asking { [self] state, connection throws(FleetError) in
                // Read before the lines: a later leader appends after them.
                let epoch = currentEpoch()
                state.epoch = nil
                var found = try connection.lines(of: journal, after: 0)
                if found.isEmpty, !earlier.isEmpty, let epoch {
                    try connection.add(earlier, to: journal, after: 0, epoch: epoch)
                    found = try connection.lines(of: journal, after: 0)
                }
                state.epoch = epoch
                isWritable.store(epoch != nil, ordering: .relaxed)
                state.first = found.first?.number
                state.last = found.last?.number ?? 0
                return found.map(\.line)
            }
        }

        func newLines() throws(LedgerError) -> [[UInt8]]? {
            try asking { [journal] state, connection throws(FleetError) in
                let first = try connection.firstLine(of: journal)
                // What had no line when it was read has only new ones.
                guard state.first == nil || first == state.first else { return nil }
                state.first = first
                let found = try connection.lines(of: journal, after: state.last)
                state.last = found.last?.number ?? state.last
                return found.map(\.line)
            }
        }

        func append(_ lines: [[UInt8]]) throws(LedgerError) {
            try writing { [journal] state, connection, epoch throws(FleetError) in
                try state.notes.flush(journal, connection, epoch: epoch)
                try connection.add(lines, to: journal, after: state.last, epoch: epoch)
                state.first = state.first ?? state.last + 1
                state.last += Int64(lines.count)
            }
        }

        func replace(with lines: [[UInt8]]) throws(LedgerError) {
            try writing { [journal] state, connection, epoch throws(FleetError) in
                try connection.add(
                    lines, to: journal, after: state.last, epoch: epoch, isAnew: true)
                state.first = lines.isEmpty ? nil : state.last + 1
                state.last += Int64(lines.count)
            }
        }

        func note(_ number: Int64) throws(LedgerError) -> [UInt8]? {
            try asking { [self] state, connection throws(FleetError) in
                state.notes.forget(unlessOf: currentEpoch())
                return try state.notes.note(number, journal, connection)
            }
        }

        func setNote(_ bytes: [UInt8], of number: Int64) throws(LedgerError) {
            try writing { [journal] state, connection, epoch throws(FleetError) in
                state.notes.forget(unlessOf: epoch)
                state.notes.set(bytes, of: number)
                guard state.notes.isFull else { return }
                try state.notes.flush(journal, connection, epoch: epoch)
            }
        }

        func clear() throws(LedgerError) {
            try writing { [journal] state, connection, epoch throws(FleetError) in
                try connection.clear(journal, epoch: epoch)
                state.notes = NotesInMemory()
                state.first = nil
            }
        }
    }

    extension DatabaseJournal {
        private func writing(
            _ body: @Sendable (inout State, DatabaseConnection, Int64) throws(FleetError) -> Void
        ) throws(LedgerError) {
            try asking { state, connection throws(FleetError) in
                guard let epoch = state.epoch else { throw .notLeader }
                try body(&state, connection, epoch)
            }
        }

        /// A failed session is replaced: its outcome is unknown until the lines are read again.
        private func asking<Value: Sendable>(
            _ body: @Sendable (inout State, DatabaseConnection) throws(FleetError) -> Value
        ) throws(LedgerError) -> Value {
            let result = state.withLock { [self] state -> Result<Value, FleetError> in
                do throws(FleetError) {
                    let connection: DatabaseConnection
                    if let known = state.connection {
                        connection = known
                    } else {
                        let begun = try DatabaseConnection.open(
                            settings, insteadOf: state.session)
                        connection = begun.connection
                        (state.connection, state.session) = (connection, begun.session)
                    }
                    return .success(try body(&state, connection))
                } catch {
                    (state.connection, state.epoch) = (nil, nil)
                    isWritable.store(false, ordering: .relaxed)
                    return .failure(error)
                }
            }
            do throws(FleetError) {
                return try result.get()
            } catch {
                throw LedgerError(error)
            }
        }
    }

    /// Notes, a page at a time: readers go through all customers, and a note is followed by a line
    /// of the journal soon.
    private struct NotesInMemory {
        private static let page: Int64 = 1_024
        private static let most = 512

        private var epoch: Int64?
        private var known: Range<Int64> = 0..<0
        private var kept: [Int64: [UInt8]] = [:]
        /// Not in the database yet.
        private var new: [Int64: [UInt8]] = [:]

        var isFull: Bool { new.count >= Self.most }

        /// Another leader may have written other notes.
        mutating func forget(unlessOf epoch: Int64?) {
            guard self.epoch != epoch || epoch == nil else { return }
            self = NotesInMemory()
            self.epoch = epoch
        }

        mutating func note(
            _ number: Int64, _ journal: SharedJournal, _ connection: DatabaseConnection
        ) throws(FleetError) -> [UInt8]? {
            if let note = new[number] { return note }
            if !known.contains(number) {
                kept = try connection.notes(of: journal, from: number, count: Self.page)
                known = number..<(number + Self.page)
            }
            return kept[number]
        }

        mutating func set(_ bytes: [UInt8], of number: Int64) { new[number] = bytes }

        mutating func flush(
            _ journal: SharedJournal, _ connection: DatabaseConnection, epoch: Int64
        ) throws(FleetError) {
            guard !new.isEmpty else { return }
            try connection.set(new, of: journal, epoch: epoch)
            if known.isEmpty == false {
                for (number, note) in new where known.contains(number) { kept[number] = note }
            }
            new = [:]
        }
    }
#endif
