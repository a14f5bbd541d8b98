internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// A transaction by its number. It is lasting if no catalogue can make it a single purchase.
typealias KnownTransaction = (id: Int64, lineage: Int64?, isLasting: Bool)

/// The tables that give each name a number, and the clusters of lineages.
///
/// A cluster holds the lineages that may belong to one Apple ID (spec 1.3): those that ever
/// stated one appTransactionId or came in one receipt, directly or through one another. It is
/// never smaller than an Apple ID, and clusters only grow together.
///
/// The entries of one commit are often about one thing, so the last ones found are remembered.
final class NameTables {
    let connection: Connection
    private var lastAccount: (id: AccountID, number: Int64)?
    private var lastLineage: (key: LineageKey, number: Int64)?
    private var lastLink: (key: AppTransactionKey, lineage: Int64)?

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// What was found may have been undone.
    func forget() {
        lastAccount = nil
        lastLineage = nil
        lastLink = nil
    }

    func account(_ id: AccountID) throws -> Int64 {
        if let lastAccount, lastAccount.id == id { return lastAccount.number }
        let number = try known(id) ?? insert(id)
        lastAccount = (id, number)
        return number
    }

    private func insert(_ id: AccountID) throws -> Int64 {
        let number = try connection.insert("INSERT INTO account (name) VALUES (?)", id.text)
        if !id.isFolded {
            try connection.run(
                "INSERT INTO account_spelling VALUES (?, ?)", id.folded.text, number)
        }
        return number
    }

    /// The numbers of all spellings of a UUID: they are one account if the policy says so; if not,
    /// the facts about the others do no harm.
    func spellings(of id: AccountID) throws -> [Int64] {
        guard let folded = AppAccountToken(id.text)?.text else {
            return try known(id).map { [$0] } ?? []
        }
        var numbers = try known(AccountID(unchecked: folded)).map { [$0] } ?? []
        try connection.forEachRow(
            "SELECT account FROM account_spelling WHERE folded = ?", folded
        ) { numbers.append(try $0.integer(0)) }
        return numbers
    }

    /// The same by one of them.
    func spellings(ofNumber number: Int64) throws -> [Int64] {
        let rows = try connection.rows("SELECT name FROM account WHERE id = ?", number)
        guard let row = try rows.next() else { return [number] }
        let name: AccountID = try row.identifier(0)
        return try spellings(of: name)
    }

    func known(_ id: AccountID) throws -> Int64? {
        try connection.integer("SELECT id FROM account WHERE name = ?", id.text)
    }

    /// A new lineage is a cluster of its own.
    func lineage(_ key: LineageKey) throws -> Int64 {
        if let lastLineage, lastLineage.key == key { return lastLineage.number }
        let number =
            try known(key)
            ?? connection.insert(
                """
                INSERT INTO lineage (environment, name, cluster)
                SELECT ?, ?, coalesce(max(id), 0) + 1 FROM lineage
                """, key.environment.number, key.originalTransactionID.text)
        lastLineage = (key, number)
        return number
    }

    func known(_ key: LineageKey) throws -> Int64? {
        try connection.integer(
            "SELECT id FROM lineage WHERE environment = ? AND name = ?",
            key.environment.number, key.originalTransactionID.text)
    }

    func storeTransaction(_ key: TransactionKey) throws -> KnownTransaction {
        if let known = try known(key) { return known }
        guard let number = try insertIfNew(key) else { throw LedgerStoreError.corrupt }
        return (number, nil, false)
    }

    /// Nil for a transaction that is known, whatever its lineage.
    func insertIfNew(
        _ key: TransactionKey, in lineage: Int64? = nil, isLasting: Bool = false
    ) throws -> Int64? {
        try connection.insertIfNew(
            """
            INSERT INTO store_transaction (environment, name, lineage, is_lasting)
            VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, key.environment.number, key.transactionID.text, lineage,
            Int64(isLasting ? 1 : 0))
    }

    func known(_ key: TransactionKey) throws -> KnownTransaction? {
        try connection.first(
            """
            SELECT id, lineage, is_lasting FROM store_transaction
            WHERE environment = ? AND name = ?
            """, key.environment.number, key.transactionID.text
        ) { (try $0.integer(0), try $0.optionalInteger(1), try $0.integer(2) == 1) }
    }

    func known(_ key: AppTransactionKey) throws -> Int64? {
        try connection.integer(
            "SELECT id FROM app_transaction WHERE environment = ? AND name = ?",
            key.environment.number, key.id.text)
    }

    func known(_ receipt: Digest256) throws -> Int64? {
        try connection.integer("SELECT id FROM receipt WHERE digest = ?", receipt)
    }

    /// The lineage came in this receipt.
    func receipt(_ digest: Digest256?, of lineage: Int64) throws -> Int64? {
        guard let digest else { return nil }
        let known: (id: Int64, lineage: Int64)? = try connection.first(
            "SELECT id, lineage FROM receipt WHERE digest = ?", digest
        ) { (try $0.integer(0), try $0.integer(1)) }
        if let known {
            try join(known.lineage, lineage)
            return known.id
        }
        return try connection.insert(
            "INSERT INTO receipt (digest, lineage) VALUES (?, ?)", digest, lineage)
    }

    /// The lineage stated this appTransactionId.
    func linkAppTransaction(_ key: AppTransactionKey?, to lineage: Int64) throws {
        guard let key else { return }
        if let lastLink, lastLink == (key, lineage) { return }
        let id = try appTransaction(key)
        let other = try connection.integer(
            "SELECT min(lineage) FROM lineage_of_app_transaction WHERE app_transaction = ?", id)
        try connection.run(
            "INSERT OR IGNORE INTO lineage_of_app_transaction VALUES (?, ?)", id, lineage)
        if let other { try join(other, lineage) }
        lastLink = (key, lineage)
    }

    private func appTransaction(_ key: AppTransactionKey) throws -> Int64 {
        try known(key)
            ?? connection.insert(
                "INSERT INTO app_transaction (environment, name) VALUES (?, ?)",
                key.environment.number, key.id.text)
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
