internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore
internal import Synchronization

extension MicroBench {
    /// Everything that the ledger does, beside SQLite doing the same rows bare.
    static func ledgerComparisons(
        in folder: BenchFolder, passes: Int
    ) async throws -> [Comparison] {
        let bench = try await LedgerBench(folder)
        return [
            try await bench.batches(passes: passes),
            try await bench.singles(passes: passes),
            try await bench.concurrency(passes: passes),
            try await bench.reading(passes: passes),
            try await bench.deriving(passes: passes),
            try await bench.cold(passes: passes),
        ]
    }
}

extension MicroBench {
    /// An account's facts, beside SQLite reading the same rows bare.
    static func reading(in folder: BenchFolder, passes: Int) async throws -> Comparison {
        try await LedgerBench(folder).reading(passes: passes)
    }

    /// A cold account, beside SQLite reading the same rows bare.
    static func cold(in folder: BenchFolder, passes: Int) async throws -> Comparison {
        try await LedgerBench(folder).cold(passes: passes)
    }

    /// Durable entries in batches, beside SQLite writing the same rows bare.
    static func batches(in folder: BenchFolder, passes: Int) async throws -> Comparison {
        try await LedgerBench(folder).batches(passes: passes)
    }
}

/// A population on the disk, and the ways to write and read it.
private final class LedgerBench {
    private static let now = Instant(milliseconds: 1_780_000_000_000)

    private let folder: BenchFolder
    private let population = Population(accounts: 2_000)
    private let entries: [LedgerEntry]
    private let ledger: SQLiteLedger
    private let copy: LedgerCopy

    init(_ folder: BenchFolder) async throws {
        self.folder = folder
        let path = folder.path + "/population.sqlite"
        try await population.write(to: path)
        let population = population
        entries = (1...population.accounts).flatMap { population.entries(ofAccount: $0) }
        ledger = try SQLiteLedger.open(path: path, makeSalts: EngineOptions.randomSalts)
        copy = try LedgerCopy(of: path)
    }

    private func newPath() -> String { folder.newPath() }

    private func emptyLedger() throws -> SQLiteLedger {
        try SQLiteLedger.open(path: newPath(), makeSalts: EngineOptions.randomSalts)
    }

    func batches(passes: Int) async throws -> Comparison {
        let size = 100
        let batches = stride(from: 0, to: entries.count, by: size).map { start in
            Array(entries[start..<min(start + size, entries.count)])
        }
        return try await Comparison(
            "durable entries, 100 in a commit",
            ours: .init(name: "ledger") { [self] in
                let ledger = try emptyLedger()
                for batch in batches { try await append(batch, to: ledger) }
                try ledger.close()
                return entries.count
            },
            yardstick: .init(name: "bare SQLite, same rows, FULL") { [self] in
                let target = try copy.makeTarget(at: newPath())
                try copy.write(to: target, transactions: batches.count)
                return entries.count
            }, passes: passes)
    }

    func singles(passes: Int) async throws -> Comparison {
        let count = 2_000
        return try await Comparison(
            "durable entries, 1 in a commit, one client",
            ours: .init(name: "ledger") { [self] in
                let ledger = try emptyLedger()
                for entry in entries.prefix(count) { try await append([entry], to: ledger) }
                try ledger.close()
                return count
            },
            yardstick: .init(name: "bare SQLite, one row, FULL") { [self] in
                let target = try RawSQLite(path: newPath())
                try target.execute("CREATE TABLE entry (seq INTEGER PRIMARY KEY, payload BLOB)")
                let statement = try target.statement("INSERT INTO entry VALUES (?, ?)")
                let payload = RawSQLite.Value.blob(Array(repeating: 7, count: 700))
                for number in 1...Int64(count) {
                    try target.execute("BEGIN IMMEDIATE")
                    try target.insert([.integer(number), payload], with: statement)
                    try target.execute("COMMIT")
                }
                return count
            }, passes: passes)
    }

    func concurrency(passes: Int) async throws -> Comparison {
        let count = 4_096
        let some = Array(entries.prefix(count))
        return try await Comparison(
            "durable entries, 1 in a write",
            ours: .init(name: "64 clients at once") { [self] in
                let ledger = try emptyLedger()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for client in 0..<64 {
                        group.addTask {
                            for index in stride(from: client, to: count, by: 64) {
                                try await append([some[index]], to: ledger)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try ledger.close()
                return count
            },
            yardstick: .init(name: "one client") { [self] in
                let ledger = try emptyLedger()
                for entry in some { try await append([entry], to: ledger) }
                try ledger.close()
                return count
            }, passes: passes)
    }

    func reading(passes: Int) async throws -> Comparison {
        try await Comparison(
            "an account's facts (10 entries)",
            ours: .init(name: "ledger, decoded") { [self] in
                for number in 1...population.accounts { _ = try facts(ofAccount: number) }
                return population.accounts
            },
            yardstick: try bareRows(), passes: passes)
    }

    func cold(passes: Int) async throws -> Comparison {
        let deriver = Deriver(policies: try Population.policies())
        return try await Comparison(
            "a cold account (10 entries)",
            ours: .init(name: "read, decoded and derived") { [self] in
                for number in 1...population.accounts {
                    _ = deriver.deriveAccount(
                        Population.account(number), try facts(ofAccount: number))
                }
                return population.accounts
            },
            yardstick: try bareRows(), passes: passes)
    }

    private func bareRows() throws -> Comparison.Party {
        let raw = try RawSQLite(path: folder.path + "/population.sqlite")
        return .init(name: "bare SQLite, the rows alone") { [population] in
            for number in 1...population.accounts {
                let first = (number - 1) * 10
                _ = try raw.rows(
                    "SELECT * FROM entry WHERE seq > \(first) AND seq <= \(first + 10)")
            }
            return population.accounts
        }
    }

    func deriving(passes: Int) async throws -> Comparison {
        let deriver = Deriver(policies: try Population.policies())
        let facts = try (1...population.accounts).map { try self.facts(ofAccount: $0) }
        return try await Comparison(
            "an account's timeline from its facts",
            ours: .init(name: "derivation") { [population] in
                for number in 1...population.accounts {
                    _ = deriver.deriveAccount(Population.account(number), facts[number - 1])
                }
                return population.accounts
            },
            yardstick: .init(name: "reading the facts") { [self] in
                for number in 1...population.accounts { _ = try self.facts(ofAccount: number) }
                return population.accounts
            }, passes: passes)
    }

    private func facts(ofAccount number: Int) throws -> FactSet {
        let facts = try ledger.read { try $0.facts(forAccount: Population.account(number)) }
        guard facts.transactions.count == Population.renewals else {
            throw BenchFailure.refused("the facts of an account")
        }
        return facts
    }
}

@Sendable
private func append(_ entries: [LedgerEntry], to ledger: SQLiteLedger) async throws {
    let now = Instant(milliseconds: 1_780_000_000_000)
    try await ledger.write { transaction in
        // A loop over the array would copy each of them.
        let entries = entries.span
        for place in entries.indices { _ = try transaction.append(entries[place], at: now) }
    }
}
