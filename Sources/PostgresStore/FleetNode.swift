#if PostgreSQL
    internal import Dispatch
    internal import EntitlementModel
    internal import Glibc
    internal import LedgerModel
    internal import LedgerStore
    internal import Synchronization

    /// This process as a node of a fleet: it follows the database, and leads if no other node does.
    /// A leader's commits go to the database first.
    ///
    /// One thread does everything but the commits, which are made on the ledger's writing thread.
    /// The database alone decides who leads: by a lock that ends with a session, and by an epoch
    /// that every commit has to name.
    final class FleetNode: CommitJournal, Sendable {
        /// The leader's session and epoch.
        struct Lead: Sendable {
            let connection: DatabaseConnection
            let epoch: Int64
            /// The first entry for which there is no partition yet.
            var partitionsEnd: Int64
        }

        private struct State {
            var lead: Lead?
            var condition: FleetCondition
            /// The database's version that the file has.
            var version: Int64
            /// Why nothing can be committed while this node does not lead.
            var reason = FleetError.notLeader
            /// Whether the lead is left to other nodes.
            var isEligible = true
            /// Whether this node is about to resign.
            var resigns = false
            /// Until when others come first, because it has.
            var stepDownBackoff = Deadline(milliseconds: 0)
            var isClosed = false
            var watchers: [@Sendable (Bool) -> Void] = []
            var followers: [@Sendable (ClosedRange<Int64>) -> Void] = []
        }

        private let settings: FleetSettings
        private let ledger: SQLiteLedger
        private let places: any ReconciliationStore
        private let state: Mutex<State>
        /// Wakes the thread. Not a semaphore: a timed wait on one uses the wall clock, and lasts
        /// hours if that is set back.
        private let bell: Waker
        private let isDone = DispatchSemaphore(value: 0)
        private let queue = DispatchQueue(label: "usher.fleet")

        /// - Parameter places: where it is kept how far the file has come.
        init(
            _ ledger: SQLiteLedger, _ settings: FleetSettings,
            places: any ReconciliationStore
        ) throws(FleetError) {
            bell = try Waker()
            self.settings = settings
            self.ledger = ledger
            self.places = places
            state = Mutex(
                State(
                    condition: FleetCondition(node: settings.node),
                    version: Self.version(keptIn: places, of: ledger)))
        }

        var condition: FleetCondition { state.withLock(\.condition) }

        /// In which this node leads, as far as it knows; nil where it does not.
        var epoch: Int64? { state.withLock { $0.lead?.epoch } }

        func watchLead(_ tell: @escaping @Sendable (Bool) -> Void) {
            let leads = state.withLock { state in
                state.watchers.append(tell)
                return state.lead != nil
            }
            tell(leads)
        }

        func watchChanges(_ tell: @escaping @Sendable (ClosedRange<Int64>) -> Void) {
            state.withLock { $0.followers.append(tell) }
        }

        /// Called on the thread of the file's writer, too: nothing is waited for.
        func setEligible(_ isEligible: Bool) {
            state.withLock { $0.isEligible = isEligible }
            bell.wake()
        }

        func resign() {
            let resigns = state.withLock { state in
                guard state.lead != nil, state.stepDownBackoff.hasPassed else { return false }
                state.resigns = true
                state.stepDownBackoff = Deadline(milliseconds: settings.stepDownBackoff)
                state.condition.resignations += 1
                return true
            }
            if resigns { bell.wake() }
        }

        /// Brings the file up to date with the database, leads if no node does, and continues on
        /// its thread.
        ///
        /// If the database does not answer, a file that was complete before is enough.
        func begin() throws(FleetError) {
            do throws(FleetError) {
                let connection = try DatabaseConnection.open(settings)
                try expectLedger(try connection.hash(at: LedgerSequence(1)))
                try listen(connection)
                var follower = Follower()
                try step(connection, &follower)
                let begun = follower
                queue.async { [self] in run(connection, begun) }
            } catch {
                guard case .unreachable = error, hasBeenWhole else { throw error }
                try expectLedger(
                    CatchUp.mapping { () throws(LedgerError) in
                        try ledger.hash(at: LedgerSequence(1))
                    })
                recordProblem(error, isSilent: false)
                queue.async { [self] in run(nil, Follower()) }
            }
        }

        /// Whether the file has had all that the database had at some time.
        private var hasBeenWhole: Bool {
            let end = (try? ledger.head())?.sequence ?? .zero
            return state.withLock(\.version) >= 0 && end > .zero
        }

        /// Before anything is fetched of a ledger that is not meant. Later the node's own file says
        /// which one it is.
        ///
        /// - Parameter first: the hash of the first entry.
        private func expectLedger(_ first: Digest256?) throws(FleetError) {
            guard let wanted = settings.ledger else { return }
            guard let first else { throw .vacant }
            let found = String(first.hexadecimal.prefix(wanted.count))
            guard found == wanted else { throw .unexpectedLedger(found: found, wanted: wanted) }
        }

        /// Returns once nothing is added to the file any more but by commits.
        func stopFollowing() {
            state.withLock { $0.isClosed = true }
            bell.wake()
            isDone.wait()
        }

        /// Lets another node lead. Nothing is committed any more, and the handlers that refer to
        /// this node are released.
        func leave() {
            let (lead, _, _) = state.withLock { state in
                defer { (state.lead, state.watchers, state.followers) = (nil, [], []) }
                return (state.lead, state.watchers, state.followers)
            }
            // A commit in progress has the session until it ends.
            ledger.awaitWrites()
            // If that fails, the lead ends with the session.
            try? lead?.connection.leaveLead()
            ledger.setJournal(ClosedJournal())
        }

        /// Of a ledger without a node.
        private struct ClosedJournal: CommitJournal {
            func expectReady() throws(FleetError) { throw .notLeader }
            func keep(_ rows: LedgerRows) throws(FleetError) { throw .notLeader }
            func confirm() throws(FleetError) { throw .notLeader }
            func fileHadNoRoom() {}
        }

        private var isClosed: Bool { state.withLock(\.isClosed) }

        // MARK: Commits

        func expectReady() throws(FleetError) {
            let reason = state.withLock { $0.lead == nil ? $0.reason : nil }
            if let reason { throw reason }
        }

        func keep(_ rows: LedgerRows) throws(FleetError) {
            let (lead, reason) = state.withLock { ($0.lead, $0.reason) }
            guard var lead else { throw reason }
            do throws(FleetError) {
                let end = rows.head.sequence.number
                if end + DatabaseSchema.partition / 2 > lead.partitionsEnd {
                    try DatabaseSchema.makePartitions(for: end, lead.connection)
                    lead.partitionsEnd =
                        (end / DatabaseSchema.partition + 2)
                        * DatabaseSchema.partition
                    let made = lead.partitionsEnd
                    state.withLock { $0.lead?.partitionsEnd = made }
                }
                guard let version = try lead.connection.add(rows, epoch: lead.epoch) else {
                    throw .notLeader
                }
                state.withLock { $0.version = version }
            } catch .unreachable(let words) {
                stopLeading(because: .unreachable(words))
                guard try wasKept(rows, by: lead) else { throw .unreachable(words) }
            } catch {
                if error == .notLeader || error == .standby { stopLeading(because: error) }
                throw error
            }
        }

        /// A deposed leader that does not know it would answer from old data: that an order is not
        /// paid, for example, although another node has recorded the payment.
        func confirm() throws(FleetError) {
            let (lead, reason) = state.withLock { ($0.lead, $0.reason) }
            guard let lead else { throw reason }
            do throws(FleetError) {
                guard try lead.connection.isLed(in: lead.epoch) else { throw .notLeader }
            } catch {
                stopLeading(because: error)
                throw error
            }
        }

        func fileHadNoRoom() {
            // That version is taken once more.
            state.withLock { $0.version -= 1 }
            stopLeading(because: .full)
        }

        /// The connection ended with a commit under way. Once its session is over, nothing of it
        /// comes later, and what the database has is the answer.
        private func wasKept(_ rows: LedgerRows, by lead: Lead) throws(FleetError) -> Bool {
            let deadline = Deadline(milliseconds: 2 * settings.callTimeout)
            let expected = state.withLock(\.version) + 1
            while deadline.millisecondsLeft > 0 {
                do throws(FleetError) {
                    let connection = try DatabaseConnection.open(settings)
                    let leader = try connection.leader()
                    guard leader.isThere, leader.process == lead.connection.processID else {
                        let isThere = try connection.has(
                            rows, of: lead.epoch, version: expected)
                        // A session that was ended while it waited for a standby has committed and
                        // is not replicated: later commits wait for both.
                        if isThere { try connection.touch() }
                        return isThere
                    }
                    try connection.end(process: leader.process)
                } catch {
                    // It is asked again.
                }
                usleep(100_000)
            }
            throw .outcomeUnknown
        }

        private func stopLeading(because reason: FleetError) {
            let watchers = state.withLock { state -> [@Sendable (Bool) -> Void] in
                let led = state.lead != nil
                state.lead = nil
                state.reason = reason
                state.condition.leads = false
                state.condition.leader = nil
                // Known before the thread finds out.
                if case .unreachable = reason { state.condition.problem = reason }
                return led ? state.watchers : []
            }
            for tell in watchers { tell(false) }
            bell.wake()
        }

        // MARK: The thread

        /// A follower's knowledge of the leader.
        private struct Follower {
            var leader: FleetLeader?
            var silentUntil = Deadline(milliseconds: 0)
            /// Until when it waits for others to lead first; nil where one does.
            var electionDelay: Deadline?
        }

        private func run(_ connection: DatabaseConnection?, _ follower: Follower) {
            var connection = connection
            var session = try? connection?.session()
            var follower = follower
            var heard = Deadline(milliseconds: settings.silence)
            while !isClosed {
                do throws(FleetError) {
                    let current: DatabaseConnection
                    if let connection {
                        current = connection
                    } else {
                        let begun = try DatabaseConnection.open(settings, insteadOf: session)
                        (current, session) = (begun.connection, begun.session)
                        try listen(current)
                        connection = current
                    }
                    try wait(current)
                    if isClosed { break }
                    try step(current, &follower)
                    state.withLock { $0.condition.problem = nil }
                    heard = Deadline(milliseconds: settings.silence)
                } catch {
                    connection = nil
                    recordProblem(error, isSilent: heard.millisecondsLeft == 0)
                    bell.wait(milliseconds: 500)
                }
            }
            if state.withLock({ $0.condition.problem == nil }) { keepPlace() }
            isDone.signal()
        }

        /// A leader leads as long as its own session does, and others hear of it.
        ///
        /// - Parameter isSilent: whether they have not for so long that they end its session.
        private func recordProblem(_ error: FleetError, isSilent: Bool) {
            let lead = state.withLock(\.lead)
            if let lead, isSilent || lead.connection.hasEnded { stopLeading(because: error) }
            state.withLock { state in
                state.condition.problem = error
                if state.lead == nil { state.reason = error }
            }
        }

        private func listen(_ connection: DatabaseConnection) throws(FleetError) {
            try connection.execute("LISTEN usher")
            try readDurability(connection)
        }

        /// For a moment, or until something has happened.
        private func wait(_ connection: DatabaseConnection) throws(FleetError) {
            if state.withLock({ $0.lead != nil }) {
                try connection.awaitEnd(milliseconds: 1_000, waking: bell)
            } else {
                _ = try connection.awaitNotification(milliseconds: 250, waking: bell)
            }
        }

        private func step(
            _ connection: DatabaseConnection, _ follower: inout Follower
        ) throws(FleetError) {
            try takePart(connection, &follower)
            keepPlace()
        }

        private func takePart(
            _ connection: DatabaseConnection, _ follower: inout Follower
        ) throws(FleetError) {
            // What cannot write its file leaves the lead to another one.
            let canWrite = ledger.stopped == nil && !ledger.isFull
            let (current, isEligible, resigns) = state.withLock { state in
                defer { state.resigns = false }
                return (state.lead, state.isEligible, state.resigns)
            }
            let isAble = canWrite && isEligible
            if let lead = current {
                // Once the session of the lead has ended, so has its lock.
                let keepsLead = isAble && !resigns && !lead.connection.hasEnded
                if keepsLead, try connection.beat(epoch: lead.epoch) {
                    try requireDurability(connection)
                    return try connection.sweepCalls(after: settings.callBeats)
                }
                stopLeading(because: canWrite ? .notLeader : .full)
            }
            try catchUp(connection)
            let leader = try connection.leader()
            if leader.isThere {
                follower.electionDelay = nil
                try follow(leader, connection, &follower)
            } else {
                follower.leader = nil
                if isAble, comesFirst(&follower) { try lead() }
            }
        }

        /// Whether this node is the first to take over.
        private func comesFirst(_ follower: inout Follower) -> Bool {
            guard state.withLock({ !$0.stepDownBackoff.hasPassed }) else { return true }
            let electionDelay =
                follower.electionDelay ?? Deadline(milliseconds: settings.electionDelay)
            follower.electionDelay = electionDelay
            return electionDelay.hasPassed
        }

        private func catchUp(_ connection: DatabaseConnection) throws(FleetError) {
            let version = state.withLock(\.version)
            let head = try CatchUp(connection: connection, ledger: ledger) { [weak self] numbers in
                for tell in self?.state.withLock(\.followers) ?? [] { tell(numbers) }
            }.run(from: version)
            state.withLock { $0.version = head.version }
        }

        /// Ends the session of a leader that has been silent for too long: a suspended process
        /// keeps the lock, and no clock is involved.
        private func follow(
            _ leader: FleetLeader, _ connection: DatabaseConnection, _ follower: inout Follower
        ) throws(FleetError) {
            state.withLock { state in
                state.condition.leader = leader.node
                state.condition.epoch = leader.epoch
                state.reason = .notLeader
            }
            if follower.leader != leader {
                follower.leader = leader
                // As often as the leader says that it is alive.
                try readDurability(connection)
                follower.silentUntil = Deadline(milliseconds: settings.silence)
            } else if follower.silentUntil.millisecondsLeft == 0 {
                try connection.end(process: leader.process)
            }
        }

        /// Takes the lead, unless another node is quicker.
        private func lead() throws(FleetError) {
            let connection = try DatabaseConnection.open(settings)
            try requireDurability(connection)
            guard let epoch = try connection.takeLead(as: settings.node) else { return }
            // From now on no other node adds anything.
            try catchUp(connection)
            // What came last may be what this program cannot go by: the session ends with this.
            guard state.withLock(\.isEligible) else { return }
            let watchers = state.withLock { state -> [@Sendable (Bool) -> Void] in
                state.lead = Lead(connection: connection, epoch: epoch, partitionsEnd: 0)
                state.condition.leads = true
                state.condition.leader = settings.node
                state.condition.epoch = epoch
                return state.watchers
            }
            for tell in watchers { tell(true) }
        }

        /// The database's durability may change while it runs.
        private func requireDurability(_ connection: DatabaseConnection) throws(FleetError) {
            let promised = try readDurability(connection).durability
            guard promised < settings.durability else { return }
            let error = FleetError.weak(
                promised: promised.rawValue, wanted: settings.durability.rawValue)
            stopLeading(because: error)
            throw error
        }

        @discardableResult
        private func readDurability(
            _ connection: DatabaseConnection
        ) throws(FleetError) -> FleetCondition.Promise {
            let promise = try connection.promise()
            state.withLock { $0.condition.promise = promise }
            return promise
        }

        // MARK: How far the file has come

        /// If that is lost, rows are taken again. The newest commit may not be in the file yet.
        ///
        /// When this was last written is when the database last answered.
        private func keepPlace() {
            let version = state.withLock(\.version) - 1
            guard let head = try? ledger.head() else { return }
            let note = version.bigEndianBytes + head.sequence.number.bigEndianBytes
            try? places.setNote(note, of: 1)
        }

        /// -1 where nothing is known, or where it was noted of a file that went further.
        private static func version(
            keptIn places: any ReconciliationStore, of ledger: SQLiteLedger
        ) -> Int64 {
            guard let note = try? places.note(1), note.count == 16, let head = try? ledger.head()
            else { return -1 }
            func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
                Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
            }
            let version = number(note[..<8])
            let isOfFile = number(note[8...]) <= head.sequence.number
            return isOfFile && DatabaseHead.possibleCounts.contains(version) ? version : -1
        }
    }
#endif
