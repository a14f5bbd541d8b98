#if PostgreSQL
    internal import Dispatch
    internal import EntitlementModel
    internal import Glibc
    internal import LedgerModel
    internal import Synchronization

    /// Calls that nodes forward to the leader, and its answers, through an unlogged table. A call
    /// is taken once, so it is done at most once; if the answer is lost, the caller is told that
    /// the outcome is unknown.
    ///
    /// `taken` is 0 for a call to be done, positive once it was taken, and negative for one sent
    /// before the leader led, which its node has to confirm: a node that has ended does not. Other
    /// than 0 it counts the leader's beats.
    final class FleetMail: Sendable {
        private struct LeaderCall {
            let id: [UInt8]
            let bytes: [UInt8]
            let deadline: Deadline
            /// In which it was sent.
            var epoch: Int64 = 0
            let continuation: CheckedContinuation<Result<[UInt8], FleetError>, Never>
        }

        private struct State {
            /// Not in the table yet.
            var unsent: [LeaderCall] = []
            /// In the table, by their ids.
            var sent: [[UInt8]: LeaderCall] = [:]
            /// Whose callers have gone.
            var unwanted: Set<[UInt8]> = []
            /// How many calls were taken and are not done yet.
            var underWay = 0
            /// Calls that were done, with answers not yet written.
            var answers: [(id: [UInt8], bytes: [UInt8])] = []
            /// Who asks for the newest entry.
            var asking: [@Sendable (LedgerSequence?) -> Void] = []
            var answer: (@Sendable ([UInt8]) async -> [UInt8])?
            var leads = false
            /// Nothing is taken any more.
            var isClosing = false
            var isClosed = false
        }

        /// Calls that wait at once; the next is rejected.
        private static let limit = 1_024
        private let settings: FleetSettings
        private let state = Mutex(State())
        private let waker: Waker
        private let isDone = DispatchSemaphore(value: 0)
        private let queue = DispatchQueue(label: "usher.fleet.mail")

        init(_ settings: FleetSettings) throws(FleetError) {
            self.settings = settings
            waker = try Waker()
        }

        func begin() {
            queue.async { [self] in run() }
        }

        /// Calls that were taken are still done and answered, if that is quick.
        func close() {
            state.withLock { $0.isClosing = true }
            let end = Deadline(milliseconds: settings.callTimeout / 2)
            while state.withLock({ $0.underWay > 0 || !$0.answers.isEmpty }), !end.hasPassed {
                usleep(5_000)
            }
            state.withLock { $0.isClosed = true }
            waker.wake()
            isDone.wait()
            fail(because: .notLeader)
            // Who answers has this ledger, and may go with it.
            _ = state.withLock { state in
                defer { state.answer = nil }
                return state.answer
            }
        }

        func setLeads(_ leads: Bool) {
            state.withLock { $0.leads = leads }
            waker.wake()
        }

        func answerCalls(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) {
            state.withLock { $0.answer = answer }
            waker.wake()
        }

        func askNewest(_ tell: @escaping @Sendable (LedgerSequence?) -> Void) {
            let isTaken = state.withLock { state in
                guard !state.isClosed, state.asking.count < Self.limit else { return false }
                state.asking.append(tell)
                return true
            }
            guard isTaken else { return tell(nil) }
            waker.wake()
        }

        /// If the task is cancelled, the call is withdrawn and not begun.
        func forwardToLeader(_ call: [UInt8]) async throws(FleetError) -> [UInt8] {
            var random = SystemRandomNumberGenerator()
            let id = random.next().bigEndianBytes + random.next().bigEndianBytes
            return try await withTaskCancellationHandler {
                await forwardToLeader(call, as: id)
            } onCancel: {
                state.withLock { _ = $0.unwanted.insert(id) }
                waker.wake()
            }.get()
        }

        private func forwardToLeader(_ call: [UInt8], as id: [UInt8]) async -> Result<
            [UInt8], FleetError
        > {
            defer { state.withLock { _ = $0.unwanted.remove(id) } }
            return await withCheckedContinuation { continuation in
                let leaderCall = LeaderCall(
                    id: id, bytes: call, deadline: Deadline(milliseconds: settings.callTimeout),
                    continuation: continuation)
                let isTaken = state.withLock { state in
                    guard !state.isClosed, state.unsent.count + state.sent.count < Self.limit
                    else { return false }
                    state.unsent.append(leaderCall)
                    return true
                }
                guard isTaken else {
                    return continuation.resume(returning: .failure(.notLeader))
                }
                waker.wake()
            }
        }

        // MARK: The thread

        private var isClosed: Bool { state.withLock(\.isClosed) }

        private func run() {
            var connection: DatabaseConnection?
            var session: DatabaseSession?
            var confirmed = Deadline(milliseconds: 0)
            var awake = Deadline(milliseconds: 0)
            while !isClosed {
                do throws(FleetError) {
                    if connection == nil {
                        let begun = try DatabaseConnection.open(settings, insteadOf: session)
                        let opened = begun.connection
                        session = begun.session
                        try opened.execute("SET synchronous_commit = off")
                        try opened.execute("LISTEN usher_calls")
                        try opened.execute("LISTEN usher_answers")
                        try opened.execute("LISTEN usher_waiting")
                        connection = opened
                    }
                    guard let connection else { continue }
                    let isAsked = try exchange(connection, &awake)
                    if isAsked || confirmed.hasPassed {
                        try confirm(connection)
                        confirmed = Deadline(milliseconds: 200)
                    }
                } catch {
                    connection = nil
                    fail(because: error)
                    usleep(200_000)
                }
            }
            isDone.signal()
        }

        /// - Parameter awake: until when this process has not been suspended: after that it is
        ///   unknown which callers of calls in the table are still there.
        /// - Returns: whether a leader has asked for confirmations.
        private func exchange(
            _ connection: DatabaseConnection, _ awake: inout Deadline
        ) throws(FleetError) -> Bool {
            let channels = try connection.awaitNotification(milliseconds: 250, waking: waker)
            try tellNewest(connection)
            try send(connection)
            try take(connection, isLate: awake.hasPassed)
            awake = Deadline(milliseconds: settings.callTimeout / 2)
            try answer(connection)
            try collect(connection)
            return channels.contains("usher_waiting")
        }

        /// One question for all current callers: later ones wait for the next.
        private func tellNewest(_ connection: DatabaseConnection) throws(FleetError) {
            guard state.withLock({ !$0.asking.isEmpty }) else { return }
            let asking = state.withLock { state in
                defer { state.asking = [] }
                return state.asking
            }
            var newest: LedgerSequence?
            defer { for tell in asking { tell(newest) } }
            newest = try connection.newest(as: settings.durability)
        }

        private func send(_ connection: DatabaseConnection) throws(FleetError) {
            let (calls, late) = state.withLock { state in
                defer { state.unsent = [] }
                // This process may have been suspended since they were submitted.
                let isLate = { [unwanted = state.unwanted] (call: LeaderCall) in
                    call.deadline.hasPassed || unwanted.contains(call.id)
                }
                let calls = state.unsent.filter { !isLate($0) }
                for call in calls { state.sent[call.id] = call }
                return (calls, state.unsent.filter(isLate))
            }
            for call in late { call.continuation.resume(returning: .failure(.notLeader)) }
            guard !calls.isEmpty else { return }
            let rows = try connection.run(
                """
                WITH sent AS (
                    INSERT INTO usher.call SELECT added.id, 0, added.call, NULL
                    FROM unnest($1::bytea[], $2::bytea[]) AS added (id, call)
                )
                SELECT (SELECT epoch FROM usher.leader), pg_notify('usher_calls', '') IS NULL
                """, .byteStrings(calls.map(\.id)), .byteStrings(calls.map(\.bytes)))
            let epoch = try rows.integer(0, 0)
            state.withLock { state in
                for call in calls { state.sent[call.id]?.epoch = epoch }
            }
        }

        /// Confirms to a new leader the calls that still have a caller.
        private func confirm(_ connection: DatabaseConnection) throws(FleetError) {
            let waiting = state.withLock { state in
                state.sent.keys.filter { !state.unwanted.contains($0) }
            }
            guard !waiting.isEmpty else { return }
            try noteEpoch(connection)
            _ = try connection.run(
                """
                WITH confirmed AS (
                    UPDATE usher.call SET taken = 0 WHERE id = ANY ($1::bytea[]) AND taken < 0
                    RETURNING id
                )
                SELECT pg_notify('usher_calls', '') IS NULL FROM confirmed LIMIT 1
                """, .byteStrings(waiting))
        }

        /// A new leader removes calls that the one before has taken and not answered: their callers
        /// are told at once that the outcome is unknown.
        private func noteEpoch(_ connection: DatabaseConnection) throws(FleetError) {
            let leader = try connection.run("SELECT epoch FROM usher.leader")
            let epoch = leader.count == 1 ? try leader.integer(0, 0) : 0
            let earlier = state.withLock { state in
                state.sent.values.filter { $0.epoch != epoch }.map(\.id)
            }
            guard !earlier.isEmpty else { return }
            let rows = try connection.run(
                "SELECT id FROM usher.call WHERE id = ANY ($1::bytea[])", .byteStrings(earlier))
            let kept = Set(rows.indices.compactMap { rows.bytes($0, 0) })
            let lost = state.withLock { state in
                for id in kept { state.sent[id]?.epoch = epoch }
                return earlier.filter { !kept.contains($0) }.compactMap {
                    state.sent.removeValue(forKey: $0)
                }
            }
            for call in lost { call.continuation.resume(returning: .failure(.outcomeUnknown)) }
        }

        /// Takes calls and begins them.
        private func take(
            _ connection: DatabaseConnection, isLate: Bool
        ) throws(FleetError) {
            let (leads, answer) = state.withLock { ($0.leads && !$0.isClosing, $0.answer) }
            guard leads, let answer else { return }
            if isLate { try connection.askForConfirmation() }
            let awake = Deadline(milliseconds: settings.callTimeout / 2)
            let rows = try connection.run(
                "UPDATE usher.call SET taken = 1 WHERE taken = 0 RETURNING id, call")
            for row in rows.indices {
                guard let id = rows.bytes(row, 0), let call = rows.bytes(row, 1) else { continue }
                state.withLock { $0.underWay += 1 }
                Task { [self] in
                    // A late call is not done: its node has given it up.
                    let bytes = await awake.hasPassed ? nil : answer(call)
                    state.withLock { state in
                        state.underWay -= 1
                        if let bytes { state.answers.append((id, bytes)) }
                    }
                    waker.wake()
                }
            }
        }

        private func answer(_ connection: DatabaseConnection) throws(FleetError) {
            let answers = state.withLock { state in
                defer { state.answers = [] }
                return state.answers
            }
            guard !answers.isEmpty else { return }
            _ = try connection.run(
                """
                WITH answered AS (
                    UPDATE usher.call SET answer = given.answer
                    FROM unnest($1::bytea[], $2::bytea[]) AS given (id, answer)
                    WHERE usher.call.id = given.id
                )
                SELECT pg_notify('usher_answers', '') IS NULL
                """, .byteStrings(answers.map(\.id)), .byteStrings(answers.map(\.bytes)))
        }

        /// Writes answers, and gives up calls that took too long.
        private func collect(_ connection: DatabaseConnection) throws(FleetError) {
            let waiting = state.withLock { Array($0.sent.values) }
            guard !waiting.isEmpty else { return }
            let rows = try connection.run(
                """
                DELETE FROM usher.call WHERE id = ANY ($1::bytea[]) AND answer IS NOT NULL
                RETURNING id, answer
                """, .byteStrings(waiting.map(\.id)))
            for row in rows.indices {
                guard let id = rows.bytes(row, 0), let bytes = rows.bytes(row, 1) else { continue }
                let answered = state.withLock { $0.sent.removeValue(forKey: id) }
                answered?.continuation.resume(returning: .success(bytes))
            }
            let unwanted = state.withLock(\.unwanted)
            try giveUp(
                waiting.filter { $0.deadline.hasPassed || unwanted.contains($0.id) }, connection)
        }

        /// A call that was not taken was not done; the outcome of others is unknown.
        private func giveUp(
            _ calls: [LeaderCall], _ connection: DatabaseConnection
        ) throws(FleetError) {
            guard !calls.isEmpty else { return }
            let rows = try connection.run(
                "DELETE FROM usher.call WHERE id = ANY ($1::bytea[]) RETURNING id, taken",
                .byteStrings(calls.map(\.id)))
            var untaken: Set<[UInt8]> = []
            for row in rows.indices where try rows.integer(row, 1) <= 0 {
                if let id = rows.bytes(row, 0) { untaken.insert(id) }
            }
            for call in calls {
                let isWaiting = state.withLock { $0.sent.removeValue(forKey: call.id) } != nil
                guard isWaiting else { continue }
                let wasTaken = !untaken.contains(call.id)
                call.continuation.resume(
                    returning: .failure(wasTaken ? .outcomeUnknown : .notLeader))
            }
        }

        /// The connection has ended: calls that were sent may have been done.
        private func fail(because error: FleetError) {
            let (unsent, sent, asking) = state.withLock { state in
                defer { (state.unsent, state.sent, state.asking) = ([], [:], []) }
                return (state.unsent, Array(state.sent.values), state.asking)
            }
            for tell in asking { tell(nil) }
            for call in unsent { call.continuation.resume(returning: .failure(error)) }
            for call in sent { call.continuation.resume(returning: .failure(.outcomeUnknown)) }
        }
    }

    /// Ends a wait of a thread, for the database or for a time, from another one.
    final class Waker: Sendable {
        /// Becomes readable when woken.
        let descriptor: Int32
        private let other: Int32

        /// - Throws: `.unreachable` where the process may not open two more descriptors.
        init() throws(FleetError) {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw .unreachable(String(cString: strerror(errno))) }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            (descriptor, other) = (ends[0], ends[1])
        }

        deinit {
            close(descriptor)
            close(other)
        }

        /// If the pipe is full, a wake is pending already.
        func wake() {
            var byte: UInt8 = 1
            _ = write(other, &byte, 1)
        }

        /// Until it is woken, or the time is over: by the machine's steady clock.
        func wait(milliseconds: Int32) {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, milliseconds) > 0 { clear() }
        }

        func clear() {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(descriptor, &bytes, bytes.count) == bytes.count {}
        }
    }
#endif
