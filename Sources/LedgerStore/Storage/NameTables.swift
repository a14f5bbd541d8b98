internal import EntitlementModel
internal import GRDB

/// The tables that give each name a number, and the clusters of lineages.
///
/// A cluster holds the lineages that may belong to one Apple ID (spec 1.3): those that ever
/// stated one appTransactionId or came in one receipt, directly or through one another. It is
/// never smaller than an Apple ID, and clusters only grow together.
struct NameTables {
    let connection: Connection

    func account(_ id: AccountID) throws -> Int64 {
        if let known = try known(id) { return known }
        try connection.run("INSERT INTO account (name) VALUES (?)", id.text)
        return connection.database.lastInsertedRowID
    }

    func known(_ id: AccountID) throws -> Int64? {
        try connection.integer("SELECT id FROM account WHERE name = ?", id.text)
    }

    /// A new lineage is a cluster of its own.
    func lineage(_ key: LineageKey) throws -> Int64 {
        if let known = try known(key) { return known }
        try connection.run(
            """
            INSERT INTO lineage (environment, name, cluster)
            SELECT ?, ?, coalesce(max(id), 0) + 1 FROM lineage
            """, key.environment.number, key.originalTransactionID.text)
        return connection.database.lastInsertedRowID
    }

    func known(_ key: LineageKey) throws -> Int64? {
        try connection.integer(
            "SELECT id FROM lineage WHERE environment = ? AND name = ?",
            key.environment.number, key.originalTransactionID.text)
    }

    func storeTransaction(_ key: TransactionKey) throws -> (id: Int64, lineage: Int64?) {
        if let known = try known(key) { return known }
        try connection.run(
            "INSERT INTO store_transaction (environment, name) VALUES (?, ?)",
            key.environment.number, key.transactionID.text)
        return (connection.database.lastInsertedRowID, nil)
    }

    func known(_ key: TransactionKey) throws -> (id: Int64, lineage: Int64?)? {
        try connection.first(
            "SELECT id, lineage FROM store_transaction WHERE environment = ? AND name = ?",
            key.environment.number, key.transactionID.text
        ) { (try $0.integer(0), try $0.optionalInteger(1)) }
    }

    func known(_ key: AppTransactionKey) throws -> Int64? {
        try connection.integer(
            "SELECT id FROM app_transaction WHERE environment = ? AND name = ?",
            key.environment.number, key.id.text)
    }

    func known(_ receipt: Digest256) throws -> Int64? {
        try connection.integer("SELECT id FROM receipt WHERE digest = ?", receipt.blob)
    }

    /// The lineage came in this receipt.
    func receipt(_ digest: Digest256?, of lineage: Int64) throws -> Int64? {
        guard let digest else { return nil }
        let known: (id: Int64, lineage: Int64)? = try connection.first(
            "SELECT id, lineage FROM receipt WHERE digest = ?", digest.blob
        ) { (try $0.integer(0), try $0.integer(1)) }
        if let known {
            try join(known.lineage, lineage)
            return known.id
        }
        try connection.run(
            "INSERT INTO receipt (digest, lineage) VALUES (?, ?)", digest.blob, lineage)
        return connection.database.lastInsertedRowID
    }

    /// The lineage stated this appTransactionId.
    func linkAppTransaction(_ key: AppTransactionKey?, to lineage: Int64) throws {
        guard let key else { return }
        let id = try appTransaction(key)
        let other = try connection.integer(
            "SELECT min(lineage) FROM lineage_of_app_transaction WHERE app_transaction = ?", id)
        try connection.run(
            "INSERT OR IGNORE INTO lineage_of_app_transaction VALUES (?, ?)", id, lineage)
        if let other { try join(other, lineage) }
    }

    private func appTransaction(_ key: AppTransactionKey) throws -> Int64 {
        if let known = try known(key) { return known }
        try connection.run(
            "INSERT INTO app_transaction (environment, name) VALUES (?, ?)",
            key.environment.number, key.id.text)
        return connection.database.lastInsertedRowID
    }

    /// Two lineages are in one cluster from now on, which keeps the smaller number.
    func join(_ left: Int64, _ right: Int64) throws {
        guard left != right else { return }
        let clusters = try (cluster(of: left), cluster(of: right))
        guard clusters.0 != clusters.1 else { return }
        try connection.run(
            "UPDATE lineage SET cluster = ? WHERE cluster = ?",
            min(clusters.0, clusters.1), max(clusters.0, clusters.1))
    }

    private func cluster(of lineage: Int64) throws -> Int64 {
        let cluster = try connection.integer(
            "SELECT cluster FROM lineage WHERE id = ?", lineage)
        guard let cluster else { throw LedgerStoreError.corrupt }
        return cluster
    }
}
