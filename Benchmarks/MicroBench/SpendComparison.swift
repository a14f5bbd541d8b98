internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerStore
internal import PolicyLoading
internal import StoreBox

extension MicroBench {
    /// Thirty-two callers that spend from 256 accounts, each answered when it is durable, beside
    /// bare SQLite writing the same rows, 32 spends in a commit. What opens and closes the ledgers, and
    /// what is given to the accounts, is not timed.
    static func spends(in folder: BenchFolder, passes: Int) async throws -> Comparison {
        try await comparison(
            "a spend of one credit", SpendBench(folder, callers: 32, accounts: 256), passes)
    }

    /// The same with 64 callers that spend from one account.
    static func spendsFromOne(in folder: BenchFolder, passes: Int) async throws -> Comparison {
        try await comparison(
            "a spend from one account", SpendBench(folder, callers: 64, accounts: 1), passes)
    }

    private static func comparison(
        _ what: String, _ bench: SpendBench, _ passes: Int
    ) async throws -> Comparison {
        let rows = try await bench.rows()
        var (engine, target): (EntitlementEngine?, RawSQLite?)
        defer { try? engine?.close() }
        return try await Comparison(
            what,
            ours: .init(
                name: "engine, \(bench.callers) callers",
                prepare: {
                    try engine?.close()
                    engine = try await bench.open(at: bench.newPath())
                },
                run: {
                    if let engine { try await bench.spend(in: engine) }
                    return SpendBench.spends
                }),
            yardstick: .init(
                name: "bare SQLite, same rows, FULL",
                prepare: { target = try rows.makeTarget(at: bench.newPath()) },
                run: {
                    if let target { try rows.write(to: target, perCommit: bench.callers) }
                    return SpendBench.spends
                }), passes: passes)
    }
}

/// The rows that spends have put into a ledger, in the order in which they did, to be written again
/// with bare inserts.
private struct SpendRows {
    private let given: String
    private let rows: [[(insert: String, values: [RawSQLite.Value])]]

    /// - Parameters:
    ///   - given: a ledger in which nothing was spent.
    ///   - spent: the same, and then spends.
    init(given: String, spent: String) throws {
        self.given = given
        let source = try RawSQLite(path: spent)
        let before = try RawSQLite(path: given).rows("SELECT max(seq) FROM entry")
        guard case .integer(let head)? = before.first?.first else {
            throw BenchFailure.sqlite("an entry")
        }
        let tables = try ["entry", "unique_name", "entry_of_account"].map { table in
            let found = try source.rows(
                "SELECT * FROM \(table) WHERE seq > \(head) ORDER BY seq")
            let marks = Array(repeating: "?", count: found.first?.count ?? 1)
            return found.map { values in
                ("INSERT INTO \(table) VALUES (\(marks.joined(separator: ", ")))", values)
            }
        }
        guard tables.allSatisfy({ $0.count == SpendBench.spends }) else {
            throw BenchFailure.sqlite("each spend is a row in each of three tables")
        }
        rows = (0..<SpendBench.spends).map { spend in tables.map { $0[spend] } }
    }

    func makeTarget(at path: String) throws -> RawSQLite {
        try RawSQLite(path: given).execute("VACUUM INTO '\(path)'")
        return try RawSQLite(path: path)
    }

    func write(to target: RawSQLite, perCommit count: Int) throws {
        for start in stride(from: 0, to: rows.count, by: count) {
            try target.execute("BEGIN IMMEDIATE")
            for row in rows[start..<min(start + count, rows.count)].joined() {
                try target.insert(row.values, with: target.statement(row.insert))
            }
            try target.execute("COMMIT")
        }
    }
}

/// Accounts that were given more than they spend.
private final class SpendBench {
    static let spends = 4_000
    private static let now = Instant(milliseconds: 1_780_000_000_000)

    let callers: Int
    private let accounts: Int
    private let folder: BenchFolder
    private let policy: [PolicyText]

    init(_ folder: BenchFolder, callers: Int, accounts: Int) {
        self.folder = folder
        (self.callers, self.accounts) = (callers, accounts)
        let store = StoreSimulator(seed: 1, now: Self.now)
        let text = """
            usher: 1
            app: {bundle_id: com.example.shop, apple_id: 77}
            trust: {roots: {jws: [{file: root.der}]}}
            environments: {production: trusted}
            credits: {coins: {title: Coins}}
            products:
              coins: {kind: consumable, grants: [{credit: coins, units: 100}]}
            """
        policy = [
            PolicyText(path: "policy.yaml", text: text),
            PolicyText(path: "root.der", bytes: store.root.der),
        ]
    }

    func newPath() -> String { folder.newPath() }

    /// The rows of spends that were done once.
    fileprivate func rows() async throws -> SpendRows {
        let (given, spent) = (newPath(), newPath())
        try await open(at: given).close()
        let engine = try await open(at: spent)
        try await spend(in: engine)
        try engine.close()
        return try SpendRows(given: given, spent: spent)
    }

    /// A ledger in which every account was given something.
    func open(at path: String) async throws -> EntitlementEngine {
        let engine = try await EntitlementEngine.open(
            EngineOptions(
                ledger: LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts),
                policyTexts: policy, clock: StoppedClock(Self.now)))
        for number in 0..<accounts { try await engine.give(to: Population.account(number)) }
        return engine
    }

    func spend(in engine: EntitlementEngine) async throws {
        try await withThrowingTaskGroup(of: Void.self) { [callers, accounts] group in
            for caller in 0..<callers {
                group.addTask {
                    for number in stride(from: caller, to: Self.spends, by: callers) {
                        let account = Population.account(number % accounts)
                        try await engine.spend(from: account, key: "spend-\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

extension EntitlementEngine {
    fileprivate func give(to account: AccountID) async throws {
        let request = GrantRequest(
            id: GrantID(unchecked: "gift-\(account)"), account: account,
            gift: .credit(CreditName(unchecked: "coins"), units: 1_000_000),
            cause: AdminActionCause(actor: "uid:0", reason: "a measurement"))
        guard case .done = try await grant(request) else { throw BenchFailure.refused("a grant") }
    }

    fileprivate func spend(from account: AccountID, key: String) async throws {
        let request = SpendRequest(
            account: account, parts: [CreditPart(CreditName(unchecked: "coins"), 1)], key: key,
            cause: CreditCause(actor: "uid:0"))
        guard case .done = try await spend(request) else { throw BenchFailure.refused("a spend") }
    }
}
