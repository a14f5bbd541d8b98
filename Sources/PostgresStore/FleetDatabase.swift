#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import LedgerStore

    /// Questions of a node about the fleet itself.
    extension DatabaseConnection {
        /// The oldest server that has all that is used here.
        private static let oldestServer = 140_000

        private static func connect(
            _ settings: FleetSettings
        ) throws(FleetError) -> DatabaseConnection {
            let connection = try DatabaseConnection(
                settings.database, timeout: settings.callTimeout)
            guard connection.serverVersion >= oldestServer else {
                throw .foreign("PostgreSQL \(connection.serverVersion / 10_000)")
            }
            return connection
        }

        /// A session that only reads, on a primary or a standby.
        static func openToRead(
            _ settings: FleetSettings
        ) throws(FleetError) -> DatabaseConnection {
            let connection = try connect(settings)
            try connection.execute("SET default_transaction_read_only = on")
            guard try DatabaseSchema.isThere(connection) else { throw .vacant }
            try DatabaseSchema.expectOwn(connection)
            return connection
        }

        /// The same in the place of a session that was given up: what the server still does for
        /// that, such as waiting for a standby or for a row, would go on for as long as that takes.
        static func open(
            _ settings: FleetSettings, insteadOf lost: DatabaseSession?
        ) throws(FleetError) -> (connection: DatabaseConnection, session: DatabaseSession) {
            let connection = try open(settings)
            if let lost { try connection.end(lost) }
            return (connection, try connection.session())
        }

        /// A session with a primary that has a ledger, or gets one.
        static func open(_ settings: FleetSettings) throws(FleetError) -> DatabaseConnection {
            let connection = try connect(settings)
            let recovery = try connection.run("SELECT pg_is_in_recovery()")
            guard try recovery.integer(0, 0) == 0 else { throw .standby }
            if !settings.makesTables, try !DatabaseSchema.isThere(connection) {
                throw settings.ledger == nil ? .empty : .vacant
            }
            try DatabaseSchema.prepare(connection)
            return connection
        }

        /// What an acknowledged commit of this session is worth.
        func promise() throws(FleetError) -> FleetCondition.Promise {
            let rows = try run(
                """
                SELECT convert_to(current_setting('fsync'), 'UTF8'),
                    convert_to(current_setting('synchronous_commit'), 'UTF8'),
                    convert_to(current_setting('synchronous_standby_names'), 'UTF8')
                """)
            let isOnDisk = try rows.text(0, 0) == "on"
            let commit = try rows.text(0, 1) ?? ""
            let standbys = try rows.text(0, 2) ?? ""
            var promise = FleetCondition.Promise(
                durability: .memory, synchronousCommit: commit, standbys: standbys)
            guard isOnDisk, commit != "off" else { return promise }
            let waits = commit == "on" || commit == "remote_apply"
            promise.durability = waits && !standbys.isEmpty ? .replicated : .disk
            return promise
        }

        /// Who leads, as far as the database knows.
        func leader() throws(FleetError) -> FleetLeader {
            let rows = try run(
                """
                SELECT epoch, beat, node, process, EXISTS (
                    SELECT FROM pg_locks
                    WHERE locktype = 'advisory' AND objsubid = 1 AND pid = process
                        AND (classid::bigint << 32 | objid::bigint) = $1::bigint
                        AND database = (
                            SELECT oid FROM pg_database WHERE datname = current_database()))
                FROM usher.leader
                """, .integer(DatabaseSchema.leaderLock))
            guard rows.count == 1 else { throw .foreign("usher.leader") }
            return FleetLeader(
                epoch: try rows.integer(0, 0), beat: try rows.integer(0, 1),
                node: try rows.text(0, 2) ?? "", process: try rows.integer(0, 3),
                isThere: try rows.integer(0, 4) == 1)
        }

        /// Becomes leader if there is none: until this session ends or another node takes over.
        ///
        /// - Returns: the epoch that begins; nil if there is a leader.
        func takeLead(as node: String) throws(FleetError) -> Int64? {
            let lock = try run(
                "SELECT pg_try_advisory_lock($1::bigint)",
                .integer(DatabaseSchema.leaderLock))
            guard try lock.integer(0, 0) == 1 else { return nil }
            try DatabaseSchema.complete(self)
            // Calls that an earlier leader has taken will not be answered.
            _ = try run("DELETE FROM usher.call WHERE taken > 0 AND answer IS NULL")
            let rows = try run(
                """
                WITH begun AS (
                    UPDATE usher.head SET epoch = epoch + 1, format = \(DatabaseSchema.format)
                    RETURNING epoch)
                UPDATE usher.leader SET epoch = begun.epoch, beat = 0, node = $1::bytea,
                    process = pg_backend_pid()
                FROM begun RETURNING begun.epoch
                """, .name(node))
            let isKept = !hasWarned
            let epoch = try rows.integer(0, 0)
            // This node answers from what was committed before it led.
            if !isKept { try touch() }
            // Calls that were not taken: their nodes confirm those that still have a caller
            // (`FleetMail`).
            try askForConfirmation()
            return epoch
        }

        /// Gives up the lead before the session ends, and notifies the followers.
        func leaveLead() throws(FleetError) {
            // There is nothing to wait for a standby for.
            try execute("SET synchronous_commit = off")
            _ = try run(
                "SELECT pg_advisory_unlock($1::bigint), pg_notify('usher', '') IS NULL",
                .integer(DatabaseSchema.leaderLock))
        }

        /// These calls are not taken before their nodes have confirmed a caller: they are asked at
        /// once.
        func askForConfirmation() throws(FleetError) {
            _ = try run("UPDATE usher.call SET taken = -1 WHERE taken = 0")
            _ = try run("SELECT pg_notify('usher_waiting', '') IS NULL")
        }

        /// Says that the leader of that epoch is alive.
        ///
        /// - Returns: false if another leader has begun.
        func beat(epoch: Int64) throws(FleetError) -> Bool {
            let rows = try run(
                "UPDATE usher.leader SET beat = beat + 1 WHERE epoch = $1::bigint RETURNING beat",
                .integer(epoch))
            return rows.count == 1
        }

        /// Whether no other node has become leader since that epoch began.
        func isLed(in epoch: Int64) throws(FleetError) -> Bool {
            try run("SELECT epoch FROM usher.leader WHERE epoch = $1::bigint", .integer(epoch))
                .count == 1
        }

        /// Removes calls and answers of nodes that have ended. Each is checked once a beat, so no
        /// clock is involved; locked rows are left to the next beat.
        func sweepCalls(after beats: Int64) throws(FleetError) {
            _ = try run(
                """
                DELETE FROM usher.call WHERE id IN (
                    SELECT id FROM usher.call WHERE abs(taken) > $1::bigint
                    FOR UPDATE SKIP LOCKED)
                """, .integer(beats))
            _ = try run(
                """
                UPDATE usher.call SET taken = taken + CASE WHEN taken > 0 THEN 1 ELSE -1 END
                WHERE id IN (
                    SELECT id FROM usher.call WHERE taken <> 0 FOR UPDATE SKIP LOCKED)
                """)
        }

        /// Commits something: once that is as durable as configured, so is everything committed
        /// before.
        ///
        /// - Throws: `.unreachable` if the server has stopped waiting for a standby.
        func touch() throws(FleetError) {
            _ = try run("UPDATE usher.leader SET beat = beat + 1")
            guard !hasWarned else {
                throw .unreachable("the wait for a standby was cancelled")
            }
        }

        /// The newest entry acknowledged before this call.
        ///
        /// If commits have to be on a standby's disk, an empty one has to get there first. A former
        /// primary that still runs cannot make one: it would answer with old data.
        ///
        /// - Parameter durability: what the settings ask for.
        func newest(
            as durability: FleetCondition.Durability
        ) throws(FleetError) -> LedgerSequence {
            if durability == .replicated { try reachStandby() }
            return try DatabaseHead(self).ledger.sequence
        }

        /// Touches no row: many nodes may do this at once.
        private func reachStandby() throws(FleetError) {
            let rows = try run(
                """
                SELECT convert_to(set_config('synchronous_commit', 'on', true), 'UTF8'),
                    convert_to(current_setting('synchronous_standby_names'), 'UTF8'),
                    pg_logical_emit_message(true, 'usher', ''::text) IS NULL
                """)
            guard !hasWarned else {
                throw .unreachable("the wait for a standby was cancelled")
            }
            guard try rows.text(0, 1) != "" else {
                throw .weak(
                    promised: FleetCondition.Durability.disk.rawValue,
                    wanted: FleetCondition.Durability.replicated.rawValue)
            }
        }

        /// Which session of the server this is.
        func session() throws(FleetError) -> DatabaseSession {
            let rows = try run(
                """
                SELECT \(DatabaseSession.begun) FROM pg_stat_activity
                WHERE pid = pg_backend_pid()
                """)
            guard rows.count == 1 else { throw .unreachable("no session of this process") }
            return DatabaseSession(process: processID, begun: try rows.integer(0, 0))
        }

        /// Ends a session of the same role, if that is still there.
        func end(_ session: DatabaseSession) throws(FleetError) {
            _ = try run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid = $1::bigint AND \(DatabaseSession.begun) = $2::bigint
                """, .integer(session.process), .integer(session.begun))
        }

        /// Ends another session of the same role.
        func end(process: Int64) throws(FleetError) {
            _ = try run("SELECT pg_terminate_backend($1::bigint::int)", .integer(process))
        }
    }

    /// A session as the server knows it. Numbers of processes are used again, on other servers too.
    struct DatabaseSession: Equatable {
        /// When it began, in the server's microseconds.
        fileprivate static let begun = "(extract(epoch FROM backend_start) * 1000000)::bigint"

        let process: Int64
        let begun: Int64
    }

    /// The row of the node that leads.
    struct FleetLeader: Hashable {
        var epoch: Int64
        /// Moves on while the node is alive.
        var beat: Int64
        var node: String
        /// The server's process that the node's session is.
        var process: Int64
        /// Whether that session still holds the lead.
        var isThere: Bool
    }
#endif
