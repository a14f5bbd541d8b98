package import EntitlementModel
internal import GRDB
internal import Glibc
package import LedgerModel
internal import Synchronization

/// What is needed to make erasures again that an older copy of a ledger lacks.
package struct ErasureCustody: Sendable {
    /// Nil where nothing is erased.
    package var key: PrivacyKey?
    package var now: Instant
    /// Another list to go by: a list, or a ledger that has the erasures.
    package var list: String?

    package init(key: PrivacyKey?, now: Instant, list: String? = nil) {
        (self.key, self.now, self.list) = (key, now, list)
    }
}

/// `<ledger>.erasures`: the list, kept next to a ledger.
final class ErasureListFile: Sendable {
    let path: String
    private let file: JournalFile
    private let custody: ErasureCustody
    private let notices: LedgerNotices
    private let state = Mutex(State())

    private struct State {
        /// The last erasure that is listed; nil where the list is to be written anew.
        var last: LedgerSequence?
        var isFailing = false
        /// Whether the log may hold what was erased before, or the list is behind.
        var isUnfinished = false
    }

    init(
        of ledger: LedgerName, _ access: FileAccess, _ custody: ErasureCustody,
        _ notices: LedgerNotices
    ) {
        path = ledger.erasures
        file = JournalFile(besideLedger: ledger.path, access: access, ending: ".erasures")
        self.custody = custody
        self.notices = notices
    }

    /// Before the ledger is served: makes the erasures that only the list knows, and the list whole.
    ///
    /// - Returns: how many were made again.
    func bringUp(_ pool: DatabasePool, _ salts: SaltSupply) throws -> Int {
        var again = 0
        if let list = try ErasureList.read(path) {
            let undone = try pool.read { database in
                let ledger = LedgerTransaction(database)
                try ledger.expectOwn(list, at: path)
                return try ledger.hasExactly(list) ? nil : ledger.undone(of: list)
            }
            guard let undone else {
                state.withLock {
                    $0.last = list.lines.last?.place.sequence ?? .zero
                    $0.isUnfinished = !list.lines.isEmpty
                }
                return 0
            }
            again = undone.count
            try erase(undone, in: pool, salts)
        }
        _ = list(pool)
        state.withLock { $0.isUnfinished = $0.isFailing || $0.last != nil }
        return again
    }

    var isUnfinished: Bool { state.withLock(\.isUnfinished) }

    private func erase(
        _ undone: [ErasureList.Line], in pool: DatabasePool, _ salts: SaltSupply
    ) throws {
        guard !undone.isEmpty else { return }
        guard let key = custody.key, undone.areMade(by: key) else {
            throw LedgerStoreError.undoneErasures(path: path, count: undone.count)
        }
        try pool.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try LedgerTransaction(database, salts: salts).eraseAgain(
                    undone, knownBy: key, at: custody.now)
                return .commit
            }
            // Otherwise a second later, as after every erasure.
            _ = try? database.checkpoint(.truncate)
        }
        notices.add(.erasedAgain(path: path, count: undone.count))
    }

    /// Lists what was erased since the last time.
    ///
    /// - Returns: false where that has to be tried again.
    func list(_ pool: DatabasePool) -> Bool {
        let last = state.withLock(\.last)
        do {
            let isWhole = last == nil || FileStamp(path) == nil
            let from = isWhole ? .zero : last ?? .zero
            let new = try pool.writeWithoutTransaction {
                try LedgerTransaction($0).erasureList(after: from)
            }
            guard let new, let newest = new.lines.last else { return true }
            if isWhole {
                try file.replace(with: new.text)
            } else {
                try file.append(Array(new.text.dropFirst()))
            }
            state.withLock { $0 = State(last: newest.place.sequence) }
            return true
        } catch {
            let isNew = state.withLock { state in
                defer { state = State(isFailing: true) }
                return !state.isFailing
            }
            if isNew { notices.add(.erasuresNotListed(path: path)) }
            return false
        }
    }
}

extension ErasureList {
    /// - Parameter path: of a list, or of a ledger that has the erasures.
    /// - Returns: nil where there is none, or none that can be read.
    package static func read(_ path: String) throws(LedgerError) -> ErasureList? {
        try LedgerError.mapping { try JournalFile.lines(at: path).flatMap { ErasureList($0) } }
    }

    /// The same for one that somebody names.
    package static func read(named path: String) throws(LedgerError) -> ErasureList {
        if let list = try read(path) { return list }
        let ledger = try SQLiteLedger.openReadOnly(path: path)
        defer { try? ledger.close() }
        let list = try ledger.look { try LedgerTransaction($0).erasureList() }
        guard let list else { throw LedgerError(LedgerStoreError.notALedger) }
        return list
    }

    /// With the erasures that only the other one has.
    func merging(_ other: ErasureList?) -> ErasureList {
        var merged = self
        for line in other?.lines ?? []
        where !merged.lines.contains(where: { $0.place == line.place }) {
            merged.lines.append(line)
        }
        return merged
    }
}

extension [ErasureList.Line] {
    /// Whether the key knows whose they were.
    func areMade(by key: PrivacyKey?) -> Bool {
        allSatisfy { line in key.map { line.erasure.names.contains($0.mark) } ?? false }
    }
}

extension SQLiteLedgerReader {
    /// What the list names, and is not gone here.
    package func problems(
        against list: ErasureList, at path: String
    ) throws(LedgerError) -> [LedgerProblem] {
        try look { database in
            let ledger = LedgerTransaction(database)
            try ledger.expectOwn(list, at: path)
            return try ledger.left(of: list)
        }
    }
}

/// Lists and the restoring of a ledger.
extension ErasureCustody {
    /// Before a ledger is made of a backup: puts the list next to it by which its first opening
    /// makes the erasures again that the backup lacks.
    ///
    /// - Throws: where that could not be done then.
    /// - Returns: whether the list is a new file.
    func prepare(
        _ backup: SQLiteLedgerReader, for name: LedgerName, _ access: FileAccess
    ) throws -> Bool {
        let beside = try ErasureList.read(name.erasures)
        let given = try list.map { try ErasureList.read(named: $0) }
        guard let all = given?.merging(beside) ?? beside else { return false }
        let undone = try backup.look { database in
            let ledger = LedgerTransaction(database)
            for (list, path) in [(given, list), (beside, name.erasures)] {
                if let list, let path { try ledger.expectOwn(list, at: path) }
            }
            return try ledger.undone(of: all)
        }
        if !undone.areMade(by: key) {
            throw LedgerStoreError.undoneErasures(path: list ?? name.erasures, count: undone.count)
        }
        guard all != beside else { return false }
        try JournalFile(besideLedger: name.path, access: access, ending: ".erasures")
            .replace(with: all.text)
        return beside == nil
    }
}

extension LedgerTransaction {
    /// Makes erasures that another copy of the ledger has, of what there is of them here.
    ///
    /// Whose they are is known by the key alone: an account may have another number here. What was
    /// taken as nobody's yet, such as a purchase that was claimed later, is known by its number.
    func eraseAgain(
        _ lines: [ErasureList.Line], knownBy key: PrivacyKey, at now: Instant
    ) throws {
        let wanted = Set(lines.flatMap(\.erasure.names))
        var accounts: [Digest256: [AccountID]] = [:]
        try connection.forEachRow(
            """
            SELECT name FROM account UNION SELECT token FROM lineage_of_token
            UNION SELECT token FROM token_registration
            """
        ) { row in
            let account: AccountID = try row.identifier(0)
            let digest = key.digest(of: account)
            if wanted.contains(digest) { accounts[digest, default: []].append(account) }
        }
        for line in lines {
            _ = try erase(
                line.erasure.names.flatMap { accounts[$0] ?? [] }.sorted(), as: line.erasure,
                withClustersOf: try entries(of: line).own, at: max(now, line.recordedAt))
        }
    }
}
