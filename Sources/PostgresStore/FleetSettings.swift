#if PostgreSQL
    package import LedgerModel

    /// What a node needs to take part in a fleet.
    package struct FleetSettings: Sendable {
        /// Where the database is, as libpq takes it: `host=… dbname=…`, or a URI.
        package var database: String
        /// What this node is called in the answers of all of them.
        package var node: String
        /// The least that the database has to promise.
        package var durability = FleetCondition.Durability.disk
        /// What the hash of the ledger's first entry begins with; nil where any ledger is meant.
        package var ledger: String?
        /// Whether the tables are made where there are none: not by a node that has a ledger already.
        var makesTables = true
        /// How long a call to the database may take. Milliseconds.
        package var patience: Int64 = 5_000
        /// How long a leader may be silent before another node ends its session. Milliseconds.
        package var silence: Int64 = 5_000
        /// For how long others come first after a node has resigned. Milliseconds.
        package var deference: Int64 = 600_000
        /// How long it waits then for another one to lead: longer than they need to notice.
        /// Milliseconds.
        package var courtesy: Int64 = 3_000

        /// How many beats of the leader a call may be in the table that nobody waits for.
        package var callBeats: Int64 = 30

        package init(database: String, node: String) {
            self.database = database
            self.node = node
        }
    }
#endif
