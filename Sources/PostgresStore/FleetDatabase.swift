#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import LedgerStore

    /// What a node asks the database about the fleet itself.
    extension DatabaseConnection {
        /// The oldest server that has all that is used here.
        private static let oldestServer = 140_000

        /// A session with a primary that keeps a ledger of ours, or gets one.
        static func open(_ settings: FleetSettings) throws(FleetError) -> DatabaseConnection {
            let connection = try DatabaseConnection(
                settings.database, patience: settings.patience)
            guard connection.serverVersion >= oldestServer else {
                throw .foreign("PostgreSQL \(connection.serverVersion / 10_000)")
            }
            let recovery = try connection.run("SELECT pg_is_in_recovery()")
            guard try recovery.integer(0, 0) == 0 else { throw .standby }
            try DatabaseSchema.prepare(connection)
            return connection
        }

        /// What an acknowledged commit of this session is worth.
        func durability() throws(FleetError) -> FleetCondition.Durability {
            let rows = try run(
                """
                SELECT convert_to(current_setting('fsync'), 'UTF8'),
                    convert_to(current_setting('synchronous_commit'), 'UTF8'),
                    convert_to(current_setting('synchronous_standby_names'), 'UTF8')
                """)
            let isOnDisk = try rows.text(0, 0) == "on"
            let commit = try rows.text(0, 1) ?? ""
            let standbys = try rows.text(0, 2) ?? ""
            guard isOnDisk, commit != "off" else { return .memory }
            let waits = commit == "on" || commit == "remote_apply"
            return waits && !standbys.isEmpty ? .replicated : .disk
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

        /// Takes the lead if nobody has it: until this session ends, or another one takes over.
        ///
        /// - Returns: the epoch that begins; nil where somebody leads.
        func takeLead(as node: String) throws(FleetError) -> Int64? {
            let lock = try run(
                "SELECT pg_try_advisory_lock($1::bigint)",
                .integer(DatabaseSchema.leaderLock))
            guard try lock.integer(0, 0) == 1 else { return nil }
            // Calls that a leader before has taken, and nobody waits for.
            _ = try run("DELETE FROM usher.call WHERE taken <> 0 AND answer IS NULL")
            let rows = try run(
                """
                WITH begun AS (UPDATE usher.head SET epoch = epoch + 1 RETURNING epoch)
                UPDATE usher.leader SET epoch = begun.epoch, beat = 0, node = $1::bytea,
                    process = pg_backend_pid()
                FROM begun RETURNING begun.epoch
                """, .name(node))
            return try rows.integer(0, 0)
        }

        /// Says that the leader of that epoch is alive.
        ///
        /// - Returns: false where another one has begun.
        func beat(epoch: Int64) throws(FleetError) -> Bool {
            let rows = try run(
                "UPDATE usher.leader SET beat = beat + 1 WHERE epoch = $1::bigint RETURNING beat",
                .integer(epoch))
            return rows.count == 1
        }

        /// Commits something: once that is as durable as the database is told to be, so is
        /// everything that was committed before.
        func touch() throws(FleetError) {
            _ = try run("UPDATE usher.leader SET beat = beat + 1")
        }

        /// Ends another session of the same role.
        func end(process: Int64) throws(FleetError) {
            _ = try run("SELECT pg_terminate_backend($1::bigint::int)", .integer(process))
        }
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
